import CoreVideo
import Foundation
import Optics

/// Coding of a picture's colours, from its pixel format and attachments, as far as drawing on it asks: matrix, range, depth and transfer.
struct CanvasCoding {
    /// Whether codes have ten bits.
    let isDeep: Bool
    private let isFullRange: Bool
    /// Nil in video that is not HDR, whose codes are drawn as they are given.
    private let transfer: TransferFunction?
    private let isWide: Bool
    /// Shares of red and blue in luma.
    private let red: Double
    private let blue: Double

    /// Nil for a pixel format that is not drawn on. Without attachments a picture is BT.709.
    init?(of picture: CVPixelBuffer) {
        switch picture.format {
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: (isDeep, isFullRange) = (false, false)
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: (isDeep, isFullRange) = (false, true)
        case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: (isDeep, isFullRange) = (true, false)
        default: return nil
        }
        func attachment(_ key: CFString) -> CFString? { CVBufferCopyAttachment(picture, key, nil) as? CFString }
        (red, blue) = picture.lumaShares
        transfer =
            switch attachment(kCVImageBufferTransferFunctionKey) {
            case kCVImageBufferTransferFunction_ITU_R_2100_HLG: .hlg
            case kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: .pq
            default: nil
            }
        isWide = attachment(kCVImageBufferColorPrimariesKey) == kCVImageBufferColorPrimaries_ITU_R_2020
    }

    /// Codes of luma, Cb and Cr of a colour, not rounded.
    func codes(of color: PictureCanvas.Color) -> [Double] {
        let signal = signal(of: SIMD3(color.red, color.green, color.blue))
        let luma = red * signal.x + (1 - red - blue) * signal.y + blue * signal.z
        let (cb, cr) = ((signal.z - luma) / (2 - 2 * blue), (signal.x - luma) / (2 - 2 * red))
        let codes = isFullRange ? [255 * luma, 128 + 255 * cb, 128 + 255 * cr] : [16 + 219 * luma, 128 + 224 * cb, 128 + 224 * cr]
        return codes.map { min(max($0, 0), 255) * (isDeep ? 4 : 1) }
    }

    /// Red, green and blue as the picture's transfer codes them.
    private func signal(of encoded: SIMD3<Double>) -> SIMD3<Double> {
        guard let transfer else { return encoded }
        let light = Self.each(encoded, TransferFunction.sRGB.light)
        // ITU-R BT.2087, from the primaries of BT.709 to those of BT.2020.
        let wide = SIMD3(
            0.6274 * light.x + 0.3293 * light.y + 0.0433 * light.z, 0.0691 * light.x + 0.9195 * light.y + 0.0114 * light.z,
            0.0164 * light.x + 0.0880 * light.y + 0.8956 * light.z)
        let displayed = (isWide ? wide : light) * Self.graphicsWhite
        guard transfer == .hlg else { return Self.each(displayed / 10_000, transfer.code) }
        // Inverse of the reference display's OOTF (ITU-R BT.2100), 1000 cd/m², gamma 1.2.
        let share = displayed / 1000
        let luminance = 0.2627 * share.x + 0.6780 * share.y + 0.0593 * share.z
        guard luminance > 0 else { return .zero }
        return Self.each(share * pow(luminance, (1 - 1.2) / 1.2), transfer.code)
    }

    /// Luminance of white graphics, cd/m² (ITU-R BT.2408).
    private static let graphicsWhite = 203.0

    private static func each(_ values: SIMD3<Double>, _ function: (Double) -> Double) -> SIMD3<Double> {
        SIMD3(function(values.x), function(values.y), function(values.z))
    }
}
