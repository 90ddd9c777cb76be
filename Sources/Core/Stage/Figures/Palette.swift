/// Named colours, in linear light.
enum Palette {
    /// Converts 0xRRGGBB (display code values) to linear light, by a polynomial.
    static func rgb(_ hex: UInt32) -> SIMD3<Float> {
        let (red, green, blue): (UInt32, UInt32, UInt32) = (hex >> 16 & 255, hex >> 8 & 255, hex & 255)
        let v = SIMD3<Float>(Float(red), Float(green), Float(blue)) / 255
        let slope: SIMD3<Float> = v * 0.2 + 0.8
        return v * v * slope
    }

    static let skins: [(name: String, color: UInt32)] = [
        ("light", 0xF0C8AE), ("rosy", 0xE8B496), ("tan", 0xD29B74), ("olive", 0xC69068), ("brown-skin", 0x9C6844), ("dark", 0x7A4E35),
    ]
    static let hairs: [(name: String, color: UInt32)] = [
        ("black", 0x1C1816), ("brown", 0x4A2F1F), ("chestnut", 0x6B3A20), ("blond", 0xC79A55), ("red", 0x9A4420), ("grey", 0x9A9690),
    ]
    static let clothes: [(name: String, color: UInt32)] = [
        ("navy", 0x2B3A5C), ("mustard", 0xC08A2E), ("green", 0x3F6B4A), ("wine", 0x7C2A38), ("white", 0xDAD6CC), ("charcoal", 0x3A3B40),
        ("teal", 0x2A7078), ("rust", 0xA4512C), ("sky", 0x7FA3C0),
    ]
    static let eyes: [UInt32] = [0x4A2E1C, 0x5B7FA0, 0x5E7A48, 0x6A4A28]
    static let furs: [(name: String, fur: UInt32, stripe: UInt32, white: Bool)] = [
        ("tabby", 0x9A8468, 0x4A3C2E, true), ("ginger", 0xD08A45, 0xA25A22, true), ("grey", 0x8A8C92, 0x63656C, false),
        ("cream", 0xD9C3A0, 0xB89868, true),
    ]

    /// Entry whose name is among `words`, else one at random from the stream.
    static func pick<Entry>(_ list: [Entry], name: (Entry) -> String, words: [String], _ stream: HashStream, _ counter: Int) -> Entry {
        list.first { words.contains(name($0)) } ?? list[Int(stream.bits(counter) >> 33) % list.count]
    }
}

/// Smoothstep: 0 below `low`, 1 above `high`, cubic between; the other way round when `low` > `high`.
@inline(__always)
func smooth(_ low: Float, _ high: Float, _ x: Float) -> Float {
    let t = min(max((x - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}

@inline(__always)
func mix(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ t: Float) -> SIMD3<Float> { a + (b - a) * t }
