import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// The frames of a video that holds both eyes in each picture, the left eye in its left half.
public final class SideBySideFileSource: FrameSource {
    public let description: SourceDescription
    private let both: VideoFileSource
    private let pool: CVPixelBufferPool

    /// - Parameter pictureDuration: time of one picture of an image sequence; a video brings its own.
    public init(path: String, pictureDuration: CMTime = CMTime(value: 1, timescale: 30)) throws(MediaError) {
        both = try VideoFileSource(path: path, pictureDuration: pictureDuration)
        let whole = both.description
        guard whole.width % 4 == 0 else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "is \(whole.width) pixels wide; two eyes side by side want a width that is a multiple of 4")
        }
        var half = whole
        half.width /= 2
        description = half
        pool = CVPixelBufferPool(width: half.width, height: half.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    }

    public func nextFrame() throws -> Frame? {
        guard var frame = try both.nextFrame() else { return nil }
        let whole = frame.image
        frame.image = half(of: whole, from: 0)
        frame.rightImage = half(of: whole, from: description.width)
        return frame
    }

    /// The columns from `x` on; a column of chroma is as many bytes as two of luma, so both planes copy alike.
    private func half(of whole: CVPixelBuffer, from x: Int) -> CVPixelBuffer {
        let buffer = pool.makeBuffer()
        for index in 0..<2 {
            let (source, target) = (whole.plane(index), buffer.plane(index))
            for y in 0..<target.height {
                target.row(y, as: UInt8.self).update(from: source.row(y, as: UInt8.self) + x, count: description.width)
            }
        }
        return buffer
    }
}
