import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// A layer that shows sample buffers, such as those of a video data output, through its `sampleBufferRenderer`.
public final class AVSampleBufferDisplayLayer: CALayer, AVQueuedSampleBufferRendering, @unchecked Sendable {
    public let sampleBufferRenderer = AVSampleBufferVideoRenderer()
    private let gravity = Mutex(AVLayerVideoGravity.resizeAspect)

    public var videoGravity: AVLayerVideoGravity {
        get { gravity.withLock { $0 } }
        set { gravity.withLock { $0 = newValue } }
    }

    /// By what pictures are timed; nil for the host's clock.
    public var controlTimebase: CMTimebase? {
        get { sampleBufferRenderer.controlTimebase }
        set { sampleBufferRenderer.controlTimebase = newValue }
    }

    /// Whether there is a picture to show.
    public var isReadyForDisplay: Bool { sampleBufferRenderer.copyDisplayedPixelBuffer() != nil }

    // MARK: the renderer's, under their older names

    public var timebase: CMTimebase { sampleBufferRenderer.timebase }
    public func enqueue(_ sampleBuffer: CMSampleBuffer) { sampleBufferRenderer.enqueue(sampleBuffer) }
    public func flush() { sampleBufferRenderer.flush() }
    public func flushAndRemoveImage() { sampleBufferRenderer.flush(removingDisplayedImage: true) }
    public var isReadyForMoreMediaData: Bool { sampleBufferRenderer.isReadyForMoreMediaData }
    public var hasSufficientMediaDataForReliablePlaybackStart: Bool { sampleBufferRenderer.hasSufficientMediaDataForReliablePlaybackStart }
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        sampleBufferRenderer.requestMediaDataWhenReady(on: queue, using: block)
    }
    public func stopRequestingMediaData() { sampleBufferRenderer.stopRequestingMediaData() }
    public var status: AVQueuedSampleBufferRenderingStatus { sampleBufferRenderer.status }
    public var error: (any Error)? { sampleBufferRenderer.error }
    public var requiresFlushToResumeDecoding: Bool { sampleBufferRenderer.requiresFlushToResumeDecoding }
}
