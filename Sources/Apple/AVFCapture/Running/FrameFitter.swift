import CoreVideo
import Foundation
import Pipeline

/// Fits a source's frames to the size, the shape and the zoom of the camera's format: pictures, disparity and ground truth alike.
struct FrameFitter {
    private let converter = PictureConverter()
    private var pictures = Memory()
    private var originals = Memory()
    private var rightPictures = Memory()
    private var maps = Memory()

    /// Last result, for a source that shows the same again.
    private struct Memory {
        private var last: (source: CVPixelBuffer, view: PictureView, result: CVPixelBuffer)?

        mutating func result(of source: CVPixelBuffer, _ view: PictureView, make: () -> CVPixelBuffer) -> CVPixelBuffer {
            if let last, last.source === source, last.view == view { return last.result }
            let result = make()
            last = (source, view, result)
            return result
        }
    }

    mutating func fit(_ frame: Frame, to view: PictureView) -> Frame {
        guard !view.isWhole else { return frame }
        let converter = converter
        func picture(_ source: CVPixelBuffer) -> CVPixelBuffer {
            let result = converter.resample(source, part: view.part, width: view.size.width, height: view.size.height)
            CVBufferPropagateAttachments(source, result)
            PictureCopies.count(.fitting, of: result)
            return result
        }
        var fitted = frame
        fitted.image = pictures.result(of: frame.image, view) { picture(frame.image) }
        fitted.original = frame.original.map { original in originals.result(of: original, view) { picture(original) } }
        fitted.rightImage = frame.rightImage.map { right in rightPictures.result(of: right, view) { picture(right) } }
        fitted.disparity = frame.disparity.map { map in
            let buffer = maps.result(of: map.buffer, view) { Self.sample(map.buffer, as: Float.self, view) }
            return DisparityMap(
                buffer: buffer, confidence: map.confidence.map { Self.sample($0, as: UInt8.self, view) }, isMetric: map.isMetric)
        }
        fitted.truth = frame.truth?.compactMap(view.detection)
        return fitted
    }

    /// Resamples a part of a map at its own resolution, or at that of the picture where that is coarser.
    private static func sample<Value>(_ map: CVPixelBuffer, as type: Value.Type, _ view: PictureView) -> CVPixelBuffer {
        func side(_ length: Int, _ share: Double, _ most: Int) -> Int { min(max(Int((Double(length) * share).rounded()), 1), most) }
        let width = side(map.size.width, view.part.width, view.size.width)
        let height = side(map.size.height, view.part.height, view.size.height)
        return DepthConverter.sample(map, as: type, part: view.part, width: width, height: height)
    }
}
