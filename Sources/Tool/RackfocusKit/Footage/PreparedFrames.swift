import AVFoundation
import CoreVideo
import Pipeline
import Support
import Synchronization

/// Frames of plain video on their way from a pass that reads and prepares them to one behind it, which guesses their depth of what was prepared: their
/// pictures stay behind, and the footage is decoded once for both.
final class PreparedFrames: FrameSource {
    let description: SourceDescription
    private let estimator: any MonocularEstimator
    private let frames = Mutex<[Frame]>([])
    /// Stands in for every picture, and has their size.
    private let blank: CVPixelBuffer

    /// Nil where the estimator looks at pictures again once it is told the detections.
    init?(_ estimator: any MonocularEstimator, of description: SourceDescription) {
        guard estimator.preparesAll else { return nil }
        (self.estimator, self.description) = (estimator, description)
        blank = CVPixelBuffer(
            width: description.width, height: description.height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    }

    /// The footage of the pass ahead: what it reads is prepared.
    func preparing(_ source: any FrameSource, timings: Timings) -> any FrameSource { PreparingSource(source, self, timings) }

    /// Estimator of the pass behind.
    var depth: any MonocularEstimator { PreparedDepth(estimator) }

    fileprivate func add(_ frame: Frame) throws {
        try estimator.prepare(frame)
        var outline = frame
        (outline.image, outline.original) = (blank, nil)
        frames.withLock { $0.append(outline) }
    }

    /// The next frame that was prepared; nil where there is none.
    func nextFrame() -> Frame? { frames.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

private final class PreparingSource: FrameSource {
    private let source: any FrameSource
    private let prepared: PreparedFrames
    private let timings: Timings
    var description: SourceDescription { source.description }
    var remarks: [String] { source.remarks }

    init(_ source: any FrameSource, _ prepared: PreparedFrames, _ timings: Timings) {
        (self.source, self.prepared, self.timings) = (source, prepared, timings)
    }

    func nextFrame() throws -> Frame? {
        guard let frame = try source.nextFrame() else { return nil }
        try timings.measure("prepare disparity") { try prepared.add(frame) }
        return frame
    }
}

private final class PreparedDepth: MonocularEstimator {
    private let estimator: any MonocularEstimator

    init(_ estimator: any MonocularEstimator) { self.estimator = estimator }

    func disparity(of frame: Frame, detections: [Detection]) throws -> DisparityMap { try estimator.disparity(of: frame, detections: detections) }

    var opening: Int64 { estimator.opening }

    func open(_ frames: [(frame: Frame, detections: [Detection])]) throws { try estimator.open(frames) }
}
