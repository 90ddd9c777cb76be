import AVFoundation
import Combine
import UIKit

/// Recorder of cinematic movies with chapters: pauses and goes on within a file, ends by itself at its limits, and tells its view of everything.
final class FilmCamera: NSObject, ObservableObject, @unchecked Sendable {
    enum Stage: Equatable, Sendable { case idle, starting, rolling, paused, finishing }

    enum Failure: Error, LocalizedError {
        case noCamera, notSupported, noFormat
        var errorDescription: String? {
            switch self {
            case .noCamera: "There is no camera with a cinematic mode."
            case .notSupported: "Cinematic video is not supported in this configuration."
            case .noFormat: "The camera has no format for HDR."
            }
        }
    }

    /// Movie that is whole, with why it ended.
    struct Film: Sendable {
        let url: URL
        let reason: AVError.Code?
        let chapters: [Double]
        let seconds: Double
    }

    @Published private(set) var stage = Stage.idle
    @Published private(set) var films: [Film] = []
    @Published private(set) var alert: String?
    @Published private(set) var isTooDark = false
    /// Calls of the recording's delegate, in order.
    private(set) var log: [String] = []
    /// Chapters of the film under way, seconds from its beginning.
    private var chapters: [Double] = []
    private var start = CMTime.invalid

    let session = AVCaptureSession()
    let movieOutput = AVCaptureMovieFileOutput()
    private let metadataOutput = AVCaptureMetadataOutput()
    private let queue = DispatchSerialQueue(label: "film.session")
    private(set) var videoInput: AVCaptureDeviceInput?
    private var rotation: AVCaptureDevice.RotationCoordinator?
    private var observations: [NSKeyValueObservation] = []
    private var tokens: Set<AnyCancellable> = []

    // MARK: set-up

    func prepare() async throws {
        guard await AVCaptureDevice.requestAccess(for: .video), await AVCaptureDevice.requestAccess(for: .audio) else { throw Failure.noCamera }
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            queue.async {
                done.resume(
                    with: Result {
                        try self.configure()
                        self.session.startRunning()
                    })
            }
        }
    }

    private func configure() throws {
        guard let camera = AVCaptureDevice.default(.builtInDualWideCamera, for: .video, position: .back) else { throw Failure.noCamera }
        session.beginConfiguration()
        let input = try AVCaptureDeviceInput(device: camera)
        session.addInput(input)
        videoInput = input
        if let microphone = AVCaptureDevice.default(for: .audio) {
            let sound = try AVCaptureDeviceInput(device: microphone)
            if session.canAddInput(sound) {
                session.addInput(sound)
                if sound.isMultichannelAudioModeSupported(.firstOrderAmbisonics) { sound.multichannelAudioMode = .firstOrderAmbisonics }
            }
        }
        let isWanted = { (format: AVCaptureDevice.Format) in
            format.isCinematicVideoCaptureSupported && format.formatDescription.dimensions.width == 1920
                && format.formatDescription.mediaSubType.rawValue == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        }
        guard let format = camera.formats.first(where: isWanted) else {
            session.commitConfiguration()
            throw Failure.noFormat
        }
        try camera.lockForConfiguration()
        camera.activeFormat = format
        if format.supportedColorSpaces.contains(.HLG_BT2020) { camera.activeColorSpace = .HLG_BT2020 }
        camera.unlockForConfiguration()
        if session.canAddOutput(movieOutput) { session.addOutput(movieOutput) }
        session.commitConfiguration()

        guard input.isCinematicVideoCaptureSupported else { throw Failure.notSupported }
        session.beginConfiguration()
        input.isCinematicVideoCaptureEnabled = true
        input.simulatedAperture = min(max(4, format.minSimulatedAperture), format.maxSimulatedAperture)
        if session.canAddOutput(metadataOutput) {
            session.addOutput(metadataOutput)
            metadataOutput.metadataObjectTypes = metadataOutput.requiredMetadataObjectTypesForCinematicVideoCapture
        }
        if let connection = movieOutput.connection(with: .video) {
            if format.isVideoStabilizationModeSupported(.cinematicExtendedEnhanced) {
                connection.preferredVideoStabilizationMode = .cinematicExtendedEnhanced
            }
            if movieOutput.availableVideoCodecTypes.contains(.hevc) {
                movieOutput.setOutputSettings([AVVideoCodecKey: AVVideoCodecType.hevc], for: connection)
            }
        }
        session.commitConfiguration()
        movieOutput.movieFragmentInterval = CMTime(value: 2, timescale: 1)

        let rotation = AVCaptureDevice.RotationCoordinator(device: camera, previewLayer: nil)
        self.rotation = rotation
        observations = [
            camera.observe(\.cinematicVideoCaptureSceneMonitoringStatuses, options: [.initial, .new]) { [weak self] camera, _ in
                let isDark = camera.cinematicVideoCaptureSceneMonitoringStatuses.contains(.notEnoughLight)
                DispatchQueue.main.async { self?.isTooDark = isDark }
            }
        ]
        NotificationCenter.default.publisher(for: AVCaptureSession.runtimeErrorNotification, object: session)
            .compactMap { $0.userInfo?[AVCaptureSessionErrorKey] as? AVError }
            .receive(on: DispatchQueue.main)
            .sink { [weak self] in self?.alert = $0.localizedDescription }
            .store(in: &tokens)
    }

    // MARK: recording

    struct Limits: Sendable {
        var seconds: Double?
        var bytes: Int64?
        var freeBytes: Int64?
    }

    func roll(to url: URL, title: String = "", limits: Limits = Limits()) {
        stage = .starting
        queue.async { [self] in
            guard !movieOutput.isRecording else { return }
            movieOutput.maxRecordedDuration = limits.seconds.map { CMTime(seconds: $0, preferredTimescale: 600) } ?? .invalid
            movieOutput.maxRecordedFileSize = limits.bytes ?? 0
            movieOutput.minFreeDiskSpaceLimit = limits.freeBytes ?? 0
            let item = AVMutableMetadataItem()
            item.identifier = .quickTimeMetadataTitle
            item.dataType = kCMMetadataBaseDataType_UTF8 as String
            item.value = title as NSString
            movieOutput.metadata = [item]
            if let angle = rotation?.videoRotationAngleForHorizonLevelCapture, let connection = movieOutput.connection(with: .video),
                connection.isVideoRotationAngleSupported(angle)
            {
                connection.videoRotationAngle = angle
            }
            movieOutput.startRecording(to: url, recordingDelegate: self)
        }
    }

    func pause() { queue.async { self.movieOutput.pauseRecording() } }
    func goOn() { queue.async { self.movieOutput.resumeRecording() } }

    func cut() {
        stage = .finishing
        queue.async { self.movieOutput.stopRecording() }
    }

    /// Follows whoever is there at a point of the unrotated picture.
    func follow(at point: CGPoint, strongly: Bool) {
        queue.async { [self] in
            guard let camera = videoInput?.device, (try? camera.lockForConfiguration()) != nil else { return }
            camera.setCinematicVideoTrackingFocus(at: point, focusMode: strongly ? .strong : .weak)
            camera.unlockForConfiguration()
        }
    }

    private static func name(_ error: (any Error)?) -> String { error.map { "\(($0 as NSError).code)" } ?? "-" }
}

extension FilmCamera: AVCaptureFileOutputRecordingDelegate {
    func fileOutput(
        _ output: AVCaptureFileOutput, didStartRecordingTo fileURL: URL, startPTS: CMTime, from connections: [AVCaptureConnection]
    ) {
        log.append("start \(connections.count)")
        (start, chapters, stage) = (startPTS, [0], .rolling)
    }

    func fileOutput(_ output: AVCaptureFileOutput, didPauseRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        log.append("pause")
        stage = .paused
    }

    func fileOutput(_ output: AVCaptureFileOutput, didResumeRecordingTo fileURL: URL, from connections: [AVCaptureConnection]) {
        log.append("resume")
        chapters.append(output.recordedDuration.seconds)
        stage = .rolling
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, willFinishRecordingTo fileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        log.append("will finish \(Self.name(error))")
        stage = .finishing
    }

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        log.append("finish \(Self.name(error))")
        stage = .idle
        let isWhole = ((error as NSError?)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? NSNumber)?.boolValue ?? (error == nil)
        guard isWhole else {
            alert = error?.localizedDescription
            try? FileManager.default.removeItem(at: outputFileURL)
            return
        }
        films.append(
            Film(url: outputFileURL, reason: (error as? AVError)?.code, chapters: chapters, seconds: output.recordedDuration.seconds))
    }
}
