import CoreMedia
import Foundation
import Synchronization

/// Receiver of the data that several outputs have for one moment, called on the queue it was set with.
public protocol AVCaptureDataOutputSynchronizerDelegate: NSObjectProtocol {
    /// Called once for every piece of the first output.
    func dataOutputSynchronizer(
        _ synchronizer: AVCaptureDataOutputSynchronizer,
        didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection)
}

/// Collector of the data of several outputs by time: one call per piece of the first output, with those of the others for it.
///
/// While it has a delegate, those of its outputs are not called. Data wait until everything of their frame has come, from all cameras that bring some;
/// an output that has nothing for a frame is missing from the collection. Where another output has several pieces by then, the newest counts.
open class AVCaptureDataOutputSynchronizer: NSObject, @unchecked Sendable {
    /// Outputs to collect from; the first sets the pace.
    public let dataOutputs: [AVCaptureOutput]
    private let environment: CaptureEnvironment
    private let state = Mutex(State())
    private let backlog = Backlog(limit: 1 + VideoClient.queueDepth)

    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCaptureDataOutputSynchronizerDelegate)?
        var queue: DispatchQueue?
        /// Data not yet handed on, oldest first, in the order of the outputs.
        var held: [[AVCaptureSynchronizedData]] = []
        /// Times of frames not yet handed on, ascending.
        var expected: [CMTime] = []
    }

    /// Most frames that a camera is waited for.
    private static let patience = 16

    /// Makes a collector of video data, audio data, metadata and depth data outputs, each once; raises for others, and for none.
    public init(dataOutputs: [AVCaptureOutput]) {
        environment = dataOutputs.first?.environment ?? .current
        var usable: [AVCaptureOutput] = []
        for output in dataOutputs where Self.canHold(output) && !usable.contains(where: { $0 === output }) { usable.append(output) }
        self.dataOutputs = usable
        super.init()
        if usable.isEmpty || usable.count < dataOutputs.count {
            environment.raise(
                .invalidArgument, "-[AVCaptureDataOutputSynchronizer initWithDataOutputs:]",
                "dataOutputs must be data outputs, at least one and each once")
        }
    }

    private static func canHold(_ output: AVCaptureOutput) -> Bool {
        output is AVCaptureVideoDataOutput || output is AVCaptureAudioDataOutput || output is AVCaptureMetadataOutput
            || output is AVCaptureDepthDataOutput
    }

    /// Takes the outputs' data in place of their own delegates; nil gives them back. Raises for a delegate without a queue.
    open func setDelegate(_ delegate: (any AVCaptureDataOutputSynchronizerDelegate)?, queue delegateCallbackQueue: DispatchQueue?) {
        guard environment.allows(delegate, on: delegateCallbackQueue, "-[AVCaptureDataOutputSynchronizer setDelegate:queue:]") else { return }
        state.withLock { state in
            (state.delegate, state.queue) = (delegate, delegateCallbackQueue)
            state.held = Array(repeating: [], count: dataOutputs.count)
            state.expected = []
        }
        for output in dataOutputs {
            if delegate != nil { output.synchronizer = self } else if output.synchronizer === self { output.synchronizer = nil }
        }
    }

    /// Receiver of the collections, held weakly; nil without one.
    open var delegate: (any AVCaptureDataOutputSynchronizerDelegate)? { state.withLock { $0 }.delegate }
    /// Queue that the delegate is called on; nil without one.
    open var delegateCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Keeps a piece until its frame is complete.
    func hold(_ data: AVCaptureSynchronizedData, from output: AVCaptureOutput) {
        guard let index = dataOutputs.firstIndex(where: { $0 === output }) else { return }
        state.withLock { state in
            // Time that goes back is another run.
            if let last = state.held[index].last, data.timestamp < last.timestamp {
                state.held[index] = []
                state.expected = []
            }
            state.held[index].append(data)
        }
    }

    /// Notes that a camera has delivered a frame, which waits for the others.
    func expectFrame(at time: CMTime) {
        state.withLock { state in
            guard !state.expected.contains(time) else { return }
            state.expected.insert(time, at: state.expected.firstIndex { $0 > time } ?? state.expected.endIndex)
        }
    }

    /// Hands on the frames up to `time`, and those that wait too long.
    func deliverFrames(through time: CMTime, by delivery: Delivery) {
        while let (pieces, delegate, queue) = nextSet(through: time) {
            guard !pieces.isEmpty, let delegate, let queue else { continue }
            let collection = AVCaptureSynchronizedDataCollection(pieces)
            nonisolated(unsafe) let receiver = delegate
            delivery.hand(to: queue, in: backlog) { receiver.dataOutputSynchronizer(self, didOutput: collection) }
        }
    }

    /// All that has come up to the next frame that is through, with who takes it; nil where none is. Without a piece of the first output the others wait on.
    private func nextSet(
        through limit: CMTime
    ) -> (pieces: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)], (any AVCaptureDataOutputSynchronizerDelegate)?, DispatchQueue?)? {
        state.withLock { state in
            guard let time = state.expected.first, time <= limit || state.expected.count > Self.patience else { return nil }
            state.expected.removeFirst()
            let isDue = state.held.first?.contains { $0.timestamp <= time } ?? false
            var pieces: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)] = []
            for index in state.held.indices {
                let passed = state.held[index].prefix { $0.timestamp <= time }
                guard let newest = passed.last else { continue }
                state.held[index].removeFirst(isDue ? passed.count : passed.count - 1)
                if isDue { pieces.append((dataOutputs[index], newest)) }
            }
            return (pieces, state.delegate, state.queue)
        }
    }
}
