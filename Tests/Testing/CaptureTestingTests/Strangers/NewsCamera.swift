import AVFoundation

/// Camera of a reporter's app: films on while it changes the camera, in a file each, takes photos meanwhile, and goes on after a call.
final class NewsCamera: NSObject, @unchecked Sendable {
    let session = AVCaptureSession()
    let movieOutput = AVCaptureMovieFileOutput()
    let photoOutput = AVCapturePhotoOutput()
    private let sessionQueue = DispatchQueue(label: "news")
    private var input: AVCaptureDeviceInput?
    private var photoTakers: [Int64: PhotoTaker] = [:]
    private var tokens: [any NSObjectProtocol] = []
    private let folder: URL
    private var films = false

    /// Files that are whole, in order, on the main queue.
    private(set) var clips: [URL] = []
    private(set) var clipErrors: [any Error] = []
    private(set) var photos: [Data] = []
    private(set) var photoErrors: [any Error] = []
    private(set) var isInterrupted = false
    private(set) var startedClips = 0

    init(folder: URL) {
        self.folder = folder
        super.init()
        observe(AVCaptureSession.wasInterruptedNotification) { $0.isInterrupted = true }
        observe(AVCaptureSession.interruptionEndedNotification) { $0.isInterrupted = false }
        observe(AVCaptureSession.didStartRunningNotification) { $0.resumeFilming() }
    }

    private func observe(_ name: Notification.Name, _ body: @escaping @Sendable (NewsCamera) -> Void) {
        tokens.append(
            NotificationCenter.default.addObserver(forName: name, object: session, queue: .main) { [weak self] _ in self.map(body) })
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    func start() {
        sessionQueue.async { [self] in
            session.beginConfiguration()
            session.sessionPreset = .high
            attach(.back)
            for output in [movieOutput, photoOutput] as [AVCaptureOutput] where session.canAddOutput(output) { session.addOutput(output) }
            session.commitConfiguration()
            session.startRunning()
        }
    }

    private func attach(_ side: AVCaptureDevice.Position) {
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: side),
            let input = try? AVCaptureDeviceInput(device: device), session.canAddInput(input)
        else { return }
        session.addInput(input)
        self.input = input
    }

    func film() {
        sessionQueue.async { [self] in
            films = true
            beginClip()
        }
    }

    func cut() {
        sessionQueue.async { [self] in
            films = false
            movieOutput.stopRecording()
        }
    }

    /// Changes the camera; filming goes on in another file.
    func turnAround() {
        sessionQueue.async { [self] in
            let side: AVCaptureDevice.Position = input?.device.position == .back ? .front : .back
            session.beginConfiguration()
            if let input { session.removeInput(input) }
            attach(side)
            session.commitConfiguration()
            if films { beginClip() }
        }
    }

    private func beginClip() {
        let file = folder.appending(path: "clip-\(UUID()).mov")
        movieOutput.startRecording(to: file, recordingDelegate: self)
    }

    private func resumeFilming() {
        sessionQueue.async { [self] in if films, !movieOutput.isRecording { beginClip() } }
    }

    func shoot() {
        sessionQueue.async { [self] in
            let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
            // The output does not keep it.
            let taker = PhotoTaker { [self] result in
                switch result {
                case .success(let data): photos.append(data)
                case .failure(let error): photoErrors.append(error)
                }
                sessionQueue.async { [self] in photoTakers[settings.uniqueID] = nil }
            }
            photoTakers[settings.uniqueID] = taker
            photoOutput.capturePhoto(with: settings, delegate: taker)
        }
    }
}

extension NewsCamera: AVCaptureFileOutputRecordingDelegate {
    func fileOutput(_ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        startedClips += 1
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        if let error { clipErrors.append(error) }
        let isWhole = (error as NSError?)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        if isWhole { clips.append(outputFileURL) }
    }
}

/// Receiver of one photo.
final class PhotoTaker: NSObject, AVCapturePhotoCaptureDelegate {
    private let completion: (Result<Data, any Error>) -> Void
    private var data: Data?

    init(_ completion: @escaping (Result<Data, any Error>) -> Void) { self.completion = completion }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        if error == nil { data = photo.fileDataRepresentation() }
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?) {
        if let error { return completion(.failure(error)) }
        completion(data.map { .success($0) } ?? .failure(CocoaError(.fileReadUnknown)))
    }
}
