import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Layer of sample buffers, such as those of a video data output, which its `sampleBufferRenderer` takes.
public final class AVSampleBufferDisplayLayer: CALayer, AVQueuedSampleBufferRendering, @unchecked Sendable {
    /// Queue of the pictures to show.
    public let sampleBufferRenderer = AVSampleBufferVideoRenderer()
    private let gravity = Mutex(AVLayerVideoGravity.resizeAspect)

    /// Fit of the picture into the layer's bounds; default `.resizeAspect`.
    public var videoGravity: AVLayerVideoGravity {
        get { gravity.withLock { $0 } }
        set { gravity.withLock { $0 = newValue } }
    }

    /// Timebase that pictures are shown by; nil for the host's clock.
    public var controlTimebase: CMTimebase? {
        get { sampleBufferRenderer.controlTimebase }
        set { sampleBufferRenderer.controlTimebase = newValue }
    }

    /// Whether there is a picture to show.
    public var isReadyForDisplay: Bool { sampleBufferRenderer.copyDisplayedPixelBuffer() != nil }

    // MARK: the renderer's, under their older names

    /// Timebase that pictures are shown by: `controlTimebase`, else the host's clock.
    public var timebase: CMTimebase { sampleBufferRenderer.timebase }
    /// Queues a picture, as the renderer's `enqueue(_:)`.
    public func enqueue(_ sampleBuffer: CMSampleBuffer) { sampleBufferRenderer.enqueue(sampleBuffer) }
    /// Forgets the waiting pictures; the one that is shown stays.
    public func flush() { sampleBufferRenderer.flush() }
    /// Forgets the waiting pictures and the one that is shown.
    public func flushAndRemoveImage() { sampleBufferRenderer.flush(removingDisplayedImage: true) }
    /// Whether there is room for another picture.
    public var isReadyForMoreMediaData: Bool { sampleBufferRenderer.isReadyForMoreMediaData }
    /// Whether a picture is shown or the queue is full.
    public var hasSufficientMediaDataForReliablePlaybackStart: Bool { sampleBufferRenderer.hasSufficientMediaDataForReliablePlaybackStart }
    /// Calls `block` on `queue` while there is room, a hundred times a second at most, until `stopRequestingMediaData()`.
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        sampleBufferRenderer.requestMediaDataWhenReady(on: queue, using: block)
    }
    /// Ends the calls of `requestMediaDataWhenReady(on:using:)`.
    public func stopRequestingMediaData() { sampleBufferRenderer.stopRequestingMediaData() }
    /// State of the renderer.
    public var status: AVQueuedSampleBufferRenderingStatus { sampleBufferRenderer.status }
    /// Error of the renderer: nil, as nothing is decoded here.
    public var error: (any Error)? { sampleBufferRenderer.error }
    /// Whether decoding waits for a flush; never here.
    public var requiresFlushToResumeDecoding: Bool { sampleBufferRenderer.requiresFlushToResumeDecoding }
}
