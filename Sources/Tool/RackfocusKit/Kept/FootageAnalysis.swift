import AVFoundation
import Foundation
import Pipeline
import Support

/// Disparity and detections of a render's footage: those that an earlier render kept, or new ones, whose disparity is recorded.
///
/// A rehearsal makes every map; the render after it reads them, so that disparity is estimated once.
struct FootageAnalysis {
    /// Feed of the render, with its own estimators.
    let feed: CameraFeed
    private let kept: KeptAnalysis?
    private let key: AnalysisKey?
    /// Nil for a stage, where an analysis is used, and where nothing is to be kept.
    private let recorder: DisparityRecorder?

    /// Without a `runDirectory`, or with a `limit` of 0 bytes, nothing is kept.
    init(_ feed: CameraFeed, _ kept: KeptAnalysis?, _ key: AnalysisKey?, into runDirectory: OutputDirectory?, limit: Int) {
        (self.feed, self.kept, self.key) = (feed, kept, limit > 0 ? key : nil)
        recorder =
            if let runDirectory, self.key != nil, kept == nil {
                DisparityRecorder(path: runDirectory.reserve(KeptAnalysis.mapsName), limit: limit)
            } else { nil }
    }

    /// Whether an analysis of an earlier render is used.
    var isKept: Bool { kept != nil }

    /// Whether the analysis was asked what its own render had asked; true without one.
    var hasAgreed: Bool { (feed.detector as? KeptDetector)?.hasAgreed ?? true }

    /// A feed of a rehearsal, which sees what the render will see.
    func rehearsed(_ feed: CameraFeed) -> CameraFeed {
        if let maps = kept?.maps { return KeptDisparity(maps) { [] }.replaying(feed) }
        recorder?.restart()
        return recorder?.recording(feed) ?? feed
    }

    /// Feed of the render itself: with the maps that a rehearsal or an earlier render left.
    var feedAfterRehearsal: CameraFeed {
        if let kept, let maps = kept.maps { return KeptDisparity(maps) { kept.remarks }.replaying(feed) }
        guard let recorder else { return feed }
        if let bytes = recorder.byteCount, let maps = DisparityMapFile(path: recorder.path), maps.byteCount == bytes {
            return KeptDisparity(maps) { recorder.remarks }.replaying(feed)
        }
        recorder.restart()
        return recorder.recording(feed)
    }

    /// Feed of a render behind a rehearsal that is still under way: with the maps that it has left by then.
    var feedBehindRehearsal: CameraFeed {
        if kept?.maps != nil { return feedAfterRehearsal }
        guard let recorder, recorder.beginReading() else { return feed }
        return KeptDisparity(recorder) { recorder.remarks }.replaying(feed)
    }

    /// Leaves the analysis in the run directory.
    func finish(_ runDirectory: OutputDirectory, remarks: [String]) throws {
        guard let key else { return }
        recorder?.flush()
        var bytes = recorder?.byteCount
        if let maps = kept?.maps {
            try maps.copy(to: runDirectory.reserve(KeptAnalysis.mapsName))
            bytes = maps.byteCount
        }
        if bytes == nil { runDirectory.release(KeptAnalysis.mapsName) }
        guard recorder?.refusal == nil else { return }
        let record = KeptAnalysis.Record(key: key, remarks: remarks, bytes: bytes)
        try runDirectory.write(JSONEncoder.readable.encode(record), to: KeptAnalysis.fileName, isReproducible: false)
    }

    /// Reason why nothing is kept for the next render, in words; nil where all is well.
    var refusal: String? { recorder?.refusal.map { "disparity is not kept for the next render: \($0)" } }

    /// The analysis that was kept or used again, in words; nil without any.
    var summary: String? {
        if let kept { return "\(kept.maps == nil ? "" : "disparity and ")detections of \(kept.directory) are used again" }
        guard let recorder, refusal == nil else { return nil }
        let size = recorder.byteCount.map { "disparity (\($0.inBytes)) and detections are" } ?? "detections are"
        return "\(size) kept: with another aperture or rack this footage renders faster"
    }
}
