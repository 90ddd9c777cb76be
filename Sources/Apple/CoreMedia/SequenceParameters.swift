import Foundation

/// Size, sample format and profile of a coded sequence, from its parameter set (ITU-T H.264, 7.3.2.1.1; H.265, 7.3.2.2.1).
struct SequenceParameters {
    /// Size that is shown, in pixels.
    let width: Int
    let height: Int
    /// `chroma_format_idc`: 0 grey, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    let chroma: UInt8
    /// Bits of a sample beyond 8; nil in the profiles of H.264 that have 8.
    let highBits: (luma: UInt8, chroma: UInt8)?
    /// Profile, compatibility, constraints and level of H.265: 12 bytes; empty of H.264.
    var profile = Data()
    /// Temporal layers, and whether they are nested; of H.265.
    var layers: UInt8 = 0
    var nesting: UInt8 = 0

    /// Profiles of H.264 whose sets tell the chroma format.
    private static let highProfiles: Set<UInt32> = [44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244]

    /// Reads a set of H.264, its unit's header included; nil where it is damaged.
    init?(h264 unit: Data) {
        var bits = BitReader(unit, skipping: 1)
        let profile = bits.read(8)
        _ = bits.read(16)
        _ = bits.exponential()
        var (chroma, depths): (UInt32, (UInt8, UInt8)?) = (1, nil)
        if Self.highProfiles.contains(profile) {
            chroma = bits.exponential()
            if chroma == 3 { _ = bits.read(1) }
            depths = (UInt8(truncatingIfNeeded: bits.exponential()) & 7, UInt8(truncatingIfNeeded: bits.exponential()) & 7)
            _ = bits.read(1)
            if bits.read(1) == 1 { for index in 0..<(chroma == 3 ? 12 : 8) where bits.read(1) == 1 { bits.skipScalingList(index < 6 ? 16 : 64) } }
        }
        _ = bits.exponential()
        switch bits.exponential() {
        case 0: _ = bits.exponential()
        case 1:
            _ = bits.read(1)
            for _ in 0..<2 { _ = bits.exponential() }
            for _ in 0..<min(255, bits.exponential()) { _ = bits.exponential() }
        default: break
        }
        _ = bits.exponential()
        _ = bits.read(1)
        let (columns, rows) = (Int(bits.exponential()) + 1, Int(bits.exponential()) + 1)
        let fields = bits.read(1) == 1 ? 1 : 2
        if fields == 2 { _ = bits.read(1) }
        _ = bits.read(1)
        let crop = bits.read(1) == 1 ? (0..<4).map { _ in Int(bits.exponential()) } : [0, 0, 0, 0]
        let (across, down) = (chroma == 1 || chroma == 2 ? 2 : 1, (chroma == 1 ? 2 : 1) * fields)
        self.init(
            size: (columns * 16 - across * (crop[0] + crop[1]), rows * 16 * fields - down * (crop[2] + crop[3])), chroma, depths, bits)
    }

    /// Reads a set of H.265, its unit's header included; nil where it is damaged.
    init?(hevc unit: Data) {
        var bits = BitReader(unit, skipping: 2)
        _ = bits.read(4)
        let (sublayers, nesting) = (Int(bits.read(3)), UInt8(bits.read(1)))
        let profile = Data((0..<12).map { _ in UInt8(bits.read(8)) })
        let present = (0..<sublayers).map { _ in (bits.read(1) == 1, bits.read(1) == 1) }
        if sublayers > 0 { for _ in sublayers..<8 { _ = bits.read(2) } }
        for (hasProfile, hasLevel) in present {
            if hasProfile { for _ in 0..<11 { _ = bits.read(8) } }
            if hasLevel { _ = bits.read(8) }
        }
        _ = bits.exponential()
        let chroma = bits.exponential()
        if chroma == 3 { _ = bits.read(1) }
        let (columns, rows) = (Int(bits.exponential()), Int(bits.exponential()))
        let crop = bits.read(1) == 1 ? (0..<4).map { _ in Int(bits.exponential()) } : [0, 0, 0, 0]
        let depths = (UInt8(truncatingIfNeeded: bits.exponential()) & 7, UInt8(truncatingIfNeeded: bits.exponential()) & 7)
        let (across, down) = (chroma == 1 || chroma == 2 ? 2 : 1, chroma == 1 ? 2 : 1)
        self.init(size: (columns - across * (crop[0] + crop[1]), rows - down * (crop[2] + crop[3])), chroma, depths, bits)
        self.profile = profile
        (self.layers, self.nesting) = (UInt8(sublayers + 1), nesting)
    }

    private init?(size: (width: Int, height: Int), _ chroma: UInt32, _ depths: (luma: UInt8, chroma: UInt8)?, _ bits: BitReader) {
        // Greatest size of level 6.2, squared.
        guard !bits.isOver, chroma < 4, (1...16_888).contains(size.width), (1...16_888).contains(size.height) else { return nil }
        width = size.width
        height = size.height
        self.chroma = UInt8(chroma)
        highBits = depths
    }
}

/// Reader of a unit's bits, without the bytes that keep start codes from appearing in it.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether more was read than there is; zeros were read instead.
    var isOver: Bool { position > 8 * bytes.count }

    init(_ unit: Data, skipping header: Int) {
        var (bytes, zeros): ([UInt8], Int) = ([], 0)
        for byte in unit.dropFirst(header) {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    /// Reads up to 32 bits, the first highest.
    mutating func read(_ count: Int) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<count {
            let bit = position < 8 * bytes.count ? UInt32(bytes[position / 8] >> (7 - position % 8) & 1) : 0
            value = value << 1 | bit
            position += 1
        }
        return value
    }

    /// Reads a code of Exp-Golomb (9.1) without its sign.
    mutating func exponential() -> UInt32 {
        var zeros = 0
        while read(1) == 0 {
            zeros += 1
            // No number has as many zeros: the unit is none.
            if zeros > 31 { position = 8 * bytes.count + 1 }
            if isOver { return 0 }
        }
        return UInt32(1) << zeros - 1 + read(zeros)
    }

    /// Skips a list of scaling factors (H.264, 7.3.2.1.1.1).
    mutating func skipScalingList(_ count: Int) {
        var (last, next): (Int, Int) = (8, 8)
        for _ in 0..<count {
            if next != 0 {
                let code = Int(exponential())
                let delta = code % 2 == 0 ? -code / 2 : (code + 1) / 2
                next = ((last + delta) % 256 + 256) % 256
            }
            if next != 0 { last = next }
        }
    }
}
