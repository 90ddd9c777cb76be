/// Colour tags of pictures in the code points of ITU-T H.273, and the static metadata of HDR (SMPTE ST 2086, CTA-861.3).
public struct PictureColors: Sendable, Hashable, Codable {
    /// Colour primaries: 1 BT.709, 5 and 6 BT.601, 9 BT.2020, 2 unspecified.
    public var primaries = 1
    /// Transfer function: 1 BT.709, 16 PQ, 18 HLG, 2 unspecified.
    public var transfer = 1
    /// Matrix of luma and chroma: 1 BT.709, 5 and 6 BT.601, 9 BT.2020.
    public var matrix = 1
    /// Display on which the pictures were graded; nil when unknown.
    public var masteringDisplay: MasteringDisplay?
    /// Brightness of the pictures; nil when unknown.
    public var lightLevel: LightLevel?

    /// Mastering display colour volume of SMPTE ST 2086, as exact fractions.
    public struct MasteringDisplay: Sendable, Hashable, Codable {
        /// CIE 1931 x and y of red, green, blue and white, in 1/50000.
        public var chromaticities: [Int]
        /// Lowest and highest luminance, in 1/10000 cd/m².
        public var luminance: ClosedRange<Int>

        /// Creates a display; `chromaticities` are eight numbers.
        public init(chromaticities: [Int], luminance: ClosedRange<Int>) {
            (self.chromaticities, self.luminance) = (chromaticities, luminance)
        }
    }

    /// Content light level of CTA-861.3, cd/m².
    public struct LightLevel: Sendable, Hashable, Codable {
        /// Brightest pixel of all pictures (MaxCLL).
        public var maximum: Int
        /// Highest average of a picture (MaxFALL).
        public var maximumAverage: Int

        /// Creates a light level, cd/m².
        public init(maximum: Int, maximumAverage: Int) { (self.maximum, self.maximumAverage) = (maximum, maximumAverage) }
    }

    /// Creates tags, by default BT.709.
    public init(primaries: Int = 1, transfer: Int = 1, matrix: Int = 1) {
        (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
    }

    /// High-definition video: BT.709 throughout.
    public static let bt709 = PictureColors()

    /// Whether the transfer function is HLG's or PQ's.
    public var isHDR: Bool { transfer == 16 || transfer == 18 }
}
