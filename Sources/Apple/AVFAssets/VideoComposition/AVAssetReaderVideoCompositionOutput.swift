import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Pictures that a compositor makes of those of several tracks, one after the other.
open class AVAssetReaderVideoCompositionOutput: AVAssetReaderOutput, @unchecked Sendable {
    /// Tracks of pictures, disparity among them.
    public let videoTracks: [AVAssetTrack]
    /// Format of the pictures, by `kCVPixelBufferPixelFormatTypeKey`; nil is as the compositor makes them.
    public let videoSettings: [String: Any]?
    private let owner: AVAsset?
    private let state = Mutex<(composition: AVVideoComposition?, reading: VideoCompositionReading?)>((nil, nil))

    /// Makes an output of tracks of one asset; set a composition before reading.
    public init(videoTracks: [AVAssetTrack], videoSettings: [String: Any]?) {
        (self.videoTracks, self.videoSettings, owner) = (videoTracks, videoSettings, videoTracks.first?.asset)
        super.init()
    }

    /// Description of how the pictures become one. It must have a compositor: there is no other. Raises after reading has begun.
    open var videoComposition: AVVideoComposition? {
        get { state.withLock { $0.composition } }
        set {
            guard mayChange("-[AVAssetReaderVideoCompositionOutput setVideoComposition:]") else { return }
            state.withLock { $0.composition = newValue?.copy() as? AVVideoComposition }
        }
    }

    /// Compositor that makes the pictures; nil before reading has begun.
    open var customVideoCompositor: (any AVVideoCompositing)? { state.withLock { $0.reading?.compositor } }

    override var asset: AVAsset? { owner }

    override func open(_ range: CMTimeRange) throws {
        guard let asset = owner, let composition = videoComposition else {
            throw AVError(.invalidVideoComposition, reason: "the output has no tracks, or no videoComposition")
        }
        let reading = try VideoCompositionReading(composition, of: videoTracks, asset, in: range, settings: videoSettings)
        state.withLock { $0.reading = reading }
    }

    override func read() throws -> CMSampleBuffer? { try state.withLock { $0.reading }?.next() }

    override func close() {
        let reading = state.withLock { state in
            defer { state.reading = nil }
            return state.reading
        }
        reading?.compositor.cancelAllPendingVideoCompositionRequests()
    }
}
