import AVFoundation

/// Camera of an app for Live Photos: an actor on the session's queue, which awaits each capture and gives up where its caller does.
actor MomentCamera {
    /// Photo, with the movie around it where one was taken.
    struct Moment: Sendable {
        let number: Int64
        let picture: Data
        var movie: URL?
        /// Time of the photo within the movie.
        var instant = CMTime.invalid
        var isProxy = false
    }

    enum Failure: Error { case noCamera, noPicture }

    nonisolated let session = AVCaptureSession()
    nonisolated let output = AVCapturePhotoOutput()
    private let queue = DispatchSerialQueue(label: "moments")
    private var input: AVCaptureDeviceInput?
    private let folder: URL
    /// Movies that are being recorded just now, which the app shows as a badge.
    private(set) var recordingCount = 0
    /// Captures that were given up.
    private(set) var abandonedCount = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(folder: URL) { self.folder = folder }

    func start() throws {
        session.beginConfiguration()
        session.sessionPreset = .photo
        try use(.back)
        guard session.canAddOutput(output) else { throw Failure.noCamera }
        session.addOutput(output)
        prepareOutput()
        session.commitConfiguration()
        session.startRunning()
    }

    /// Changes to the camera on that side; movies under way end there.
    func turn(to side: AVCaptureDevice.Position) throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        if let input { session.removeInput(input) }
        try use(side)
        prepareOutput()
    }

    private func use(_ side: AVCaptureDevice.Position) throws {
        guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: side) else { throw Failure.noCamera }
        let input = try AVCaptureDeviceInput(device: camera)
        session.addInput(input)
        self.input = input
    }

    /// Asks for what the camera of now can do: losing its camera sets the output back.
    private func prepareOutput() {
        output.isLivePhotoCaptureEnabled = output.isLivePhotoCaptureSupported
        output.maxPhotoQualityPrioritization = .quality
        output.isResponsiveCaptureEnabled = output.isResponsiveCaptureSupported
        output.isAutoDeferredPhotoDeliveryEnabled = output.isAutoDeferredPhotoDeliverySupported
    }

    /// Takes a photo, live where the output can. Throws `CancellationError` when its task is cancelled before the end.
    func take() async throws -> Moment {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
        settings.photoQualityPrioritization = .quality
        if output.isLivePhotoCaptureEnabled, !output.isLivePhotoCaptureSuspended {
            settings.livePhotoMovieFileURL = folder.appending(path: "\(settings.uniqueID).mov")
            settings.livePhotoVideoCodecType = output.availableLivePhotoVideoCodecTypes.contains(.hevc) ? .hevc : .h264
        }
        let taker = MomentTaker(settings.uniqueID)
        let watch = Task { for await change in taker.recordings { recordingCount += change } }
        defer { watch.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    taker.begin(continuation)
                    output.capturePhoto(with: settings, delegate: taker)
                }
            } onCancel: {
                taker.abandon()
            }
        } catch is CancellationError {
            abandonedCount += 1
            throw CancellationError()
        }
    }
}

/// Receiver of one capture.
private final class MomentTaker: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    /// +1 where a movie is being recorded from now on, -1 where it is no longer.
    let recordings: AsyncStream<Int>
    private let told: AsyncStream<Int>.Continuation
    private let lock = NSLock()
    private var continuation: CheckedContinuation<MomentCamera.Moment, any Error>?
    private var moment: MomentCamera.Moment
    private var failure: (any Error)?
    private var isAbandoned = false

    init(_ number: Int64) {
        moment = MomentCamera.Moment(number: number, picture: Data())
        (recordings, told) = AsyncStream.makeStream()
    }

    func begin(_ continuation: CheckedContinuation<MomentCamera.Moment, any Error>) {
        let isAbandoned = lock.withLock {
            if !self.isAbandoned { self.continuation = continuation }
            return self.isAbandoned
        }
        if isAbandoned { continuation.resume(throwing: CancellationError()) }
    }

    func abandon() {
        lock.withLock { isAbandoned = true }
        end(.failure(CancellationError()))
    }

    private func end(_ result: Result<MomentCamera.Moment, any Error>) {
        let continuation = lock.withLock {
            defer { self.continuation = nil }
            return self.continuation
        }
        continuation?.resume(with: result)
        told.finish()
    }

    func photoOutput(_ output: AVCapturePhotoOutput, willBeginCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings) {
        if resolvedSettings.livePhotoMovieDimensions.width > 0 { told.yield(1) }
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        keep(photo, isProxy: false, error)
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?, error: (any Error)?
    ) { keep(deferredPhotoProxy, isProxy: true, error) }

    private func keep(_ photo: AVCapturePhoto?, isProxy: Bool, _ error: (any Error)?) {
        guard error == nil, let data = photo?.fileDataRepresentation() else {
            failure = error ?? MomentCamera.Failure.noPicture
            return
        }
        moment = MomentCamera.Moment(number: moment.number, picture: data, isProxy: isProxy)
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishRecordingLivePhotoMovieForEventualFileAt outputFileURL: URL,
        resolvedSettings: AVCaptureResolvedPhotoSettings
    ) { told.yield(-1) }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishProcessingLivePhotoToMovieFileAt outputFileURL: URL, duration: CMTime, photoDisplayTime: CMTime,
        resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {
        guard error == nil else { return }
        (moment.movie, moment.instant) = (outputFileURL, photoDisplayTime)
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?) {
        if let error = error ?? failure { end(.failure(error)) } else { end(.success(moment)) }
    }
}
