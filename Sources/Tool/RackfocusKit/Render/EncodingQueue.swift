import AVFoundation
import CameraApp
import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import Support
import Synchronization

/// Queue of a run's shots: overlay, then the encoder on a thread of its own, and the first failure.
final class EncodingQueue: Sendable {
    private let writer: any DeliveryWriter
    private let overlay: Overlay?
    /// Makes pictures that did not go through the lens as small as the others; nil where all have their size.
    private let draft: DraftRenderer?
    /// The one frame that is encoded; nil for all.
    private let wanted: WantedFrame?
    private let timings: Timings
    private let progress: @Sendable (Int) -> Void
    private let pictures = Channel<Picture>(capacity: 2)
    private let encoded = DispatchGroup()
    private let state = Mutex(State())
    /// Time from each encoded frame to the next.
    let pace = Timings()

    private struct State {
        var frames = 0
        var failure: (any Error)?
        var firstAperture: Double?
        /// Age and processor time of the process when the first frame was encoded, nil before that, and the time of the last.
        var firstFrame: ProcessorTime?
        var last: ContinuousClock.Instant?
    }

    private struct Picture: Sendable {
        let image: CVPixelBuffer
        let time: CMTime
    }

    init(
        writer: any DeliveryWriter, overlay: Overlay?, wanted: WantedFrame? = nil, draft: DraftRenderer? = nil, timings: Timings,
        progress: @escaping @Sendable (Int) -> Void
    ) {
        (self.writer, self.wanted) = (writer, wanted)
        (self.overlay, self.draft) = (overlay, draft)
        self.timings = timings
        self.progress = progress
        encoded.enter()
        Thread.detach(named: "encode") { [self] in
            encode()
            encoded.leave()
        }
    }

    var frames: Int { state.withLock { $0.frames } }
    var firstFrame: ProcessorTime? { state.withLock { $0.firstFrame } }
    /// Simulated f-number of the first shot; nil without one.
    var firstAperture: Double? { state.withLock { $0.firstAperture } }
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// False when the movie cannot go on, or is complete.
    func append(_ shot: CinematicCamera.Shot) -> Bool {
        guard let image = CMSampleBufferGetImageBuffer(shot.sampleBuffer) else { return false }
        let time = CMSampleBufferGetPresentationTimeStamp(shot.sampleBuffer)
        state.withLock { if $0.firstAperture == nil { $0.firstAperture = Double("\(shot.simulatedAperture)") } }
        return append(image, at: time) { try $0.draw(shot, on: $1) }
    }

    /// - Parameter draw: draws with the overlay, where there is one, on the picture.
    func append(_ image: CVPixelBuffer, at time: CMTime, draw: (Overlay, CVPixelBuffer) throws -> Void) -> Bool {
        if let wanted, !wanted.isAt(time) { return true }
        let image = draft?.reduced(image) ?? image
        do {
            if let overlay { try timings.measure("overlay") { try draw(overlay, image) } }
            return pictures.send(Picture(image: image, time: time)) && wanted == nil
        } catch {
            fail(error)
            return false
        }
    }

    /// Waits until everything appended is encoded.
    func finish() {
        pictures.finish()
        encoded.wait()
    }

    private func encode() {
        do {
            while let picture = try pictures.next() {
                try timings.measure("encode") { try writer.append(picture.image, at: picture.time) }
                progress(count())
            }
        } catch {
            fail(error)
        }
    }

    /// Number of frames with one more.
    private func count() -> Int {
        let now = ContinuousClock.now
        return state.withLock { state in
            if let last = state.last { pace.book("frame", now - last) } else { state.firstFrame = ProcessorTime.sinceStart }
            state.last = now
            state.frames += 1
            return state.frames
        }
    }

    private func fail(_ error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error }
        pictures.close()
    }
}
