import AVFoundation
import CameraApp
import CoreMedia
import Pipeline
import Synchronization
import VideoDevice

/// Pictures for a virtual camera.
final class SinkQueue: ShotTaker {
    private let sink: VideoSink
    private let timings: Timings
    private let state = Mutex<(any Error)?>(nil)

    init(_ sink: VideoSink, _ timings: Timings) { (self.sink, self.timings) = (sink, timings) }

    var frames: Int { sink.figures.frames }
    var failure: (any Error)? { state.withLock { $0 } }

    func append(_ shot: CinematicCamera.Shot) -> Bool {
        guard let image = CMSampleBufferGetImageBuffer(shot.sampleBuffer) else { return true }
        do {
            try timings.measure("sink") { _ = try sink.write(image, at: CMSampleBufferGetPresentationTimeStamp(shot.sampleBuffer)) }
            return true
        } catch {
            state.withLock { $0 = error }
            return false
        }
    }

    func finish() throws { sink.close() }
    func cancel() { sink.close() }
}
