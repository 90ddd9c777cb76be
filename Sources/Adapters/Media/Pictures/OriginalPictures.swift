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

extension CVPixelBuffer {
    /// Attaches colours, as far as they have names there, for the lens.
    func attach(_ colors: PictureColors) {
        let matrix: CFString? =
            switch colors.matrix {
            case 1: kCVImageBufferYCbCrMatrix_ITU_R_709_2
            case 5, 6: kCVImageBufferYCbCrMatrix_ITU_R_601_4
            case 9: kCVImageBufferYCbCrMatrix_ITU_R_2020
            default: nil
            }
        let transfer: CFString? =
            switch colors.transfer {
            case 16: kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
            case 18: kCVImageBufferTransferFunction_ITU_R_2100_HLG
            default: kCVImageBufferTransferFunction_ITU_R_709_2
            }
        let primaries: CFString? =
            switch colors.primaries {
            case 1: kCVImageBufferColorPrimaries_ITU_R_709_2
            case 9: kCVImageBufferColorPrimaries_ITU_R_2020
            default: nil
            }
        let tags = [
            (kCVImageBufferYCbCrMatrixKey, matrix), (kCVImageBufferTransferFunctionKey, transfer), (kCVImageBufferColorPrimariesKey, primaries),
        ]
        for (key, value) in tags { if let value { CVBufferSetAttachment(self, key, value, .shouldPropagate) } }
    }
}
