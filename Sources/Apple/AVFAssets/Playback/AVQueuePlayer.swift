import AVFCapture
import CoreMedia
import Foundation
import Synchronization

/// Player of items one after another.
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
    private let waiting: Mutex<[AVPlayerItem]>

    /// Makes a player of items, in their order.
    public init(items: [AVPlayerItem]) {
        waiting = Mutex(Array(items.dropFirst()))
        super.init(playerItem: items.first)
        actionAtItemEnd = .advance
    }
    /// Makes a player of one item, or of none.
    public override init(playerItem item: AVPlayerItem?) {
        waiting = Mutex([])
        super.init(playerItem: item)
        actionAtItemEnd = .advance
    }

    /// The item that is played and those after it.
    open func items() -> [AVPlayerItem] { (currentItem.map { [$0] } ?? []) + waiting.withLock { $0 } }

    /// Whether an item can be put in after another, nil for the end: whether it is not there yet, and the other is.
    open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        let items = items()
        return !items.contains(item) && (afterItem.map { items.contains($0) } ?? true)
    }

    /// Puts an item in after another, nil for the end; raises where it is there already, or the other is not.
    open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        guard canInsert(item, after: afterItem) else {
            return CaptureEnvironment.current.raise(
                .invalidArgument, "-[AVQueuePlayer insertItem:afterItem:]",
                "An item cannot be inserted twice, nor after one that is not in the queue")
        }
        guard currentItem != nil else { return replaceCurrentItem(with: item) }
        waiting.withLock { waiting in
            guard let afterItem else { return waiting.append(item) }
            waiting.insert(item, at: waiting.firstIndex(of: afterItem).map { $0 + 1 } ?? 0)
        }
    }

    /// Removes an item; the next is played in place of the current one.
    open func remove(_ item: AVPlayerItem) {
        if item === currentItem { return advanceToNextItem() }
        waiting.withLock { $0.removeAll { $0 === item } }
    }

    /// Removes all items.
    open func removeAllItems() {
        waiting.withLock { $0 = [] }
        replaceCurrentItem(with: nil)
    }

    /// Goes on with the next item, or with none, at the same rate.
    open func advanceToNextItem() { replaceCurrentItem(with: waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }) }

    override func advance() { advanceToNextItem() }
}

/// Repetition of an item in a queue: a copy is put in whenever one has ended.
open class AVPlayerLooper: NSObject, @unchecked Sendable {
    /// State of a repetition.
    public enum Status: Int, Sendable {
        /// Not begun; never so here.
        case unknown = 0
        /// It repeats.
        case ready = 1
        /// It failed; never so here, where items fail by themselves.
        case failed = 2
        /// It was ended.
        case cancelled = 3
    }

    /// Number of copies in the queue at a time.
    private static let copies = 3
    private let state = Mutex(State())
    private let template: AVPlayerItem
    private let range: CMTimeRange

    private struct State: Sendable {
        weak var player: AVQueuePlayer?
        var items: [AVPlayerItem] = []
        var count = 0
        var isCancelled = false
        var token: Token?
    }

    /// Fills an empty queue with copies of an item, each playing a range of it, invalid for all.
    public init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange loopRange: CMTimeRange) {
        (template, range) = (itemToLoop, loopRange)
        super.init()
        let observation = NotificationCenter.default.addObserver(forName: AVPlayerItem.didPlayToEndTimeNotification, object: nil, queue: nil) {
            [weak self] in self?.ended($0.object as AnyObject?)
        }
        let token = Token(observation)
        state.withLock { state in
            state.player = player
            state.token = token
        }
        for _ in 0..<Self.copies { insert() }
    }
    /// Fills an empty queue with copies of an item.
    public convenience init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem) {
        self.init(player: player, templateItem: itemToLoop, timeRange: .invalid)
    }

    deinit { stop() }

    /// State of the repetition.
    open var status: Status { state.withLock { $0.isCancelled } ? .cancelled : .ready }
    /// Why it failed: nil.
    open var error: (any Error)? { nil }
    /// Number of times the item has ended.
    open var loopCount: Int { state.withLock { $0.count } }
    /// Copies in the queue.
    open var loopingPlayerItems: [AVPlayerItem] { state.withLock { $0.items } }
    /// Ends the repetition with the copy that is played.
    open func disableLooping() {
        stop()
        let (player, items) = state.withLock { state in
            state.isCancelled = true
            return (state.player, state.items)
        }
        for item in items where item !== player?.currentItem { player?.remove(item) }
    }

    private func insert() {
        guard let item = template.copy() as? AVPlayerItem else { return }
        if range.isValid {
            item.forwardPlaybackEndTime = range.end
            item.seek(to: range.start)
        }
        let player = state.withLock { state in
            state.items.append(item)
            return state.player
        }
        player?.insert(item, after: nil)
    }

    private func ended(_ item: AnyObject?) {
        let isOwn = state.withLock { state in
            guard !state.isCancelled, let index = state.items.firstIndex(where: { $0 === item }) else { return false }
            state.items.remove(at: index)
            state.count += 1
            return true
        }
        if isOwn { insert() }
    }

    private func stop() {
        let token = state.withLock { state in
            defer { state.token = nil }
            return state.token
        }
        if let token { NotificationCenter.default.removeObserver(token.observation) }
    }

    /// Registration at the notification centre, which may end on any thread.
    private final class Token: NSObject, @unchecked Sendable {
        let observation: any NSObjectProtocol
        init(_ observation: any NSObjectProtocol) { self.observation = observation }
    }
}
