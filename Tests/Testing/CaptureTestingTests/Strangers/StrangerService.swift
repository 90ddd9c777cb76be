import AVFoundation
import Combine
import Foundation

// A service of actors, as a stranger writes it.

/// Camera of a screen that is all asynchronous.
actor StrangerService {
    enum Mode { case photo, video }
    enum Failure: Error { case unauthorized, noDevice, cannotAdd }

    nonisolated let session = AVCaptureSession()
    private let sessionQueue = DispatchSerialQueue(label: "service.session")
    nonisolated var unownedExecutor: UnownedSerialExecutor { sessionQueue.asUnownedSerialExecutor() }
    private let photoOutput = AVCapturePhotoOutput()
    private let movieOutput = AVCaptureMovieFileOutput()
    private var input: AVCaptureDeviceInput?
    private var coordinator: AVCaptureDevice.RotationCoordinator?
    private var observations: [NSKeyValueObservation] = []
    private var recording: RecordingDelegate?
    /// Receiver of the photo under way, which the output holds weakly.
    private var shot: PhotoDelegate?
    @Published private(set) var isInterrupted = false
    private(set) var mode = Mode.photo

    func start() async throws {
        switch AVCaptureDevice.authorizationStatus(for: .video) {
        case .authorized: break
        case .notDetermined: guard await AVCaptureDevice.requestAccess(for: .video) else { throw Failure.unauthorized }
        default: throw Failure.unauthorized
        }
        guard !session.isRunning else { return }
        try configure()
        session.startRunning()
    }

    private func configure() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = .photo
        let discovery = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInTripleCamera, .builtInDualWideCamera, .builtInDualCamera, .builtInWideAngleCamera], mediaType: .video,
            position: .back)
        guard let device = AVCaptureDevice.systemPreferredCamera ?? discovery.devices.first else { throw Failure.noDevice }
        let input = try AVCaptureDeviceInput(device: device)
        guard session.canAddInput(input), session.canAddOutput(photoOutput) else { throw Failure.cannotAdd }
        session.addInput(input)
        session.addOutput(photoOutput)
        self.input = input
        photoOutput.maxPhotoQualityPrioritization = .quality
        if let largest = device.activeFormat.supportedMaxPhotoDimensions.max(by: { $0.width < $1.width }) {
            photoOutput.maxPhotoDimensions = largest
        }
        photoOutput.isResponsiveCaptureEnabled = photoOutput.isResponsiveCaptureSupported
        photoOutput.isFastCapturePrioritizationEnabled = photoOutput.isFastCapturePrioritizationSupported
        let coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil)
        observations.append(
            coordinator.observe(\.videoRotationAngleForHorizonLevelCapture, options: [.initial, .new]) { [weak self] _, change in
                guard let self, let angle = change.newValue else { return }
                Task { await self.turn(to: angle) }
            })
        self.coordinator = coordinator
        Task { [weak self] in
            for await _ in NotificationCenter.default.notifications(named: AVCaptureSession.wasInterruptedNotification) {
                await self?.setInterrupted(true)
            }
        }
    }

    private func setInterrupted(_ value: Bool) { isInterrupted = value }

    private(set) var angle: CGFloat = -1
    private func turn(to angle: CGFloat) {
        self.angle = angle
        for output in session.outputs {
            guard let connection = output.connection(with: .video), connection.isVideoRotationAngleSupported(angle) else { continue }
            connection.videoRotationAngle = angle
        }
    }

    func setMode(_ mode: Mode) throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        self.mode = mode
        switch mode {
        case .photo:
            session.sessionPreset = .photo
            session.removeOutput(movieOutput)
        case .video:
            session.sessionPreset = .high
            guard session.canAddOutput(movieOutput) else { throw Failure.cannotAdd }
            session.addOutput(movieOutput)
            if let connection = movieOutput.connection(with: .video), connection.isVideoStabilizationSupported {
                connection.preferredVideoStabilizationMode = .cinematic
            }
        }
    }

    func focus(at point: CGPoint) throws {
        guard let device = input?.device else { throw Failure.noDevice }
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(.autoFocus) {
            (device.focusPointOfInterest, device.focusMode) = (point, .autoFocus)
        }
        if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(.autoExpose) {
            (device.exposurePointOfInterest, device.exposureMode) = (point, .autoExpose)
        }
        device.isSubjectAreaChangeMonitoringEnabled = true
    }

    func capture() async throws -> Data {
        var settings = AVCapturePhotoSettings()
        if photoOutput.availablePhotoCodecTypes.contains(.hevc) {
            settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
        }
        settings.maxPhotoDimensions = photoOutput.maxPhotoDimensions
        settings.photoQualityPrioritization = .balanced
        if let type = settings.availablePreviewPhotoPixelFormatTypes.first {
            settings.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey as String: type]
        }
        return try await withCheckedThrowingContinuation { continuation in
            let delegate = PhotoDelegate(continuation)
            shot = delegate
            photoOutput.capturePhoto(with: settings, delegate: delegate)
        }
    }

    func record(to url: URL) {
        guard !movieOutput.isRecording else { return }
        let delegate = RecordingDelegate()
        recording = delegate
        movieOutput.startRecording(to: url, recordingDelegate: delegate)
    }

    func stop() async throws -> URL {
        guard let recording else { throw Failure.noDevice }
        return try await withCheckedThrowingContinuation { continuation in
            recording.continuation = continuation
            movieOutput.stopRecording()
        }
    }
}

private final class PhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate {
    private let continuation: CheckedContinuation<Data, any Error>
    private var data: Data?

    init(_ continuation: CheckedContinuation<Data, any Error>) { self.continuation = continuation }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        if error == nil { data = photo.fileDataRepresentation() }
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?) {
        if let error { return continuation.resume(throwing: error) }
        if let data { continuation.resume(returning: data) } else { continuation.resume(throwing: AVError(.unknown)) }
    }
}

private final class RecordingDelegate: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
    var continuation: CheckedContinuation<URL, any Error>?

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let succeeded = (error as NSError?)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        if succeeded { continuation?.resume(returning: outputFileURL) } else { continuation?.resume(throwing: error!) }
        continuation = nil
    }
}
