import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Receiver of depth maps, called on the queue it was set with.
public protocol AVCaptureDepthDataOutputDelegate: NSObjectProtocol {
    /// Called for every map; `timestamp` is its frame's, on the session's clock.
    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime, connection: AVCaptureConnection)
    /// Called for every map that is dropped, with the reason.
    func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime, connection: AVCaptureConnection,
        reason: AVCaptureOutput.DataDroppedReason)
}

extension AVCaptureDepthDataOutputDelegate {
    /// Does nothing, for delegates without this method.
    public func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime, connection: AVCaptureConnection
    ) {}
    /// Does nothing, for delegates without this method.
    public func depthDataOutput(
        _ output: AVCaptureDepthDataOutput, didDrop depthData: AVDepthData, timestamp: CMTime, connection: AVCaptureConnection,
        reason: AVCaptureOutput.DataDroppedReason
    ) {}
}

/// Output of a depth map per frame, of the device's `activeDepthDataFormat`, rotated and mirrored by the connection.
///
/// It never runs beside enabled cinematic capture: starting such a session raises.
open class AVCaptureDepthDataOutput: AVCaptureOutput, @unchecked Sendable {
    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCaptureDepthDataOutputDelegate)?
        var queue: DispatchQueue?
        var discardsLate = true
        var isFiltering = true
        var client = VideoClient()
    }

    private let backlog = Backlog(limit: 1 + VideoClient.queueDepth)
    /// Limit on the drops that a delegate which never returns is notified of.
    private let dropBacklog = Backlog(limit: 120)
    private let state = Mutex(State())

    /// Makes an output without a session.
    public override init() {}

    override var mediaType: AVMediaType { .depthData }

    /// Size of the device's depth format as the connection rotates it.
    override func bufferSize(through connection: AVCaptureConnection) -> PictureSize? {
        guard let size = connection.inputPorts.first?.device?.activeDepthDataFormat?.formatDescription.dimensions else { return nil }
        let (width, height) = (Int(size.width), Int(size.height))
        let isSideways = Int(connection.videoRotationAngle) % 180 != 0
        return PictureSize(width: isSideways ? height : width, height: isSideways ? width : height)
    }

    /// Sets the receiver of maps and its queue; raises for a delegate without a queue.
    open func setDelegate(_ delegate: (any AVCaptureDepthDataOutputDelegate)?, callbackQueue: DispatchQueue?) {
        guard environment.allows(delegate, on: callbackQueue, "-[AVCaptureDepthDataOutput setDelegate:callbackQueue:]") else { return }
        state.withLock { ($0.delegate, $0.queue) = (delegate, callbackQueue) }
    }

    /// Receiver of maps, held weakly; nil without one.
    open var delegate: (any AVCaptureDepthDataOutputDelegate)? { state.withLock { $0 }.delegate }
    /// Queue that the delegate is called on; nil without one.
    open var delegateCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Whether a map that finds the delegate busy is dropped (default); else up to five wait before maps are dropped.
    open var alwaysDiscardsLateDepthData: Bool {
        get { state.withLock { $0.discardsLate } }
        set { state.withLock { $0.discardsLate = newValue } }
    }

    /// Whether holes are filled and maps smoothed in time; default true. Every source's maps are: it only records the app's wish.
    open var isFilteringEnabled: Bool {
        get { state.withLock { $0.isFiltering } }
        set { state.withLock { $0.isFiltering = newValue } }
    }

    /// Whether a delegate or synchronizer takes maps.
    var isWanted: Bool { synchronizer != nil || delegate != nil }
    override var wantsDepth: Bool { isWanted }

    /// Hands one map to the delegate and waits until it was taken; or reports its drop.
    func deliver(
        _ map: DisparityMap, calibration: AVCameraCalibrationData?, at time: CMTime, through connection: AVCaptureConnection, by delivery: Delivery
    ) {
        guard let format = connection.inputPorts.first?.device?.activeDepthDataFormat else { return }
        let buffer = DepthConverter.make(
            map, like: format.formatDescription, rotation: Int(connection.videoRotationAngle), isMirrored: connection.isVideoMirrored)
        let isFiltered = isFilteringEnabled
        let data = AVDepthData(map: buffer, accuracy: map.isMetric ? .absolute : .relative, isFiltered: isFiltered, calibration: calibration)
        let refusal = state.withLock { state in
            let refusal = state.client.refusal(
                at: time, waiting: backlog.count, discardsLate: state.discardsLate, limit: environment.videoBufferLimit)
            if refusal == nil { state.client.take(buffer, at: time, cost: environment.videoClientTime?(time)) }
            return refusal
        }
        if let synchronizer {
            return synchronizer.hold(
                AVCaptureSynchronizedDepthData(timestamp: time, depthData: data, droppedReason: refusal ?? .none), from: self)
        }
        let (receiver, queue) = state.withLock { ($0.delegate, $0.queue) }
        guard let receiver, let queue else { return }
        nonisolated(unsafe) let delegate = receiver
        delivery.hand(to: queue, in: refusal == nil ? backlog : dropBacklog) { [self] in
            if let refusal {
                delegate.depthDataOutput(self, didDrop: data, timestamp: time, connection: connection, reason: refusal)
            } else {
                delegate.depthDataOutput(self, didOutput: data, timestamp: time, connection: connection)
            }
        }
    }
}
