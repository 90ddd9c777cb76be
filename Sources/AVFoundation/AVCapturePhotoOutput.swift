import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Hears how a capture goes, in this order, on a queue of the output's own.
public protocol AVCapturePhotoCaptureDelegate: NSObjectProtocol {
    func photoOutput(_ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings)
    func photoOutput(_ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)
    func photoOutput(_ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings)
    /// The photo comes also with an error, without a picture then.
    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?)
    /// Always the last word.
    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?)
}

extension AVCapturePhotoCaptureDelegate {
    public func photoOutput(_ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings) {}
    public func photoOutput(_ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings) {}
    public func photoOutput(_ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings) {}
    public func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {}
    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {}
}

/// Takes single pictures out of the running stream: the next frame after each request, as pixel buffers.
public final class AVCapturePhotoOutput: AVCaptureOutput, @unchecked Sendable {
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "rackfocus photo")
    private let converter = PictureConverter()

    private struct Request: @unchecked Sendable {
        let uniqueID: Int64
        let pixelFormat: OSType
        let delegate: any AVCapturePhotoCaptureDelegate
    }

    private struct State: Sendable {
        var waiting: [Request] = []
        var usedIDs: Set<Int64> = []
        var maxQuality = QualityPrioritization.balanced
    }

    public init() { super.init(environment: .current) }

    override var mediaType: AVMediaType { .video }

    public enum QualityPrioritization: Int, Sendable {
        case speed = 1
        case balanced = 2
        case quality = 3
    }

    public enum CaptureReadiness: Int, Sendable {
        case sessionNotRunning = 0
        case ready = 1
        case notReadyMomentarily = 2
        case notReadyWaitingForCapture = 3
        case notReadyWaitingForProcessing = 4
    }

    /// Whether a request would be met by the next frame.
    public var captureReadiness: CaptureReadiness {
        guard session?.isRunning == true else { return .sessionNotRunning }
        return isWanted ? .notReadyWaitingForCapture : .ready
    }

    /// The most that settings may ask for.
    public var maxPhotoQualityPrioritization: QualityPrioritization {
        get { state.withLock { $0.maxQuality } }
        set { state.withLock { $0.maxQuality = newValue } }
    }

    /// There is no flash: off alone.
    public var supportedFlashModes: [AVCaptureDevice.FlashMode] { [.off] }
    public var availablePhotoPixelFormatTypes: [OSType] { connections.isEmpty ? [] : PictureConverter.formats }
    /// None: photos are delivered as pixel buffers.
    public var availablePhotoCodecTypes: [AVVideoCodecType] { [] }

    /// Takes the next frame; every request ends with a `didFinishCaptureFor`.
    public func capturePhoto(with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate) {
        if let refusal = refusal(of: settings) {
            return environment.raise(.invalidArgument, "-[AVCapturePhotoOutput capturePhotoWithSettings:delegate:]", refusal)
        }
        let request = Request(uniqueID: settings.uniqueID, pixelFormat: Self.pixelFormat(of: settings), delegate: delegate)
        let isRunning = session?.isRunning == true
        state.withLock { state in
            state.usedIDs.insert(settings.uniqueID)
            if isRunning { state.waiting.append(request) }
        }
        if !isRunning { fail(request, because: AVError(.sessionNotRunning)) }
    }

    private func refusal(of settings: AVCapturePhotoSettings) -> String? {
        let wishes = settings.current
        if !connections.contains(where: \.isOpen) { return "No active and enabled video connection" }
        if state.withLock({ $0.usedIDs.contains(settings.uniqueID) }) {
            return "Settings may not be re-used"
        }
        if !supportedFlashModes.contains(wishes.flashMode) { return "flashMode must be set to a value present in the supportedFlashModes array" }
        if wishes.quality.rawValue > maxPhotoQualityPrioritization.rawValue {
            return "settings.photoQualityPrioritization must not exceed maxPhotoQualityPrioritization"
        }
        if let codec = settings.format?[AVVideoCodecKey] { return "\(codec) is not in availablePhotoCodecTypes" }
        return availablePhotoPixelFormatTypes.contains(Self.pixelFormat(of: settings))
            ? nil : "the pixel format must be one of availablePhotoPixelFormatTypes"
    }

    private static func pixelFormat(of settings: AVCapturePhotoSettings) -> OSType {
        guard let value = settings.format?[kCVPixelBufferPixelFormatTypeKey as String] else {
            return kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        }
        return (value as? OSType) ?? (value as? Int).flatMap(OSType.init(exactly:)) ?? (value as? NSNumber)?.uint32Value ?? 0
    }

    /// Whether the next frame is to be a photo.
    var isWanted: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Answers all requests with this picture, and waits until the delegates have it.
    func deliver(_ picture: CVPixelBuffer, at time: CMTime, through connection: AVCaptureConnection, by delivery: Delivery) {
        let requests = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for request in requests {
            let buffer = converter.convert(
                picture, to: request.pixelFormat, rotation: Int(connection.videoRotationAngle), isMirrored: connection.isVideoMirrored)
            let resolved = AVCaptureResolvedPhotoSettings(
                uniqueID: request.uniqueID, photoDimensions: CMFormatDescription(of: buffer).dimensions)
            let photo = AVCapturePhoto(timestamp: time, pixelBuffer: buffer, resolvedSettings: resolved)
            onQueue { [self] in
                request.delegate.photoOutput(self, willBeginCaptureFor: resolved)
                request.delegate.photoOutput(self, willCapturePhotoFor: resolved)
                request.delegate.photoOutput(self, didCapturePhotoFor: resolved)
                request.delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: nil)
                request.delegate.photoOutput(self, didFinishCaptureFor: resolved, error: nil)
            }
        }
        // A stop lets this wait go; the delegates hear the end all the same. The wall clock waits for nobody.
        if !environment.isWallClock { delivery.call(on: queue) {} }
    }

    private func onQueue(_ body: @escaping @Sendable () -> Void) {
        queue.async { [environment] in CaptureEnvironment.$scoped.withValue(environment, operation: body) }
    }

    /// No frame will come any more: the requests that wait end with `error`.
    func failWaiting(because error: AVError) {
        let requests = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for request in requests { fail(request, because: error) }
    }

    private func fail(_ request: Request, because error: AVError) {
        let resolved = AVCaptureResolvedPhotoSettings(uniqueID: request.uniqueID, photoDimensions: CMVideoDimensions())
        let photo = AVCapturePhoto(timestamp: .invalid, pixelBuffer: nil, resolvedSettings: resolved)
        onQueue { [self] in
            request.delegate.photoOutput(self, willBeginCaptureFor: resolved)
            request.delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: error)
            request.delegate.photoOutput(self, didFinishCaptureFor: resolved, error: error)
        }
    }
}
