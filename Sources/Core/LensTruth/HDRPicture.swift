import CoreVideo
import Dispatch
import Foundation
import Optics

/// HDR pictures of ten bits from linear light, and back to the part of them that an 8-bit screen shows.
///
/// `x420`, BT.709 colours, PQ's transfer (SMPTE ST 2084) with white at 203 cd/m²: up to 49 times white.
public enum HDRPicture {
    /// PQ code value, 0…1, of linear light, white 1 (SMPTE ST 2084, inverse EOTF); `decoded` is its inverse.
    static func encoded(_ light: Float) -> Float {
        TransferFunction.pq.code(of: min(max(light * 0.0203, 0), 1))
    }

    static func decoded(_ code: Float) -> Float {
        TransferFunction.pq.light(of: min(max(code, 0), 1)) / 0.0203
    }

    /// Encodes linear light, given row by row, as `x420`; even size.
    static func picture(width: Int, height: Int, row: @Sendable (Int) -> [SIMD4<Float>]) -> CVPixelBuffer {
        let result = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange)
        CVBufferSetAttachment(result, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
        CVBufferSetAttachment(result, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2, .shouldPropagate)
        CVBufferSetAttachment(result, kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ, .shouldPropagate)
        @Sendable func colours(_ y: Int) -> [SIMD4<Float>] { row(y).map { SIMD4(encoded($0.x), encoded($0.y), encoded($0.z), 0) } }
        @Sendable func luma(_ colour: SIMD4<Float>) -> Float { 0.2126 * colour.x + 0.7152 * colour.y + 0.0722 * colour.z }
        @Sendable func code(_ value: Float, _ middle: Float, _ range: Float) -> UInt16 {
            UInt16(min(max(value * range + middle, 0), 1023) + 0.5) << 6
        }
        DispatchQueue.concurrentPerform(iterations: height / 2) { pair in
            let rows = [colours(2 * pair), colours(2 * pair + 1)]
            for (index, colours) in rows.enumerated() {
                let line = result.plane(0).row(2 * pair + index, as: UInt16.self)
                for x in 0..<width { line[x] = code(luma(colours[x]), 64, 876) }
            }
            let line = result.plane(1).row(pair, as: UInt16.self)
            for x in stride(from: 0, to: width, by: 2) {
                let mean = (rows[0][x] + rows[0][x + 1] + rows[1][x] + rows[1][x + 1]) / 4
                line[x] = code((mean.z - luma(mean)) / 1.8556, 512, 896)
                line[x + 1] = code((mean.x - luma(mean)) / 1.5748, 512, 896)
            }
        }
        return result
    }

    /// Clips an HDR picture at white, to 8-bit sRGB BGRA.
    public static func clipped(_ picture: CVPixelBuffer) -> CVPixelBuffer {
        let (width, height) = picture.size
        let result = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_32BGRA)
        DispatchQueue.concurrentPerform(iterations: height) { y in
            let (luma, chroma) = (picture.plane(0).row(y, as: UInt16.self), picture.plane(1).row(y / 2, as: UInt16.self))
            let target = result.plane(0).row(y, as: UInt8.self)
            for x in 0..<width {
                let grey = (Float(luma[x] >> 6) - 64) / 876
                let (b, r) = ((Float(chroma[x & ~1] >> 6) - 512) / 896 * 1.8556, (Float(chroma[x | 1] >> 6) - 512) / 896 * 1.5748)
                let colour = [grey + b, grey - (0.0722 * b + 0.2126 * r) / 0.7152, grey + r]
                for channel in 0..<3 { target[4 * x + channel] = LensOracle.code(decoded(colour[channel])) }
                target[4 * x + 3] = 255
            }
        }
        return result
    }
}
