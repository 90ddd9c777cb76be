import AVFoundation

/// Dash camera: films in clips that overlap, keeps the newest, and saves those around a crash.
final class DashCamera: NSObject, @unchecked Sendable {
    struct Clip: Sendable, Equatable {
        let url: URL
        /// Seconds from its first picture to its last.
        let seconds: Double
        var isSaved = false
    }

    /// One clip that is being written.
    private final class Take {
        let writer: AVAssetWriter
        let video: AVAssetWriterInput
        let audio: AVAssetWriterInput
        var start = CMTime.invalid
        var end = CMTime.invalid
        var isSaved = false

        init(url: URL, format: CMFormatDescription, sound: [String: Any]?) throws {
            writer = try AVAssetWriter(url: url, fileType: .mp4)
            writer.movieFragmentInterval = CMTime(seconds: 1, preferredTimescale: 600)
            let size = CMVideoFormatDescriptionGetDimensions(format)
            video = AVAssetWriterInput(
                mediaType: .video,
                outputSettings: [
                    AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: Int(size.width), AVVideoHeightKey: Int(size.height),
                    AVVideoCompressionPropertiesKey: [AVVideoAverageBitRateKey: 4_000_000, AVVideoMaxKeyFrameIntervalKey: 30],
                ], sourceFormatHint: format)
            video.expectsMediaDataInRealTime = true
            video.transform = CGAffineTransform(rotationAngle: .pi / 2)
            audio = AVAssetWriterInput(mediaType: .audio, outputSettings: sound)
            audio.expectsMediaDataInRealTime = true
            for input in [video, audio] {
                guard writer.canAdd(input) else { throw AVError(.invalidOutputURLPathExtension) }
                writer.add(input)
            }
        }
    }

    let session = AVCaptureSession()
    private let folder: URL
    private let length: CMTime
    private let overlap: CMTime
    private let most: Int
    private let queue = DispatchQueue(label: "dash.session")
    private let writing = DispatchQueue(label: "dash.writing", qos: .userInitiated)
    private let videoOutput = AVCaptureVideoDataOutput()
    private let audioOutput = AVCaptureAudioDataOutput()
    private var takes: [Take] = []
    private var isRecording = false
    private var count = 0
    private var stored: [Clip] = []
    private var faults: [any Error] = []
    private var events: [String] = []
    private var tokens: [any NSObjectProtocol] = []

    var clips: [Clip] { writing.sync { stored } }
    var errors: [any Error] { writing.sync { faults } }
    var history: [String] { writing.sync { events } }

    init(folder: URL, length: Double, overlap: Double, most: Int) {
        (self.folder, self.most) = (folder, most)
        self.length = CMTime(seconds: length, preferredTimescale: 600)
        self.overlap = CMTime(seconds: overlap, preferredTimescale: 600)
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    func start() async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            queue.async { done.resume(with: Result { try self.configure() }) }
        }
        writing.async { self.isRecording = true }
    }

    private func configure() throws {
        session.beginConfiguration()
        session.sessionPreset = .hd1280x720
        guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back),
            let microphone = AVCaptureDevice.default(for: .audio)
        else { throw AVError(.deviceNotConnected) }
        for device in [camera, microphone] {
            let input = try AVCaptureDeviceInput(device: device)
            guard session.canAddInput(input) else { throw AVError(.sessionConfigurationChanged) }
            session.addInput(input)
        }
        videoOutput.alwaysDiscardsLateVideoFrames = false
        videoOutput.setSampleBufferDelegate(self, queue: writing)
        audioOutput.setSampleBufferDelegate(self, queue: writing)
        session.addOutput(videoOutput)
        session.addOutput(audioOutput)
        session.commitConfiguration()
        try camera.lockForConfiguration()
        camera.activeVideoMinFrameDuration = CMTimeMake(value: 1, timescale: 30)
        camera.activeVideoMaxFrameDuration = CMTimeMake(value: 1, timescale: 30)
        camera.unlockForConfiguration()
        let center = NotificationCenter.default
        tokens = [
            center.addObserver(forName: AVCaptureSession.wasInterruptedNotification, object: session, queue: nil) { [weak self] note in
                guard let self else { return }
                let reason = (note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int).flatMap(AVCaptureSession.InterruptionReason.init)
                writing.async {
                    self.events.append("interrupted \(reason?.rawValue ?? 0)")
                    self.takes.forEach { self.finish($0) }
                    self.takes = []
                }
            },
            center.addObserver(forName: AVCaptureSession.interruptionEndedNotification, object: session, queue: nil) { [weak self] _ in
                guard let self else { return }
                writing.async { self.events.append("resumed") }
            },
        ]
        session.startRunning()
    }

    /// Keeps the clips that are being written, and the one before.
    func save() {
        writing.async { [self] in
            takes.forEach { $0.isSaved = true }
            if let last = stored.indices.last { stored[last].isSaved = true }
        }
    }

    /// Stops; returns when all clips are written.
    func stop() async {
        await withCheckedContinuation { done in
            queue.async { [self] in
                session.stopRunning()
                writing.async { [self] in
                    isRecording = false
                    let group = DispatchGroup()
                    for take in takes {
                        group.enter()
                        finish(take) { group.leave() }
                    }
                    takes = []
                    group.notify(queue: writing) { done.resume() }
                }
            }
        }
    }

    private func begin(_ sample: CMSampleBuffer) {
        guard let format = CMSampleBufferGetFormatDescription(sample) else { return }
        count += 1
        let url = folder.appending(path: String(format: "clip-%03d.mp4", count))
        do {
            try? FileManager.default.removeItem(at: url)
            let take = try Take(url: url, format: format, sound: audioOutput.recommendedAudioSettingsForAssetWriter(writingTo: .mp4))
            guard take.writer.startWriting() else { throw take.writer.error ?? AVError(.unknown) }
            take.start = CMSampleBufferGetPresentationTimeStamp(sample)
            take.writer.startSession(atSourceTime: take.start)
            takes.append(take)
        } catch {
            faults.append(error)
        }
    }

    private func finish(_ take: Take, then: (@Sendable () -> Void)? = nil) {
        guard take.writer.status == .writing, take.end.isNumeric else {
            if take.writer.status == .writing { take.writer.cancelWriting() }
            then?()
            return
        }
        take.video.markAsFinished()
        take.audio.markAsFinished()
        nonisolated(unsafe) let take = take
        take.writer.endSession(atSourceTime: take.end)
        take.writer.finishWriting { [self] in
            writing.async { [self] in
                if take.writer.status == .completed {
                    stored.append(Clip(url: take.writer.outputURL, seconds: (take.end - take.start).seconds, isSaved: take.isSaved))
                } else {
                    faults.append(take.writer.error ?? AVError(.unknown))
                }
                prune()
                then?()
            }
        }
    }

    private func prune() {
        while stored.count(where: { !$0.isSaved }) > most, let oldest = stored.firstIndex(where: { !$0.isSaved }) {
            let clip = stored.remove(at: oldest)
            do { try FileManager.default.removeItem(at: clip.url) } catch { faults.append(error) }
        }
    }
}

extension DashCamera: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard isRecording, CMSampleBufferDataIsReady(sampleBuffer) else { return }
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        if output === videoOutput {
            if let newest = takes.last?.start {
                if CMTimeCompare(time, CMTimeAdd(newest, CMTimeSubtract(length, overlap))) >= 0 { begin(sampleBuffer) }
            } else {
                begin(sampleBuffer)
            }
            for take in takes where CMTimeCompare(CMTimeSubtract(time, take.start), length) >= 0 { finish(take) }
            takes.removeAll { CMTimeCompare(CMTimeSubtract(time, $0.start), length) >= 0 }
        }
        for take in takes {
            if take.writer.status == .failed {
                faults.append(take.writer.error ?? AVError(.unknown))
                continue
            }
            let input = output === videoOutput ? take.video : take.audio
            guard input.isReadyForMoreMediaData, input.append(sampleBuffer) else { continue }
            if output === videoOutput { take.end = CMTimeAdd(time, CMSampleBufferGetDuration(sampleBuffer)) }
        }
        takes.removeAll { $0.writer.status == .failed }
    }

    func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        events.append("dropped")
    }
}
