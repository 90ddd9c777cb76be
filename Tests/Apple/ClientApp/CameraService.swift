import AVFoundation

/// The camera of an app written for a phone: an actor on its session queue, which knows nothing of Linux or of this package.
public actor CameraService {
    public enum Failure: Error {
        case notAuthorized, noCamera, noCinematicFormat
    }

    public struct Box: Sendable, Equatable {
        public let id: Int
        public let bounds: CGRect
        public let mode: AVCaptureDevice.CinematicVideoFocusMode
    }

    private let sessionQueue = DispatchSerialQueue(label: "app.camera.session")
    nonisolated public var unownedExecutor: UnownedSerialExecutor { sessionQueue.asUnownedSerialExecutor() }

    private let session = AVCaptureSession()
    private let metadataOutput = AVCaptureMetadataOutput()
    private let videoOutput = AVCaptureVideoDataOutput()
    private var videoInput: AVCaptureDeviceInput?
    private var delegate: OutputDelegate?
    private var rotation: AVCaptureDevice.RotationCoordinator?
    private var observations: [NSKeyValueObservation] = []
    private var tasks: [Task<Void, Never>] = []

    public private(set) var boxes: [Box] = []
    public private(set) var frames = 0
    public private(set) var captureAngle: CGFloat = 0
    public private(set) var isTooDark = false
    public private(set) var interruption: AVCaptureSession.InterruptionReason?
    /// The last reason, kept after its end.
    public private(set) var lastSeen: AVCaptureSession.InterruptionReason?
    public private(set) var lastError: AVError?

    public init() {}

    deinit { tasks.forEach { $0.cancel() } }

    // MARK: set-up

    public func start(_ camera: AVCaptureDevice.DeviceType, _ position: AVCaptureDevice.Position) async throws {
        guard await isAuthorized else { throw Failure.notAuthorized }
        let search = AVCaptureDevice.DiscoverySession(deviceTypes: [camera], mediaType: .video, position: position)
        guard let device = search.devices.first else { throw Failure.noCamera }
        observeNotifications()
        let input = try AVCaptureDeviceInput(device: device)
        session.beginConfiguration()
        if session.canAddInput(input) { session.addInput(input) }
        session.sessionPreset = .high
        session.commitConfiguration()
        videoInput = input
        try chooseCinematicFormat(of: device)
        enableCinematicVideo(on: input)
        addOutputs()
        observe(device)
        session.startRunning()
    }

    private var isAuthorized: Bool {
        get async {
            switch AVCaptureDevice.authorizationStatus(for: .video) {
            case .authorized: true
            case .notDetermined: await AVCaptureDevice.requestAccess(for: .video)
            case .denied, .restricted: false
            @unknown default: false
            }
        }
    }

    /// The widest cinematic format of the preset's rate, in a batch of its own: the input learns of it when the batch is committed.
    private func chooseCinematicFormat(of device: AVCaptureDevice) throws {
        let current = device.activeFormat
        let candidates = device.formats.filter { format in
            format.isCinematicVideoCaptureSupported
                && CMVideoFormatDescriptionGetDimensions(format.formatDescription).width
                    == CMVideoFormatDescriptionGetDimensions(current.formatDescription).width
                && format.videoSupportedFrameRateRanges.last?.maxFrameRate == current.videoSupportedFrameRateRanges.last?.maxFrameRate
        }
        guard let format = candidates.first else { throw Failure.noCinematicFormat }
        session.beginConfiguration()
        try device.lockForConfiguration()
        device.activeFormat = format
        device.unlockForConfiguration()
        session.commitConfiguration()
    }

    private func enableCinematicVideo(on input: AVCaptureDeviceInput) {
        guard input.isCinematicVideoCaptureSupported else { return }
        input.isCinematicVideoCaptureEnabled = true
        input.simulatedAperture = input.device.activeFormat.minSimulatedAperture
    }

    private func addOutputs() {
        let delegate = OutputDelegate(service: self)
        self.delegate = delegate
        if session.canAddOutput(metadataOutput) {
            session.addOutput(metadataOutput)
            metadataOutput.metadataObjectTypes = metadataOutput.requiredMetadataObjectTypesForCinematicVideoCapture
            metadataOutput.setMetadataObjectsDelegate(delegate, queue: sessionQueue)
        }
        if session.canAddOutput(videoOutput) {
            videoOutput.alwaysDiscardsLateVideoFrames = true
            videoOutput.setSampleBufferDelegate(delegate, queue: sessionQueue)
            session.addOutput(videoOutput)
            videoOutput.connection(with: .video)?.preferredVideoStabilizationMode = .cinematicExtendedEnhanced
        }
    }

    // MARK: what the system says

    private func observe(_ device: AVCaptureDevice) {
        let rotation = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil)
        self.rotation = rotation
        observations = [
            rotation.observe(\.videoRotationAngleForHorizonLevelCapture, options: [.initial, .new]) { [weak self] _, change in
                guard let self, let angle = change.newValue else { return }
                Task { await self.turn(to: angle) }
            },
            device.observe(\.cinematicVideoCaptureSceneMonitoringStatuses, options: .new) { [weak self] _, change in
                guard let self else { return }
                let isTooDark = change.newValue?.contains(.notEnoughLight) ?? false
                Task { await self.set(isTooDark: isTooDark) }
            },
        ]
    }

    private func turn(to angle: CGFloat) {
        captureAngle = angle
        guard let connection = videoOutput.connection(with: .video), connection.isVideoRotationAngleSupported(angle) else { return }
        connection.videoRotationAngle = angle
    }

    private func set(isTooDark: Bool) { self.isTooDark = isTooDark }

    private func observeNotifications() {
        let session = session
        tasks.append(
            Task { [weak self] in
                let reasons = NotificationCenter.default.notifications(named: AVCaptureSession.wasInterruptedNotification, object: session)
                    .compactMap { $0.userInfo?[AVCaptureSessionInterruptionReasonKey] as? NSNumber }
                    .compactMap { AVCaptureSession.InterruptionReason(rawValue: $0.intValue) }
                for await reason in reasons { await self?.interrupted(by: reason) }
            })
        tasks.append(
            Task { [weak self] in
                for await _ in NotificationCenter.default.notifications(named: AVCaptureSession.interruptionEndedNotification, object: session) {
                    await self?.interrupted(by: nil)
                }
            })
        tasks.append(
            Task { [weak self] in
                let errors = NotificationCenter.default.notifications(named: .AVCaptureSessionRuntimeError, object: session)
                    .compactMap { $0.userInfo?[AVCaptureSessionErrorKey] as? AVError }
                for await error in errors { await self?.failed(error) }
            })
    }

    private func interrupted(by reason: AVCaptureSession.InterruptionReason?) {
        interruption = reason
        lastSeen = reason ?? lastSeen
    }

    private func failed(_ error: AVError) {
        lastError = error
        if error.code == .mediaServicesWereReset, !session.isRunning { session.startRunning() }
    }

    // MARK: fingers

    /// A tap: firmer on what is already followed, else onto what is there.
    public func tap(at point: CGPoint) {
        let hit = boxes.first { $0.bounds.contains(point) }
        configure { device in
            if let hit {
                device.setCinematicVideoTrackingFocus(detectedObjectID: hit.id, focusMode: hit.mode == .weak ? .strong : .weak)
            } else {
                device.setCinematicVideoTrackingFocus(at: point, focusMode: .weak)
            }
        }
    }

    public func longPress(at point: CGPoint) {
        configure { $0.setCinematicVideoFixedFocus(at: point, focusMode: .strong) }
    }

    private func configure(_ change: (AVCaptureDevice) -> Void) {
        guard let device = videoInput?.device, (try? device.lockForConfiguration()) != nil else { return }
        change(device)
        device.unlockForConfiguration()
    }

    public var isRunning: Bool { session.isRunning }
    public var isCinematic: Bool { videoInput?.isCinematicVideoCaptureEnabled ?? false }
    public func stop() { session.stopRunning() }

    fileprivate func received(_ boxes: [Box]) { self.boxes = boxes }
    fileprivate func receivedFrame() { frames += 1 }
}

/// Called on the session queue, which is the actor's own.
private final class OutputDelegate: NSObject, AVCaptureMetadataOutputObjectsDelegate, AVCaptureVideoDataOutputSampleBufferDelegate {
    private weak let service: CameraService?

    init(service: CameraService) { self.service = service }

    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection) {
        let boxes = metadataObjects.map { CameraService.Box(id: $0.objectID, bounds: $0.bounds, mode: $0.cinematicVideoFocusMode) }
        service?.assumeIsolated { $0.received(boxes) }
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard CMSampleBufferGetImageBuffer(sampleBuffer) != nil else { return }
        service?.assumeIsolated { $0.receivedFrame() }
    }
}
