import AVFCapture
import CoreMedia
import Foundation
import Synchronization

/// Player of an asset's pictures: its time runs by a clock, and the picture of the time is had from an `AVPlayerLayer` or an
/// `AVPlayerItemVideoOutput`. Sound is not heard.
///
///     paused ──play──► waiting ──the item is ready──► playing
///        ▲───────pause, end, the item has failed──────┘
///
/// The clock is the host's, also in a test's virtual time; `sourceClock` takes another, such as a session's.
open class AVPlayer: NSObject, _KeyValueObservable, @unchecked Sendable {
    /// State of a player.
    public enum Status: Int, Sendable {
        /// Its item is not loaded yet, or it has none.
        case unknown = 0
        /// Its item can be played.
        case readyToPlay = 1
        /// It can play nothing any more; never so here.
        case failed = 2
    }

    /// Progress of time.
    public enum TimeControlStatus: Int, Sendable {
        /// Time stands.
        case paused = 0
        /// Time will run when there is an item that is loaded.
        case waitingToPlayAtSpecifiedRate = 1
        /// Time runs.
        case playing = 2
    }

    /// Deed at the end of an item.
    public enum ActionAtItemEnd: Int, Sendable {
        /// Goes on with the next item: a queue's.
        case advance = 0
        /// Stops; the default of a player.
        case pause = 1
        /// Stays at the end, with its rate.
        case none = 2
    }

    /// Reason to wait.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        /// Name of the reason, as Apple spells it.
        public let rawValue: String
        /// Makes a reason from its name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// There is no item.
        public static let noItemToPlay = Self(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
        /// The item is not loaded yet.
        public static let toMinimizeStalls = Self(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
    }

    /// Observers of this player's properties; for `observe(_:options:changeHandler:)` only.
    public let _observers = _KeyValueObservers()
    private let state: Mutex<State>
    /// Values that observers were notified of last.
    private let told: Mutex<View>
    private let times = TimeObservers()

    private struct State: Sendable {
        var item: AVPlayerItem?
        var rate: Float = 0
        var defaultRate: Float = 1
        var action = ActionAtItemEnd.pause
        var volume: Float = 1
        var isMuted = false
        var waits = true
        var keepsAwake = true
        var goesElsewhere = true
        var clock = CMClock.hostTimeClock
        /// Whether the end of the item was told.
        var hasEnded = false
        /// Watch over the item's time while that runs.
        var ticker: Ticker?
    }

    /// Values that observers see.
    private struct View: Sendable {
        let item: AVPlayerItem?
        let rate: Float
        let status: Status
        let progress: TimeControlStatus
        let reason: WaitingReason?

        init(item: AVPlayerItem?, rate: Float) {
            let isReady = item?.status == .readyToPlay
            (self.item, self.rate) = (item, rate)
            status = isReady ? .readyToPlay : .unknown
            progress = rate == 0 ? .paused : isReady ? .playing : .waitingToPlayAtSpecifiedRate
            reason = progress != .waitingToPlayAtSpecifiedRate ? nil : item == nil ? .noItemToPlay : .toMinimizeStalls
        }
    }

    private var view: View { state.withLock { View(item: $0.item, rate: $0.rate) } }

    /// Makes a player of an item, or of none.
    public init(playerItem item: AVPlayerItem?) {
        state = Mutex(State(item: item))
        told = Mutex(View(item: item, rate: 0))
        super.init()
        item?.attach(self, clock: sourceClock)
    }
    /// Makes a player without an item.
    public override convenience init() { self.init(playerItem: nil) }
    /// Makes a player of a file.
    public convenience init(url URL: URL) { self.init(playerItem: AVPlayerItem(url: URL)) }

    // MARK: item

    /// Item that is played; nil for none. Observable.
    open var currentItem: AVPlayerItem? { state.withLock { $0.item } }

    /// Plays another item from its time on, at the same rate; nil for none.
    open func replaceCurrentItem(with item: AVPlayerItem?) {
        let old = currentItem
        guard old !== item else { return }
        state.withLock { ($0.item, $0.hasEnded) = (item, false) }
        old?.run(at: 0)
        old?.attach(nil, clock: sourceClock)
        item?.attach(self, clock: sourceClock)
        run()
        tellChanges()
    }

    /// Whether there is something to play. Observable.
    open var status: Status { view.status }
    /// Why nothing can be played any more: nil; an item's error is its own.
    open var error: (any Error)? { nil }

    // MARK: rate

    /// Posted by a player whose rate has changed.
    public static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")

    /// Seconds of the item per second of the clock: 0 stands. Observable.
    open var rate: Float {
        get { state.withLock { $0.rate } }
        set {
            state.withLock { state in
                state.rate = state.item?.status == .failed ? 0 : newValue
                if newValue == 0 { state.hasEnded = false }
            }
            run()
            tellChanges()
            times.tell { currentTime() }
        }
    }
    /// Rate that `play()` sets; default 1.
    open var defaultRate: Float {
        get { state.withLock { $0.defaultRate } }
        set { state.withLock { $0.defaultRate = newValue } }
    }
    /// Lets time run at `defaultRate`.
    open func play() { rate = defaultRate }
    /// Stops time.
    open func pause() { rate = 0 }
    /// Lets time run at a rate; the same as to set it, as nothing needs to be buffered.
    open func playImmediately(atRate rate: Float) { self.rate = rate }

    /// Progress of time. Observable.
    open var timeControlStatus: TimeControlStatus { view.progress }
    /// Reason to wait; nil unless `timeControlStatus` says that it waits. Observable.
    open var reasonForWaitingToPlay: WaitingReason? { view.reason }

    /// Deed at the end of an item.
    open var actionAtItemEnd: ActionAtItemEnd {
        get { state.withLock { $0.action } }
        set { state.withLock { $0.action = newValue } }
    }
    /// Volume from 0 to 1, default 1; kept, as nothing is heard.
    open var volume: Float {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = newValue } }
    }
    /// Whether sound is off; kept, as nothing is heard.
    open var isMuted: Bool {
        get { state.withLock { $0.isMuted } }
        set { state.withLock { $0.isMuted = newValue } }
    }
    /// Whether it may wait for media; kept, as files are at hand.
    open var automaticallyWaitsToMinimizeStalling: Bool {
        get { state.withLock { $0.waits } }
        set { state.withLock { $0.waits = newValue } }
    }
    /// Whether the display stays on; kept, as there is none.
    open var preventsDisplaySleepDuringVideoPlayback: Bool {
        get { state.withLock { $0.keepsAwake } }
        set { state.withLock { $0.keepsAwake = newValue } }
    }

    /// Whether a screen elsewhere may show it; kept, as there is none.
    open var allowsExternalPlayback: Bool {
        get { state.withLock { $0.goesElsewhere } }
        set { state.withLock { $0.goesElsewhere = newValue } }
    }
    /// Whether a screen elsewhere shows it: never.
    open var isExternalPlaybackActive: Bool { false }

    /// Makes ready to play at a rate, and calls the handler with whether the item is: at once.
    open func preroll(atRate rate: Float, completionHandler: (@Sendable (Bool) -> Void)? = nil) { completionHandler?(status == .readyToPlay) }
    /// Ends making ready: none is under way.
    open func cancelPendingPrerolls() {}

    /// Lets a time of the item be reached at a time of the clock, and time run on from there at a rate. An invalid time of the item is that of now, an
    /// invalid time of the clock is at once.
    open func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
        let start = itemTime.isNumeric ? itemTime : currentTime()
        let passed = hostClockTime.isNumeric ? sourceClock.time - hostClockTime : .zero
        seek(to: start + CMTimeMultiplyByFloat64(passed, multiplier: Float64(rate)))
        self.rate = rate
    }

    // MARK: time

    /// Clock that time runs by: the host's by default.
    open var sourceClock: CMClock {
        get { state.withLock { $0.clock } }
        set {
            state.withLock { $0.clock = newValue }
            currentItem?.attach(self, clock: newValue)
            run()
        }
    }

    /// Time of the item; zero without one.
    open func currentTime() -> CMTime { currentItem?.currentTime() ?? .zero }
    /// Goes to a time of the item at once, exactly.
    open func seek(to time: CMTime) { currentItem?.seek(to: time) }
    /// Goes to a time of the item at once, exactly; tolerances are ignored.
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) { seek(to: time) }
    /// Goes to a time of the item at once and calls the handler before it returns, with false where there is no item.
    open func seek(to time: CMTime, completionHandler: @escaping (Bool) -> Void) {
        guard let currentItem else { return completionHandler(false) }
        currentItem.seek(to: time, completionHandler: completionHandler)
    }
    /// Goes to a time of the item at once; tolerances are ignored, and the handler is called before it returns.
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime, completionHandler: @escaping (Bool) -> Void) {
        seek(to: time, completionHandler: completionHandler)
    }
    /// Goes to a time of the item; false where there is none.
    @discardableResult
    open func seek(to time: CMTime) async -> Bool { await withCheckedContinuation { done in seek(to: time) { done.resume(returning: $0) } } }
    /// Goes to a time of the item; false where there is none. Tolerances are ignored.
    @discardableResult
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool { await seek(to: time) }

    /// Calls `block` on a queue, nil for the main one, whenever time passes a multiple of an interval, jumps, starts or stops; until the
    /// returned observer is removed.
    @preconcurrency
    @discardableResult
    open func addPeriodicTimeObserver(
        forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        times.add(.every(interval), queue ?? .main, from: currentTime(), block)
    }
    /// Calls `block` on a queue, nil for the main one, whenever time passes one of some times; until the returned observer is removed.
    @preconcurrency
    @discardableResult
    open func addBoundaryTimeObserver(forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void) -> Any {
        self.times.add(.at(times.compactMap(\.timeValue)), queue ?? .main, from: currentTime()) { _ in block() }
    }
    /// Removes an observer of time.
    open func removeTimeObserver(_ observer: Any) { times.remove(observer) }

    // MARK: course

    /// Goes on with the next item; a queue has one.
    func advance() { rate = 0 }

    /// Notifies observers of what has changed since they were notified last, on whatever thread.
    private func tellChanges() {
        let (old, new) = told.withLock { told in
            let new = view
            defer { told = new }
            return (told, new)
        }
        _observers.changed(\AVPlayer.currentItem, from: old.item, to: new.item)
        _observers.changed(\AVPlayer.rate, from: old.rate, to: new.rate)
        if old.rate != new.rate { NotificationCenter.default.post(name: Self.rateDidChangeNotification, object: self) }
        _observers.changed(\AVPlayer.status, from: old.status, to: new.status)
        _observers.changed(\AVPlayer.timeControlStatus, from: old.progress, to: new.progress)
        _observers.changed(\AVPlayer.reasonForWaitingToPlay, from: old.reason, to: new.reason)
    }

    /// Lets the item's time run or stand as the rate says, and watches it while it runs.
    private func run() {
        // In one piece, so that what another thread changes meanwhile counts last; the ticker before is let go after the lock.
        _ = state.withLock { state -> Ticker? in
            state.item?.run(at: state.rate)
            let isRunning = state.rate != 0 && state.item?.status == .readyToPlay
            guard isRunning != (state.ticker != nil) else { return nil }
            defer { state.ticker = isRunning ? Ticker { [weak self] in self?.tick() } : nil }
            return state.ticker
        }
    }

    /// Notices what the time has passed: observers' times, and the end.
    func tick() {
        guard timeControlStatus == .playing, let item = currentItem else { return }
        let now = times.pass(to: item.currentTime())
        let isBackward = rate < 0
        guard isBackward ? now <= .zero : item.endTime.map({ now >= $0 }) ?? false else { return }
        // Another thread may have stopped at this end, or gone on to the next item, which has not ended.
        let isNew = state.withLock { state in
            guard !state.hasEnded, state.rate != 0, state.item === item else { return false }
            state.hasEnded = true
            return true
        }
        guard isNew else { return }
        if isBackward { return pause() }
        switch actionAtItemEnd {
        case .advance: advance()
        case .pause: pause()
        case .none: break
        }
        NotificationCenter.default.post(name: AVPlayerItem.didPlayToEndTimeNotification, object: item)
    }

    /// Goes on once the item is loaded, or stops where it cannot be.
    func settled(_ item: AVPlayerItem) {
        guard item === currentItem else { return }
        if let error = item.error {
            rate = 0
            return NotificationCenter.default.post(
                name: AVPlayerItem.failedToPlayToEndTimeNotification, object: item, userInfo: [AVPlayerItemFailedToPlayToEndTimeErrorKey: error])
        }
        run()
        tellChanges()
    }

    /// Lets an item's time jump, which no other thread notices before observers are told.
    func seek(_ item: AVPlayerItem, by jump: () -> Void) {
        guard item === currentItem else { return jump() }
        times.tell {
            jump()
            state.withLock { $0.hasEnded = false }
            return item.currentTime()
        }
    }
}
