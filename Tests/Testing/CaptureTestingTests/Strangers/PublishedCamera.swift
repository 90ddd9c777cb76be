import AVFoundation
import Combine
import Foundation

/// Camera of a view model that is all publishers: state, faces, zoom and photos.
final class PublishedCamera: NSObject, ObservableObject, @unchecked Sendable {
    enum Status: Equatable { case idle, running, interrupted(Int), failed(String) }
    enum Problem: Error { case noCamera, noData, denied }

    @Published private(set) var status = Status.idle
    @Published private(set) var zoom: CGFloat = 1
    @Published private(set) var faces = 0
    @Published var wantedZoom: CGFloat = 1
    /// Whether a photo can be taken: runs, is not taking one, and somebody is there.
    @Published private(set) var canShoot = false

    let session = AVCaptureSession()
    private let output = AVCapturePhotoOutput()
    private let metadata = AVCaptureMetadataOutput()
    private let queue = DispatchQueue(label: "published.session")
    private let isShooting = CurrentValueSubject<Bool, Never>(false)
    private let objects = PassthroughSubject<[AVMetadataObject], Never>()
    private var bag = Set<AnyCancellable>()
    private var receivers = [Int64: Receiver]()

    /// Every change of the status, on the main queue, without repeats.
    var statusChanges: AnyPublisher<Status, Never> {
        $status.removeDuplicates().dropFirst().receive(on: DispatchQueue.main).eraseToAnyPublisher()
    }

    override init() {
        super.init()
        let center = NotificationCenter.default
        let running = session.publisher(for: \.isRunning, options: [.initial, .new]).map { $0 ? Status.running : .idle }
        let interruptions = center.publisher(for: AVCaptureSession.wasInterruptedNotification, object: session)
            .compactMap { ($0.userInfo?[AVCaptureSessionInterruptionReasonKey] as? NSNumber)?.intValue }
            .map(Status.interrupted)
        let failures = center.publisher(for: AVCaptureSession.runtimeErrorNotification, object: session)
            .compactMap { $0.userInfo?[AVCaptureSessionErrorKey] as? AVError }
            .map { Status.failed($0.localizedDescription) }
        // A session that is interrupted also stops: its reason stands.
        Publishers.Merge3(running, interruptions, failures)
            .scan(Status.idle) { before, now in
                if case .interrupted = before, now == .idle { return before }
                return now
            }
            .removeDuplicates()
            .receive(on: queue)
            .sink { [weak self] in self?.status = $0 }
            .store(in: &bag)
        objects.map { $0.filter { $0.type == .face }.count }.removeDuplicates().assign(to: &$faces)
        Publishers.CombineLatest3($status, isShooting, $faces)
            .map { $0 == .running && !$1 && $2 > 0 }
            .removeDuplicates()
            .assign(to: &$canShoot)
        $wantedZoom.dropFirst().removeDuplicates()
            .receive(on: queue)
            .sink { [weak self] in self?.apply(zoom: $0) }
            .store(in: &bag)
    }

    /// Asks for permission, sets the session up and starts it; one value or an error.
    func start() -> AnyPublisher<AVCaptureDevice, any Error> {
        Deferred {
            Future<Bool, Never> { promise in
                nonisolated(unsafe) let promise = promise
                AVCaptureDevice.requestAccess(for: .video) { promise(.success($0)) }
            }
        }
        .setFailureType(to: (any Error).self)
        .receive(on: queue)
        .tryMap { [self] isGranted in
            guard isGranted else { throw Problem.denied }
            return try configure()
        }
        .handleEvents(receiveOutput: { [session] _ in session.startRunning() })
        .eraseToAnyPublisher()
    }

    private func configure() throws -> AVCaptureDevice {
        guard let device = AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back) else { throw Problem.noCamera }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = .hd1920x1080
        session.addInput(try AVCaptureDeviceInput(device: device))
        for output in [output, metadata] as [AVCaptureOutput] where session.canAddOutput(output) { session.addOutput(output) }
        metadata.metadataObjectTypes = metadata.availableMetadataObjectTypes.filter { [.face, .humanBody].contains($0) }
        metadata.setMetadataObjectsDelegate(self, queue: queue)
        device.publisher(for: \.videoZoomFactor).removeDuplicates().assign(to: &$zoom)
        return device
    }

    private func apply(zoom: CGFloat) {
        guard let device = (session.inputs.first as? AVCaptureDeviceInput)?.device, (try? device.lockForConfiguration()) != nil else { return }
        defer { device.unlockForConfiguration() }
        device.videoZoomFactor = min(max(zoom, device.minAvailableVideoZoomFactor), device.maxAvailableVideoZoomFactor)
    }

    /// Takes a photo for each subscriber; its data or an error.
    func photo() -> AnyPublisher<Data, any Error> {
        Deferred { [self] in
            Future<AVCapturePhoto, any Error> { promise in
                nonisolated(unsafe) let promise = promise
                self.queue.async {
                    let settings = AVCapturePhotoSettings()
                    settings.photoQualityPrioritization = .balanced
                    self.isShooting.send(true)
                    let receiver = Receiver { [weak self] result in
                        self?.receivers[settings.uniqueID] = nil
                        self?.isShooting.send(false)
                        promise(result)
                    }
                    self.receivers[settings.uniqueID] = receiver
                    self.output.capturePhoto(with: settings, delegate: receiver)
                }
            }
        }
        .tryMap { photo in
            guard let data = photo.fileDataRepresentation() else { throw Problem.noData }
            return data
        }
        .eraseToAnyPublisher()
    }

    private final class Receiver: NSObject, AVCapturePhotoCaptureDelegate {
        private let finish: (Result<AVCapturePhoto, any Error>) -> Void
        private var result: Result<AVCapturePhoto, any Error> = .failure(Problem.noData)
        init(_ finish: @escaping (Result<AVCapturePhoto, any Error>) -> Void) { self.finish = finish }

        func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
            result = error.map(Result.failure) ?? .success(photo)
        }
        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
        ) { finish(error.map(Result.failure) ?? result) }
    }
}

extension PublishedCamera: AVCaptureMetadataOutputObjectsDelegate {
    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection) {
        objects.send(metadataObjects)
    }
}
