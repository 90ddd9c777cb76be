import AVFoundation
import Foundation
import Synchronization

/// A cinematic camera app, written against the mirrored API and nothing else: what `render` runs, and what an iOS app would do.
///
/// Session set-up in Apple's order, focus by tap and long press as in Apple's interaction model. Frames come out with the metadata
/// objects and the scene status of the same presentation time.
public final class CinematicCamera: NSObject, Sendable {
    /// One frame as the user sees it.
    public struct Shot: Sendable {
        public var sampleBuffer: CMSampleBuffer
        public var objects: [AVMetadataObject]
        public var statuses: Set<AVCaptureSceneMonitoringStatus>
        public var simulatedAperture: Float
    }

    public enum SetUpError: Error, CustomStringConvertible {
        case noCamera
        case noCinematicFormat(camera: String)
        case apertureOutOfRange(Float, supported: ClosedRange<Float>)

        public var description: String {
            switch self {
            case .noCamera: "no camera found that can capture cinematic video"
            case .noCinematicFormat(let camera): "the camera \(camera) has no format for cinematic video"
            case .apertureOutOfRange(let fNumber, let supported):
                "f/\(fNumber) is not an aperture of this camera: it has f/\(supported.lowerBound) to f/\(supported.upperBound)"
            }
        }
    }

    /// What the app hears of its captures.
    public enum Event: Sendable, Equatable {
        case recordingStarted, recordingPaused, recordingResumed
        /// By this error, or as asked.
        case recordingEnded(AVError.Code?)
        case photoTaken
        case photoFailed(AVError.Code)
        /// Another camera films from now on.
        case cameraSwitched(Expectation.Camera)
        /// The other camera could not be had; the one before films on.
        case cameraRefused(AVError.Code)
    }

    public let session = AVCaptureSession()
    public let previewLayer: AVCaptureVideoPreviewLayer
    /// Records the sharp picture.
    public let movieOutput: AVCaptureMovieFileOutput?
    let photoOutput: AVCapturePhotoOutput?
    private let takesPictures: Bool
    private let videoOutput = AVCaptureVideoDataOutput()
    private let metadataOutput = AVCaptureMetadataOutput()
    private let queue = DispatchQueue(label: "camera")
    private let state: Mutex<State>

    private struct State: @unchecked Sendable {
        var gesture: TapOrPress
        /// The camera that films.
        var input: AVCaptureDeviceInput
        /// The objects of the newest metadata callback.
        var objects: [AVMetadataObject] = []
        /// Metadata that waits for its picture: one callback a frame, both in frame order.
        var waiting: [(objects: [AVMetadataObject], statuses: Set<AVCaptureSceneMonitoringStatus>)] = []
        var onShot: (@Sendable (Shot) -> Void)?
        var onEvent: (@Sendable (Event) -> Void)?
        /// How the last recording ended.
        var lastEnd: AVError.Code?
    }

    /// Finds a cinematic camera, connects it, and enables cinematic video at `aperture` (nil: the format's default). Without
    /// `.video` among its outputs no frame becomes a shot.
    public init(
        aperture: Float? = nil, longPress: Int64 = 300_000_000, outputs: [ScenarioFile.Output] = [.metadata, .preview, .video]
    ) throws {
        let discovery = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInDualWideCamera, .builtInTrueDepthCamera, .builtInUltraWideCamera, .external], mediaType: .video,
            position: .unspecified)
        guard let device = discovery.devices.first(where: { $0.formats.contains(where: \.isCinematicVideoCaptureSupported) }) else {
            throw SetUpError.noCamera
        }
        takesPictures = outputs.contains(.video)
        movieOutput = outputs.contains(.movie) ? AVCaptureMovieFileOutput() : nil
        photoOutput = outputs.contains(.photo) ? AVCapturePhotoOutput() : nil
        let input = try AVCaptureDeviceInput(device: device)
        previewLayer = AVCaptureVideoPreviewLayer(session: session)
        state = Mutex(State(gesture: TapOrPress(pressTime: longPress), input: input))
        super.init()

        session.addInput(input)
        try enableCinematic(input)
        if let aperture { try setAperture(aperture) }
        connectOutputs()
    }

    /// Starts the session; `onShot` is called for each frame, in order, until the session stops.
    public func start(onShot: @escaping @Sendable (Shot) -> Void) {
        state.withLock { $0.onShot = onShot }
        session.startRunning()
    }

    /// What hears of recordings and photos.
    func hear(_ onEvent: @escaping @Sendable (Event) -> Void) { state.withLock { $0.onEvent = onEvent } }

    func tell(_ event: Event) {
        let onEvent = state.withLock { state in
            if case .recordingEnded(let code) = event { state.lastEnd = code }
            if case .recordingStarted = event { state.lastEnd = nil }
            return state.onEvent
        }
        onEvent?(event)
    }

    /// How the last recording ended; nil while one runs, and when it ended as asked.
    var lastEnd: AVError.Code? { state.withLock { $0.lastEnd } }

    /// What can be tapped and is drawn: bodies are left out, as in Apple's sample, to keep the picture uncluttered.
    public static func isShown(_ object: AVMetadataObject) -> Bool {
        ![.humanBody, .catBody, .dogBody].contains(object.type)
    }

    /// The objects of the newest metadata callback.
    var told: [AVMetadataObject] { state.withLock { $0.objects } }

    var tappable: [AVMetadataObject] { state.withLock { $0.objects.filter(Self.isShown) } }

    func withGesture<Result: Sendable>(_ body: (inout sending TapOrPress) -> sending Result) -> Result {
        state.withLock { body(&$0.gesture) }
    }

    /// The user turns the aperture ring.
    public func setAperture(_ fNumber: Float) throws {
        let format = device.activeFormat
        guard format.minSimulatedAperture <= fNumber, fNumber <= format.maxSimulatedAperture else {
            throw SetUpError.apertureOutOfRange(fNumber, supported: format.minSimulatedAperture...format.maxSimulatedAperture)
        }
        input.simulatedAperture = fNumber
    }

    var input: AVCaptureDeviceInput { state.withLock { $0.input } }
    /// The camera that films.
    public var device: AVCaptureDevice { input.device }

    func replaceInput(by input: AVCaptureDeviceInput) {
        state.withLock { ($0.input, $0.objects, $0.waiting) = (input, [], []) }
    }

    /// Chooses the cinematic format in a commit of its own, since support is read from what is committed, and enables it.
    func enableCinematic(_ input: AVCaptureDeviceInput) throws {
        let device = input.device
        guard let format = device.formats.first(where: \.isCinematicVideoCaptureSupported) else {
            throw SetUpError.noCinematicFormat(camera: device.localizedName)
        }
        session.beginConfiguration()
        try device.lockForConfiguration()
        device.activeFormat = format
        device.unlockForConfiguration()
        session.commitConfiguration()
        guard input.isCinematicVideoCaptureSupported else { throw SetUpError.noCinematicFormat(camera: device.localizedName) }
        input.isCinematicVideoCaptureEnabled = true
    }

    private func connectOutputs() {
        session.addOutput(metadataOutput)
        metadataOutput.metadataObjectTypes = metadataOutput.requiredMetadataObjectTypesForCinematicVideoCapture
        metadataOutput.setMetadataObjectsDelegate(self, queue: queue)
        if let movieOutput { session.addOutput(movieOutput) }
        if let photoOutput { session.addOutput(photoOutput) }
        guard takesPictures else { return }
        session.addOutput(videoOutput)
        videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]
        videoOutput.setSampleBufferDelegate(self, queue: queue)
    }
}

extension CinematicCamera: AVCaptureMetadataOutputObjectsDelegate {
    public func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection
    ) {
        let statuses = takesPictures ? device.cinematicVideoCaptureSceneMonitoringStatuses : []
        state.withLock {
            $0.objects = metadataObjects
            if takesPictures { $0.waiting.append((metadataObjects, statuses)) }
        }
    }
}

extension CinematicCamera: AVCaptureVideoDataOutputSampleBufferDelegate {
    public func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        let aperture = input.simulatedAperture
        let (shot, onShot) = state.withLock { state in
            let metadata = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
            let shot = Shot(
                sampleBuffer: sampleBuffer, objects: metadata?.objects ?? [], statuses: metadata?.statuses ?? [], simulatedAperture: aperture)
            return (shot, state.onShot)
        }
        onShot?(shot)
    }
}
