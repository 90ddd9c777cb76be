import CoreVideo
import Foundation
import JPEGFiles
import Support

/// Pixels of a buffer, read as Core Image works on them: sRGB's curve for colours, depth and disparity as they are.
struct BufferPixels: Sendable {
    private enum Layout {
        /// Places of red, green, blue and alpha within four bytes.
        case packed([Int])
        case grey8
        case float32
        case float16
        /// Two planes of 8 bits, or of 10 in the upper bits of 16.
        case yCbCr(bits: Int, isFull: Bool)
    }

    private static let layouts: [OSType: Layout] = [
        kCVPixelFormatType_32BGRA: .packed([2, 1, 0, 3]), kCVPixelFormatType_32RGBA: .packed([0, 1, 2, 3]),
        kCVPixelFormatType_32ARGB: .packed([1, 2, 3, 0]), kCVPixelFormatType_OneComponent8: .grey8,
        kCVPixelFormatType_DisparityFloat32: .float32, kCVPixelFormatType_DepthFloat32: .float32,
        kCVPixelFormatType_DisparityFloat16: .float16, kCVPixelFormatType_DepthFloat16: .float16,
        kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: .yCbCr(bits: 8, isFull: false),
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: .yCbCr(bits: 8, isFull: true),
        kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: .yCbCr(bits: 10, isFull: false),
    ]

    let width: Int
    let height: Int
    private let buffer: CVPixelBuffer
    private let layout: Layout
    private let matrix: (red: Float, blue: Float)

    /// Traps for a format that is not read.
    init(_ buffer: CVPixelBuffer) {
        let format = CVPixelBufferGetPixelFormatType(buffer)
        guard let layout = Self.layouts[format] else {
            let name = String(fourCharacterCode: format)
            preconditionFailure("Core Image reads no buffers of the pixel format \(name.debugDescription); see Coverage.md")
        }
        self.buffer = buffer
        self.layout = layout
        width = CVPixelBufferGetWidth(buffer)
        height = CVPixelBufferGetHeight(buffer)
        matrix = Self.matrix(of: buffer)
    }

    /// Weights of red and blue in luma.
    static func matrix(of buffer: CVPixelBuffer) -> (red: Float, blue: Float) {
        let shares = buffer.lumaShares
        return (Float(shares.red), Float(shares.blue))
    }

    func tile(_ region: PixelRegion, isLinear: Bool) -> Tile {
        var tile = Tile(region)
        let plane = buffer.plane(0)
        let bytes = isLinear ? ColorCurve.linearBytes : (0..<256).map { Float($0) / 255 }
        // Rows of a buffer go downwards.
        let last = height - 1
        switch layout {
        case .packed(let places):
            let (red, green, blue, opaque) = (places[0], places[1], places[2], places[3])
            tile.fill { x, y in
                let pixel = plane.row(last - y, as: UInt8.self) + 4 * x
                let alpha = Float(pixel[opaque]) / 255
                guard pixel[opaque] != 255, alpha > 0 else {
                    return alpha > 0 ? SIMD4(bytes[Int(pixel[red])], bytes[Int(pixel[green])], bytes[Int(pixel[blue])], 1) : .zero
                }
                // The curve is that of the colour without its alpha.
                let colour = SIMD3(Float(pixel[red]), Float(pixel[green]), Float(pixel[blue])) / 255 / alpha
                let straight = isLinear ? SIMD3(ColorCurve.linear(colour.x), ColorCurve.linear(colour.y), ColorCurve.linear(colour.z)) : colour
                return SIMD4(straight, 1) * alpha
            }
        case .grey8:
            tile.fill { x, y in SIMD4(SIMD3(repeating: bytes[Int(plane.row(last - y, as: UInt8.self)[x])]), 1) }
        case .float32:
            tile.fill { x, y in SIMD4(SIMD3(repeating: plane.row(last - y, as: Float.self)[x]), 1) }
        case .float16:
            tile.fill { x, y in SIMD4(SIMD3(repeating: Float(plane.row(last - y, as: Float16.self)[x])), 1) }
        case .yCbCr(let bits, let isFull):
            let chroma = buffer.plane(1)
            let most: Float = bits == 8 ? 255 : 1023
            let step = Float(1 << (bits - 8))
            let (black, span, colours) = isFull ? (0, most, most) : (16 * step, 219 * step, 224 * step)
            let (redWeight, blueWeight) = matrix
            let greenWeight = 1 - redWeight - blueWeight
            func code(_ plane: CVBuffer.Plane, _ row: Int, _ index: Int) -> Float {
                bits == 8 ? Float(plane.row(row, as: UInt8.self)[index]) : Float(plane.row(row, as: UInt16.self)[index] >> 6)
            }
            tile.fill { x, y in
                let row = last - y
                let luma = (code(plane, row, x) - black) / span
                let blueness = (code(chroma, row / 2, x & ~1) - 128 * step) / colours * 2 * (1 - blueWeight)
                let redness = (code(chroma, row / 2, x | 1) - 128 * step) / colours * 2 * (1 - redWeight)
                let green = luma - (blueWeight * blueness + redWeight * redness) / greenWeight
                guard isLinear else { return SIMD4(luma + redness, green, luma + blueness, 1) }
                return SIMD4(ColorCurve.linear(luma + redness), ColorCurve.linear(green), ColorCurve.linear(luma + blueness), 1)
            }
        }
        return tile
    }
}

extension Picture {
    /// Pixels of a bitmap, whose rows go downwards.
    func tile(_ region: PixelRegion, isLinear: Bool) -> Tile {
        var tile = Tile(region)
        let curve = isLinear ? ColorCurve.linearBytes : (0..<256).map { Float($0) / 255 }
        let isColour = components >= 3
        bytes.withUnsafeBytes { bytes in
            tile.fill { x, y in
                let start = ((height - 1 - y) * width + x) * components
                let red = curve[Int(bytes[start])]
                let alpha = components % 2 == 0 ? Float(bytes[start + components - 1]) / 255 : 1
                let colour = isColour ? SIMD3(red, curve[Int(bytes[start + 1])], curve[Int(bytes[start + 2])]) : SIMD3(repeating: red)
                return SIMD4(colour, 1) * alpha
            }
        }
        return tile
    }
}
