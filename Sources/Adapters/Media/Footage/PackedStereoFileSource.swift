import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Source of frame-packed stereo: a video with the left and the right picture in each frame.
public final class PackedStereoFileSource: FrameSource {
    /// Half of the frame that holds the left picture; the right one is in the other.
    public enum Layout: Sendable, Equatable {
        /// Side by side, left picture on the left.
        case leftHalf
        /// Top and bottom, left picture on top.
        case topHalf
    }

    /// Size of one half, rate and length.
    public let description: SourceDescription
    private let layout: Layout
    private let both: VideoFileSource
    private let pool: CVPixelBufferPool
    private let originalPool: CVPixelBufferPool

    /// Opens a video; throws `MediaError`, also where a half would have an odd side.
    ///
    /// - Parameters:
    ///   - pictureDuration: time of one picture of an image sequence; a video brings its own.
    ///   - reading: choices; the coding is kept of the left picture.
    public init(
        path: String, layout: Layout, pictureDuration: CMTime = CMTime(value: 1, timescale: 30), reading: FootageReading = FootageReading()
    ) throws(MediaError) {
        both = try VideoFileSource(path: path, pictureDuration: pictureDuration, reading: reading)
        let whole = both.description
        var half = whole
        switch layout {
        case .leftHalf: half.width /= 2
        case .topHalf: half.height /= 2
        }
        guard half.width % 2 == 0, half.height % 2 == 0, half.width > 0, half.height > 0 else {
            let (extent, place) =
                layout == .leftHalf
                ? ("\(whole.width) pixels wide", "side by side want a width") : ("\(whole.height) pixels high", "above each other want a height")
            throw MediaError(code: .unsupported, path: path, reason: "is \(extent); two eyes \(place) that is a multiple of 4")
        }
        self.layout = layout
        description = half
        originalPool = CVPixelBufferPool(width: half.width, height: half.height, pixelFormat: half.pixelFormat)
        pool = CVPixelBufferPool(width: half.width, height: half.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    }

    /// Treatment of the pictures besides decoding, in words.
    public var remarks: [String] { both.remarks }

    /// Reads the next frame and splits it into left and right picture; nil at the end.
    public func nextFrame() throws -> Frame? {
        guard var frame = try both.nextFrame() else { return nil }
        let whole = frame.image
        let isLeft = layout == .leftHalf
        frame.image = half(of: whole, x: 0, y: 0)
        frame.original = frame.original.map { half(of: $0, x: 0, y: 0) }
        frame.rightImage = half(of: whole, x: isLeft ? description.width : 0, y: isLeft ? 0 : description.height)
        return frame
    }

    /// Copies the half that starts at (x, y); a column of chroma is as many bytes as two of luma, so both planes copy alike.
    private func half(of whole: CVPixelBuffer, x: Int, y top: Int) -> CVPixelBuffer {
        let (isDeep, isOriginal) = (whole.format == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, whole.format != pool.pixelFormat)
        let buffer = isOriginal ? originalPool.makeBuffer() : pool.makeBuffer()
        CVBufferPropagateAttachments(whole, buffer)
        let bytes = isDeep ? 2 : 1
        for index in 0..<2 {
            let (source, target) = (whole.plane(index), buffer.plane(index))
            let first = top * target.height / description.height
            for y in 0..<target.height {
                target.row(y, as: UInt8.self).update(
                    from: source.row(first + y, as: UInt8.self) + x * bytes, count: description.width * bytes)
            }
        }
        PictureCopies.count(.splitting, of: buffer)
        return buffer
    }
}
