import AVFCapture
import Foundation
import Synchronization

/// Cinematic camera app, written against Apple's API and nothing else: `render` and `test` run it, and an iOS app does the same.
///
/// Session set-up in Apple's order, focus by tap and long press as in Apple's interaction model. Frames come out with the metadata
/// objects and the scene status of the same presentation time. The module imports `AVFCapture` alone and has no access to what the package keeps
/// from apps, so the compiler holds it to that.
public final class CinematicCamera: NSObject, Sendable {
    /// Frame as the user sees it, with its metadata.
    public struct Shot: Sendable {
        /// Rendered picture with its presentation timestamp.
        public var sampleBuffer: CMSampleBuffer
        /// Metadata objects of the same time.
        public var objects: [AVMetadataObject]
        /// Scene statuses of the same time.
        public var statuses: Set<AVCaptureSceneMonitoringStatus>
        /// Simulated f-number with which it was rendered.
        public var simulatedAperture: Float
    }

    /// Output that an app may do without; metadata and the preview layer are always there.
    public enum Output: Sendable { case video, movie, photo }

    /// Failure to set up the session.
    public enum SetUpError: Error, CustomStringConvertible {
        case noCamera
        case noCinematicFormat(camera: String)
        case apertureOutOfRange(Float, supported: ClosedRange<Float>)

        /// Message in words.
        public var description: String {
            switch self {
            case .noCamera: "no camera found that can capture cinematic video"
            case .noCinematicFormat(let camera): "the camera \(camera) has no format for cinematic video"
            case .apertureOutOfRange(let fNumber, let supported):
                "f/\(fNumber) is not an aperture of this camera: it has f/\(supported.lowerBound) to f/\(supported.upperBound)"
            }
        }
    }

    /// Event of a capture, as the app's delegates receive it.
    public enum Event: Sendable, Equatable {
        case recordingStarted, recordingPaused, recordingResumed
        /// End of a recording, by this error or (nil) as asked.
        case recordingEnded(AVError.Code?)
        case photoTaken
        case photoFailed(AVError.Code)
        /// Switch to another camera.
        case cameraSwitched(AVCaptureDevice.DeviceType)
        /// Refused switch; the camera before films on.
        case cameraRefused(AVError.Code)
    }

    /// Capture session of the app.
    public let session = AVCaptureSession()
    /// Preview layer of the app.
    public let previewLayer: AVCaptureVideoPreviewLayer
    /// Movie output, which records the sharp picture; nil without one.
    public let movieOutput: AVCaptureMovieFileOutput?
    /// Photo output; nil without one.
    public let photoOutput: AVCapturePhotoOutput?
    private let takesPictures: Bool
    private let videoOutput = AVCaptureVideoDataOutput()
    private let metadataOutput = AVCaptureMetadataOutput()
    private let soundOutput = AVCaptureAudioDataOutput()
    private let queue = DispatchQueue(label: "camera")
    private let state: Mutex<State>

    private struct State: @unchecked Sendable {
        var gesture: TapOrPress
        /// Input of the camera in use.
        var input: AVCaptureDeviceInput
        /// Objects of the newest metadata callback.
        var objects: [AVMetadataObject] = []
        /// Metadata that waits for its picture: one callback a frame, both in frame order, unless metadata is late.
        var waiting: [(objects: [AVMetadataObject], statuses: Set<AVCaptureSceneMonitoringStatus>)] = []
        var onShot: (@Sendable (Shot) -> Void)?
        var onEvent: (@Sendable (Event) -> Void)?
        var onSound: (@Sendable (CMSampleBuffer) -> Void)?
        /// Pictures that the session left out as late.
        var latePictures = 0

        /// Removes and returns the metadata of a picture, and what came too late for those ahead of it; nil when it has not come yet.
        ///
        /// A callback without objects has no time: it is that of the next picture which none with objects belongs to.
        mutating func takeMetadata(of time: CMTime) -> (objects: [AVMetadataObject], statuses: Set<AVCaptureSceneMonitoringStatus>)? {
            waiting.removeFirst(waiting.prefix { $0.objects.first.map { $0.time < time } ?? false }.count)
            let own = waiting.firstIndex { $0.objects.first?.time == time }
            guard let index = own ?? (waiting.first?.objects.isEmpty == true ? 0 : nil) else { return nil }
            defer { waiting.removeFirst(index + 1) }
            return waiting[index]
        }
    }

    /// Connects a cinematic camera, of a type or (nil) of any, at `aperture` (nil: the format's default); throws `SetUpError`.
    ///
    /// `longPress` is the time in nanoseconds from which on a touch is a long press. Without `.video` among the outputs no frame becomes a shot.
    public init(
        camera: AVCaptureDevice.DeviceType? = nil, aperture: Float? = nil, longPress: Int64 = 300_000_000, outputs: Set<Output> = [.video]
    ) throws {
        let types = camera.map { [$0] } ?? [.builtInDualWideCamera, .builtInTrueDepthCamera, .builtInUltraWideCamera, .external]
        let discovery = AVCaptureDevice.DiscoverySession(deviceTypes: types, mediaType: .video, position: .unspecified)
        guard let device = discovery.devices.first(where: \.isCinematic) else {
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

    /// Sets the receiver of events: recordings, photos, cameras.
    public func observe(_ onEvent: @escaping @Sendable (Event) -> Void) { state.withLock { $0.onEvent = onEvent } }

    func report(_ event: Event) {
        let onEvent = state.withLock { $0.onEvent }
        onEvent?(event)
    }

    /// Number of pictures that the session left out because they were late, which only the wall clock does.
    public var latePictures: Int { state.withLock { $0.latePictures } }

    /// Sets how pictures come: with left and right exchanged, and in a size within the camera's, of its shape (nil: as they are).
    public func setPictures(isMirrored: Bool, width: Int? = nil, height: Int? = nil) {
        var settings: [String: Any] = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange]
        if let width, let height {
            settings[kCVPixelBufferWidthKey as String] = width
            settings[kCVPixelBufferHeightKey as String] = height
        }
        videoOutput.videoSettings = settings
        guard let connection = videoOutput.connection(with: .video) else { return }
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = isMirrored
    }

    /// Whether an object is drawn and can be tapped: bodies are left out, as in Apple's sample, to keep the picture uncluttered.
    public static func isShown(_ object: AVMetadataObject) -> Bool {
        ![.humanBody, .catBody, .dogBody].contains(object.type)
    }

    /// Objects of the newest metadata callback.
    public var objects: [AVMetadataObject] { state.withLock { $0.objects } }

    var tappable: [AVMetadataObject] { state.withLock { $0.objects.filter(Self.isShown) } }

    func withGesture<Result: Sendable>(_ body: (inout sending TapOrPress) -> sending Result) -> Result {
        state.withLock { body(&$0.gesture) }
    }

    /// Sets the simulated f-number; throws `SetUpError` out of the format's range.
    public func setAperture(_ fNumber: Float) throws {
        let format = device.activeFormat
        guard format.minSimulatedAperture <= fNumber, fNumber <= format.maxSimulatedAperture else {
            throw SetUpError.apertureOutOfRange(fNumber, supported: format.minSimulatedAperture...format.maxSimulatedAperture)
        }
        input.simulatedAperture = fNumber
    }

    /// Input of the camera in use.
    public var input: AVCaptureDeviceInput { state.withLock { $0.input } }
    /// Camera in use.
    public var device: AVCaptureDevice { input.device }

    func replaceInput(by input: AVCaptureDeviceInput) {
        state.withLock { state in
            state.input = input
            state.objects = []
            state.waiting = []
        }
    }

    /// Activates the cinematic format in a commit of its own, since support is read from the committed configuration, and enables it.
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

    /// Adds the microphone, in a mode, to the session; the movie output records it.
    ///
    /// - Parameter onSound: receives its sound on the queue of the shots, that of a time before its picture, in mono or stereo, ambisonics mixed to stereo;
    ///   nil where the movie output alone is to have it.
    public func addMicrophone(_ mode: AVCaptureMultichannelAudioMode, onSound: (@Sendable (CMSampleBuffer) -> Void)?) throws {
        guard let device = AVCaptureDevice.default(for: .audio) else { return }
        let input = try AVCaptureDeviceInput(device: device)
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.addInput(input)
        if mode != .none { input.multichannelAudioMode = mode }
        guard let onSound else { return }
        state.withLock { $0.onSound = onSound }
        if mode == .firstOrderAmbisonics { soundOutput.spatialAudioChannelLayoutTag = kAudioChannelLayoutTag_Stereo }
        session.addOutput(soundOutput)
        soundOutput.setSampleBufferDelegate(self, queue: queue)
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
    /// Keeps the objects of a frame for its picture.
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

extension CinematicCamera: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate {
    /// Joins a picture with its metadata to a shot, and hands sound on.
    public func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        if output === soundOutput {
            state.withLock { $0.onSound }?(sampleBuffer)
            return
        }
        let input = input
        let (aperture, statuses) = (input.simulatedAperture, input.device.cinematicVideoCaptureSceneMonitoringStatuses)
        let (shot, onShot) = state.withLock { state in
            let metadata = state.takeMetadata(of: sampleBuffer.presentationTimeStamp) ?? (state.objects, statuses)
            let shot = Shot(sampleBuffer: sampleBuffer, objects: metadata.objects, statuses: metadata.statuses, simulatedAperture: aperture)
            return (shot, state.onShot)
        }
        onShot?(shot)
    }

    /// Lets go of the metadata of a picture that was left out.
    public func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        state.withLock { state in
            state.latePictures += 1
            _ = state.takeMetadata(of: sampleBuffer.presentationTimeStamp)
        }
    }
}
