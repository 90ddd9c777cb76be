import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Asset that is played: its time, and how far it is loaded. It is loaded when a player has it.
///
///     unknown ──loaded──► readyToPlay
///        └───cannot be read───► failed
open class AVPlayerItem: NSObject, _KeyValueObservable, @unchecked Sendable {
    /// State of an item.
    public enum Status: Int, Sendable {
        /// Not loaded yet.
        case unknown = 0
        /// Loaded: it can be played.
        case readyToPlay = 1
        /// It cannot be played; `error` says why.
        case failed = 2
    }

    /// Observers of this item's properties; for `observe(_:options:changeHandler:)` only.
    public let _observers = _KeyValueObservers()
    /// Asset that is played.
    public let asset: AVAsset
    private let state = Mutex(State())
    let preferences = Mutex(PlaybackPreferences())

    private struct State: Sendable {
        var status = Status.unknown
        var error: (any Error & Sendable)?
        var duration = CMTime.indefinite
        var size = CGSize.zero
        var end = CMTime.invalid
        /// Time while there is no timebase.
        var time = CMTime.zero
        var timebase: CMTimebase?
        /// Rate of the player, for when the item is loaded.
        var rate: Float = 0
        var isLoading = false
        var outputs: [AVPlayerItemVideoOutput] = []
        var composition: AVVideoComposition?
        var mix: AVAudioMix?
        weak var player: AVPlayer?
    }

    /// Makes an item of an asset, at its beginning. The keys are ignored: all is loaded with the file.
    public init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]? = nil) { self.asset = asset }
    /// Makes an item of a file, at its beginning.
    public convenience init(url URL: URL) { self.init(asset: AVURLAsset(url: URL)) }

    /// Returns an item of the same asset, at its beginning, with the same end, composition and mix.
    open override func copy() -> Any {
        let item = AVPlayerItem(asset: asset)
        item.forwardPlaybackEndTime = forwardPlaybackEndTime
        (item.videoComposition, item.audioMix) = (videoComposition, audioMix)
        return item
    }

    /// State of the item. Observable.
    open var status: Status { state.withLock { $0.status } }
    /// Why it cannot be played; nil unless `status` is `failed`.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// Length; indefinite until it is loaded. Observable.
    open var duration: CMTime { state.withLock { $0.duration } }
    /// Size of the upright picture in pixels; zero until it is loaded, and without one. Observable.
    open var presentationSize: CGSize { state.withLock { $0.size } }
    /// Whether it plays on without waiting: whether it is loaded, as files are at hand.
    open var isPlaybackLikelyToKeepUp: Bool { status == .readyToPlay }
    /// Whether it waits for media; only until it is loaded.
    open var isPlaybackBufferEmpty: Bool { status != .readyToPlay }
    /// Time at which playing forward ends; invalid, the default, for the end of the asset.
    open var forwardPlaybackEndTime: CMTime {
        get { state.withLock { $0.end } }
        set { state.withLock { $0.end = newValue } }
    }
    /// Timebase of the item; nil until a player has it.
    open var timebase: CMTimebase? { state.withLock { $0.timebase } }

    /// Time of the item now, from zero to where it ends.
    open func currentTime() -> CMTime {
        let end = endTime
        let time = state.withLock { $0.timebase?.time ?? $0.time }
        return max(.zero, end.map { min(time, $0) } ?? time)
    }

    /// Goes to a time at once, exactly.
    open func seek(to time: CMTime, completionHandler: ((Bool) -> Void)? = nil) {
        guard time.isNumeric || time == .positiveInfinity else { return completionHandler?(false) ?? () }
        let reached = max(.zero, endTime.map { min(time, $0) } ?? (time.isNumeric ? time : .zero))
        func jump() {
            state.withLock { state in
                state.time = reached
                try? state.timebase?.setTime(reached)
            }
        }
        if let player = state.withLock({ $0.player }) { player.seek(self, by: jump) } else { jump() }
        NotificationCenter.default.post(name: Self.timeJumpedNotification, object: self)
        completionHandler?(true)
    }

    /// Goes to a time at once, exactly; tolerances are ignored.
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: ((Bool) -> Void)? = nil) {
        seek(to: time, completionHandler: completionHandler)
    }

    /// Composition that makes the pictures of the outputs; nil, the default, gives those of the asset's first track. A copy is kept.
    open var videoComposition: AVVideoComposition? {
        get { state.withLock { $0.composition } }
        set {
            let composition = newValue?.copy() as? AVVideoComposition
            let outputs = state.withLock { state in
                state.composition = composition
                return state.outputs
            }
            for output in outputs { output.attach(self, composition) }
        }
    }

    /// Volumes of the tracks of sound; kept, as nothing is heard.
    open var audioMix: AVAudioMix? {
        get { state.withLock { $0.mix } }
        set { state.withLock { $0.mix = newValue } }
    }

    /// Adds an output of pictures.
    open func add(_ output: AVPlayerItemVideoOutput) {
        let composition = state.withLock { state in
            state.outputs.append(output)
            return state.composition
        }
        output.attach(self, composition)
    }

    /// Removes an output.
    open func remove(_ output: AVPlayerItemVideoOutput) {
        output.attach(nil, nil)
        state.withLock { $0.outputs.removeAll { $0 === output } }
    }

    /// Outputs of pictures.
    open var outputs: [AVPlayerItemVideoOutput] { state.withLock { $0.outputs } }

    /// Time at which playing forward ends; nil where that is not known yet.
    var endTime: CMTime? {
        state.withLock { state in
            let ends = [state.end, state.duration].filter(\.isNumeric)
            return ends.min()
        }
    }

    /// Moves the item to a player's clock, with its time, and loads it.
    func attach(_ player: AVPlayer?, clock: CMClock) {
        let time = currentTime()
        let begins = state.withLock { state in
            state.player = player
            state.time = time
            state.timebase = player == nil ? nil : try? CMTimebase(sourceClock: clock)
            try? state.timebase?.setTime(time)
            defer { state.isLoading = true }
            return player != nil && !state.isLoading
        }
        if begins { DispatchQueue.global().async(group: nil) { [self] in load() } }
    }

    /// Lets time run, from when the item is loaded.
    func run(at rate: Float) {
        state.withLock { state in
            state.rate = rate
            if state.status == .readyToPlay { try? state.timebase?.setRate(Float64(rate)) }
        }
    }

    private func load() {
        do {
            let tracks = try asset.loadedTracks()
            guard tracks.contains(where: \.isPlayable) else {
                throw AVError(.operationNotSupportedForAsset, reason: "the asset has nothing to show or to hear")
            }
            let picture = tracks.first { $0.mediaType == .video }
            let size = picture.map { CGRect(origin: .zero, size: $0.naturalSize).applying($0.preferredTransform).size } ?? .zero
            settle(.readyToPlay, try asset.contents().duration, size, nil)
        } catch { settle(.failed, .indefinite, .zero, error) }
    }

    private func settle(_ status: Status, _ duration: CMTime, _ size: CGSize, _ error: (any Error & Sendable)?) {
        let player = state.withLock { state in
            state.duration = duration
            state.size = size
            state.error = error
            return state.player
        }
        _observers.changed(\AVPlayerItem.duration, from: .indefinite, to: duration)
        _observers.changed(\AVPlayerItem.presentationSize, from: .zero, to: size)
        // Time runs for everybody who sees the new status.
        state.withLock { state in
            state.status = status
            if status == .readyToPlay { try? state.timebase?.setRate(Float64(state.rate)) }
        }
        player?.settled(self)
        _observers.changed(\AVPlayerItem.status, from: .unknown, to: status)
    }
}

extension AVPlayerItem {
    /// Posted by an item that has played to its end.
    public static let didPlayToEndTimeNotification = Notification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    /// Posted by an item that cannot be played, with the error under `AVPlayerItemFailedToPlayToEndTimeErrorKey`.
    public static let failedToPlayToEndTimeNotification = Notification.Name("AVPlayerItemFailedToPlayToEndTimeNotification")
    /// Posted by an item whose time was set.
    public static let timeJumpedNotification = Notification.Name("AVPlayerItemTimeJumpedNotification")
}

extension Notification.Name {
    /// Posted by an item that has played to its end.
    public static let AVPlayerItemDidPlayToEndTime = AVPlayerItem.didPlayToEndTimeNotification
    /// Posted by an item that cannot be played.
    public static let AVPlayerItemFailedToPlayToEndTime = AVPlayerItem.failedToPlayToEndTimeNotification
}

/// Key of the error with `AVPlayerItem.failedToPlayToEndTimeNotification`.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"
