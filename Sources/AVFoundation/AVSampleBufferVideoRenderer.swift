import CoreMedia
import CoreVideo
import Foundation
import Synchronization

public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable {
    /// Nothing has come yet.
    case unknown = 0
    case rendering = 1
    case failed = 2
}

/// What takes samples ahead of their time.
public protocol AVQueuedSampleBufferRendering: NSObjectProtocol {
    var timebase: CMTimebase { get }
    func enqueue(_ sampleBuffer: CMSampleBuffer)
    func flush()
    var isReadyForMoreMediaData: Bool { get }
    var hasSufficientMediaDataForReliablePlaybackStart: Bool { get }
    func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
    func stopRequestingMediaData()
}

/// Shows pictures when their time has come by its timebase: at once when they are late, marked so, or have no time.
///
/// There is no screen: what would be on it is `copyDisplayedPixelBuffer()`. By default the timebase is the host's clock, for which the
/// frames of a session are always late, as a viewfinder wants it. Up to eight pictures wait.
public final class AVSampleBufferVideoRenderer: NSObject, AVQueuedSampleBufferRendering, _KeyValueObservable, @unchecked Sendable {
    static let capacity = 8
    public let _observers = _KeyValueObservers()
    private let hostTimebase: CMTimebase
    private let state = Mutex(State())

    fileprivate struct State: Sendable {
        /// In order of their times.
        var waiting: [CMSampleBuffer] = []
        var displayed: CVPixelBuffer?
        var status = AVQueuedSampleBufferRenderingStatus.unknown
        var control: CMTimebase?
        var request: Request?
    }

    fileprivate final class Request: Sendable {
        let queue: DispatchQueue
        let block: @Sendable () -> Void
        init(queue: DispatchQueue, block: @escaping @Sendable () -> Void) { (self.queue, self.block) = (queue, block) }
    }

    public override init() {
        hostTimebase = try! CMTimebase(sourceClock: .hostTimeClock)
        try! hostTimebase.setTime(CMClock.hostTimeClock.time)
        try! hostTimebase.setRate(1)
    }

    var controlTimebase: CMTimebase? {
        get { state.withLock { $0.control } }
        set { state.withLock { $0.control = newValue } }
    }

    public var timebase: CMTimebase { controlTimebase ?? hostTimebase }

    /// Queues a picture; a sample without one shows nothing.
    public func enqueue(_ sampleBuffer: CMSampleBuffer) {
        guard sampleBuffer.imageBuffer != nil else { return }
        let (now, old) = (timebase.time, status)
        _observers.willChange(\AVSampleBufferVideoRenderer.status, from: old, to: .rendering)
        state.withLock { state in
            let time = sampleBuffer.presentationTimeStamp
            if time.isNumeric, (sampleBuffer.sampleAttachments[0][.displayImmediately] as? Bool) != true {
                let index = state.waiting.firstIndex { time < $0.presentationTimeStamp } ?? state.waiting.count
                state.waiting.insert(sampleBuffer, at: index)
                state.settle(at: now)
            } else {
                state.displayed = sampleBuffer.imageBuffer
            }
            state.status = .rendering
        }
        _observers.changed(\AVSampleBufferVideoRenderer.status, from: old, to: .rendering, wasAnnounced: true)
    }

    /// Forgets what waits; what is shown stays.
    public func flush() { state.withLock { $0.waiting = [] } }

    public func flush(removingDisplayedImage: Bool, completionHandler handler: (@Sendable () -> Void)? = nil) {
        state.withLock { state in
            state.waiting = []
            if removingDisplayedImage { state.displayed = nil }
        }
        handler?()
    }

    /// Whether there is room for another picture.
    public var isReadyForMoreMediaData: Bool {
        let now = timebase.time
        return state.withLock { state in
            state.settle(at: now)
            return state.waiting.count < Self.capacity
        }
    }

    public var hasSufficientMediaDataForReliablePlaybackStart: Bool { copyDisplayedPixelBuffer() != nil || !isReadyForMoreMediaData }

    /// Calls `block` on `queue` while there is room, a hundred times a second at most, until `stopRequestingMediaData`.
    public func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        let request = Request(queue: queue, block: block)
        state.withLock { $0.request = request }
        queue.async { [weak self] in self?.serve(request) }
    }

    private func serve(_ request: Request) {
        guard state.withLock({ $0.request === request }) else { return }
        if isReadyForMoreMediaData { request.block() }
        request.queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [weak self] in self?.serve(request) }
    }

    public func stopRequestingMediaData() { state.withLock { $0.request = nil } }

    /// Observable.
    public var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }
    /// Nothing is decoded here, so nothing fails.
    public var error: (any Error)? { nil }
    public var requiresFlushToResumeDecoding: Bool { false }

    /// The picture on show now; nil before the first and after it was removed.
    public func copyDisplayedPixelBuffer() -> CVPixelBuffer? {
        let now = timebase.time
        return state.withLock { state in
            state.settle(at: now)
            return state.displayed
        }
    }
}

extension AVSampleBufferVideoRenderer.State {
    /// Shows the last of the pictures whose time has come.
    fileprivate mutating func settle(at now: CMTime) {
        let due = waiting.prefix { $0.presentationTimeStamp <= now }
        guard let last = due.last else { return }
        displayed = last.imageBuffer
        waiting.removeFirst(due.count)
    }
}
