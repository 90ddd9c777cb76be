import AVFoundation
import UIKit

/// Interval camera: a time-lapse movie of every so many seconds, each picture a bracket for high contrast, with the looks of the first held to the end.
final class LapseCamera: NSObject, @unchecked Sendable {
    struct Step: Sendable, Equatable {
        var seconds: Double
        var iso: Float
    }

    enum Exposure: Sendable, Equatable { case automatic, bracket(stops: [Float]), manual([Step]) }

    struct Plan: Sendable {
        /// Seconds from picture to picture.
        var interval = 1.0
        /// Pictures in all.
        var count = 5
        var exposure = Exposure.automatic
        /// Pictures of the movie in a second.
        var rate: Int32 = 30
    }

    enum Trouble: Error, Equatable { case noCamera, cannotAdd, tooHot, diskFull, batteryLow, writer }

    let session = AVCaptureSession()
    private(set) var camera: AVCaptureDevice?
    private let photoOutput = AVCapturePhotoOutput()
    private let videoOutput = AVCaptureVideoDataOutput()
    private let queue = DispatchQueue(label: "lapse.session")
    private let folder: URL
    private var plan = Plan()
    private var next = CMTime.invalid
    private var shots: [URL] = []
    private var times: [CMTime] = []
    private var asked = 0
    private var writer: AVAssetWriter?
    private var writerInput: AVAssetWriterInput?
    private var adaptor: AVAssetWriterInputPixelBufferAdaptor?
    private var writtenFrames: Int64 = 0
    private var completion: (@Sendable (Result<URL, Trouble>) -> Void)?
    /// Size of the pictures.
    var preset = AVCaptureSession.Preset.photo
    /// Room that a picture wants, bytes.
    var reserve: Int64 = 5_000_000

    var photos: [URL] { queue.sync { shots } }
    var moments: [CMTime] { queue.sync { times } }
    var frameCount: Int64 { queue.sync { writtenFrames } }

    init(folder: URL) {
        self.folder = folder
        super.init()
    }

    func prepare() throws {
        try queue.sync {
            guard let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back) else { throw Trouble.noCamera }
            self.camera = camera
            session.beginConfiguration()
            defer { session.commitConfiguration() }
            if session.canSetSessionPreset(preset) { session.sessionPreset = preset }
            let input = try AVCaptureDeviceInput(device: camera)
            guard session.canAddInput(input), session.canAddOutput(photoOutput), session.canAddOutput(videoOutput) else { throw Trouble.cannotAdd }
            session.addInput(input)
            session.addOutput(photoOutput)
            session.addOutput(videoOutput)
            videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)]
            videoOutput.setSampleBufferDelegate(self, queue: queue)
            photoOutput.maxPhotoQualityPrioritization = .speed
        }
        session.startRunning()
    }

    func begin(_ plan: Plan, completion: @escaping @Sendable (Result<URL, Trouble>) -> Void) {
        queue.async { [self] in
            (self.plan, self.completion, next, shots, times, asked, writtenFrames) = (plan, completion, .zero, [], [], 0, 0)
            photoOutput.setPreparedPhotoSettingsArray([settings()]) { _, _ in }
        }
        DispatchQueue.main.async {
            UIApplication.shared.isIdleTimerDisabled = true
            UIDevice.current.isBatteryMonitoringEnabled = true
            let device = UIDevice.current
            let isLow = device.batteryState == .unplugged && device.batteryLevel >= 0 && device.batteryLevel < 0.05
            if isLow { self.queue.async { self.end(.batteryLow) } }
        }
    }

    private func settings() -> AVCapturePhotoSettings {
        let format: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.jpeg]
        let steps: [AVCaptureBracketedStillImageSettings]
        switch plan.exposure {
        case .automatic:
            let settings = AVCapturePhotoSettings(format: format)
            settings.photoQualityPrioritization = .speed
            settings.flashMode = .off
            return settings
        case .bracket(let stops):
            steps = stops.prefix(photoOutput.maxBracketedCapturePhotoCount).map {
                AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
            }
        case .manual(let exposures):
            steps = exposures.prefix(photoOutput.maxBracketedCapturePhotoCount).map {
                AVCaptureManualExposureBracketedStillImageSettings.manualExposureSettings(
                    exposureDuration: CMTime(seconds: $0.seconds, preferredTimescale: 1_000_000), iso: $0.iso)
            }
        }
        let settings = AVCapturePhotoBracketSettings(
            rawPixelFormatType: 0, rawFileType: nil, processedFormat: format, processedFileType: .jpg, bracketedSettings: steps)
        settings.photoQualityPrioritization = .speed
        settings.isLensStabilizationEnabled = photoOutput.isLensStabilizationDuringBracketedCaptureSupported
        return settings
    }

    /// Holds focus, exposure and white balance as they are.
    private func hold() {
        guard let camera, (try? camera.lockForConfiguration()) != nil else { return }
        if camera.isFocusModeSupported(.locked) { camera.focusMode = .locked }
        if camera.isExposureModeSupported(.locked) { camera.exposureMode = .locked }
        if camera.isWhiteBalanceModeSupported(.locked) { camera.whiteBalanceMode = .locked }
        camera.unlockForConfiguration()
    }

    private var trouble: Trouble? {
        if [.serious, .critical].contains(ProcessInfo.processInfo.thermalState) { return .tooHot }
        let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
        if let free = values?.volumeAvailableCapacityForImportantUsage, free < reserve { return .diskFull }
        return nil
    }

    // MARK: movie

    private func append(_ sample: CMSampleBuffer) {
        guard let buffer = CMSampleBufferGetImageBuffer(sample) else { return }
        if writer == nil {
            let url = folder.appendingPathComponent("lapse.mov")
            try? FileManager.default.removeItem(at: url)
            let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
            let settings: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.hevc, AVVideoWidthKey: width, AVVideoHeightKey: height]
            guard let writer = try? AVAssetWriter(outputURL: url, fileType: .mov) else { return end(.writer) }
            let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
            input.expectsMediaDataInRealTime = true
            input.transform = CGAffineTransform(rotationAngle: .pi / 2)
            adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input, sourcePixelBufferAttributes: nil)
            writer.add(input)
            guard writer.startWriting() else { return end(.writer) }
            writer.startSession(atSourceTime: .zero)
            (self.writer, writerInput) = (writer, input)
        }
        guard writerInput?.isReadyForMoreMediaData == true else { return }
        if adaptor?.append(buffer, withPresentationTime: CMTime(value: writtenFrames, timescale: plan.rate)) == true { writtenFrames += 1 }
    }

    private func end(_ trouble: Trouble? = nil) {
        guard let completion else { return }
        self.completion = nil
        next = .invalid
        DispatchQueue.main.async { UIApplication.shared.isIdleTimerDisabled = false }
        guard let writer, writer.status == .writing else { return completion(.failure(trouble ?? .writer)) }
        writerInput?.markAsFinished()
        (self.writer, writerInput, adaptor) = (nil, nil, nil)
        writer.finishWriting {
            if let trouble { return completion(.failure(trouble)) }
            completion(writer.status == .completed ? .success(writer.outputURL) : .failure(.writer))
        }
    }
}

extension LapseCamera: AVCaptureVideoDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard next.isNumeric else { return }
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        if next == .zero { next = time }
        guard time >= next else { return }
        guard asked < plan.count else { return }
        if let trouble { return end(trouble) }
        if asked == 1 { hold() }
        next = next + CMTime(seconds: plan.interval, preferredTimescale: 600)
        times.append(time)
        asked += 1
        append(sampleBuffer)
        photoOutput.connection(with: .video)?.videoOrientation = .landscapeRight
        photoOutput.capturePhoto(with: settings(), delegate: self)
    }
}

extension LapseCamera: AVCapturePhotoCaptureDelegate {
    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        guard error == nil, let data = photo.fileDataRepresentation() else { return }
        let suffix = photo.bracketSettings == nil ? "" : "-\(photo.sequenceCount)"
        queue.async { [self] in
            let bracket = plan.exposure == .automatic ? 1 : photo.resolvedSettings.expectedPhotoCount
            let url = folder.appendingPathComponent("shot-\(shots.count / bracket + 1)\(suffix).jpg")
            if (try? data.write(to: url, options: .atomic)) != nil { shots.append(url) }
        }
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?) {
        queue.async { [self] in if asked == plan.count, times.count == plan.count { end() } }
    }
}
