import AVFoundation
import Foundation

// A recorder of buffers on a queue of its own, as a stranger writes it.

protocol ClipRecorderDelegate: AnyObject {
    func clipRecorder(_ recorder: ClipRecorder, didFinish clip: URL, duration: TimeInterval)
    func clipRecorder(_ recorder: ClipRecorder, didFail error: any Error)
}

/// Records clips with breaks, cut out of the time of the buffers.
final class ClipRecorder: NSObject, @unchecked Sendable {
    enum Failure: LocalizedError {
        case noCamera
        case cannotWrite(String)
        var errorDescription: String? { "\(self)" }
    }

    weak var delegate: (any ClipRecorderDelegate)?
    let session = AVCaptureSession()
    private let sessionQueue = DispatchQueue(
        label: "clips.session", qos: .userInitiated, attributes: [], autoreleaseFrequency: .workItem, target: nil)
    private let writingQueue = DispatchQueue(label: "clips.writing")
    private let videoOutput = AVCaptureVideoDataOutput()
    private let audioOutput = AVCaptureAudioDataOutput()
    private var writer: AVAssetWriter?
    private var videoInput: AVAssetWriterInput?
    private var audioInput: AVAssetWriterInput?
    private var adaptor: AVAssetWriterInputPixelBufferAdaptor?
    private var isRecording = false
    private var isPaused = false
    private var startTime = CMTime.invalid
    private var lastTime = CMTime.invalid
    private var breakStart = CMTime.invalid
    private var offset = CMTime.zero
    private(set) var droppedFrames = 0
    private var tokens: [any NSObjectProtocol] = []

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    func prepare(completion: @escaping @Sendable ((any Error)?) -> Void) {
        sessionQueue.async {
            do {
                try self.configure()
                self.session.startRunning()
                DispatchQueue.main.async { completion(nil) }
            } catch {
                DispatchQueue.main.async { completion(error) }
            }
        }
    }

    private func configure() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.automaticallyConfiguresApplicationAudioSession = false
        if session.canSetSessionPreset(.hd1280x720) { session.sessionPreset = .hd1280x720 }
        guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else { throw Failure.noCamera }
        try camera.lockForConfiguration()
        if camera.isFocusModeSupported(.continuousAutoFocus) { camera.focusMode = .continuousAutoFocus }
        if camera.isSmoothAutoFocusSupported { camera.isSmoothAutoFocusEnabled = true }
        camera.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 30)
        camera.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 30)
        camera.isSubjectAreaChangeMonitoringEnabled = true
        camera.unlockForConfiguration()
        let input = try AVCaptureDeviceInput(device: camera)
        if session.canAddInput(input) { session.addInput(input) }
        if let microphone = AVCaptureDevice.default(for: .audio), let sound = try? AVCaptureDeviceInput(device: microphone),
            session.canAddInput(sound)
        {
            session.addInput(sound)
        }
        videoOutput.alwaysDiscardsLateVideoFrames = false
        let formats = videoOutput.availableVideoPixelFormatTypes
        let wanted = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        videoOutput.videoSettings = [String(kCVPixelBufferPixelFormatTypeKey): Int(formats.contains(wanted) ? wanted : kCVPixelFormatType_32BGRA)]
        videoOutput.setSampleBufferDelegate(self, queue: writingQueue)
        audioOutput.setSampleBufferDelegate(self, queue: writingQueue)
        for output in [videoOutput, audioOutput] as [AVCaptureOutput] where session.canAddOutput(output) { session.addOutput(output) }
        if let connection = videoOutput.connection(with: .video) {
            if connection.isVideoOrientationSupported { connection.videoOrientation = .portrait }
            if connection.isVideoStabilizationSupported { connection.preferredVideoStabilizationMode = .auto }
        }
        let center = NotificationCenter.default
        tokens.append(
            center.addObserver(forName: .AVCaptureSessionRuntimeError, object: session, queue: nil) { [weak self] notification in
                guard let self, let error = notification.userInfo?[AVCaptureSessionErrorKey] as? AVError else { return }
                self.delegate?.clipRecorder(self, didFail: error)
            })
        tokens.append(
            center.addObserver(forName: .AVCaptureSessionWasInterrupted, object: session, queue: nil) { [weak self] _ in self?.pause() })
    }

    func record(to url: URL) {
        writingQueue.async {
            do {
                let writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
                writer.shouldOptimizeForNetworkUse = true
                writer.metadata = Self.metadata()
                self.writer = writer
                (self.startTime, self.lastTime, self.offset, self.breakStart) = (.invalid, .invalid, .zero, .invalid)
                (self.isRecording, self.isPaused) = (true, false)
            } catch {
                self.delegate?.clipRecorder(self, didFail: error)
            }
        }
    }

    func pause() {
        writingQueue.async {
            guard self.isRecording, !self.isPaused else { return }
            self.isPaused = true
            self.breakStart = self.lastTime
        }
    }

    func resume() { writingQueue.async { self.isPaused = false } }

    func finish() {
        writingQueue.async {
            guard self.isRecording, let writer = self.writer, writer.status == .writing else { return }
            self.isRecording = false
            self.videoInput?.markAsFinished()
            self.audioInput?.markAsFinished()
            let length = (self.lastTime - self.startTime).seconds
            writer.finishWriting {
                if writer.status == .completed {
                    self.delegate?.clipRecorder(self, didFinish: writer.outputURL, duration: length)
                } else {
                    self.delegate?.clipRecorder(self, didFail: writer.error ?? Failure.cannotWrite("\(writer.status)"))
                }
            }
            (self.writer, self.videoInput, self.audioInput, self.adaptor) = (nil, nil, nil, nil)
        }
    }

    private static func metadata() -> [AVMetadataItem] {
        let item = AVMutableMetadataItem()
        item.keySpace = .common
        item.key = AVMetadataKey.commonKeySoftware as (any NSCopying & NSObjectProtocol)
        item.value = "Clips" as (any NSCopying & NSObjectProtocol)
        return [item]
    }

    private func begin(with sample: CMSampleBuffer, at time: CMTime) -> Bool {
        guard let writer, let format = CMSampleBufferGetFormatDescription(sample) else { return false }
        let size = CMVideoFormatDescriptionGetDimensions(format)
        var settings: [String: Any] = [
            AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: NSNumber(value: size.width), AVVideoHeightKey: NSNumber(value: size.height),
            AVVideoScalingModeKey: AVVideoScalingModeResizeAspectFill,
        ]
        settings[AVVideoCompressionPropertiesKey] = [
            AVVideoAverageBitRateKey: NSNumber(value: 4_000_000), AVVideoMaxKeyFrameIntervalKey: 30, AVVideoAllowFrameReorderingKey: false,
            AVVideoProfileLevelKey: AVVideoProfileLevelH264HighAutoLevel,
        ]
        guard writer.canApply(outputSettings: settings, forMediaType: .video) else { return false }
        let video = AVAssetWriterInput(mediaType: .video, outputSettings: settings, sourceFormatHint: format)
        video.expectsMediaDataInRealTime = true
        let attributes: [String: Any] = [
            String(kCVPixelBufferPixelFormatTypeKey): NSNumber(value: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
            String(kCVPixelBufferWidthKey): NSNumber(value: size.width), String(kCVPixelBufferHeightKey): NSNumber(value: size.height),
        ]
        adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video, sourcePixelBufferAttributes: attributes)
        let sound = AVAssetWriterInput(
            mediaType: .audio, outputSettings: audioOutput.recommendedAudioSettingsForAssetWriter(writingTo: .mp4))
        sound.expectsMediaDataInRealTime = true
        for input in [video, sound] where writer.canAdd(input) { writer.add(input) }
        (videoInput, audioInput) = (video, sound)
        guard writer.startWriting() else { return false }
        writer.startSession(atSourceTime: time)
        startTime = time
        return true
    }

    private static func moved(_ sample: CMSampleBuffer, by offset: CMTime) -> CMSampleBuffer? {
        var count: CMItemCount = 0
        CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: &count)
        var timing = [CMSampleTimingInfo](
            repeating: CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid), count: count)
        CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: count, arrayToFill: &timing, entriesNeededOut: &count)
        for index in timing.indices { timing[index].presentationTimeStamp = CMTimeSubtract(timing[index].presentationTimeStamp, offset) }
        var copy: CMSampleBuffer?
        CMSampleBufferCreateCopyWithNewTiming(
            allocator: kCFAllocatorDefault, sampleBuffer: sample, sampleTimingEntryCount: count, sampleTimingArray: &timing, sampleBufferOut: &copy)
        return copy
    }
}

extension ClipRecorder: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) { droppedFrames += 1 }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard isRecording, CMSampleBufferDataIsReady(sampleBuffer) else { return }
        let isVideo = output == videoOutput
        var time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        if isPaused { return }
        if breakStart.isValid {
            guard isVideo else { return }
            offset = offset + (time - breakStart - offset - CMTime(value: 1, timescale: 30))
            breakStart = .invalid
        }
        time = time - offset
        if !startTime.isValid {
            guard isVideo, begin(with: sampleBuffer, at: time) else { return }
        }
        if isVideo, let input = videoInput, input.isReadyForMoreMediaData, let image = CMSampleBufferGetImageBuffer(sampleBuffer) {
            if adaptor?.append(image, withPresentationTime: time) == true { lastTime = time }
        } else if !isVideo, let input = audioInput, input.isReadyForMoreMediaData, let moved = Self.moved(sampleBuffer, by: offset) {
            input.append(moved)
        }
    }
}
