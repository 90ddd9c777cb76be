import CoreVideo
import Optics

/// A picture's coding of colours: layout, range, matrix and transfer, from its pixel format and attachments.
struct PictureFormat: Hashable, Codable {
    enum Layout: Int, Codable {
        /// Luma and chroma planes of bytes; blue, green, red, alpha; luma and chroma planes of ten bits at the top of sixteen; red, green, blue, alpha of
        /// sixteen bits.
        case planar, packed, deep, wide
    }

    let layout: Layout
    let transfer: TransferFunction
    /// Codes from 0 to 1 of luma and chroma, and the codes of black and of no colour.
    let lumaRange: Float
    let chromaRange: Float
    let black: Float
    let grey: Float
    /// Shares of red and blue in luma.
    let red: Float
    let blue: Float

    /// Nil for a format the lens does not draw. Without attachments a picture is BT.709 in colour and drawn with sRGB's transfer.
    init?(_ image: CVPixelBuffer) {
        func attachment(_ key: CFString) -> CFString? { CVBufferCopyAttachment(image, key, nil) as? CFString }
        let isFull: Bool
        switch image.format {
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: (layout, isFull) = (.planar, false)
        case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: (layout, isFull) = (.planar, true)
        case kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: (layout, isFull) = (.deep, false)
        case kCVPixelFormatType_32BGRA: (layout, isFull) = (.packed, true)
        case kCVPixelFormatType_64RGBALE: (layout, isFull) = (.wide, true)
        default: return nil
        }
        let unit: Float = layout == .deep ? 4 : 1
        (lumaRange, chromaRange) = isFull ? (255, 255) : (219 * unit, 224 * unit)
        (black, grey) = (isFull ? 0 : 16 * unit, 128 * unit)
        let shares = image.lumaShares
        (red, blue) = (Float(shares.red), Float(shares.blue))
        transfer =
            switch attachment(kCVImageBufferTransferFunctionKey) {
            case kCVImageBufferTransferFunction_ITU_R_2100_HLG: .hlg
            case kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: .pq
            default: .sRGB
            }
    }

    static let known = "420v, 420f, x420, BGRA and 16-bit RGBA (l64r)"

    var isPlanar: Bool { layout == .planar || layout == .deep }
    /// Bytes of one sample of a plane.
    var sampleBytes: Int { layout == .planar || layout == .packed ? 1 : 2 }
    /// Bytes of a pixel that is not in planes.
    var pixelBytes: Int { 4 * sampleBytes }
    /// The highest code of a sample.
    var highestCode: Float { layout == .wide ? 65535 : layout == .deep ? 1023 : 255 }

    /// Code of a sample of one channel, by its place among that channel's samples: luma and the two of chroma, or the colours in the order they lie in.
    func code(of image: CVPixelBuffer, channel: Int, _ x: Int, _ y: Int) -> Float {
        switch layout {
        case .packed: Float(image.plane(0).row(y, as: UInt8.self)[4 * x + channel])
        case .planar: Float(image.plane(min(channel, 1)).row(y, as: UInt8.self)[channel == 0 ? x : 2 * x + channel - 1])
        case .deep: Float(image.plane(min(channel, 1)).row(y, as: UInt16.self)[channel == 0 ? x : 2 * x + channel - 1] >> 6)
        case .wide: Float(image.plane(0).row(y, as: UInt16.self)[4 * x + channel])
        }
    }

    /// Whether light above white is there to be read, and need not be guessed.
    var isHDR: Bool { transfer != .sRGB }
    /// The brightest light the transfer codes, white being 1.
    var brightest: Float { Float(1 / transfer.white) }

    /// Specialisation constants of `transfer.glsl`, by name.
    var constants: [String: ShaderConstant] {
        [
            "FORMAT": ShaderConstant(layout.rawValue), "TRANSFER": ShaderConstant(transfer.rawValue), "BLACK": ShaderConstant(black),
            "LUMA_STEP": ShaderConstant(1 / lumaRange), "GREY": ShaderConstant(grey), "CHROMA_STEP": ShaderConstant(1 / chromaRange),
            "RED": ShaderConstant(red), "BLUE": ShaderConstant(blue), "WHITE_LEVEL": ShaderConstant(Float(transfer.white)),
            "BRIGHTEST": ShaderConstant(brightest),
        ]
    }
}
