import AVFoundation

/// An app's recorder over the data outputs, as it would be written for a phone: every sample goes into an `AVAssetWriter`.
public final class SampleRecorder: NSObject, @unchecked Sendable {
    public let session = AVCaptureSession()
    public private(set) var appendedTimes: [CMTime] = []
    public private(set) var droppedCount = 0
    private let videoOutput = AVCaptureVideoDataOutput()
    private let audioOutput = AVCaptureAudioDataOutput()
    private let queue = DispatchQueue(label: "recorder.samples")
    private var writer: AVAssetWriter?
    private var videoInput: AVAssetWriterInput?
    private var audioInput: AVAssetWriterInput?
    private var hasSession = false

    public enum Failure: Error { case noCamera, noSettings, cannotStart }

    /// Wires the camera and, where there is one, the microphone.
    public func configure() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        guard let camera = AVCaptureDevice.default(for: .video) else { throw Failure.noCamera }
        session.addInput(try AVCaptureDeviceInput(device: camera))
        if let microphone = AVCaptureDevice.default(for: .audio) { session.addInput(try AVCaptureDeviceInput(device: microphone)) }
        videoOutput.alwaysDiscardsLateVideoFrames = false
        if session.canAddOutput(videoOutput) { session.addOutput(videoOutput) }
        if session.canAddOutput(audioOutput) { session.addOutput(audioOutput) }
    }

    /// Opens the file; recording begins with the first picture.
    public func prepare(url: URL, fileType: AVFileType, codec: AVVideoCodecType) throws {
        let writer = try AVAssetWriter(outputURL: url, fileType: fileType)
        guard let settings = videoOutput.recommendedVideoSettings(forVideoCodecType: codec, assetWriterOutputFileType: fileType) else {
            throw Failure.noSettings
        }
        let video = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
        video.expectsMediaDataInRealTime = true
        guard writer.canAdd(video) else { throw Failure.noSettings }
        writer.add(video)
        if audioOutput.connection(with: .audio) != nil {
            let audio = AVAssetWriterInput(
                mediaType: .audio,
                outputSettings: [
                    AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1, AVEncoderBitRateKey: 96_000,
                ])
            audio.expectsMediaDataInRealTime = true
            if writer.canAdd(audio) {
                writer.add(audio)
                audioInput = audio
            }
        }
        guard writer.startWriting() else { throw writer.error ?? Failure.cannotStart }
        (self.writer, videoInput) = (writer, video)
        videoOutput.setSampleBufferDelegate(self, queue: queue)
        audioOutput.setSampleBufferDelegate(self, queue: queue)
    }

    /// Records a MOV file for as long as the session has frames; returns the recorder when it is complete.
    public static func record(to url: URL, codec: AVVideoCodecType) async throws -> SampleRecorder {
        let recorder = SampleRecorder()
        try recorder.configure()
        try recorder.prepare(url: url, fileType: .mov, codec: codec)
        recorder.session.startRunning()
        try await recorder.finish()
        recorder.session.stopRunning()
        return recorder
    }

    /// Ends the file; throws what kept it from being complete.
    public func finish() async throws {
        queue.sync {
            videoInput?.markAsFinished()
            audioInput?.markAsFinished()
        }
        guard let writer else { return }
        await writer.finishWriting()
        if writer.status != .completed { throw writer.error ?? Failure.cannotStart }
    }
}

extension SampleRecorder: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate {
    public func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let writer, writer.status == .writing else { return }
        if output === videoOutput {
            if !hasSession {
                writer.startSession(atSourceTime: sampleBuffer.presentationTimeStamp)
                hasSession = true
            }
            guard let videoInput, videoInput.isReadyForMoreMediaData else { return droppedCount += 1 }
            if videoInput.append(sampleBuffer) { appendedTimes.append(sampleBuffer.presentationTimeStamp) }
        } else if hasSession, let audioInput, audioInput.isReadyForMoreMediaData {
            audioInput.append(sampleBuffer)
        }
    }
}
