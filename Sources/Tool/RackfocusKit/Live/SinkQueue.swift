import AVFoundation
import CameraApp
import CoreMedia
import Pipeline
import Synchronization
import VideoDevice

/// Pictures for a virtual camera.
final class SinkQueue: ShotTaker {
    /// Time for which nobody has to watch before the camera is let go of: programs close and open a camera to change its format.
    private static let patience = CMTime(value: 2, timescale: 1)

    private struct State {
        var failure: (any Error)?
        var hasWatcher = true
        /// Time since which nobody watches; nil while somebody does.
        var alone: CMTime?
        var frames = 0
    }

    private let sink: any PictureSink
    private let timings: Timings
    private let state = Mutex(State())

    init(_ sink: any PictureSink, _ timings: Timings) { (self.sink, self.timings) = (sink, timings) }

    var remarks: [String] { [] }
    var frames: Int { state.withLock { $0.frames } }
    var failure: (any Error)? { state.withLock { $0.failure } }
    /// Whether the last shot was refused because nobody watches any more.
    var isAlone: Bool { state.withLock { !$0.hasWatcher } }

    func append(_ shot: CinematicCamera.Shot) -> Bool {
        guard let image = CMSampleBufferGetImageBuffer(shot.sampleBuffer) else { return true }
        let time = CMSampleBufferGetPresentationTimeStamp(shot.sampleBuffer)
        do {
            let isShown = try timings.measure("sink") { try sink.write(image, at: time) }
            let isAlone = sink.isWatched == false
            return state.withLock { state in
                if isShown { state.frames += 1 }
                state.alone = isAlone ? state.alone ?? time : nil
                state.hasWatcher = state.alone.map { time - $0 < Self.patience } ?? true
                return state.hasWatcher
            }
        } catch {
            state.withLock { $0.failure = error }
            return false
        }
    }

    func finish() throws {}
    func cancel() { sink.close() }
}
