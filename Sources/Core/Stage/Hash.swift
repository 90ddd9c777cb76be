/// Counter-based random numbers (splitmix64): the same seed, stream name and counter give the same bits, in any order, on any machine.
struct HashStream: Sendable {
    private let key: UInt64

    init(seed: UInt64, _ name: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        key = Self.mix(seed &* 0x9E37_79B9_7F4A_7C15 ^ hash)
    }

    private init(key: UInt64) { self.key = key }

    /// Independent stream of one frame, row or subject.
    @inline(__always)
    func substream(_ index: Int) -> HashStream { HashStream(key: bits(index)) }

    @inline(__always)
    func bits(_ counter: Int) -> UInt64 { Self.mix(key &+ UInt64(bitPattern: Int64(counter)) &* 0x9E37_79B9_7F4A_7C15) }

    /// Uniform random number, 0 ..< 1.
    @inline(__always)
    func unit(_ counter: Int) -> Double { Double(bits(counter) >> 11) * 0x1p-53 }

    /// Value noise, −1…1, over time; `period` nanoseconds between two of its random values.
    func wave(at time: Int64, period: Int64) -> Double {
        let cell = time >= 0 ? time / period : (time - period + 1) / period
        let t = Double(time - cell * period) / Double(period)
        let (a, b) = (unit(Int(cell)), unit(Int(cell) + 1))
        return (a + (b - a) * t * t * (3 - 2 * t)) * 2 - 1
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
