import CoreMedia
import CoreVideo
import Foundation
import Optics
import Pipeline
import Synchronization

/// Output of single pictures from the running stream: the next frame after each request, with the blur it is shown with.
///
/// A photo is a JPEG file, or the pixel buffer that its settings ask for. Its pixels are as the camera saw them; how to turn them is in its
/// metadata.
open class AVCapturePhotoOutput: AVCaptureOutput, _KeyValueObservable, @unchecked Sendable {
    /// Observers of this output's properties; for `observe(_:options:changeHandler:)` only.
    public let _observers = _KeyValueObservers()
    let state = Mutex(State())
    private let converter = PictureConverter()
    private let running = Mutex<NSKeyValueObservation?>(nil)

    struct Request: @unchecked Sendable {
        let uniqueID: Int64
        /// Format of the pixel buffer; nil for a JPEG file.
        let pixelFormat: OSType?
        /// Whether the source was set to flash for it.
        var isFlashing = false
        let preview: Preview?
        let wantsDepth: Bool
        let flash: AVCaptureDevice.FlashMode
        /// Properties to add to those of the photo.
        let metadata: [String: Any]
        weak var delegate: (any AVCapturePhotoCaptureDelegate)?
        /// Progress of a bracket; nil for a single photo.
        var bracket: Bracket?
        /// Movie of a Live Photo; nil for none.
        var live: LiveWish?
        /// Whether a proxy is delivered in place of the photo.
        let isDeferred: Bool
    }

    /// Wishes for a preview.
    struct Preview: Sendable {
        let pixelFormat: OSType
        /// Greatest size in pixels; nil for that of the photo.
        let bounds: PictureSize?
    }

    struct State: Sendable {
        /// Settings that the scene would be watched for.
        var monitored: AVCapturePhotoSettings?
        var waiting: [Request] = []
        /// Number of photos whose delegates were not called to the end.
        var processing = 0
        var usedIDs: Set<Int64> = []
        /// Nil: as the kind of session has it.
        var maxQuality: QualityPrioritization?
        var maxDimensions: PictureSize?
        var depth = Depth()
        var allowsHighResolution = false
        var defersDelivery = false
        var preparation = Preparation()
        var live = LivePhotos()
        /// As observers were notified last.
        var readiness = CaptureReadiness.sessionNotRunning
    }

    /// Makes an output without a session.
    public override init() {}

    override var mediaType: AVMediaType { .video }

    /// Weight of quality against speed; accepted, all photos are made alike.
    public enum QualityPrioritization: Int, Sendable {
        /// The fastest.
        case speed = 1
        /// Between speed and quality; the default.
        case balanced = 2
        /// The best.
        case quality = 3
    }

    /// State of the output towards another request.
    public enum CaptureReadiness: Int, Sendable {
        /// No session runs; a request fails.
        case sessionNotRunning = 0
        /// The next frame meets a request.
        case ready = 1
        /// Not ready for a moment; never so here.
        case notReadyMomentarily = 2
        /// A request waits for its frame.
        case notReadyWaitingForCapture = 3
        /// A photo is on its way to its delegate.
        case notReadyWaitingForProcessing = 4
    }

    /// State towards another request: ready if the next frame would meet it. Observable.
    open var captureReadiness: CaptureReadiness {
        guard session?.isRunning == true else { return .sessionNotRunning }
        return state.withLock { state in
            if !state.waiting.isEmpty { return .notReadyWaitingForCapture }
            return state.processing > 0 ? .notReadyWaitingForProcessing : .ready
        }
    }

    override func join(_ session: AVCaptureSession?) {
        super.join(session)
        let token = session?.observe(\.isRunning) { [weak self] _, _ in
            self?.tellReadiness()
            self?.finishPreparation()
            self?.settleSuspension()
        }
        running.withLock { $0 = token }
        tellReadiness()
        finishPreparation()
    }

    func tellReadiness() {
        let now = captureReadiness
        let old = state.withLock { state in
            defer { state.readiness = now }
            return state.readiness
        }
        if old != now { _observers.changed(\AVCapturePhotoOutput.captureReadiness, from: old, to: now) }
    }

    /// Captures the next frame; every request ends with `didFinishCaptureFor`. Raises for settings that are not allowed.
    /// Without a running session it fails with `sessionNotRunning`. The delegate is held weakly: the app keeps it until the end.
    open func capturePhoto(with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate) {
        if let refusal = refusal(of: settings) {
            return environment.raise(.invalidArgument, "-[AVCapturePhotoOutput capturePhotoWithSettings:delegate:]", refusal)
        }
        let request = Request(
            uniqueID: settings.uniqueID, pixelFormat: pixelFormat(of: settings), preview: settings.preview,
            wantsDepth: settings.isDepthDataDeliveryEnabled, flash: settings.flashMode, metadata: settings.metadata,
            delegate: delegate, bracket: bracket(of: settings), live: liveWish(of: settings),
            isDeferred: defersDelivery(of: settings))
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
    /// with it. `canFlash`: whether the source takes part.
    func deliver(
        _ picture: CVPixelBuffer, of decided: DecidedFrame, through connection: AVCaptureConnection, canFlash: Bool, by delivery: Delivery
    ) {
        let hasDepth = decided.depth != nil || !isDepthDataDeliveryEnabled
        let needsFlash = canFlash && !decided.frame.isFlashLit
        let isDark = device?.isDark ?? false
        func isReady(_ request: Request) -> Bool {
            // A bracket's frames are its own.
            guard decided.frame.bracket == (request.bracket == nil ? nil : request.uniqueID) else { return false }
            if let bracket = request.bracket, bracket.coming.first != decided.frame.index { return false }
            return (!request.wantsDepth || hasDepth) && !(needsFlash && (request.isFlashing || flashes(for: request, isDark: isDark)))
        }
        let requests = state.withLock { state in
            let ready = state.waiting.filter(isReady)
            for place in state.waiting.indices {
                let isUsable = ready.contains { $0.uniqueID == state.waiting[place].uniqueID }
                state.waiting[place].bracket?.meet(decided.frame.index, isUsable: isUsable)
            }
            return ready
        }
        let depth = requests.contains(where: \.wantsDepth) ? depthData(decided, through: connection) : nil
        let description = description(of: decided, through: connection)
        for request in requests {
            let photo = photo(picture, of: decided.frame, description, for: request, depth: depth)
            guard let photos = collect(photo, for: request) else { continue }
            tellReadiness()
            let resolved = photo.resolvedSettings
            if let live = request.live { openMovie(live, at: decided.frame.presentationTime, for: request, resolved) }
            environment.callDelegate { [self] in
                let delegate = delegate(of: request)
                delegate?.photoOutput(self, willBeginCaptureFor: resolved)
                delegate?.photoOutput(self, willCapturePhotoFor: resolved)
                delegate?.photoOutput(self, didCapturePhotoFor: resolved)
                for photo in photos {
                    if request.isDeferred {
                        let proxy = AVCaptureDeferredPhotoProxy(of: photo)
                        delegate?.photoOutput(self, didFinishCapturingDeferredPhotoProxy: proxy, error: nil)
                    } else {
                        delegate?.photoOutput(self, didFinishProcessingPhoto: photo, error: nil)
                    }
                }
                state.withLock { $0.processing -= 1 }
                tellReadiness()
                // A Live Photo ends with its movie.
                if request.live == nil { delegate?.photoOutput(self, didFinishCaptureFor: resolved, error: nil) }
            }
        }
        // A stop ends this wait; the delegates are called to the end all the same.
        delivery.awaitDelegates()
    }

    /// Delegate of a request; nil, and told, where the app holds it no longer.
    private func delegate(of request: Request) -> (any AVCapturePhotoCaptureDelegate)? {
        if request.delegate == nil {
            environment.diagnose(
                "nobody is called for a photo: its delegate is gone, which the output holds weakly; keep it until it is told of the capture's end")
        }
        return request.delegate
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
        let dimensions = CMFormatDescription(of: picture).dimensions
        let resolved = AVCaptureResolvedPhotoSettings(
            uniqueID: request.uniqueID, photoDimensions: dimensions,
            previewDimensions: preview.map { CMFormatDescription(of: $0).dimensions } ?? CMVideoDimensions(),
            isFlashEnabled: frame.isFlashLit && request.isFlashing, expectedPhotoCount: request.bracket?.steps.count ?? 1,
            livePhotoMovieDimensions: request.live == nil ? CMVideoDimensions() : dimensions,
            deferredPhotoProxyDimensions: request.isDeferred ? dimensions : CMVideoDimensions())
        return AVCapturePhoto(
            timestamp: frame.presentationTime, pixelBuffer: buffer, previewPixelBuffer: preview, resolvedSettings: resolved,
            depthData: request.wantsDepth ? depth : nil, step: request.bracket?.next,
            source: AVCapturePhoto.Source(
                picture: picture, description: description, additions: request.metadata, environment: environment))
    }

    /// Returns the properties of a frame for the photo's file.
    private func description(of decided: DecidedFrame, through connection: AVCaptureConnection) -> PhotoDescription {
        let device = connection.inputPorts.lazy.compactMap { ($0.input as? AVCaptureDeviceInput)?.device }.first
        return PhotoDescription(
            fileType: .jpeg,
            orientation: PhotoDescription.orientation(rotation: Int(connection.videoRotationAngle), isMirrored: connection.isVideoMirrored),
            exposure: decided.frame.exposure, fNumber: decided.blur?.lens.fNumber ?? decided.frame.exposure?.fNumber,
            focalLength: decided.blur?.lens.focalLength ?? device.map { $0.profile.focalLength * $0.videoZoomFactor },
            date: environment.date(decided.frame.presentationTime), camera: device?.localizedName ?? "")
    }

    /// Ends the waiting requests where no connection is left that could bring them a frame.
    func failWhereCutOff() {
        if !connections.contains(where: \.isOpen) { failWaiting(because: AVError(.sessionConfigurationChanged)) }
    }

    /// Ends the waiting requests with `error`, as no frame will come any more.
    func failWaiting(because error: AVError) {
        let requests = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for request in requests { fail(request, because: error) }
        finishLivePhotos()
        tellReadiness()
    }

    private func fail(_ request: Request, because error: AVError) {
        let resolved = AVCaptureResolvedPhotoSettings(
            uniqueID: request.uniqueID, photoDimensions: CMVideoDimensions(), previewDimensions: CMVideoDimensions())
        let photo = AVCapturePhoto(timestamp: .invalid, pixelBuffer: nil, previewPixelBuffer: nil, resolvedSettings: resolved, source: nil)
        environment.callDelegate { [self] in
            let delegate = delegate(of: request)
            delegate?.photoOutput(self, willBeginCaptureFor: resolved)
            delegate?.photoOutput(self, didFinishProcessingPhoto: photo, error: error)
            delegate?.photoOutput(self, didFinishCaptureFor: resolved, error: error)
        }
    }
}

extension PictureSize {
    /// Returns the largest even size within this one of the shape of `picture`, and no larger than it.
    func filled(by picture: PictureSize) -> PictureSize {
        let scale = min(1, Double(width) / Double(picture.width), Double(height) / Double(picture.height))
        func side(_ length: Int) -> Int { max(2, Int(Double(length) * scale) & ~1) }
        return PictureSize(width: side(picture.width), height: side(picture.height))
    }
}
