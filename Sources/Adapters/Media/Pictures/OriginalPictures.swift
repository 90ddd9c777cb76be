import CoreVideo
import Foundation
import Pipeline

/// Converter of decoded frames to pictures in the footage's own coding, upright.
final class OriginalPictures {
    private let coding: PictureCoding
    private let orientation: Orientation
    private let converter = PictureConverter()
    private let storedPool: CVPixelBufferPool
    private let uprightPool: CVPixelBufferPool

    /// Nil where the coding is the pipeline's; sizes are those of the stored picture.
    init?(_ coding: PictureCoding, width: Int, height: Int, orientation: Orientation) {
        guard !coding.isPipelines else { return nil }
        (self.coding, self.orientation) = (coding, orientation)
        let upright = orientation.size(of: (width, height))
        storedPool = CVPixelBufferPool(width: width, height: height, pixelFormat: coding.pixelFormat)
        uprightPool = CVPixelBufferPool(width: upright.width, height: upright.height, pixelFormat: coding.pixelFormat)
    }

    /// A frame as a picture with its colours attached; `path` is for errors.
    func picture(of frame: FFmpegFrame, path: String) throws(MediaError) -> CVPixelBuffer {
        let stored = storedPool.makeBuffer()
        try converter.convert(frame, into: stored, matrix: coding.colors.matrix, path: path)
        var picture = stored
        if orientation != .upright {
            picture = uprightPool.makeBuffer()
            orientation.copy(stored, to: picture)
        }
        picture.attach(coding.colors)
        return picture
    }
}
