import AVFoundation
import UIKit

/// Picture of a call, with the rotation that makes it upright.
struct CallFrame: Sendable {
    let buffer: CVPixelBuffer
    let rotation: Int
    let nanoseconds: Int64
}

/// Source of a video call's pictures: starts with a camera, a format and a rate, follows how the phone is held, and goes on after faults that pass.
final class CallCapturer: NSObject, @unchecked Sendable {
    let session: AVCaptureSession
    /// Receiver of the pictures, on the frames' queue.
    var onFrame: (@Sendable (CallFrame) -> Void)?
    /// Called on the capturer's queue with what happens to the session.
    var onEvent: (@Sendable (Event) -> Void)?

    enum Event: Equatable, Sendable {
        case started, stopped, resumed
        case interrupted(AVCaptureSession.InterruptionReason?)
        case failed(Int), retried
    }

    private let output = AVCaptureVideoDataOutput()
    private let queue = DispatchQueue(label: "call.capturer")
    private lazy var frameQueue = DispatchQueue(
        label: "call.frames", qos: .userInitiated, attributes: [], autoreleaseFrequency: .workItem, target: DispatchQueue.global(qos: .userInitiated))
    private var device: AVCaptureDevice?
    private var isWanted = false, hasRetried = false
    private var orientation = UIDeviceOrientation.portrait
    private let lock = NSLock()

    /// Cameras that a call may use.
    static var cameras: [AVCaptureDevice] {
        AVCaptureDevice.DiscoverySession(deviceTypes: [.builtInWideAngleCamera], mediaType: .video, position: .unspecified).devices
    }

    /// Formats in whose pictures the encoder takes part.
    static func formats(of device: AVCaptureDevice) -> [AVCaptureDevice.Format] {
        device.formats.filter {
            $0.mediaType == .video
                && [
                    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
                ].contains(CMFormatDescriptionGetMediaSubType($0.formatDescription))
        }
    }

    /// Format nearest in size, and the rate nearest to the one wanted that it has.
    static func fit(_ width: Int32, _ height: Int32, fps: Int, of device: AVCaptureDevice) -> (format: AVCaptureDevice.Format, fps: Int)? {
        let best = formats(of: device).min { first, second in
            let (a, b) = (
                CMVideoFormatDescriptionGetDimensions(first.formatDescription), CMVideoFormatDescriptionGetDimensions(second.formatDescription)
            )
            return abs(a.width - width) + abs(a.height - height) < abs(b.width - width) + abs(b.height - height)
        }
        guard let best, let fastest = best.videoSupportedFrameRateRanges.map(\.maxFrameRate).max() else { return nil }
        return (best, min(fps, Int(fastest)))
    }

    init(session: AVCaptureSession = AVCaptureSession()) {
        self.session = session
        super.init()
        session.sessionPreset = .inputPriority
        session.usesApplicationAudioSession = false
        let usable = output.availableVideoPixelFormatTypes
        let wanted = [kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_32BGRA].first(where: usable.contains) ?? usable[0]
        output.videoSettings = [String(kCVPixelBufferPixelFormatTypeKey): NSNumber(value: wanted)]
        output.alwaysDiscardsLateVideoFrames = false
        output.setSampleBufferDelegate(self, queue: frameQueue)
        guard session.canAddOutput(output) else { return }
        session.addOutput(output)
        let center = NotificationCenter.default
        for name in [
            Notification.Name.AVCaptureSessionWasInterrupted, .AVCaptureSessionInterruptionEnded, .AVCaptureSessionRuntimeError,
            .AVCaptureSessionDidStartRunning, .AVCaptureSessionDidStopRunning,
        ] {
            center.addObserver(forName: name, object: session, queue: nil) { [weak self] in self?.note($0) }
        }
        Task { @MainActor in UIDevice.current.beginGeneratingDeviceOrientationNotifications() }
        center.addObserver(forName: UIDevice.orientationDidChangeNotification, object: nil, queue: .main) { [weak self] _ in
            let new = MainActor.assumeIsolated { UIDevice.current.orientation }
            self?.lock.withLock { self?.orientation = new }
        }
    }

    func start(
        with device: AVCaptureDevice, format: AVCaptureDevice.Format, fps: Int, completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        queue.async { [self] in
            isWanted = true
            self.device = device
            do { try device.lockForConfiguration() } catch {
                isWanted = false
                completion?(error)
                return
            }
            swapInput(for: device)
            device.activeFormat = format
            device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: CMTimeScale(fps))
            device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: CMTimeScale(fps))
            session.startRunning()
            device.unlockForConfiguration()
            completion?(nil)
        }
    }

    func stop(completion: (@Sendable () -> Void)? = nil) {
        queue.async { [self] in
            isWanted = false
            for input in session.inputs { session.removeInput(input) }
            session.stopRunning()
            completion?()
        }
    }

    private func swapInput(for device: AVCaptureDevice) {
        session.beginConfiguration()
        session.inputs.forEach(session.removeInput(_:))
        if let input = try? AVCaptureDeviceInput(device: device), session.canAddInput(input) { session.addInput(input) }
        session.commitConfiguration()
    }

    private func note(_ notification: Notification) {
        let reason = (notification.userInfo?[AVCaptureSessionInterruptionReasonKey] as? NSNumber)?.intValue
        let error = notification.userInfo?[AVCaptureSessionErrorKey] as? NSError
        let event: Event? =
            switch notification.name {
            case .AVCaptureSessionWasInterrupted: .interrupted(reason.flatMap(AVCaptureSession.InterruptionReason.init(rawValue:)))
            case .AVCaptureSessionInterruptionEnded: .resumed
            case .AVCaptureSessionDidStartRunning: .started
            case .AVCaptureSessionDidStopRunning: .stopped
            case .AVCaptureSessionRuntimeError: .failed(error?.code ?? 0)
            default: nil
            }
        guard let event else { return }
        queue.async { [self] in
            onEvent?(event)
            guard case .failed = event, isWanted, !hasRetried else { return }
            hasRetried = true
            onEvent?(.retried)
            session.startRunning()
        }
    }
}

extension CallCapturer: AVCaptureVideoDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard CMSampleBufferGetNumSamples(sampleBuffer) == 1, CMSampleBufferIsValid(sampleBuffer), CMSampleBufferDataIsReady(sampleBuffer),
            let buffer = CMSampleBufferGetImageBuffer(sampleBuffer)
        else { return }
        let isFront = (connection.inputPorts.first?.input as? AVCaptureDeviceInput)?.device.position == .front
        let rotation =
            switch lock.withLock({ orientation }) {
            case .portraitUpsideDown: 270
            case .landscapeLeft: isFront ? 180 : 0
            case .landscapeRight: isFront ? 0 : 180
            default: 90
            }
        let time = CMTimeGetSeconds(CMSampleBufferGetPresentationTimeStamp(sampleBuffer))
        onFrame?(CallFrame(buffer: buffer, rotation: rotation, nanoseconds: Int64(time * Double(NSEC_PER_SEC))))
    }

    func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        let reason = CMGetAttachment(sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil)
        NSLog("dropped: \(reason.map { "\($0)" } ?? "unknown")")
    }
}
