import AVFoundation
import Combine
import CoreImage
import CoreImage.CIFilterBuiltins
import Foundation
import UIKit

// Five cameras as strangers write them: a recorder of buffers, a scanner, a service of actors, a camera with filters, and one of depth.

// MARK: a recorder of buffers on a queue of its own

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

// MARK: a scanner

/// Looks for codes within a window of the preview.
final class CodeScanner: NSObject, AVCaptureMetadataOutputObjectsDelegate {
    let session = AVCaptureSession()
    let preview = AVCaptureVideoPreviewLayer()
    private let output = AVCaptureMetadataOutput()
    private var seen = Set<String>()
    var onCode: ((String, AVMetadataObject.ObjectType, [CGPoint]) -> Void)?
    var device: AVCaptureDevice?
    var isTorchOn: Bool {
        get { device?.torchMode == .on }
        set {
            guard let device, device.hasTorch, device.isTorchAvailable, (try? device.lockForConfiguration()) != nil else { return }
            defer { device.unlockForConfiguration() }
            if newValue { try? device.setTorchModeOn(level: 0.5) } else { device.torchMode = .off }
        }
    }
    var window: CGRect { output.rectOfInterest }

    static let kinds: [AVMetadataObject.ObjectType] = [.qr, .ean13, .ean8, .code128, .pdf417, .aztec, .dataMatrix, .upce]

    func start() throws {
        guard let device = AVCaptureDevice.default(for: .video) else { throw AVError(.deviceNotConnected) }
        self.device = device
        let input = try AVCaptureDeviceInput(device: device)
        session.beginConfiguration()
        session.sessionPreset = device.supportsSessionPreset(.hd1920x1080) ? .hd1920x1080 : .high
        if session.canAddInput(input) { session.addInput(input) }
        if session.canAddOutput(output) {
            session.addOutput(output)
            output.setMetadataObjectsDelegate(self, queue: DispatchQueue.main)
            output.metadataObjectTypes = Self.kinds.filter { output.availableMetadataObjectTypes.contains($0) }
        }
        session.commitConfiguration()
        preview.session = session
        preview.videoGravity = .resizeAspectFill
        preview.connection?.videoOrientation = .portrait
        try zoomForSmallCodes(device, size: 20)
        session.startRunning()
    }

    func limit(to rect: CGRect) { output.rectOfInterest = preview.metadataOutputRectConverted(fromLayerRect: rect) }

    private func zoomForSmallCodes(_ device: AVCaptureDevice, size: Float) throws {
        let nearest = Float(device.minimumFocusDistance)
        guard nearest != -1 else { return }
        let angle = device.activeFormat.videoFieldOfView / 2 * .pi / 180
        let distance = size / 0.6 / tan(angle) / 2
        guard distance < nearest else { return }
        try device.lockForConfiguration()
        device.videoZoomFactor = CGFloat(min(nearest / distance, Float(device.activeFormat.videoMaxZoomFactor)))
        if device.isAutoFocusRangeRestrictionSupported { device.autoFocusRangeRestriction = .near }
        if device.isFocusPointOfInterestSupported { device.focusPointOfInterest = CGPoint(x: 0.5, y: 0.5) }
        device.unlockForConfiguration()
    }

    func metadataOutput(_ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection) {
        for case let code as AVMetadataMachineReadableCodeObject in metadataObjects {
            guard let text = code.stringValue, !text.isEmpty, seen.insert(text).inserted else { continue }
            let shown = preview.transformedMetadataObject(for: code) as? AVMetadataMachineReadableCodeObject
            DispatchQueue.main.async { UINotificationFeedbackGenerator().notificationOccurred(.success) }
            onCode?(text, code.type, shown?.corners ?? [])
        }
    }
}

// MARK: a service of actors

/// Camera of a screen that is all asynchronous.
actor StrangerService {
    enum Mode { case photo, video }
    enum Failure: Error { case unauthorized, noDevice, cannotAdd }

    nonisolated let session = AVCaptureSession()
    private let sessionQueue = DispatchSerialQueue(label: "service.session")
    nonisolated var unownedExecutor: UnownedSerialExecutor { sessionQueue.asUnownedSerialExecutor() }
    private let photoOutput = AVCapturePhotoOutput()
    private let movieOutput = AVCaptureMovieFileOutput()
    private var input: AVCaptureDeviceInput?
    private var coordinator: AVCaptureDevice.RotationCoordinator?
    private var observations: [NSKeyValueObservation] = []
    private var recording: RecordingDelegate?
    @Published private(set) var isInterrupted = false
    private(set) var mode = Mode.photo

    func start() async throws {
        switch AVCaptureDevice.authorizationStatus(for: .video) {
        case .authorized: break
        case .notDetermined: guard await AVCaptureDevice.requestAccess(for: .video) else { throw Failure.unauthorized }
        default: throw Failure.unauthorized
        }
        guard !session.isRunning else { return }
        try configure()
        session.startRunning()
    }

    private func configure() throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        session.sessionPreset = .photo
        let discovery = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInTripleCamera, .builtInDualWideCamera, .builtInDualCamera, .builtInWideAngleCamera], mediaType: .video,
            position: .back)
        guard let device = AVCaptureDevice.systemPreferredCamera ?? discovery.devices.first else { throw Failure.noDevice }
        let input = try AVCaptureDeviceInput(device: device)
        guard session.canAddInput(input), session.canAddOutput(photoOutput) else { throw Failure.cannotAdd }
        session.addInput(input)
        session.addOutput(photoOutput)
        self.input = input
        photoOutput.maxPhotoQualityPrioritization = .quality
        if let largest = device.activeFormat.supportedMaxPhotoDimensions.max(by: { $0.width < $1.width }) {
            photoOutput.maxPhotoDimensions = largest
        }
        photoOutput.isResponsiveCaptureEnabled = photoOutput.isResponsiveCaptureSupported
        photoOutput.isFastCapturePrioritizationEnabled = photoOutput.isFastCapturePrioritizationSupported
        let coordinator = AVCaptureDevice.RotationCoordinator(device: device, previewLayer: nil)
        observations.append(
            coordinator.observe(\.videoRotationAngleForHorizonLevelCapture, options: [.initial, .new]) { [weak self] _, change in
                guard let self, let angle = change.newValue else { return }
                Task { await self.turn(to: angle) }
            })
        self.coordinator = coordinator
        Task { [weak self] in
            for await _ in NotificationCenter.default.notifications(named: AVCaptureSession.wasInterruptedNotification) {
                await self?.setInterrupted(true)
            }
        }
    }

    private func setInterrupted(_ value: Bool) { isInterrupted = value }

    private(set) var angle: CGFloat = -1
    private func turn(to angle: CGFloat) {
        self.angle = angle
        for output in session.outputs {
            guard let connection = output.connection(with: .video), connection.isVideoRotationAngleSupported(angle) else { continue }
            connection.videoRotationAngle = angle
        }
    }

    func setMode(_ mode: Mode) throws {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        self.mode = mode
        switch mode {
        case .photo:
            session.sessionPreset = .photo
            session.removeOutput(movieOutput)
        case .video:
            session.sessionPreset = .high
            guard session.canAddOutput(movieOutput) else { throw Failure.cannotAdd }
            session.addOutput(movieOutput)
            if let connection = movieOutput.connection(with: .video), connection.isVideoStabilizationSupported {
                connection.preferredVideoStabilizationMode = .cinematic
            }
        }
    }

    func focus(at point: CGPoint) throws {
        guard let device = input?.device else { throw Failure.noDevice }
        try device.lockForConfiguration()
        defer { device.unlockForConfiguration() }
        if device.isFocusPointOfInterestSupported, device.isFocusModeSupported(.autoFocus) {
            (device.focusPointOfInterest, device.focusMode) = (point, .autoFocus)
        }
        if device.isExposurePointOfInterestSupported, device.isExposureModeSupported(.autoExpose) {
            (device.exposurePointOfInterest, device.exposureMode) = (point, .autoExpose)
        }
        device.isSubjectAreaChangeMonitoringEnabled = true
    }

    func capture() async throws -> Data {
        var settings = AVCapturePhotoSettings()
        if photoOutput.availablePhotoCodecTypes.contains(.hevc) {
            settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
        }
        settings.maxPhotoDimensions = photoOutput.maxPhotoDimensions
        settings.photoQualityPrioritization = .balanced
        if let type = settings.availablePreviewPhotoPixelFormatTypes.first {
            settings.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey as String: type]
        }
        return try await withCheckedThrowingContinuation { continuation in
            let delegate = PhotoDelegate(continuation)
            photoOutput.capturePhoto(with: settings, delegate: delegate)
        }
    }

    func record(to url: URL) {
        guard !movieOutput.isRecording else { return }
        let delegate = RecordingDelegate()
        recording = delegate
        movieOutput.startRecording(to: url, recordingDelegate: delegate)
    }

    func stop() async throws -> URL {
        guard let recording else { throw Failure.noDevice }
        return try await withCheckedThrowingContinuation { continuation in
            recording.continuation = continuation
            movieOutput.stopRecording()
        }
    }
}

private final class PhotoDelegate: NSObject, AVCapturePhotoCaptureDelegate {
    private let continuation: CheckedContinuation<Data, any Error>
    private var data: Data?

    init(_ continuation: CheckedContinuation<Data, any Error>) { self.continuation = continuation }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        if error == nil { data = photo.fileDataRepresentation() }
    }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?) {
        if let error { return continuation.resume(throwing: error) }
        if let data { continuation.resume(returning: data) } else { continuation.resume(throwing: AVError(.unknown)) }
    }
}

private final class RecordingDelegate: NSObject, AVCaptureFileOutputRecordingDelegate, @unchecked Sendable {
    var continuation: CheckedContinuation<URL, any Error>?

    func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        let succeeded = (error as NSError?)?.userInfo[AVErrorRecordingSuccessfullyFinishedKey] as? Bool ?? (error == nil)
        if succeeded { continuation?.resume(returning: outputFileURL) } else { continuation?.resume(throwing: error!) }
        continuation = nil
    }
}

// MARK: a camera with filters

/// Shows and takes frames through a chain of filters.
final class FilterCamera: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
    enum Look: String, CaseIterable {
        case none = ""
        case chrome = "CIPhotoEffectChrome"
        case noir = "CIPhotoEffectNoir"
        case sepia = "CISepiaTone"
        case vignette = "CIVignette"
    }

    let session = AVCaptureSession()
    private let output = AVCaptureVideoDataOutput()
    private let queue = DispatchQueue(label: "filters.frames", qos: .userInteractive)
    private let context = CIContext(options: [.useSoftwareRenderer: false, .cacheIntermediates: false, .name: "Filters"])
    private var pool: CVPixelBufferPool?
    private let lock = NSLock()
    private var chosen = Look.none
    private var newest: (picture: UIImage, buffer: CVPixelBuffer)?

    var look: Look {
        get { lock.withLock { chosen } }
        set { lock.withLock { chosen = newValue } }
    }
    var picture: UIImage? { lock.withLock { newest?.picture } }
    var buffer: CVPixelBuffer? { lock.withLock { newest?.buffer } }

    func start(position: AVCaptureDevice.Position = .front) throws {
        session.sessionPreset = .vga640x480
        guard let device = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: position) else { return }
        let input = try AVCaptureDeviceInput(device: device)
        if session.canAddInput(input) { session.addInput(input) }
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        output.alwaysDiscardsLateVideoFrames = true
        output.setSampleBufferDelegate(self, queue: queue)
        if session.canAddOutput(output) { session.addOutput(output) }
        if let connection = output.connection(with: .video) {
            if connection.isVideoRotationAngleSupported(90) { connection.videoRotationAngle = 90 }
            if connection.isVideoMirroringSupported {
                connection.automaticallyAdjustsVideoMirroring = false
                connection.isVideoMirrored = position == .front
            }
        }
        session.startRunning()
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let frame = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
        var image = CIImage(cvImageBuffer: frame)
        let look = self.look
        if look != .none, let filter = CIFilter(name: look.rawValue) {
            filter.setValue(image, forKey: kCIInputImageKey)
            if look == .vignette {
                filter.setValue(2, forKey: kCIInputIntensityKey)
                filter.setValue(1.5, forKey: kCIInputRadiusKey)
            }
            image = filter.outputImage ?? image
        }
        let controls = CIFilter.colorControls()
        controls.inputImage = image
        (controls.saturation, controls.brightness, controls.contrast) = (1, 0, 1.05)
        let result = (controls.outputImage ?? image).cropped(to: image.extent)
        guard let rendered = render(result, like: frame), let bitmap = context.createCGImage(result, from: result.extent) else { return }
        let picture = UIImage(cgImage: bitmap, scale: 1, orientation: .up)
        lock.withLock { newest = (picture, rendered) }
    }

    private func render(_ image: CIImage, like frame: CVPixelBuffer) -> CVPixelBuffer? {
        if pool == nil {
            let attributes: [CFString: Any] = [
                kCVPixelBufferPixelFormatTypeKey: CVPixelBufferGetPixelFormatType(frame), kCVPixelBufferWidthKey: CVPixelBufferGetWidth(frame),
                kCVPixelBufferHeightKey: CVPixelBufferGetHeight(frame), kCVPixelBufferIOSurfacePropertiesKey: [:] as CFDictionary,
            ]
            let counts = [kCVPixelBufferPoolMinimumBufferCountKey: 3] as CFDictionary
            guard CVPixelBufferPoolCreate(kCFAllocatorDefault, counts, attributes as CFDictionary, &pool) == kCVReturnSuccess else { return nil }
        }
        var buffer: CVPixelBuffer?
        guard let pool, CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer) == kCVReturnSuccess, let buffer else { return nil }
        CVBufferPropagateAttachments(frame, buffer)
        context.render(image, to: buffer, bounds: image.extent, colorSpace: CGColorSpaceCreateDeviceRGB())
        return buffer
    }
}

// MARK: a camera of depth

/// Tells how far away the middle of the picture is, and where there is somebody.
final class DepthCamera: NSObject, AVCaptureDataOutputSynchronizerDelegate, @unchecked Sendable {
    struct Reading: Sendable {
        var time: CMTime
        var metres: Float
        var faces: Int
        var hasCalibration: Bool
    }

    let session = AVCaptureSession()
    private let videoOutput = AVCaptureVideoDataOutput()
    private let depthOutput = AVCaptureDepthDataOutput()
    private let metadataOutput = AVCaptureMetadataOutput()
    private var synchronizer: AVCaptureDataOutputSynchronizer?
    private let queue = DispatchQueue(label: "depth.frames", qos: .userInitiated)
    private let lock = NSLock()
    private var kept: [Reading] = []
    var readings: [Reading] { lock.withLock { kept } }

    func start() throws {
        let types: [AVCaptureDevice.DeviceType] = [.builtInLiDARDepthCamera, .builtInDualWideCamera, .builtInTrueDepthCamera]
        guard let device = AVCaptureDevice.DiscoverySession(deviceTypes: types, mediaType: .video, position: .unspecified).devices.first else {
            throw AVError(.deviceNotConnected)
        }
        session.beginConfiguration()
        session.sessionPreset = .vga640x480
        session.addInput(try AVCaptureDeviceInput(device: device))
        for output in [videoOutput, depthOutput, metadataOutput] as [AVCaptureOutput] where session.canAddOutput(output) { session.addOutput(output) }
        videoOutput.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: Int(kCVPixelFormatType_32BGRA)]
        depthOutput.isFilteringEnabled = true
        depthOutput.connection(with: .depthData)?.isEnabled = true
        if metadataOutput.availableMetadataObjectTypes.contains(.face) { metadataOutput.metadataObjectTypes = [.face] }
        let depths = device.activeFormat.supportedDepthDataFormats
        let best = depths.filter { CMFormatDescriptionGetMediaSubType($0.formatDescription) == kCVPixelFormatType_DepthFloat32 }.max {
            CMVideoFormatDescriptionGetDimensions($0.formatDescription).width < CMVideoFormatDescriptionGetDimensions($1.formatDescription).width
        }
        if let format = best ?? depths.first {
            try device.lockForConfiguration()
            device.activeDepthDataFormat = format
            device.unlockForConfiguration()
        }
        session.commitConfiguration()
        let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [videoOutput, depthOutput, metadataOutput])
        synchronizer.setDelegate(self, queue: queue)
        self.synchronizer = synchronizer
        session.startRunning()
    }

    func dataOutputSynchronizer(
        _ synchronizer: AVCaptureDataOutputSynchronizer, didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
    ) {
        guard let depth = synchronizedDataCollection.synchronizedData(for: depthOutput) as? AVCaptureSynchronizedDepthData,
            let video = synchronizedDataCollection.synchronizedData(for: videoOutput) as? AVCaptureSynchronizedSampleBufferData,
            !depth.depthDataWasDropped, !video.sampleBufferWasDropped
        else { return }
        var data = depth.depthData
        if data.depthDataType != kCVPixelFormatType_DepthFloat32 { data = data.converting(toDepthDataType: kCVPixelFormatType_DepthFloat32) }
        let map = data.depthDataMap
        CVPixelBufferLockBaseAddress(map, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(map, .readOnly) }
        let row = CVPixelBufferGetHeight(map) / 2
        guard let base = CVPixelBufferGetBaseAddress(map) else { return }
        let pixels = (base + row * CVPixelBufferGetBytesPerRow(map)).assumingMemoryBound(to: Float32.self)
        let objects = synchronizedDataCollection[metadataOutput] as? AVCaptureSynchronizedMetadataObjectData
        let reading = Reading(
            time: depth.timestamp, metres: pixels[CVPixelBufferGetWidth(map) / 2], faces: objects?.metadataObjects.count ?? 0,
            hasCalibration: data.cameraCalibrationData != nil)
        lock.withLock { kept.append(reading) }
    }
}
