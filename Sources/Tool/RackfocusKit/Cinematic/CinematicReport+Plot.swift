import AVFoundation
import Cinematic
import CoreVideo
import Foundation
import Optics
import Pipeline
import RunReport

extension EditedMovie {
    /// Drawing of focus and subjects over time, as SVG, like a run's `focus.svg`.
    public var focusPlot: String {
        let frames = script.allFrames
        var plot = FocusPlot(title: (path as NSString).lastPathComponent, isMetric: frames[0].sample.disparity.isMetric)
        // A record has a picture, which the drawing does not look at.
        let blank = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        var labels = SubjectLabels()
        for (index, frame) in frames.enumerated() {
            let sample = frame.sample
            let record = FrameRecord(
                frame: Frame(index: index, presentationTime: frame.time, image: blank), detections: sample.detections, state: sample.focus,
                decisions: sample.decisions, ambientDisparity: sample.ambientDisparity, fNumber: sample.lens.fNumber,
                notEnoughLight: sample.notEnoughLight)
            plot.append(record, labels: labels.labels(in: record), known: labels)
        }
        return plot.svg()
    }
}
