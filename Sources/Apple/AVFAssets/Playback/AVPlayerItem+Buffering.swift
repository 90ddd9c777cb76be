import AVFCapture
import CoreMedia
import Foundation
import Synchronization

/// Way of playing sound at another speed.
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
    /// Name of the way, as Apple spells it.
    public let rawValue: String
    /// Makes a way from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Pitch kept, at low cost, for speech.
    public static let timeDomain = Self(rawValue: "TimeDomain")
    /// Pitch kept, for music.
    public static let spectral = Self(rawValue: "Spectral")
    /// Pitch that follows the speed.
    public static let varispeed = Self(rawValue: "Varispeed")
}

/// Track of an item that is played.
open class AVPlayerItemTrack: NSObject, @unchecked Sendable {
    /// Track of the asset.
    public let assetTrack: AVAssetTrack?
    /// Whether it takes part; kept.
    open var isEnabled = true
    /// Frames a second that are shown now; those of the track.
    open var currentVideoFrameRate: Float { assetTrack?.nominalFrameRate ?? 0 }

    init(_ track: AVAssetTrack) { assetTrack = track }
}

/// Preferences of an item about media that come over a network or in many qualities; kept, as files are at hand.
struct PlaybackPreferences: Sendable {
    var usesNetworkWhilePaused = false
    var bufferDuration = 0.0
    var bitRate = 0.0
    var size = CGSize.zero
    var pitch = AVAudioTimePitchAlgorithm.timeDomain
    var reverseEnd = CMTime.invalid
    var metadata: [AVMetadataItem] = []
}

extension AVPlayerItem {
    /// Whether media come over the network while a live stream is paused; kept, default false.
    public var canUseNetworkResourcesForLiveStreamingWhilePaused: Bool {
        get { preferences.withLock { $0.usesNetworkWhilePaused } }
        set { preferences.withLock { $0.usesNetworkWhilePaused = newValue } }
    }
    /// Seconds of media to have ahead; kept, default 0 for the player's choice.
    public var preferredForwardBufferDuration: TimeInterval {
        get { preferences.withLock { $0.bufferDuration } }
        set { preferences.withLock { $0.bufferDuration = newValue } }
    }
    /// Bits per second that a stream may have; kept, default 0 for any.
    public var preferredPeakBitRate: Double {
        get { preferences.withLock { $0.bitRate } }
        set { preferences.withLock { $0.bitRate = newValue } }
    }
    /// Size that a stream may have; kept, default zero for any.
    public var preferredMaximumResolution: CGSize {
        get { preferences.withLock { $0.size } }
        set { preferences.withLock { $0.size = newValue } }
    }
    /// Way of playing sound at another speed; kept, as nothing is heard.
    public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
        get { preferences.withLock { $0.pitch } }
        set { preferences.withLock { $0.pitch = newValue } }
    }
    /// Time at which playing backward ends; kept: it ends at zero.
    public var reversePlaybackEndTime: CMTime {
        get { preferences.withLock { $0.reverseEnd } }
        set { preferences.withLock { $0.reverseEnd = newValue } }
    }
    /// Metadata of the app's for a screen that shows the item; kept.
    public var externalMetadata: [AVMetadataItem] {
        get { preferences.withLock { $0.metadata } }
        set { preferences.withLock { $0.metadata = newValue } }
    }

    /// Tracks of the asset; empty until it is loaded.
    public var tracks: [AVPlayerItemTrack] { status == .readyToPlay ? asset.tracks.map { AVPlayerItemTrack($0) } : [] }
    /// Times whose media are at hand: all, once it is loaded.
    public var loadedTimeRanges: [NSValue] { seekableTimeRanges }
    /// Times that can be gone to: all, once it is loaded.
    public var seekableTimeRanges: [NSValue] { status == .readyToPlay ? [NSValue(timeRange: CMTimeRange(start: .zero, duration: duration))] : [] }
    /// Whether no more is loaded ahead: whether all is.
    public var isPlaybackBufferFull: Bool { status == .readyToPlay }
    /// Whether it can play backward: whether it is loaded.
    public var canPlayReverse: Bool { status == .readyToPlay }
    /// Whether it can play faster: whether it is loaded.
    public var canPlayFastForward: Bool { status == .readyToPlay }
    /// Whether it can play slower: whether it is loaded.
    public var canPlaySlowForward: Bool { status == .readyToPlay }
    /// Whether it can go on by a picture: whether it has pictures.
    public var canStepForward: Bool { presentationSize != .zero }
    /// Whether it can go back by a picture: whether it has pictures.
    public var canStepBackward: Bool { presentationSize != .zero }

    /// Goes on by pictures of the first track at its rate, or back.
    public func step(byCount stepCount: Int) {
        guard canStepForward, let rate = asset.tracks.first(where: { $0.mediaType == .video })?.nominalFrameRate, rate > 0 else { return }
        let frame = CMTime(value: 1000, timescale: CMTimeScale((rate * 1000).rounded()))
        seek(to: currentTime() + CMTimeMultiply(frame, multiplier: Int32(clamping: stepCount)))
    }

    /// Ends searches that are under way: none are, as they end at once.
    public func cancelPendingSeeks() {}
}

extension AVPlayerItem {
    /// Posted by an item that waits for media; never posted: files are at hand.
    public static let playbackStalledNotification = Notification.Name("AVPlayerItemPlaybackStalledNotification")
}

extension Notification.Name {
    /// Posted by an item that waits for media; never posted.
    public static let AVPlayerItemPlaybackStalled = AVPlayerItem.playbackStalledNotification
    /// Posted by an item whose time was set.
    public static let AVPlayerItemTimeJumped = AVPlayerItem.timeJumpedNotification
}
