import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Reader of an asset's media, decoded or as stored, as fast as its outputs are asked.
///
///     unknown ──startReading──► reading ──last sample of every output──► completed
///        │                        ├──error──► failed
///        └─────error──► failed    └──cancelReading──► cancelled
///
///     let reader = try AVAssetReader(asset: asset)
///     let output = AVAssetReaderTrackOutput(track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
///     reader.add(output)
///     reader.startReading()
///     while let sample = output.copyNextSampleBuffer() { … }
///     if reader.status == .failed { throw reader.error! }
open class AVAssetReader: _SendableObject, @unchecked Sendable {
    /// State of a reader.
    public enum Status: Int, Sendable {
        /// Reading has not begun.
        case unknown = 0
        /// More samples can be read.
        case reading = 1
        /// All samples were read.
        case completed = 2
        /// Reading ended with an error.
        case failed = 3
        /// Reading was cancelled.
        case cancelled = 4
    }

    /// Asset that is read.
    public let asset: AVAsset
    private let state = Mutex(State())

    private struct State {
        var status = Status.unknown
        var error: (any Error)?
        var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
        var outputs: [AVAssetReaderOutput] = []
        /// Outputs that have not come to their end.
        var open: Set<ObjectIdentifier> = []
    }

    /// Makes a reader. Throws for an asset that cannot be opened.
    public init(asset: AVAsset) throws {
        _ = try asset.contents()
        self.asset = asset
    }

    var environment: CaptureEnvironment { asset.source.environment ?? CaptureEnvironment.current }

    /// State.
    open var status: Status { state.withLock { $0.status } }
    /// Error that reading ended with, `AVError` where the media were at fault; nil unless it failed.
    open var error: (any Error)? { state.withLock { $0.error } }
    /// Outputs in the order in which they were added.
    open var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }

    /// Time to be read, by default all of it; set before `startReading()`, else it raises. Pictures come that are shown in it, and sound is cut to it.
    open var timeRange: CMTimeRange {
        get { state.withLock { $0.timeRange } }
        set {
            guard status == .unknown else { return refuse("setTimeRange:", "cannot be called after reading has started") }
            state.withLock { $0.timeRange = newValue }
        }
    }

    /// Whether an output can be added: one of this asset that is in no reader, before reading has begun.
    open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
        status == .unknown && output.reader == nil && output.asset === asset
    }

    /// Adds an output; raises for one that cannot be added.
    open func add(_ output: AVAssetReaderOutput) {
        guard status == .unknown else { return refuse("addOutput:", "cannot add an output after reading has started") }
        guard canAdd(output) else {
            return environment.raise(.invalidArgument, "-[AVAssetReader addOutput:]", "The output is of another asset, or in a reader already")
        }
        output.join(self)
        state.withLock { $0.outputs.append(output) }
    }

    /// Opens all outputs. False where that fails, with the error in `error`, and where reading has begun already, which raises.
    @discardableResult
    open func startReading() -> Bool {
        guard status == .unknown else {
            refuse("startReading", "cannot be called again after reading has already started")
            return false
        }
        let (outputs, range) = state.withLock { ($0.outputs, $0.timeRange) }
        do {
            for output in outputs { try output.open(range) }
        } catch {
            fail(error)
            return false
        }
        state.withLock { state in
            state.open = Set(outputs.map { ObjectIdentifier($0) })
            state.status = outputs.isEmpty ? .completed : .reading
        }
        return true
    }

    /// Ends reading: outputs give nothing more. Without effect unless samples are being read.
    open func cancelReading() {
        let outputs = state.withLock { state -> [AVAssetReaderOutput] in
            guard state.status == .reading || state.status == .unknown else { return [] }
            state.status = .cancelled
            return state.outputs
        }
        for output in outputs { output.close() }
    }

    func fail(_ error: any Error) {
        let outputs = state.withLock { state -> [AVAssetReaderOutput] in
            guard state.status == .reading || state.status == .unknown else { return [] }
            (state.status, state.error) = (.failed, asset.source.told(error))
            return state.outputs
        }
        for output in outputs { output.close() }
    }

    /// Takes note of the end of an output, which may go on where it supports random access.
    func end(_ output: AVAssetReaderOutput) {
        state.withLock { state in
            state.open.remove(ObjectIdentifier(output))
            if state.open.isEmpty, state.status == .reading, !state.outputs.contains(where: \.supportsRandomAccess) { state.status = .completed }
        }
    }

    /// Whether all samples of an output were read.
    func hasEnded(_ output: AVAssetReaderOutput) -> Bool {
        state.withLock { $0.status == .reading && !$0.open.contains(ObjectIdentifier(output)) }
    }

    /// Takes note that an output goes on.
    func resume(_ output: AVAssetReaderOutput) { state.withLock { _ = $0.open.insert(ObjectIdentifier(output)) } }

    private func refuse(_ selector: String, _ reason: String) {
        environment.raise(.internalInconsistency, "-[AVAssetReader \(selector)]", reason)
    }
}
