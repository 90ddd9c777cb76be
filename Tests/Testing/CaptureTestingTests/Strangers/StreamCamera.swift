import AVFoundation
import CoreImage
import Photos
import SwiftUI
import os.log

/// Camera of a view model: pictures and photos as asynchronous streams, a queue that waits for the user's answer, and devices to step through.
final class StreamCamera: NSObject, @unchecked Sendable {
    private let session = AVCaptureSession()
    private var isConfigured = false
    private var input: AVCaptureDeviceInput?
    private var photoOutput: AVCapturePhotoOutput?
    private var videoOutput: AVCaptureVideoDataOutput?
    private let queue = DispatchQueue(label: "stream.session")
    private let logger = Logger(subsystem: "stream.camera", category: "camera")

    private var devices: [AVCaptureDevice] {
        let all = AVCaptureDevice.DiscoverySession(
            deviceTypes: [
                .builtInTrueDepthCamera, .builtInDualCamera, .builtInDualWideCamera, .builtInWideAngleCamera, .builtInTripleCamera,
            ], mediaType: .video, position: .unspecified
        ).devices
        var found = [all.first { $0.position == .back }, all.first { $0.position == .front }].compactMap { $0 }
        if found.isEmpty, let any = all.first { found = [any] }
        return found.filter { $0.isConnected && !$0.isSuspended }
    }

    private var device: AVCaptureDevice? {
        didSet {
            guard let device else { return }
            logger.debug("camera \(device.localizedName, privacy: .public)")
            queue.async { [self] in change(to: device) }
        }
    }

    var isRunning: Bool { session.isRunning }
    var isFront: Bool { device?.position == .front }

    /// Whether pictures are left out.
    var isPreviewPaused = false
    private var addToPreview: ((CIImage) -> Void)?
    private var addToPhotos: ((AVCapturePhoto) -> Void)?

    private(set) lazy var previews = AsyncStream<CIImage>(bufferingPolicy: .bufferingNewest(1)) { continuation in
        addToPreview = { [self] image in if !isPreviewPaused { continuation.yield(image) } }
        continuation.onTermination = { @Sendable [weak self] _ in self?.addToPreview = nil }
    }

    private(set) lazy var photos = AsyncStream<AVCapturePhoto> { continuation in addToPhotos = { continuation.yield($0) } }

    override init() {
        super.init()
        device = devices.first ?? AVCaptureDevice.default(for: .video)
    }

    private func configure() -> Bool {
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        guard let device, let input = try? AVCaptureDeviceInput(device: device) else {
            logger.error("no input")
            return false
        }
        let (photos, video) = (AVCapturePhotoOutput(), AVCaptureVideoDataOutput())
        session.sessionPreset = .hd1280x720
        video.setSampleBufferDelegate(self, queue: DispatchQueue(label: "stream.frames"))
        guard session.canAddInput(input), session.canAddOutput(photos), session.canAddOutput(video) else { return false }
        session.addInput(input)
        session.addOutput(photos)
        session.addOutput(video)
        (self.input, photoOutput, videoOutput) = (input, photos, video)
        photos.isHighResolutionCaptureEnabled = true
        photos.maxPhotoQualityPrioritization = .quality
        mirror()
        isConfigured = true
        return true
    }

    private func mirror() {
        if let connection = videoOutput?.connection(with: .video), connection.isVideoMirroringSupported { connection.isVideoMirrored = isFront }
    }

    private func change(to device: AVCaptureDevice) {
        guard isConfigured else { return }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        for case let old as AVCaptureDeviceInput in session.inputs { session.removeInput(old) }
        if let new = try? AVCaptureDeviceInput(device: device), !session.inputs.contains(new), session.canAddInput(new) {
            session.addInput(new)
            input = new
        }
        mirror()
    }

    private func isAllowed() async -> Bool {
        switch AVCaptureDevice.authorizationStatus(for: .video) {
        case .authorized: return true
        case .notDetermined:
            queue.suspend()
            let isAllowed = await AVCaptureDevice.requestAccess(for: .video)
            queue.resume()
            return isAllowed
        case .denied, .restricted: return false
        @unknown default: return false
        }
    }

    func start() async -> Bool {
        guard await isAllowed() else { return false }
        if isConfigured {
            if !session.isRunning { queue.async { [self] in session.startRunning() } }
            return true
        }
        return await withCheckedContinuation { done in
            queue.async { [self] in
                let isReady = configure()
                if isReady { session.startRunning() }
                done.resume(returning: isReady)
            }
        }
    }

    func stop() {
        guard isConfigured, session.isRunning else { return }
        queue.async { self.session.stopRunning() }
    }

    func switchDevice() {
        if let device, let index = devices.firstIndex(of: device) {
            self.device = devices[(index + 1) % devices.count]
        } else {
            device = AVCaptureDevice.default(for: .video)
        }
    }

    func takePhoto() {
        guard let photoOutput else { return }
        queue.async { [self] in
            var settings = AVCapturePhotoSettings()
            if photoOutput.availablePhotoCodecTypes.contains(.hevc) {
                settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
            }
            settings.flashMode = input?.device.isFlashAvailable ?? false ? .auto : .off
            settings.isHighResolutionPhotoEnabled = true
            if let type = settings.availablePreviewPhotoPixelFormatTypes.first {
                settings.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey as String: type]
            }
            settings.photoQualityPrioritization = .balanced
            if let connection = photoOutput.connection(with: .video), connection.isVideoRotationAngleSupported(90) {
                connection.videoRotationAngle = 90
            }
            photoOutput.capturePhoto(with: settings, delegate: self)
        }
    }
}

extension StreamCamera: AVCapturePhotoCaptureDelegate, AVCaptureVideoDataOutputSampleBufferDelegate {
    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        if let error { return logger.error("photo: \(error.localizedDescription)") }
        addToPhotos?(photo)
    }

    func captureOutput(_ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection) {
        guard let buffer = sampleBuffer.imageBuffer else { return }
        if connection.isVideoRotationAngleSupported(90) { connection.videoRotationAngle = 90 }
        addToPreview?(CIImage(cvPixelBuffer: buffer))
    }
}

/// Model of the view: the newest picture, and the photos that it puts into the library.
@MainActor
final class StreamModel: ObservableObject {
    struct Photo {
        let thumbnail: CGImage
        let thumbnailSize: CGSize
        let data: Data
        let size: CGSize
        let orientation: CGImagePropertyOrientation
    }

    let camera = StreamCamera()
    @Published private(set) var viewfinder: CGImage?
    @Published private(set) var shown = 0
    @Published private(set) var photos: [Photo] = []
    private let context = CIContext(options: [.cacheIntermediates: false])
    private var tasks: [Task<Void, Never>] = []

    init() {
        tasks = [
            Task { [weak self, previews = camera.previews] in
                for await image in previews {
                    self?.viewfinder = self?.context.createCGImage(image, from: image.extent)
                    self?.shown += 1
                }
            },
            Task { [weak self, photos = camera.photos] in
                for await photo in photos.compactMap({ Self.unpack($0) }) { self?.photos.append(photo) }
            },
        ]
    }

    deinit { tasks.forEach { $0.cancel() } }

    nonisolated private static func unpack(_ photo: AVCapturePhoto) -> Photo? {
        guard let data = photo.fileDataRepresentation(), let thumbnail = photo.previewCGImageRepresentation(),
            let value = photo.metadata[String(kCGImagePropertyOrientation)] as? UInt32, let orientation = CGImagePropertyOrientation(rawValue: value)
        else { return nil }
        let (size, small) = (photo.resolvedSettings.photoDimensions, photo.resolvedSettings.previewDimensions)
        return Photo(
            thumbnail: thumbnail, thumbnailSize: CGSize(width: Int(small.width), height: Int(small.height)), data: data,
            size: CGSize(width: Int(size.width), height: Int(size.height)), orientation: orientation)
    }

    /// Puts a photo into the library; returns its identifier.
    func save(_ photo: Photo) async throws -> String? {
        guard await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized else { return nil }
        nonisolated(unsafe) var identifier: String?
        try await PHPhotoLibrary.shared().performChanges {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .photo, data: photo.data, options: nil)
            request.creationDate = Date()
            identifier = request.placeholderForCreatedAsset?.localIdentifier
        }
        return identifier
    }
}
