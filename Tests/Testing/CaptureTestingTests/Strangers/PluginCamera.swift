import AVFoundation
import UIKit

/// Camera behind a plugin of a cross-platform framework: one session for pictures and one for sound, connections made by hand, a writer whose pauses
/// and camera changes leave no gap.
final class PluginCamera: NSObject, @unchecked Sendable {
    struct Failure: Error {
        let code: String
        let message: String
    }
    enum Resolution { case low, medium, high, ultraHigh, max }
    enum Flash { case off, auto, always, torch }

    let videoSession = AVCaptureSession()
    let audioSession = AVCaptureSession()
    private let queue = DispatchQueue(label: "plugin.session")
    private let fileQueue = DispatchQueue(label: "plugin.files")
    private var device: AVCaptureDevice
    private var input: AVCaptureDeviceInput
    private var videoOutput: AVCaptureVideoDataOutput
    private let photoOutput = AVCapturePhotoOutput()
    private var savers = [Int64: PhotoSaver]()
    private var flash = Flash.off

    private var writer: AVAssetWriter?
    private var videoWriterInput: AVAssetWriterInput?
    private var audioWriterInput: AVAssetWriterInput?
    private var adaptor: AVAssetWriterInputPixelBufferAdaptor?
    private var isRecording = false, isPaused = false, isFirstSample = false, isDisconnected = false, hasSound = false
    private var lastSampleEnd = CMTime.invalid
    private var offset = CMTime.zero
    private var offsetOutput: AVCaptureOutput?
    private var lastVideoTime = CMTime.negativeInfinity
    /// Size of the preview, pixels.
    private(set) var previewSize = CGSize.zero
    /// Errors that the framework is told of.
    private(set) var errors: [String] = []
    /// Sum of the bytes of each plane of the newest picture's rows.
    private(set) var planeSizes: [Int] = []

    private static func connect(_ device: AVCaptureDevice) throws -> (AVCaptureDeviceInput, AVCaptureVideoDataOutput, AVCaptureConnection) {
        let input = try AVCaptureDeviceInput(device: device)
        let output = AVCaptureVideoDataOutput()
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        output.alwaysDiscardsLateVideoFrames = true
        let connection = AVCaptureConnection(inputPorts: input.ports, output: output)
        if device.position == .front { connection.isVideoMirrored = true }
        return (input, output, connection)
    }

    init(cameraID: String, resolution: Resolution, framesPerSecond: Double?) throws {
        guard let device = AVCaptureDevice(uniqueID: cameraID) else { throw Failure(code: "CameraAccess", message: "no camera \(cameraID)") }
        self.device = device
        let connection: AVCaptureConnection
        (input, videoOutput, connection) = try Self.connect(device)
        super.init()
        photoOutput.isHighResolutionCaptureEnabled = true
        videoSession.automaticallyConfiguresApplicationAudioSession = false
        audioSession.automaticallyConfiguresApplicationAudioSession = false
        videoOutput.setSampleBufferDelegate(self, queue: queue)
        videoSession.addInputWithNoConnections(input)
        videoSession.addOutputWithNoConnections(videoOutput)
        videoSession.addConnection(connection)
        videoSession.addOutput(photoOutput)
        if let framesPerSecond {
            try device.lockForConfiguration()
            defer { device.unlockForConfiguration() }
            videoSession.beginConfiguration()
            defer { videoSession.commitConfiguration() }
            try choose(resolution)
            let rate = device.activeFormat.videoSupportedFrameRateRanges.map { min(max(framesPerSecond, $0.minFrameRate), $0.maxFrameRate) }
                .min { abs($0 - framesPerSecond) < abs($1 - framesPerSecond) }
            let duration = CMTimeMake(value: 10, timescale: Int32(((rate ?? 30) * 10).rounded(.down)))
            device.activeVideoMinFrameDuration = duration
            device.activeVideoMaxFrameDuration = duration
        } else {
            try choose(resolution)
        }
        turn(to: .portrait)
        for session in [videoSession, audioSession] {
            for name in [AVCaptureSession.wasInterruptedNotification, AVCaptureSession.runtimeErrorNotification] {
                NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { [weak self] in self?.noteFault($0) }
            }
        }
    }

    private func noteFault(_ notification: Notification) {
        if notification.name == AVCaptureSession.wasInterruptedNotification { return queue.async { self.isDisconnected = true } }
        errors.append("\(String(describing: notification.userInfo?[AVCaptureSessionErrorKey] as? any Error))")
    }

    /// Takes the first preset from the one asked for downwards that the camera has.
    private func choose(_ resolution: Resolution) throws {
        switch resolution {
        case .max:
            if let format = largestFormat {
                videoSession.sessionPreset = .inputPriority
                try device.lockForConfiguration()
                device.activeFormat = format
                device.unlockForConfiguration()
                break
            }
            fallthrough
        case .ultraHigh:
            if videoSession.canSetSessionPreset(.hd4K3840x2160) {
                videoSession.sessionPreset = .hd4K3840x2160
                break
            }
            fallthrough
        case .high:
            if videoSession.canSetSessionPreset(.hd1280x720) {
                videoSession.sessionPreset = .hd1280x720
                break
            }
            fallthrough
        case .medium:
            if videoSession.canSetSessionPreset(.vga640x480) {
                videoSession.sessionPreset = .vga640x480
                break
            }
            fallthrough
        default:
            guard videoSession.canSetSessionPreset(.low) else {
                let info = [NSLocalizedDescriptionKey: "no preset"]
                throw NSError(domain: NSCocoaErrorDomain, code: URLError.unknown.rawValue, userInfo: info)
            }
            videoSession.sessionPreset = .low
        }
        let size = CMVideoFormatDescriptionGetDimensions(device.activeFormat.formatDescription)
        previewSize = CGSize(width: CGFloat(size.width), height: CGFloat(size.height))
        audioSession.sessionPreset = videoSession.sessionPreset
    }

    private var largestFormat: AVCaptureDevice.Format? {
        let subtype = CMFormatDescriptionGetMediaSubType(device.activeFormat.formatDescription)
        let compressed: [FourCharCode] = [kCVPixelFormatType_Lossy_32BGRA, kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange]
        return device.formats.filter { !compressed.contains(CMFormatDescriptionGetMediaSubType($0.formatDescription)) }.max { first, second in
            let (a, b) = (first.formatDescription.dimensions, second.formatDescription.dimensions)
            let (isFirst, isSecond) = (
                first.formatDescription.mediaSubType.rawValue == subtype, second.formatDescription.mediaSubType.rawValue == subtype
            )
            return (Int(a.width) * Int(a.height), isFirst ? 1 : 0) < (Int(b.width) * Int(b.height), isSecond ? 1 : 0)
        }
    }

    func start() {
        videoSession.startRunning()
        audioSession.startRunning()
    }

    func stop() {
        videoSession.stopRunning()
        audioSession.stopRunning()
    }

    func turn(to orientation: UIDeviceOrientation) {
        guard !isRecording else { return }
        for output in [photoOutput, videoOutput] as [AVCaptureOutput] {
            guard let connection = output.connection(with: .video), connection.isVideoOrientationSupported else { continue }
            switch orientation {
            case .landscapeLeft: connection.videoOrientation = .landscapeRight
            case .landscapeRight: connection.videoOrientation = .landscapeLeft
            case .portraitUpsideDown: connection.videoOrientation = .portraitUpsideDown
            default: connection.videoOrientation = .portrait
            }
        }
    }

    func setZoom(_ zoom: CGFloat) throws {
        guard (device.minAvailableVideoZoomFactor...device.maxAvailableVideoZoomFactor).contains(zoom) else {
            throw Failure(code: "ZOOM_ERROR", message: "\(device.minAvailableVideoZoomFactor) to \(device.maxAvailableVideoZoomFactor)")
        }
        try device.lockForConfiguration()
        device.videoZoomFactor = zoom
        device.unlockForConfiguration()
    }

    func setFlash(_ mode: Flash) throws {
        if mode == .torch {
            guard device.hasTorch, device.isTorchAvailable else { throw Failure(code: "setFlashModeFailed", message: "no torch") }
        } else {
            let wanted: AVCaptureDevice.FlashMode = mode == .auto ? .auto : mode == .always ? .on : .off
            guard device.hasFlash, photoOutput.supportedFlashModes.contains(wanted) else {
                throw Failure(code: "setFlashModeFailed", message: "no flash")
            }
        }
        let torch: AVCaptureDevice.TorchMode = mode == .torch ? .on : .off
        if device.torchMode != torch {
            try device.lockForConfiguration()
            device.torchMode = torch
            device.unlockForConfiguration()
        }
        flash = mode
    }

    func lockExposure(at point: CGPoint?, bias: Double) throws {
        guard device.isExposurePointOfInterestSupported else { throw Failure(code: "setExposurePointFailed", message: "no points") }
        try device.lockForConfiguration()
        device.exposurePointOfInterest = point ?? CGPoint(x: 0.5, y: 0.5)
        device.exposureMode = .autoExpose
        device.setExposureTargetBias(Float(bias), completionHandler: nil)
        device.unlockForConfiguration()
    }

    // MARK: photos

    func takePicture(to url: URL, completion: @escaping @Sendable (Result<URL, any Error>) -> Void) {
        queue.async { [self] in
            var settings = AVCapturePhotoSettings()
            if url.pathExtension == "heic", photoOutput.availablePhotoCodecTypes.contains(.hevc) {
                settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
            }
            settings.isHighResolutionPhotoEnabled = true
            if flash != .torch { settings.flashMode = flash == .auto ? .auto : flash == .always ? .on : .off }
            let number = settings.uniqueID
            let saver = PhotoSaver(url: url, queue: fileQueue) { [weak self] result in
                if let self { queue.async { self.savers.removeValue(forKey: number) } }
                completion(result)
            }
            savers[number] = saver
            photoOutput.capturePhoto(with: settings, delegate: saver)
        }
    }

    // MARK: movies

    func record(to url: URL) throws {
        try queue.sync {
            try addMicrophone()
            let writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
            var settings = videoOutput.recommendedVideoSettingsForAssetWriter(writingTo: .mp4)
            settings?[AVVideoCompressionPropertiesKey] = [AVVideoAverageBitRateKey: 2_000_000, AVVideoExpectedSourceFrameRateKey: 30]
            let video = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
            video.expectsMediaDataInRealTime = true
            let attributes: [String: Any] = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
            adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video, sourcePixelBufferAttributes: attributes)
            var layout = AudioChannelLayout()
            layout.mChannelLayoutTag = kAudioChannelLayoutTag_Mono
            let sound: [String: Any] = [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44100.0, AVNumberOfChannelsKey: 1,
                AVChannelLayoutKey: withUnsafeBytes(of: &layout) { Data($0) },
            ]
            let audio = AVAssetWriterInput(mediaType: .audio, outputSettings: sound)
            audio.expectsMediaDataInRealTime = true
            writer.add(audio)
            writer.add(video)
            guard writer.startWriting() else { throw writer.error ?? Failure(code: "IOError", message: "cannot write") }
            (self.writer, videoWriterInput, audioWriterInput) = (writer, video, audio)
            (isRecording, isFirstSample, isPaused, isDisconnected) = (true, true, false, false)
            (offset, lastVideoTime, offsetOutput) = (.zero, .negativeInfinity, videoOutput)
        }
    }

    private func addMicrophone() throws {
        guard !hasSound, let microphone = AVCaptureDevice.default(for: .audio) else { return }
        let input = try AVCaptureDeviceInput(device: microphone)
        let output = AVCaptureAudioDataOutput()
        let (playing, shared): (Set<AVAudioSession.Category>, AVAudioSession) = ([.playback, .playAndRecord], AVAudioSession.sharedInstance())
        let options = shared.categoryOptions.union([.defaultToSpeaker, .allowBluetoothA2DP, .allowAirPlay])
        if !playing.contains(shared.category) || options != shared.categoryOptions { try? shared.setCategory(.playAndRecord, options: options) }
        guard audioSession.canAddInput(input) else { return }
        audioSession.addInput(input)
        guard audioSession.canAddOutput(output) else { return }
        audioSession.addOutput(output)
        output.setSampleBufferDelegate(self, queue: queue)
        hasSound = true
    }

    func pause() {
        queue.sync { (isPaused, isDisconnected) = (true, true) }
    }

    func resume() { queue.sync { isPaused = false } }

    func finish(completion: @escaping @Sendable (Result<URL, any Error>) -> Void) {
        queue.async { [self] in
            guard isRecording, let writer else { return completion(.failure(Failure(code: "Error", message: "not recording"))) }
            isRecording = false
            writer.finishWriting {
                completion(writer.status == .completed ? .success(writer.outputURL) : .failure(writer.error ?? Failure(code: "IOError", message: "")))
            }
        }
    }

    /// Takes another camera while a movie is written.
    func use(cameraID: String) throws {
        try queue.sync {
            guard let next = AVCaptureDevice(uniqueID: cameraID) else { throw Failure(code: "CameraAccess", message: "no camera \(cameraID)") }
            let old = videoOutput.connection(with: .video)
            videoOutput.setSampleBufferDelegate(nil, queue: nil)
            videoSession.beginConfiguration()
            defer { videoSession.commitConfiguration() }
            videoSession.removeInput(input)
            videoSession.removeOutput(videoOutput)
            device = next
            let connection: AVCaptureConnection
            (input, videoOutput, connection) = try Self.connect(next)
            videoOutput.setSampleBufferDelegate(self, queue: queue)
            if let old, connection.isVideoOrientationSupported { connection.videoOrientation = old.videoOrientation }
            guard videoSession.canAddInput(input) else { throw Failure(code: "VideoError", message: "input") }
            videoSession.addInputWithNoConnections(input)
            guard videoSession.canAddOutput(videoOutput) else { throw Failure(code: "VideoError", message: "output") }
            videoSession.addOutputWithNoConnections(videoOutput)
            guard videoSession.canAddConnection(connection) else { throw Failure(code: "VideoError", message: "connection") }
            videoSession.addConnection(connection)
        }
    }
}

extension PluginCamera: AVCaptureVideoDataOutputSampleBufferDelegate, AVCaptureAudioDataOutputSampleBufferDelegate {
    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard CMSampleBufferDataIsReady(sampleBuffer) else { return errors.append("not ready") }
        if let picture = CMSampleBufferGetImageBuffer(sampleBuffer) { measure(picture) }
        guard isRecording, !isPaused, videoSession.isRunning, audioSession.isRunning else { return }
        if writer?.status == .failed { return errors.append("\(String(describing: writer?.error))") }
        if output == videoOutput {
            guard videoWriterInput?.isReadyForMoreMediaData ?? false else { return }
        } else {
            guard !isFirstSample, audioWriterInput?.isReadyForMoreMediaData ?? false else { return }
            offsetOutput = output
        }
        let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer)
        if isFirstSample {
            writer?.startSession(atSourceTime: time)
            (isFirstSample, isDisconnected) = (false, false)
        }
        let duration = CMSampleBufferGetDuration(sampleBuffer)
        let end = duration.isNumeric ? CMTimeAdd(time, duration) : time
        if isDisconnected {
            guard output == offsetOutput else { return }
            offset = CMTimeAdd(offset, CMTimeSubtract(end, lastSampleEnd))
            (lastSampleEnd, isDisconnected) = (end, false)
            return
        }
        if output == offsetOutput { lastSampleEnd = end }
        let moved = CMTimeSubtract(time, offset)
        if output == videoOutput, let picture = CMSampleBufferGetImageBuffer(sampleBuffer) {
            guard moved > lastVideoTime else { return }
            if adaptor?.append(picture, withPresentationTime: moved) != true { errors.append("append") }
            lastVideoTime = moved
        } else if let sample = shifted(sampleBuffer) {
            if audioWriterInput?.append(sample) != true { errors.append("append sound") }
        }
    }

    private func shifted(_ sample: CMSampleBuffer) -> CMSampleBuffer? {
        guard offset.value != 0 else { return sample }
        var count: CMItemCount = 0
        CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: &count)
        let timing = UnsafeMutablePointer<CMSampleTimingInfo>.allocate(capacity: count)
        defer { timing.deallocate() }
        CMSampleBufferGetSampleTimingInfoArray(sample, entryCount: count, arrayToFill: timing, entriesNeededOut: &count)
        for index in 0..<count {
            timing[index].decodeTimeStamp = CMTimeSubtract(timing[index].decodeTimeStamp, offset)
            timing[index].presentationTimeStamp = CMTimeSubtract(timing[index].presentationTimeStamp, offset)
        }
        var copy: CMSampleBuffer?
        CMSampleBufferCreateCopyWithNewTiming(
            allocator: nil, sampleBuffer: sample, sampleTimingEntryCount: count, sampleTimingArray: timing, sampleBufferOut: &copy)
        return copy
    }

    private func measure(_ picture: CVPixelBuffer) {
        CVPixelBufferLockBaseAddress(picture, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
        let planes = CVPixelBufferIsPlanar(picture) ? CVPixelBufferGetPlaneCount(picture) : 1
        planeSizes = (0..<planes).map { plane in
            CVPixelBufferIsPlanar(picture)
                ? CVPixelBufferGetBytesPerRowOfPlane(picture, plane) * CVPixelBufferGetHeightOfPlane(picture, plane)
                : CVPixelBufferGetBytesPerRow(picture) * CVPixelBufferGetHeight(picture)
        }
    }
}

/// Writes a photo's file on a queue of its own.
private final class PhotoSaver: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    private let url: URL
    private let queue: DispatchQueue
    private let completion: @Sendable (Result<URL, any Error>) -> Void

    init(url: URL, queue: DispatchQueue, completion: @escaping @Sendable (Result<URL, any Error>) -> Void) {
        (self.url, self.queue, self.completion) = (url, queue, completion)
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        if let error { return completion(.failure(error)) }
        let data = photo.fileDataRepresentation()
        queue.async { [self] in
            do {
                try data?.write(to: url, options: .atomic)
                completion(.success(url))
            } catch {
                completion(.failure(error))
            }
        }
    }
}
