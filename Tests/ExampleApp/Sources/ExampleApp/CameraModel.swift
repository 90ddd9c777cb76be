import AVFoundation

/// State and actions of a cinematic camera app: an actor on the queue of its session, as on a phone.
public actor CameraModel {
    public enum Status: Equatable, Sendable {
        case off, noPermission, noCamera, running
        case interrupted(AVCaptureSession.InterruptionReason)
        case failed(AVError.Code)
    }

    /// A rectangle over the preview: where somebody is, and how focus holds them.
    public struct FocusBox: Equatable, Sendable {
        public let id: Int
        public let bounds: CGRect
        public let mode: AVCaptureDevice.CinematicVideoFocusMode
    }

    /// Camera of the whole app.
    public static let shared = CameraModel()

    public private(set) var status = Status.off
    public private(set) var boxes: [FocusBox] = []
    /// Whether focus is held at a distance.
    public private(set) var isFocusLocked = false
    public private(set) var isTooDark = false
    public private(set) var recordedFile: URL?
    public private(set) var frameCount = 0

    private let queue = DispatchSerialQueue(label: "camera")
    nonisolated public var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    private let session = AVCaptureSession()
    private let metadataOutput = AVCaptureMetadataOutput()
    private let videoOutput = AVCaptureVideoDataOutput()
    private let movieOutput = AVCaptureMovieFileOutput()
    /// The viewfinder.
    nonisolated public let preview: AVCaptureVideoPreviewLayer
    private var input: AVCaptureDeviceInput?
    private var ears: Ears?
    private let news = News()
    private var lightObservation: NSKeyValueObservation?

    public init() { preview = AVCaptureVideoPreviewLayer(session: session) }

    // MARK: set-up

    /// Asks for the camera, sets the session up for cinematic video at the first call, and starts it.
    public func start() async throws {
        guard await AVCaptureDevice.requestAccess(for: .video) else { return status = .noPermission }
        if session.inputs.isEmpty { try setUp() }
        guard input != nil else { return status = .noCamera }
        session.startRunning()
        if session.isRunning { status = .running }
    }

    /// Stops the session; `start()` goes on with it.
    public func stop() {
        session.stopRunning()
        status = .off
    }

    private func setUp() throws {
        guard let device = AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back) else { return }
        let input = try AVCaptureDeviceInput(device: device)
        self.input = input
        session.addInput(input)
        try chooseCinematicFormat(of: device)
        if input.isCinematicVideoCaptureSupported { input.isCinematicVideoCaptureEnabled = true }
        addOutputs()
        listen(to: device)
    }

    /// The input learns of the format when the batch is committed, so this is a batch of its own.
    private func chooseCinematicFormat(of device: AVCaptureDevice) throws {
        guard let format = device.formats.first(where: \.isCinematicVideoCaptureSupported) else { return }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        try device.lockForConfiguration()
        device.activeFormat = format
        device.unlockForConfiguration()
    }

    private func addOutputs() {
        let ears = Ears(model: self)
        self.ears = ears
        session.addOutput(metadataOutput)
        metadataOutput.metadataObjectTypes = metadataOutput.requiredMetadataObjectTypesForCinematicVideoCapture
        metadataOutput.setMetadataObjectsDelegate(ears, queue: queue)
        session.addOutput(videoOutput)
        videoOutput.setSampleBufferDelegate(ears, queue: queue)
        session.addOutput(movieOutput)
    }

    private func listen(to device: AVCaptureDevice) {
        news.hear(AVCaptureSession.wasInterruptedNotification, of: session, for: self) { note in
            let reason = note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? NSNumber
            return reason.flatMap { AVCaptureSession.InterruptionReason(rawValue: $0.intValue) }.map { .interrupted($0) }
        }
        news.hear(AVCaptureSession.interruptionEndedNotification, of: session, for: self) { _ in .running }
        news.hear(AVCaptureSession.runtimeErrorNotification, of: session, for: self) { note in
            (note.userInfo?[AVCaptureSessionErrorKey] as? AVError).map { .failed($0.code) }
        }
        lightObservation = device.observe(\.cinematicVideoCaptureSceneMonitoringStatuses, options: .new) { [weak self] _, change in
            guard let self, let statuses = change.newValue else { return }
            Task { await self.set(isTooDark: statuses.contains(.notEnoughLight)) }
        }
    }

    fileprivate func set(_ status: Status) { self.status = status }
    private func set(isTooDark: Bool) { self.isTooDark = isTooDark }

    // MARK: fingers and buttons, in points of the preview

    /// On a box: follow who is in it, and hold on when it is followed already. Elsewhere: follow what is there.
    public func tap(at point: CGPoint) {
        let place = preview.captureDevicePointConverted(fromLayerPoint: point)
        configure { device in
            if let box = boxes.first(where: { $0.bounds.contains(place) }) {
                device.setCinematicVideoTrackingFocus(detectedObjectID: box.id, focusMode: box.mode == .weak ? .strong : .weak)
            } else {
                device.setCinematicVideoTrackingFocus(at: place, focusMode: .weak)
            }
        }
    }

    /// Locks focus at the distance of what is there.
    public func longPress(at point: CGPoint) {
        configure { $0.setCinematicVideoFixedFocus(at: preview.captureDevicePointConverted(fromLayerPoint: point), focusMode: .strong) }
    }

    /// The depth of field; out of range it goes to the nearest stop.
    public func setAperture(_ fNumber: Float) {
        guard let input, !movieOutput.isRecording else { return }
        let format = input.device.activeFormat
        input.simulatedAperture = min(max(fNumber, format.minSimulatedAperture), format.maxSimulatedAperture)
    }

    public var aperture: Float { input?.simulatedAperture ?? 0 }

    public func record(to url: URL) {
        guard let ears else { return }
        movieOutput.startRecording(to: url, recordingDelegate: ears)
    }

    public func stopRecording() { movieOutput.stopRecording() }

    private func configure(_ change: (AVCaptureDevice) -> Void) {
        guard let device = input?.device, (try? device.lockForConfiguration()) != nil else { return }
        change(device)
        device.unlockForConfiguration()
    }

    // MARK: what the ears hear

    /// Bodies are not drawn: they would clutter the picture.
    func show(_ objects: [AVMetadataObject]) {
        isFocusLocked = objects.contains(where: \.isFixedFocus)
        boxes = objects.filter { ![.humanBody, .catBody, .dogBody].contains($0.type) && !$0.isFixedFocus }
            .map { FocusBox(id: $0.objectID, bounds: $0.bounds, mode: $0.cinematicVideoFocusMode) }
    }

    fileprivate func countFrame() { frameCount += 1 }
    fileprivate func keep(_ url: URL) { recordedFile = url }
}

/// Listens to a session for as long as it lives.
private final class News: @unchecked Sendable {
    private var tokens: [any NSObjectProtocol] = []

    deinit { tokens.forEach { NotificationCenter.default.removeObserver($0) } }

    func hear(
        _ name: Notification.Name, of session: AVCaptureSession, for model: CameraModel,
        meaning: @escaping @Sendable (Notification) -> CameraModel.Status?
    ) {
        let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { [weak model] note in
            guard let status = meaning(note), let model else { return }
            Task { await model.set(status) }
        }
        tokens.append(token)
    }
}

/// The delegate of all outputs, called on the model's own queue but for recordings.
final class Ears: NSObject, AVCaptureMetadataOutputObjectsDelegate, AVCaptureVideoDataOutputSampleBufferDelegate,
    AVCaptureFileOutputRecordingDelegate
{
    private weak let model: CameraModel?

    init(model: CameraModel) { self.model = model }

    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection) {
        model?.assumeIsolated { $0.show(metadataObjects) }
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        model?.assumeIsolated { $0.countFrame() }
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let isGood = error == nil || (error as? AVError)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool == true
        guard let model, isGood else { return }
        Task { await model.keep(outputFileURL) }
    }
}
