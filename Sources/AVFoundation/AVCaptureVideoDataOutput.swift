import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Takes sample buffers, on the queue of the delegate.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
    func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureVideoDataOutputSampleBufferDelegate {
    public func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {}
    public func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {}
}

/// Delivers pictures as buffers, with the simulated aperture rendered while cinematic capture is enabled.
public final class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {
    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
        var queue: DispatchQueue?
        var pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        var size: PictureSize?
        var discardsLate = true
        var options = Options()
        var client = VideoClient()
        /// The next frame comes after another camera or format was chosen.
        var hasSwitched = false
    }

    var options: Options {
        get { state.withLock { $0.options } }
        set { state.withLock { $0.options = newValue } }
    }

    private let state = Mutex(State())
    private let converter = PictureConverter()
    private let backlog = Backlog(limit: 1 + VideoClient.queueDepth)
    /// A delegate that never comes back is not told of more drops than these.
    private let dropBacklog = Backlog(limit: 120)

    public init() { super.init(environment: .current) }

    override var mediaType: AVMediaType { .video }

    override func streamWillBegin(isSwitch: Bool) {
        state.withLock { state in
            state.client.beginRun()
            state.hasSwitched = isSwitch
        }
    }

    /// Every buffer comes on `sampleBufferCallbackQueue`, which must be serial for them to come in order.
    public func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        guard environment.allows(sampleBufferDelegate, on: sampleBufferCallbackQueue, "-[AVCaptureVideoDataOutput setSampleBufferDelegate:queue:]")
        else { return }
        state.withLock {
            $0.delegate = sampleBufferDelegate
            $0.queue = sampleBufferCallbackQueue
        }
    }

    public var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? { receiver?.delegate }
    public var sampleBufferCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// True: a frame that finds the delegate busy is dropped. False: up to five wait before frames are dropped.
    public var alwaysDiscardsLateVideoFrames: Bool {
        get { state.withLock { $0.discardsLate } }
        set { state.withLock { $0.discardsLate = newValue } }
    }

    public var availableVideoPixelFormatTypes: [OSType] { PictureConverter.formats }

    /// What the buffers are: pixel format, and width and height together, which keep the shape of the turned picture and are not above
    /// it. Nil and empty give the camera's own `420v`. A size that no longer fits after a change of format or rotation is not applied.
    public var videoSettings: [String: Any]! {
        get {
            let (format, size) = state.withLock { ($0.pixelFormat, $0.size) }
            var settings: [String: Any] = [kCVPixelBufferPixelFormatTypeKey as String: format]
            if let size {
                settings[kCVPixelBufferWidthKey as String] = size.width
                settings[kCVPixelBufferHeightKey as String] = size.height
            }
            return settings
        }
        set {
            let selector = "-[AVCaptureVideoDataOutput setVideoSettings:]"
            let settings = newValue ?? [:]
            let known = [kCVPixelBufferPixelFormatTypeKey, kCVPixelBufferWidthKey, kCVPixelBufferHeightKey] as [String]
            if let unknown = settings.keys.sorted().first(where: { !known.contains($0) }) {
                return environment.raise(.invalidArgument, selector, "videoSettings dictionary contains an unsupported key: \(unknown)")
            }
            var format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
            if let value = settings[known[0]] {
                guard let chosen = Self.number(value).flatMap(OSType.init(exactly:)), availableVideoPixelFormatTypes.contains(chosen) else {
                    return environment.raise(
                        .invalidArgument, selector, "Unsupported pixel format type - use -availableVideoPixelFormatTypes")
                }
                format = chosen
            }
            var size: PictureSize?
            if settings[known[1]] != nil || settings[known[2]] != nil {
                guard let width = Self.number(settings[known[1]]), let height = Self.number(settings[known[2]]),
                    PictureSize(width: width, height: height).fits(turnedSize ?? PictureSize(width: width, height: height))
                else {
                    return environment.raise(
                        .invalidArgument, selector,
                        "width and height must come together, be even, keep the aspect of the connection's picture and not exceed it")
                }
                size = PictureSize(width: width, height: height)
            }
            state.withLock { ($0.pixelFormat, $0.size) = (format, size) }
        }
    }

    /// The picture as the connection turns it; nil without one.
    private var turnedSize: PictureSize? {
        connections.first.flatMap { PictureGeometry(connection: $0) }.map {
            PictureSize(width: Int($0.rotatedSize.width), height: Int($0.rotatedSize.height))
        }
    }

    private static func number(_ value: Any?) -> Int? {
        (value as? Int) ?? (value as? OSType).map(Int.init) ?? (value as? Int32).map(Int.init) ?? (value as? NSNumber)?.intValue
    }

    private var receiver: (delegate: any AVCaptureVideoDataOutputSampleBufferDelegate, queue: DispatchQueue)? {
        let state = state.withLock { $0 }
        guard let delegate = state.delegate, let queue = state.queue else { return nil }
        return (delegate, queue)
    }

    /// Whether anybody takes pictures.
    var isWanted: Bool { synchronizer != nil || receiver != nil }

    /// Hands one picture to the delegate in the format and the posture asked for, and waits until it was taken; or tells of its drop.
    func deliver(_ picture: CVPixelBuffer, at time: CMTime, duration: CMTime, through connection: AVCaptureConnection, by delivery: Delivery) {
        let timing = CMSampleTimingInfo(duration: duration, presentationTimeStamp: time, decodeTimeStamp: .invalid)
        let (format, size, hasSwitched) = state.withLock { state in
            defer { state.hasSwitched = false }
            return (state.pixelFormat, state.size, state.hasSwitched)
        }
        // What was lost belongs to no frame that a synchronizer could hand on.
        if hasSwitched, synchronizer == nil { drop(picture, timing, for: .discontinuity, through: connection, by: delivery) }
        let refusal = state.withLock {
            $0.client.refusal(at: time, waiting: backlog.count, discardsLate: $0.discardsLate, limit: environment.videoBufferLimit)
        }
        if let refusal { return drop(picture, timing, for: refusal, through: connection, by: delivery) }
        var buffer = converter.convert(
            picture, to: format, rotation: Int(connection.videoRotationAngle), isMirrored: connection.isVideoMirrored,
            size: size ?? previewSize(of: picture, through: connection))
        // Buffers are counted while the app holds them, so they must not be those that the pipeline holds as well.
        if buffer === picture, environment.videoBufferLimit != nil { buffer = picture.alias() }
        state.withLock { $0.client.take(buffer, at: time, cost: environment.videoClientTime?(time)) }
        let sample = CMSampleBuffer(imageBuffer: buffer, formatDescription: CMFormatDescription(of: buffer), timing: timing)
        hand(sample, droppedFor: .none, through: connection, by: delivery)
    }

    /// Tells of a frame that does not come; a discontinuity is told ahead of the frame that ends it, with its time.
    private func drop(
        _ picture: CVPixelBuffer, _ timing: CMSampleTimingInfo, for reason: DataDroppedReason, through connection: AVCaptureConnection,
        by delivery: Delivery
    ) {
        let dropped = CMSampleBuffer(imageBuffer: nil, formatDescription: CMFormatDescription(of: picture), timing: timing)
        func attach(_ value: CFString, _ key: CFString) {
            CMSetAttachment(dropped, key: key, value: value, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
        attach(reason.attachment, kCMSampleBufferAttachmentKey_DroppedFrameReason)
        if reason == .discontinuity {
            attach(kCMSampleBufferDroppedFrameReasonInfo_CameraModeSwitch, kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo)
        }
        hand(dropped, droppedFor: reason, through: connection, by: delivery)
    }

    private func hand(
        _ sample: CMSampleBuffer, droppedFor reason: DataDroppedReason, through connection: AVCaptureConnection, by delivery: Delivery
    ) {
        if let synchronizer {
            return synchronizer.hold(AVCaptureSynchronizedSampleBufferData(sampleBuffer: sample, droppedReason: reason), from: self)
        }
        guard let receiver else { return }
        nonisolated(unsafe) let delegate = receiver.delegate
        delivery.hand(to: receiver.queue, in: reason == .none ? backlog : dropBacklog) {
            if reason == .none {
                delegate.captureOutput(self, didOutput: sample, from: connection)
            } else {
                delegate.captureOutput(self, didDrop: sample, from: connection)
            }
        }
    }
}
