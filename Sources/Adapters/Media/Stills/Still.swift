import CoreVideo
import Foundation
import Optics
import Pipeline
import Support

/// Still picture as its file has it, with the depth that it may bring.
///
/// Formats: `32BGRA`, or `64RGBALE` where a sample has more than 8 bits; a file marked as PQ or HLG keeps its codes, with attachments; linear light of float numbers (OpenEXR) becomes 16-bit codes of PQ, white at 203
/// cd/m², which keep light up to 49 times white.
public struct Still: Sendable {
    /// The picture, upright.
    public let image: CVPixelBuffer
    /// Its disparity, of the same aspect; nil where the file brings none.
    public let disparity: DisparityMap?
    /// Parts of the file that are left out; ready to print.
    public var remarks: [String] = []

    /// Reads any picture that FFmpeg decodes, and HEIF; throws `MediaError`.
    public static func read(_ path: String) throws(MediaError) -> Still {
        var still = try picture(path)
        if !still.isHDR, GainMap.isIn(path) {
            still.remarks.append("\(path): its HDR gain map is left out: the picture comes out as displays of ordinary range show it")
        }
        return still
    }

    private static func picture(_ path: String) throws(MediaError) -> Still {
        if HEIFFile.isHEIF(Data(try InputFile(path: path).bytes(at: 0, count: 12))) { return try HEIFFile.read(path) }
        return Still(image: try StillReader.read(path), disparity: nil)
    }

    /// Whether the picture holds light brighter than white.
    public var isHDR: Bool {
        PictureColors(attachedTo: image).isHDR
    }

    /// Luma of the picture as `420v`, without colour: the guide along whose edges disparity is refined.
    public var guide: CVPixelBuffer {
        let (width, height) = image.size
        let guide = CVPixelBuffer(width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        let isWide = image.format == kCVPixelFormatType_64RGBALE
        for y in 0..<height {
            let target = guide.plane(0).row(y, as: UInt8.self)
            let (bytes, words) = (image.plane(0).row(y, as: UInt8.self), image.plane(0).row(y, as: UInt16.self))
            for x in 0..<width {
                let (red, green, blue) =
                    isWide
                    ? (Float(words[4 * x]) / 257, Float(words[4 * x + 1]) / 257, Float(words[4 * x + 2]) / 257)
                    : (Float(bytes[4 * x + 2]), Float(bytes[4 * x + 1]), Float(bytes[4 * x]))
                target[x] = UInt8(16 + 219.0 / 255 * (0.2126 * red + 0.7152 * green + 0.0722 * blue) + 0.5)
            }
        }
        for y in 0..<guide.plane(1).height { guide.plane(1).row(y, as: UInt8.self).update(repeating: 128, count: guide.plane(1).bytesPerRow) }
        return guide
    }

    /// Writes a picture of `read`'s formats as PNG, TIFF or EXR, by the name of `path`: 16 bits a sample for a wide one, 8 for another; EXR as half-float
    /// linear light. A picture marked as PQ or HLG is so in PNG (`cICP`), and refused as TIFF; other light above white is clipped in both. Throws `OutputError` or `MediaError`.
    public static func write(_ picture: CVPixelBuffer, to path: String, replacingExisting: Bool = false) throws {
        let file = try OutputFile(path: path, replacingExisting: replacingExisting)
        try file.write(StillWriter.data(picture, path: path))
        try file.commit()
    }

    /// Names that `write` takes.
    public static let writtenExtensions = ["png", "tiff", "tif", "exr"]
}

/// PQ codes of linear light, white 1 (SMPTE ST 2084, white at 203 cd/m²), 16 bits.
enum PQCode {
    static func code(_ light: Float) -> UInt16 {
        UInt16((TransferFunction.pq.code(of: min(max(Double(light) * 0.0203, 0), 1)) * 65535).rounded())
    }
}
