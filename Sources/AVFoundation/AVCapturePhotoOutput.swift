import CoreMedia
import CoreVideo
import Foundation
import Optics
import Pipeline
import Synchronization

/// Takes single pictures out of the running stream: the next frame after each request, with the blur it is shown with.
///
/// A photo is a JPEG file, or the pixel buffer that its settings ask for. Its pixels are as the camera saw them; how to turn them is in its
/// metadata.
public final class AVCapturePhotoOutput: AVCaptureOutput, _KeyValueObservable, @unchecked Sendable {
    public let _observers = _KeyValueObservers()
    let state = Mutex(State())
    private let queue = DispatchQueue(label: "rackfocus photo")
    private let converter = PictureConverter()
    private let running = Mutex<NSKeyValueObservation?>(nil)

    struct Request: @unchecked Sendable {
        let uniqueID: Int64
        /// Of the pixel buffer; nil for a JPEG file.
        let pixelFormat: OSType?
        /// The source was told to flash for it.
        var isFlashing = false
        let preview: Preview?
        let wantsDepth: Bool
        let flash: AVCaptureDevice.FlashMode
        let delegate: any AVCapturePhotoCaptureDelegate
    }

    /// What was asked for as a preview.
    struct Preview: Sendable {
        let pixelFormat: OSType
        /// The most pixels; nil for as many as the photo has.
        let bounds: PictureSize?
    }

    struct State: Sendable {
        var waiting: [Request] = []
        /// Photos whose delegates have not heard the end.
        var processing = 0
        var usedIDs: Set<Int64> = []
        var maxQuality = QualityPrioritization.balanced
        var maxDimensions: PictureSize?
        var depth = Depth()
        /// As observers know it.
        var readiness = CaptureReadiness.sessionNotRunning
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

    /// Whether a request would be met by the next frame. Observable.
    public var captureReadiness: CaptureReadiness {
        guard session?.isRunning == true else { return .sessionNotRunning }
        return state.withLock { state in
            if !state.waiting.isEmpty { return .notReadyWaitingForCapture }
            return state.processing > 0 ? .notReadyWaitingForProcessing : .ready
        }
    }

    override func join(_ session: AVCaptureSession?) {
        super.join(session)
        let token = session?.observe(\.isRunning) { [weak self] _, _ in self?.tellReadiness() }
        running.withLock { $0 = token }
        tellReadiness()
    }

    private func tellReadiness() {
        let now = captureReadiness
        let old = state.withLock { state in
            defer { state.readiness = now }
            return state.readiness
        }
        if old != now { _observers.changed(\AVCapturePhotoOutput.captureReadiness, from: old, to: now) }
    }

    /// Takes the next frame; every request ends with a `didFinishCaptureFor`.
    public func capturePhoto(with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate) {
        if let refusal = refusal(of: settings) {
            return environment.raise(.invalidArgument, "-[AVCapturePhotoOutput capturePhotoWithSettings:delegate:]", refusal)
        }
        let request = Request(
            uniqueID: settings.uniqueID, pixelFormat: pixelFormat(of: settings), preview: settings.preview,
            wantsDepth: settings.isDepthDataDeliveryEnabled, flash: settings.flashMode, delegate: delegate)
        let isRunning = session?.isRunning == true
        state.withLock { state in
            state.usedIDs.insert(settings.uniqueID)
            if isRunning { state.waiting.append(request) }
        }
        guard isRunning else { return fail(request, because: AVError(.sessionNotRunning)) }
        tellReadiness()
    }

    /// Whether the next frame is to be a photo.
    var isWanted: Bool { state.withLock { !$0.waiting.isEmpty } }
    override var wantsDepth: Bool { isDepthDataDeliveryEnabled && state.withLock { $0.waiting.contains(where: \.wantsDepth) } }

    /// Answers the requests with this picture of a frame, and waits until the delegates have it; one that wants depth or the flash waits for a frame
    /// with it. `canFlash`: the source takes part.
    func deliver(
        _ picture: CVPixelBuffer, of story: DecidedFrame, through connection: AVCaptureConnection, canFlash: Bool, by delivery: Delivery
    ) {
        let hasDepth = story.depth != nil || !isDepthDataDeliveryEnabled
        let needsFlash = canFlash && !story.frame.isFlashLit
        let isDark = device?.isDark ?? false
        func isReady(_ request: Request) -> Bool {
            (!request.wantsDepth || hasDepth) && !(needsFlash && (request.isFlashing || flashes(for: request, isDark: isDark)))
        }
        let requests = state.withLock { state in
            let ready = state.waiting.filter(isReady)
            state.waiting.removeAll(where: isReady)
            state.processing += ready.count
            return ready
        }
        tellReadiness()
        let depth = requests.contains(where: \.wantsDepth) ? depthData(story, through: connection) : nil
        let description = description(of: story, through: connection)
        for request in requests {
            let photo = photo(picture, of: story.frame, description, for: request, depth: depth)
            let resolved = photo.resolvedSettings
            onQueue { [self] in
                request.delegate.photoOutput(self, willBeginCaptureFor: resolved)
                request.delegate.photoOutput(self, willCapturePhotoFor: resolved)
                request.delegate.photoOutput(self, didCapturePhotoFor: resolved)
                request.delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: nil)
                state.withLock { $0.processing -= 1 }
                tellReadiness()
                request.delegate.photoOutput(self, didFinishCaptureFor: resolved, error: nil)
            }
        }
        // A stop lets this wait go; the delegates hear the end all the same. The wall clock waits for nobody.
        if !environment.isWallClock { delivery.call(on: queue) {} }
    }

    private func photo(
        _ picture: CVPixelBuffer, of frame: Frame, _ description: PhotoDescription, for request: Request, depth: AVDepthData?
    ) -> AVCapturePhoto {
        let buffer = request.pixelFormat.map { converter.convert(picture, to: $0, rotation: 0, isMirrored: false) }
        let preview = request.preview.map { wish in
            converter.convert(
                picture, to: wish.pixelFormat, rotation: 0, isMirrored: false, size: wish.bounds?.filled(by: PictureSize(of: picture)))
        }
        var description = description
        description.fileType = buffer == nil ? .jpeg : .png
        let resolved = AVCaptureResolvedPhotoSettings(
            uniqueID: request.uniqueID, photoDimensions: CMFormatDescription(of: picture).dimensions,
            previewDimensions: preview.map { CMFormatDescription(of: $0).dimensions } ?? CMVideoDimensions(),
            isFlashEnabled: frame.isFlashLit && request.isFlashing)
        return AVCapturePhoto(
            timestamp: frame.presentationTime, pixelBuffer: buffer, previewPixelBuffer: preview, resolvedSettings: resolved,
            depthData: request.wantsDepth ? depth : nil,
            source: AVCapturePhoto.Source(picture: picture, description: description, environment: environment))
    }

    /// What the file says of a frame.
    private func description(of story: DecidedFrame, through connection: AVCaptureConnection) -> PhotoDescription {
        let device = connection.inputPorts.lazy.compactMap { ($0.input as? AVCaptureDeviceInput)?.device }.first
        return PhotoDescription(
            fileType: .jpeg,
            orientation: PhotoDescription.orientation(rotation: Int(connection.videoRotationAngle), isMirrored: connection.isVideoMirrored),
            exposure: story.frame.exposure, fNumber: story.blur?.lens.fNumber ?? story.frame.exposure?.fNumber,
            focalLength: story.blur?.lens.focalLength ?? device.map { $0.profile.focalLength * $0.videoZoomFactor },
            date: environment.date(story.frame.presentationTime), camera: device?.localizedName ?? "")
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
        tellReadiness()
    }

    private func fail(_ request: Request, because error: AVError) {
        let resolved = AVCaptureResolvedPhotoSettings(
            uniqueID: request.uniqueID, photoDimensions: CMVideoDimensions(), previewDimensions: CMVideoDimensions())
        let photo = AVCapturePhoto(timestamp: .invalid, pixelBuffer: nil, previewPixelBuffer: nil, resolvedSettings: resolved, source: nil)
        onQueue { [self] in
            request.delegate.photoOutput(self, willBeginCaptureFor: resolved)
            request.delegate.photoOutput(self, didFinishProcessingPhoto: photo, error: error)
            request.delegate.photoOutput(self, didFinishCaptureFor: resolved, error: error)
        }
    }
}

extension PictureSize {
    /// The largest even size within this one of the shape of `picture`, and no larger than it.
    func filled(by picture: PictureSize) -> PictureSize {
        let scale = min(1, Double(width) / Double(picture.width), Double(height) / Double(picture.height))
        func side(_ length: Int) -> Int { max(2, Int(Double(length) * scale) & ~1) }
        return PictureSize(width: side(picture.width), height: side(picture.height))
    }
}
