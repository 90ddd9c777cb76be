import Foundation

/// Planes and components of every pixel format.
struct PixelFormatTraits: Sendable {
    let format: OSType
    /// Layout of each plane; empty for a format whose pixels are no whole bytes, of which no buffer can be made.
    let planes: [PlaneLayout]
    let contents: Contents

    struct Contents: OptionSet, Sendable {
        let rawValue: Int
        static let rgb = Contents(rawValue: 1)
        static let yCbCr = Contents(rawValue: 2)
        static let grayscale = Contents(rawValue: 4)
        static let alpha = Contents(rawValue: 8)
        static let videoRange = Contents(rawValue: 16)
        static let fullRange = Contents(rawValue: 32)
    }

    private init(_ format: OSType, _ planes: [PlaneLayout], _ contents: Contents) {
        self.format = format
        self.planes = planes
        self.contents = contents
    }

    /// All formats in groups: RGB, Y'CbCr, others.
    static let all = rgb + yCbCr + others

    private static let byFormat = Dictionary(uniqueKeysWithValues: all.map { ($0.format, $0) })

    /// Finds a format; nil for an unknown one.
    static func of(_ format: OSType) -> PixelFormatTraits? { byFormat[format] }

    private static let rgb = [
        PixelFormatTraits(kCVPixelFormatType_16BE555, [.packed(2)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_16LE555, [.packed(2)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_16LE5551, [.packed(2)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_16BE565, [.packed(2)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_16LE565, [.packed(2)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_24RGB, [.packed(3)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_24BGR, [.packed(3)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_32ARGB, [.packed(4)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_32BGRA, [.packed(4)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_32ABGR, [.packed(4)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_32RGBA, [.packed(4)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_64ARGB, [.packed(8)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_64RGBALE, [.packed(8)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_48RGB, [.packed(6)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_30RGB, [.packed(4)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_30RGB_r210, [.packed(4)], [.rgb, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_30RGBLEPackedWideGamut, [.packed(4)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_ARGB2101010LEPacked, [.packed(4)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_40ARGBLEWideGamut, [.packed(8)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_40ARGBLEWideGamutPremultiplied, [.packed(8)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_30RGBLE_8A_BiPlanar, [.packed(4), .packed(1)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_64RGBAHalf, [.packed(8)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_128RGBAFloat, [.packed(16)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_64RGBA_DownscaledProResRAW, [.packed(8)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_Lossless_32BGRA, [.packed(4)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_Lossless_64RGBAHalf, [.packed(8)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_Lossless_30RGBLEPackedWideGamut, [.packed(4)], [.rgb]),
        PixelFormatTraits(kCVPixelFormatType_Lossless_30RGBLE_8A_BiPlanar, [.packed(4), .packed(1)], [.rgb, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_Lossy_32BGRA, [.packed(4)], [.rgb, .alpha]),
    ]

    private static let yCbCr = [
        PixelFormatTraits(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, .biplanar(2, 2, bytes: 1), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, .biplanar(2, 2, bytes: 1), [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, .biplanar(2, 1, bytes: 1), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr8BiPlanarFullRange, .biplanar(2, 1, bytes: 1), [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange, .biplanar(1, 1, bytes: 1), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_444YpCbCr8BiPlanarFullRange, .biplanar(1, 1, bytes: 1), [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, .biplanar(2, 2, bytes: 2), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange, .biplanar(2, 1, bytes: 2), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange, .biplanar(1, 1, bytes: 2), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_420YpCbCr10BiPlanarFullRange, .biplanar(2, 2, bytes: 2), [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr10BiPlanarFullRange, .biplanar(2, 1, bytes: 2), [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_444YpCbCr10BiPlanarFullRange, .biplanar(1, 1, bytes: 2), [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange, .biplanar(2, 1, bytes: 2), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange, .biplanar(1, 1, bytes: 2), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar, .triplanar420Alpha, [.yCbCr, .alpha, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar, .triplanar444Alpha, [.yCbCr, .alpha, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_420YpCbCr8Planar, .triplanar420, [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_420YpCbCr8PlanarFullRange, .triplanar420, [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr_4A_8BiPlanar, [.packed(2), .packed(1)], [.yCbCr, .alpha, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr8, [.packed(2)], [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr8_yuvs, [.packed(2)], [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr8FullRange, [.packed(2)], [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_4444YpCbCrA8, [.packed(4)], [.yCbCr, .alpha, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_4444YpCbCrA8R, [.packed(4)], [.yCbCr, .alpha, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_4444AYpCbCr8, [.packed(4)], [.yCbCr, .alpha, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_4444AYpCbCr16, [.packed(8)], [.yCbCr, .alpha, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_4444AYpCbCrFloat, [.packed(16)], [.yCbCr, .alpha, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_444YpCbCr8, [.packed(3)], [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr16, [.packed(4)], [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_422YpCbCr10, [], [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_444YpCbCr10, [.packed(4)], [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange, .biplanar(2, 2, bytes: 1), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange, .biplanar(2, 2, bytes: 1), [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange, .biplanar(2, 2, bytes: 2), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarFullRange, .biplanar(2, 2, bytes: 2), [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange, .biplanar(2, 1, bytes: 2), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange, .biplanar(2, 2, bytes: 1), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange, .biplanar(2, 2, bytes: 1), [.yCbCr, .fullRange]),
        PixelFormatTraits(kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange, .biplanar(2, 2, bytes: 2), [.yCbCr, .videoRange]),
        PixelFormatTraits(kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange, .biplanar(2, 1, bytes: 2), [.yCbCr, .videoRange]),
    ]

    private static let others = [
        PixelFormatTraits(kCVPixelFormatType_OneComponent8, [.packed(1)], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_OneComponent10, [.packed(2)], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_OneComponent12, [.packed(2)], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_OneComponent16, [.packed(2)], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_OneComponent16Half, [.packed(2)], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_OneComponent32Float, [.packed(4)], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_TwoComponent8, [.packed(2)], []),
        PixelFormatTraits(kCVPixelFormatType_TwoComponent16, [.packed(4)], []),
        PixelFormatTraits(kCVPixelFormatType_TwoComponent16Half, [.packed(4)], []),
        PixelFormatTraits(kCVPixelFormatType_TwoComponent32Float, [.packed(8)], []),
        PixelFormatTraits(kCVPixelFormatType_16Gray, [.packed(2)], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_32AlphaGray, [.packed(4)], [.grayscale, .alpha]),
        PixelFormatTraits(kCVPixelFormatType_DisparityFloat16, [.packed(2)], []),
        PixelFormatTraits(kCVPixelFormatType_DisparityFloat32, [.packed(4)], []),
        PixelFormatTraits(kCVPixelFormatType_DepthFloat16, [.packed(2)], []),
        PixelFormatTraits(kCVPixelFormatType_DepthFloat32, [.packed(4)], []),
        PixelFormatTraits(kCVPixelFormatType_14Bayer_GRBG, [.packed(2)], []),
        PixelFormatTraits(kCVPixelFormatType_14Bayer_RGGB, [.packed(2)], []),
        PixelFormatTraits(kCVPixelFormatType_14Bayer_BGGR, [.packed(2)], []),
        PixelFormatTraits(kCVPixelFormatType_14Bayer_GBRG, [.packed(2)], []),
        PixelFormatTraits(kCVPixelFormatType_16VersatileBayer, [.packed(2)], []),
        PixelFormatTraits(kCVPixelFormatType_96VersatileBayerPacked12, [], []),
        PixelFormatTraits(kCVPixelFormatType_1Monochrome, [], []),
        PixelFormatTraits(kCVPixelFormatType_2Indexed, [], []),
        PixelFormatTraits(kCVPixelFormatType_4Indexed, [], []),
        PixelFormatTraits(kCVPixelFormatType_8Indexed, [], []),
        PixelFormatTraits(kCVPixelFormatType_1IndexedGray_WhiteIsZero, [], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_2IndexedGray_WhiteIsZero, [], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_4IndexedGray_WhiteIsZero, [], [.grayscale]),
        PixelFormatTraits(kCVPixelFormatType_8IndexedGray_WhiteIsZero, [], [.grayscale]),
    ]
}
