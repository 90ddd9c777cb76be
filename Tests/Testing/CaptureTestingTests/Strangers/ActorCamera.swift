import AVFoundation
import Observation
import Synchronization

/// Frame of a camera as it goes between isolation domains.
struct CapturedFrame: @unchecked Sendable {
    let sample: CMSampleBuffer
    var time: CMTime { sample.presentationTimeStamp }
}

/// Actor of everything that the session's queue does.
@globalActor
actor CaptureActor {
    static let shared = CaptureActor()
    static let queue = DispatchSerialQueue(label: "actor.capture")
    nonisolated var unownedExecutor: UnownedSerialExecutor { Self.queue.asUnownedSerialExecutor() }

    /// Runs a body that is called on the queue already, as delegates are.
    static func assumeIsolated<Result>(_ body: @CaptureActor () throws -> Result) rethrows -> Result {
        preconditionIsolated()
        return try withoutActuallyEscaping(body) { try unsafeBitCast($0, to: (() throws -> Result).self)() }
    }
}

/// Camera whose state lives on the capture actor, with frames, levels of pressure and photos as asynchronous sequences.
@CaptureActor
final class ActorCamera: NSObject {
    enum Failure: Error { case unauthorized, noCamera, cannotAdd }
    enum Event: Sendable, Equatable { case started, stopped, interrupted(Int), resumed, failed(Int) }

    nonisolated let session = AVCaptureSession()
    private let videoOutput = AVCaptureVideoDataOutput()
    private let photoOutput = AVCapturePhotoOutput()
    private(set) var device: AVCaptureDevice?
    private var isConfigured = false
    private var continuations: [Int: AsyncStream<CapturedFrame>.Continuation] = [:]
    private var lastStream = 0
    private var takers: [Int64: PhotoTaker] = [:]
    private(set) var droppedCount = 0
    /// Events of the session, for one listener.
    nonisolated let events: AsyncStream<Event>
    private nonisolated let told: AsyncStream<Event>.Continuation
    private nonisolated(unsafe) var tokens: [any NSObjectProtocol] = []

    nonisolated override init() {
        (events, told) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        super.init()
    }

    deinit {
        told.finish()
        tokens.forEach(NotificationCenter.default.removeObserver)
    }

    func start() async throws {
        guard await AVCaptureDevice.requestAccess(for: .video) else { throw Failure.unauthorized }
        if !isConfigured {
            listen()
            try configure()
            isConfigured = true
        }
        session.startRunning()
    }

    func stop() { session.stopRunning() }

    private func configure() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = .hd1280x720
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else { throw Failure.noCamera }
        let input = try AVCaptureDeviceInput(device: device)
        guard session.canAddInput(input), session.canAddOutput(videoOutput), session.canAddOutput(photoOutput) else { throw Failure.cannotAdd }
        session.addInput(input)
        session.addOutput(videoOutput)
        session.addOutput(photoOutput)
        videoOutput.setSampleBufferDelegate(self, queue: CaptureActor.queue)
        self.device = device
    }

    private func listen() {
        let (session, told) = (session, told)
        let names: [Notification.Name: @Sendable (Notification) -> Event] = [
            AVCaptureSession.didStartRunningNotification: { _ in .started },
            AVCaptureSession.didStopRunningNotification: { _ in .stopped },
            AVCaptureSession.wasInterruptedNotification: { note in
                .interrupted((note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int) ?? 0)
            },
            AVCaptureSession.interruptionEndedNotification: { _ in .resumed },
            AVCaptureSession.runtimeErrorNotification: { note in
                .failed((note.userInfo?[AVCaptureSessionErrorKey] as? AVError)?.code.rawValue ?? 0)
            },
        ]
        // An asynchronous sequence would begin to listen after the start.
        for (name, event) in names {
            tokens.append(NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { told.yield(event($0)) })
        }
    }

    /// Frames from now on; the newest only, where the caller is slow.
    func frames() -> AsyncStream<CapturedFrame> {
        lastStream += 1
        let number = lastStream
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            continuations[number] = continuation
            continuation.onTermination = { @Sendable _ in Task { @CaptureActor [weak self] in self?.continuations[number] = nil } }
        }
    }

    var streamCount: Int { continuations.count }

    /// Levels of pressure, the one of now first.
    func pressures() -> AsyncStream<AVCaptureDevice.SystemPressureState.Level> {
        AsyncStream { continuation in
            let token = device?.observe(\.systemPressureState, options: [.initial, .new]) { device, _ in
                continuation.yield(device.systemPressureState.level)
            }
            continuation.onTermination = { _ in token?.invalidate() }
        }
    }

    func setZoom(_ factor: CGFloat) throws {
        guard let device else { throw Failure.noCamera }
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        device.videoZoomFactor = min(max(factor, device.minAvailableVideoZoomFactor), device.maxAvailableVideoZoomFactor)
    }

    func photo() async throws -> Data {
        let settings = AVCapturePhotoSettings()
        return try await withCheckedThrowingContinuation { continuation in
            let taker = PhotoTaker { result in
                Task { @CaptureActor in self.takers[settings.uniqueID] = nil }
                continuation.resume(with: result)
            }
            takers[settings.uniqueID] = taker
            photoOutput.capturePhoto(with: settings, delegate: taker)
        }
    }

    /// Receiver of one photo.
    private final class PhotoTaker: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
        private let done: @Sendable (sending Result<Data, any Error>) -> Void
        private let data = Mutex<Data?>(nil)

        init(_ done: @escaping @Sendable (sending Result<Data, any Error>) -> Void) { self.done = done }

        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            data.withLock { $0 = photo.fileDataRepresentation() }
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
        ) {
            if let error { return done(.failure(error)) }
            done(data.withLock { $0 }.map { .success($0) } ?? .failure(AVError(.unknown)))
        }
    }
}

extension ActorCamera: AVCaptureVideoDataOutputSampleBufferDelegate {
    nonisolated func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        let frame = CapturedFrame(sample: sampleBuffer)
        CaptureActor.assumeIsolated { for continuation in continuations.values { continuation.yield(frame) } }
    }

    nonisolated func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        CaptureActor.assumeIsolated { droppedCount += 1 }
    }
}

/// Model of a view.
@MainActor
@Observable
final class ActorModel {
    private(set) var isRunning = false
    private(set) var frameCount = 0
    private(set) var lastTime = CMTime.invalid
    private(set) var isHot = false
    private(set) var events: [ActorCamera.Event] = []
    private(set) var photo: Data?
    private(set) var failure: String?
    @ObservationIgnored let camera = ActorCamera()
    @ObservationIgnored private var tasks: [Task<Void, Never>] = []

    func appear() async {
        tasks.append(
            Task { [weak self, events = camera.events] in
                for await event in events {
                    guard let self else { return }
                    self.events.append(event)
                    switch event {
                    case .started, .resumed: isRunning = camera.session.isRunning
                    case .stopped, .interrupted, .failed: isRunning = false
                    }
                }
            })
        do { try await camera.start() } catch { return failure = "\(error)" }
        let frames = await camera.frames()
        tasks.append(
            Task { [weak self] in
                for await frame in frames {
                    self?.frameCount += 1
                    self?.lastTime = frame.time
                }
            })
        let pressures = await camera.pressures()
        tasks.append(Task { [weak self] in for await level in pressures { self?.isHot = level == .serious || level == .critical } })
    }

    func disappear() async {
        for task in tasks { task.cancel() }
        tasks = []
        await camera.stop()
    }

    func shoot() async {
        do { photo = try await camera.photo() } catch { failure = "\(error)" }
    }
}
