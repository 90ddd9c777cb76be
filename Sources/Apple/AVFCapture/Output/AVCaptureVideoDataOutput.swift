import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Receiver of sample buffers of pictures, called on the queue it was set with.
public protocol AVCaptureVideoDataOutputSampleBufferDelegate: NSObjectProtocol {
    /// Called for every picture.
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
    /// Called for every dropped picture, whose buffer has time, format and the reason as an attachment.
    func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection)
}

extension AVCaptureVideoDataOutputSampleBufferDelegate {
    /// Does nothing, for delegates without this method.
    public func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {}
    /// Does nothing, for delegates without this method.
    public func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {}
}

/// Output of pictures as buffers, with the simulated aperture rendered while cinematic capture is enabled.
open class AVCaptureVideoDataOutput: AVCaptureOutput, @unchecked Sendable {
    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?
        var queue: DispatchQueue?
        var pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        var size: PictureSize?
        var discardsLate = true
        var options = Options()
        var client = VideoClient()
        /// Whether the next frame comes after a change of camera or format.
        var hasSwitched = false
        /// Size of the last buffer since the start, and the rotation that gave it.
        var delivered: (size: PictureSize, rotation: CGFloat)?
    }

    var options: Options {
        get { state.withLock { $0.options } }
        // The next buffers may have another size.
        set { state.withLock { ($0.options, $0.delivered) = (newValue, nil) } }
    }

    private let state = Mutex(State())
    private let converter = PictureConverter()
    private let backlog = Backlog(limit: 1 + VideoClient.queueDepth)
    /// Limit on the drops that a delegate which never returns is notified of.
    private let dropBacklog = Backlog(limit: 120)

    /// Makes an output without a session.
    public override init() {}

    override var mediaType: AVMediaType { .video }

    override func streamWillBegin(isSwitch: Bool) {
        state.withLock { state in
            state.client.beginRun()
            state.hasSwitched = isSwitch
            state.delivered = nil
        }
    }

    /// Sets the receiver of pictures and its queue, which must be serial for buffers to come in order; raises for a delegate without a queue.
    open func setSampleBufferDelegate(
        _ sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)?, queue sampleBufferCallbackQueue: DispatchQueue?
    ) {
        guard environment.allows(sampleBufferDelegate, on: sampleBufferCallbackQueue, "-[AVCaptureVideoDataOutput setSampleBufferDelegate:queue:]")
        else { return }
        state.withLock {
            $0.delegate = sampleBufferDelegate
            $0.queue = sampleBufferCallbackQueue
        }
    }

    /// Receiver of pictures; nil without one.
    open var sampleBufferDelegate: (any AVCaptureVideoDataOutputSampleBufferDelegate)? { receiver?.delegate }
    /// Queue that the delegate is called on; nil without one.
    open var sampleBufferCallbackQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Whether a frame that finds the delegate busy is dropped (default); else up to five wait before frames are dropped.
    open var alwaysDiscardsLateVideoFrames: Bool {
        get { state.withLock { $0.discardsLate } }
        set { state.withLock { $0.discardsLate = newValue } }
    }

    /// Pixel formats that `videoSettings` can name, the default first; the same for every camera.
    open var availableVideoPixelFormatTypes: [OSType] { PictureConverter.formats }

    /// Pixel format of the buffers, and width and height in pixels together, which keep the shape of the rotated picture and are not above
    /// it. Nil and empty give the camera's own `420v`. A size that no longer fits after a change of format or rotation is not applied.
    /// Raises for other keys, for a pixel format that is not available, and for a size that does not fit.
    open var videoSettings: [String: Any]! {
        get {
            let (format, size) = state.withLock { ($0.pixelFormat, $0.size) }
            var settings: [String: Any] = [kCVPixelBufferPixelFormatTypeKey as String: format]
            if let size {
                settings[kCVPixelBufferWidthKey as String] = size.width
                settings[kCVPixelBufferHeightKey as String] = size.height
            }
            return settings.bridged
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
                guard let chosen = NumberSetting.pixelFormat(value), availableVideoPixelFormatTypes.contains(chosen) else {
                    return environment.raise(
                        .invalidArgument, selector, "Unsupported pixel format type - use -availableVideoPixelFormatTypes")
                }
                format = chosen
            }
            var size: PictureSize?
            if settings[known[1]] != nil || settings[known[2]] != nil {
                guard let width = NumberSetting.integer(settings[known[1]]), let height = NumberSetting.integer(settings[known[2]]),
                    PictureSize(width: width, height: height).fits(rotatedSize ?? PictureSize(width: width, height: height))
                else {
                    return environment.raise(
                        .invalidArgument, selector,
                        "width and height must come together, be even, keep the aspect of the connection's picture and not exceed it")
                }
                size = PictureSize(width: width, height: height)
            }
            state.withLock { ($0.pixelFormat, $0.size, $0.delivered) = (format, size, nil) }
        }
    }

    /// Size of the picture as the connection rotates it, in pixels; nil without one.
    private var rotatedSize: PictureSize? {
        connections.first.flatMap { PictureGeometry(connection: $0) }.map {
            PictureSize(width: Int($0.rotatedSize.width), height: Int($0.rotatedSize.height))
        }
    }

    /// Size of the buffers to come in pixels; nil without a connection.
    var bufferSize: PictureSize? { connections.first.flatMap { self.bufferSize(through: $0) } }

    /// Size of the last buffer; before the first, what the settings ask for.
    override func bufferSize(through connection: AVCaptureConnection) -> PictureSize? {
        let (size, delivered) = state.withLock { ($0.size, $0.delivered) }
        if let delivered, delivered.rotation == connection.videoRotationAngle { return delivered.size }
        guard let turned = rotatedSize else { return size }
        if let size, size.fits(turned) { return size }
        return previewSize(of: turned) ?? turned
    }

    private var receiver: (delegate: any AVCaptureVideoDataOutputSampleBufferDelegate, queue: DispatchQueue)? {
        let state = state.withLock { $0 }
        guard let delegate = state.delegate, let queue = state.queue else { return nil }
        return (delegate, queue)
    }

    /// Whether a delegate or synchronizer takes pictures.
    var isWanted: Bool { synchronizer != nil || receiver != nil }

    /// Hands one picture to the delegate, converted and rotated as asked for, and waits until it was taken; or reports its drop.
    func deliver(_ picture: CVPixelBuffer, of decided: DecidedFrame, through connection: AVCaptureConnection, by delivery: Delivery) {
        let time = decided.frame.presentationTime
        let timing = CMSampleTimingInfo(duration: decided.duration, presentationTimeStamp: time, decodeTimeStamp: .invalid)
        let (format, size, hasSwitched) = state.withLock { state in
            defer { state.hasSwitched = false }
            return (state.pixelFormat, state.size, state.hasSwitched)
        }
        // A drop belongs to no frame that a synchronizer could hand on.
        if hasSwitched, synchronizer == nil { drop(picture, timing, for: .discontinuity, through: connection, by: delivery) }
        let refusal = state.withLock {
            $0.client.refusal(at: time, waiting: backlog.count, discardsLate: $0.discardsLate, limit: environment.videoBufferLimit)
        }
        if let refusal { return drop(picture, timing, for: refusal, through: connection, by: delivery) }
        var buffer = converter.convert(
            picture, to: format, rotation: Int(connection.videoRotationAngle), isMirrored: connection.isVideoMirrored,
            size: size ?? previewSize(of: PictureSize(of: picture), turnedBy: connection.videoRotationAngle))
        // Buffers are counted while the app holds them, so they must not be those that the pipeline holds as well.
        if buffer === picture, environment.videoBufferLimit != nil { buffer = picture.alias() }
        state.withLock { state in
            state.client.take(buffer, at: time, cost: environment.videoClientTime?(time))
            state.delivered = (PictureSize(of: buffer), connection.videoRotationAngle)
        }
        let sample = CMSampleBuffer(imageBuffer: buffer, formatDescription: CMFormatDescription(of: buffer), timing: timing)
        if let exposure = decided.frame.exposure {
            CMSetAttachment(
                sample, key: kCGImagePropertyExifDictionary, value: exposure.exif.bridged as CFDictionary,
                attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
        if connection.isCameraIntrinsicMatrixDeliveryEnabled {
            let matrix = decided.pinhole.matrix(of: PictureSize(of: buffer), isSideways: Int(connection.videoRotationAngle) % 180 != 0)
            CMSetAttachment(
                sample, key: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix, value: matrix.data,
                attachmentMode: kCMAttachmentMode_ShouldPropagate)
        }
        hand(sample, droppedFor: .none, through: connection, by: delivery)
    }

    /// Reports a frame as dropped that was too late for the lens.
    func dropLate(_ decided: DecidedFrame, through connection: AVCaptureConnection, by delivery: Delivery) {
        let time = decided.frame.presentationTime
        let timing = CMSampleTimingInfo(duration: decided.duration, presentationTimeStamp: time, decodeTimeStamp: .invalid)
        drop(decided.frame.picture, timing, for: .lateData, through: connection, by: delivery)
    }

    /// Reports a dropped frame; a discontinuity is reported ahead of the frame that ends it, with its time.
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
