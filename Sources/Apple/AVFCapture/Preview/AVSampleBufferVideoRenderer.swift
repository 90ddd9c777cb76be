import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// State of a renderer.
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable {
    /// No picture was queued yet.
    case unknown = 0
    /// Pictures were queued.
    case rendering = 1
    /// Decoding failed; never so here.
    case failed = 2
}

/// Role of a queue of samples that are handed over ahead of their time.
public protocol AVQueuedSampleBufferRendering: NSObjectProtocol {
    /// Timebase that samples are shown by.
    var timebase: CMTimebase { get }
    /// Queues a sample.
    func enqueue(_ sampleBuffer: CMSampleBuffer)
    /// Forgets the waiting samples; the one that is shown stays.
    func flush()
    /// Whether there is room for another sample.
    var isReadyForMoreMediaData: Bool { get }
    /// Whether there are enough samples to begin with.
    var hasSufficientMediaDataForReliablePlaybackStart: Bool { get }
    /// Calls `block` on `queue` while there is room for samples.
    func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void)
    /// Ends the calls of `requestMediaDataWhenReady(on:using:)`.
    func stopRequestingMediaData()
}

/// Queue of pictures, each shown when its time has come by the timebase: at once when late, marked so, or without a time.
///
/// There is no screen: the picture on show is `copyDisplayedPixelBuffer()`. By default the timebase is the host's clock, for which the
/// frames of a session are always late, as a viewfinder wants it. Up to eight pictures wait.
open class AVSampleBufferVideoRenderer: NSObject, AVQueuedSampleBufferRendering, _KeyValueObservable, @unchecked Sendable {
    static let capacity = 8
    /// Observers of this renderer's properties; for `observe(_:options:changeHandler:)` only.
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

    /// Makes an empty queue, timed by the host's clock.
    public override init() {
        hostTimebase = try! CMTimebase(sourceClock: .hostTimeClock)
        try! hostTimebase.setTime(CMClock.hostTimeClock.time)
        try! hostTimebase.setRate(1)
    }

    var controlTimebase: CMTimebase? {
        get { state.withLock { $0.control } }
        set { state.withLock { $0.control = newValue } }
    }

    /// Timebase that pictures are shown by: the layer's `controlTimebase`, else the host's clock.
    open var timebase: CMTimebase { controlTimebase ?? hostTimebase }

    /// Queues a picture; a sample without one shows nothing.
    open func enqueue(_ sampleBuffer: CMSampleBuffer) {
        guard sampleBuffer.imageBuffer != nil else { return }
        let (now, old) = (timebase.time, status)
        _observers.willChange(\AVSampleBufferVideoRenderer.status, from: old, to: .rendering)
        state.withLock { state in
            let time = sampleBuffer.presentationTimeStamp
            if time.isNumeric, (sampleBuffer.sampleAttachments[0][.displayImmediately] as? Bool) != true {
                let index = state.waiting.firstIndex { time < $0.presentationTimeStamp } ?? state.waiting.count
                state.waiting.insert(sampleBuffer, at: index)
                state.showDue(at: now)
            } else {
                state.displayed = sampleBuffer.imageBuffer
            }
            state.status = .rendering
        }
        _observers.changed(\AVSampleBufferVideoRenderer.status, from: old, to: .rendering, wasAnnounced: true)
    }

    /// Forgets the waiting pictures; the one that is shown stays.
    open func flush() { state.withLock { $0.waiting = [] } }

    /// Forgets the waiting pictures, and the one that is shown where asked; the handler is called before it returns.
    @preconcurrency
    open func flush(removingDisplayedImage: Bool, completionHandler handler: (@Sendable () -> Void)? = nil) {
        state.withLock { state in
            state.waiting = []
            if removingDisplayedImage { state.displayed = nil }
        }
        handler?()
    }

    /// Whether there is room for another picture.
    open var isReadyForMoreMediaData: Bool {
        let now = timebase.time
        return state.withLock { state in
            state.showDue(at: now)
            return state.waiting.count < Self.capacity
        }
    }

    /// Whether a picture is shown or the queue is full.
    open var hasSufficientMediaDataForReliablePlaybackStart: Bool { copyDisplayedPixelBuffer() != nil || !isReadyForMoreMediaData }

    /// Calls `block` on `queue` while there is room, a hundred times a second at most, until `stopRequestingMediaData()`.
    @preconcurrency
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        let request = Request(queue: queue, block: block)
        state.withLock { $0.request = request }
        queue.async { [weak self] in self?.serve(request) }
    }

    private func serve(_ request: Request) {
        guard state.withLock({ $0.request === request }) else { return }
        if isReadyForMoreMediaData { request.block() }
        request.queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [weak self] in self?.serve(request) }
    }

    /// Ends the calls of `requestMediaDataWhenReady(on:using:)`.
    open func stopRequestingMediaData() { state.withLock { $0.request = nil } }

    /// State of the queue. Observable.
    open var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }
    /// Error of decoding: nil, as nothing is decoded here.
    open var error: (any Error)? { nil }
    /// Whether decoding waits for a flush; never here.
    open var requiresFlushToResumeDecoding: Bool { false }

    /// Returns the picture on show now; nil before the first and after it was removed.
    open func copyDisplayedPixelBuffer() -> CVPixelBuffer? {
        let now = timebase.time
        return state.withLock { state in
            state.showDue(at: now)
            return state.displayed
        }
    }
}

extension AVSampleBufferVideoRenderer.State {
    /// Shows the last of the pictures whose time has come.
    fileprivate mutating func showDue(at now: CMTime) {
        let due = waiting.prefix { $0.presentationTimeStamp <= now }
        guard let last = due.last else { return }
        displayed = last.imageBuffer
        waiting.removeFirst(due.count)
    }
}
