import CoreMedia
import CoreVideo
import Foundation
import QuartzCore
import Synchronization

/// Layer of sample buffers, such as those of a video data output, which its `sampleBufferRenderer` takes.
open class AVSampleBufferDisplayLayer: CALayer, AVQueuedSampleBufferRendering, @unchecked Sendable {
    /// Queue of the pictures to show.
    public let sampleBufferRenderer = AVSampleBufferVideoRenderer()
    private let gravity = Mutex(AVLayerVideoGravity.resizeAspect)

    /// Fit of the picture into the layer's bounds; default `.resizeAspect`.
    open var videoGravity: AVLayerVideoGravity {
        get { gravity.withLock { $0 } }
        set { gravity.withLock { $0 = newValue } }
    }

    /// Timebase that pictures are shown by; nil for the host's clock.
    open var controlTimebase: CMTimebase? {
        get { sampleBufferRenderer.controlTimebase }
        set { sampleBufferRenderer.controlTimebase = newValue }
    }

    /// Whether there is a picture to show.
    open var isReadyForDisplay: Bool { sampleBufferRenderer.copyDisplayedPixelBuffer() != nil }

    // MARK: the renderer's, under their older names

    /// Timebase that pictures are shown by: `controlTimebase`, else the host's clock.
    open var timebase: CMTimebase { sampleBufferRenderer.timebase }
    /// Queues a picture, as the renderer's `enqueue(_:)`.
    open func enqueue(_ sampleBuffer: CMSampleBuffer) { sampleBufferRenderer.enqueue(sampleBuffer) }
    /// Forgets the waiting pictures; the one that is shown stays.
    open func flush() { sampleBufferRenderer.flush() }
    /// Forgets the waiting pictures and the one that is shown.
    open func flushAndRemoveImage() { sampleBufferRenderer.flush(removingDisplayedImage: true) }
    /// Whether there is room for another picture.
    open var isReadyForMoreMediaData: Bool { sampleBufferRenderer.isReadyForMoreMediaData }
    /// Whether a picture is shown or the queue is full.
    open var hasSufficientMediaDataForReliablePlaybackStart: Bool { sampleBufferRenderer.hasSufficientMediaDataForReliablePlaybackStart }
    /// Calls `block` on `queue` while there is room, a hundred times a second at most, until `stopRequestingMediaData()`.
    @preconcurrency
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        sampleBufferRenderer.requestMediaDataWhenReady(on: queue, using: block)
    }
    /// Ends the calls of `requestMediaDataWhenReady(on:using:)`.
    open func stopRequestingMediaData() { sampleBufferRenderer.stopRequestingMediaData() }
    /// State of the renderer.
    open var status: AVQueuedSampleBufferRenderingStatus { sampleBufferRenderer.status }
    /// Error of the renderer: nil, as nothing is decoded here.
    open var error: (any Error)? { sampleBufferRenderer.error }
    /// Whether decoding waits for a flush; never here.
    open var requiresFlushToResumeDecoding: Bool { sampleBufferRenderer.requiresFlushToResumeDecoding }
}
