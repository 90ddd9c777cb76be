import AVFoundation
import ImageIO
import Observation
import UIKit

// A still camera that a SwiftUI view observes, as a stranger writes it.

/// Camera of a view: two lenses where the phone films with both at once, else the one that the user chose; raw, HEIC and JPEG as the phone has them.
@MainActor
@Observable
final class StillStudio: NSObject {
    enum Lens: CaseIterable { case wide, ultraWide, front }
    enum Format: CaseIterable { case raw, heic, jpeg }
    enum Failure: Error { case noLens(Lens), notAllowed }

    /// A photo with what the gallery shows of it.
    struct Shot: Identifiable {
        let id: Int64
        let data: Data
        let thumbnail: UIImage?
        /// Light that it let in, seconds times ISO.
        let exposure: Double
        let isRaw: Bool
    }

    private(set) var shots: [Shot] = []
    private(set) var lens = Lens.wide
    private(set) var isReady = false
    @ObservationIgnored nonisolated let session: AVCaptureSession
    @ObservationIgnored private let output = AVCapturePhotoOutput()
    @ObservationIgnored private var camera: AVCaptureDevice?
    @ObservationIgnored private var takes: [Int64: Take] = [:]
    @ObservationIgnored private var readiness: AVCapturePhotoOutputReadinessCoordinator?

    override init() {
        session = AVCaptureMultiCamSession.isMultiCamSupported ? AVCaptureMultiCamSession() : AVCaptureSession()
        super.init()
    }

    func start() async throws {
        if AVCaptureDevice.authorizationStatus(for: .video) == .notDetermined { _ = await AVCaptureDevice.requestAccess(for: .video) }
        guard AVCaptureDevice.authorizationStatus(for: .video) == .authorized else { throw Failure.notAllowed }
        try use(.wide)
        let readiness = AVCapturePhotoOutputReadinessCoordinator(photoOutput: output)
        readiness.delegate = self
        self.readiness = readiness
        await Task.detached { [session] in session.startRunning() }.value
        isReady = true
    }

    /// Puts another lens in; the one before stays where there is none.
    func use(_ lens: Lens) throws {
        let (type, position): (AVCaptureDevice.DeviceType, AVCaptureDevice.Position) =
            switch lens {
            case .wide: (.builtInWideAngleCamera, .back)
            case .ultraWide: (.builtInUltraWideCamera, .back)
            case .front: (.builtInTrueDepthCamera, .front)
            }
        guard let camera = AVCaptureDevice.default(type, for: .video, position: position) else { throw Failure.noLens(lens) }
        session.beginConfiguration()
        defer { session.commitConfiguration() }
        if session.canSetSessionPreset(.photo) { session.sessionPreset = .photo }
        let before = session.inputs
        before.forEach(session.removeInput)
        let input = try AVCaptureDeviceInput(device: camera)
        guard session.canAddInput(input) else {
            before.forEach(session.addInput)
            throw Failure.noLens(lens)
        }
        session.addInput(input)
        if !session.outputs.contains(output), session.canAddOutput(output) { session.addOutput(output) }
        output.maxPhotoQualityPrioritization = .balanced
        output.maxPhotoDimensions = camera.activeFormat.supportedMaxPhotoDimensions.last ?? output.maxPhotoDimensions
        (self.camera, self.lens) = (camera, lens)
    }

    /// Formats that the phone has.
    var formats: [Format] {
        Format.allCases.filter { format in
            switch format {
            case .raw: !output.availableRawPhotoPixelFormatTypes.isEmpty
            case .heic: output.availablePhotoCodecTypes.contains(.hevc)
            case .jpeg: output.availablePhotoCodecTypes.contains(.jpeg)
            }
        }
    }

    func settings(for format: Format) -> AVCapturePhotoSettings {
        let settings: AVCapturePhotoSettings
        switch format {
        case .raw where !output.availableRawPhotoPixelFormatTypes.isEmpty:
            settings = AVCapturePhotoSettings(
                rawPixelFormatType: output.availableRawPhotoPixelFormatTypes[0], processedFormat: [AVVideoCodecKey: AVVideoCodecType.hevc])
        case .raw,
            .heic where output.availablePhotoCodecTypes.contains(.hevc):
            settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.hevc])
        default: settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        }
        if let codec = settings.availableEmbeddedThumbnailPhotoCodecTypes.first {
            settings.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: codec, AVVideoWidthKey: 160, AVVideoHeightKey: 120]
        }
        if let preview = settings.availablePreviewPhotoPixelFormatTypes.first {
            settings.previewPhotoFormat = [
                kCVPixelBufferPixelFormatTypeKey as String: preview, kCVPixelBufferWidthKey as String: 160, kCVPixelBufferHeightKey as String: 160,
            ]
        }
        settings.maxPhotoDimensions = output.maxPhotoDimensions
        settings.photoQualityPrioritization = .balanced
        settings.flashMode = output.supportedFlashModes.contains(.auto) ? .auto : .off
        return settings
    }

    /// Takes a photo; it stands among the shots when this returns.
    func shoot(_ format: Format) async throws -> Shot { try await take(settings(for: format))[0] }

    /// Takes one photo under, one at and one over the exposure that is metered.
    func bracket(by stops: Float) async throws -> [Shot] {
        let biases = [-stops, 0, stops].prefix(output.maxBracketedCapturePhotoCount)
        let steps = biases.map { AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0) }
        return try await take(
            AVCapturePhotoBracketSettings(rawPixelFormatType: 0, processedFormat: [AVVideoCodecKey: AVVideoCodecType.hevc], bracketedSettings: steps))
    }

    private func take(_ settings: AVCapturePhotoSettings) async throws -> [Shot] {
        if let angle = camera.map({ AVCaptureDevice.RotationCoordinator(device: $0, previewLayer: nil).videoRotationAngleForHorizonLevelCapture }),
            let connection = output.connection(with: .video), connection.isVideoRotationAngleSupported(angle)
        {
            connection.videoRotationAngle = angle
        }
        readiness?.startTrackingCaptureRequest(using: settings)
        let photos = try await withCheckedThrowingContinuation { continuation in
            let take = Take(continuation)
            takes[settings.uniqueID] = take
            output.capturePhoto(with: settings, delegate: take)
        }
        takes[settings.uniqueID] = nil
        let taken = await withTaskGroup(of: (Int, Shot?).self) { group in
            for (place, photo) in photos.enumerated() { group.addTask { (place, await Self.shot(photo)) } }
            var all: [(Int, Shot?)] = []
            for await one in group { all.append(one) }
            return all.sorted { $0.0 < $1.0 }.compactMap(\.1)
        }
        shots += taken
        return taken
    }

    nonisolated private static func shot(_ photo: AVCapturePhoto) async -> Shot? {
        guard let data = photo.fileDataRepresentation() else { return nil }
        let picture = await UIImage(data: data)?.byPreparingThumbnail(ofSize: CGSize(width: 120, height: 120))
        let exif = photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any]
        let time = exif?[kCGImagePropertyExifExposureTime as String] as? Double ?? 0
        let speed = (exif?[kCGImagePropertyExifISOSpeedRatings as String] as? [Int])?.first ?? 0
        return Shot(
            id: photo.resolvedSettings.uniqueID, data: data, thumbnail: picture, exposure: time * Double(speed), isRaw: photo.isRawPhoto)
    }
}

extension StillStudio: AVCapturePhotoOutputReadinessCoordinatorDelegate {
    nonisolated func readinessCoordinator(
        _ coordinator: AVCapturePhotoOutputReadinessCoordinator, captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
    ) {
        Task { @MainActor in isReady = captureReadiness == .ready }
    }
}

/// Photos of one request, until all are there.
private final class Take: NSObject, AVCapturePhotoCaptureDelegate {
    private let continuation: CheckedContinuation<[AVCapturePhoto], any Error>
    private var photos: [AVCapturePhoto] = []

    init(_ continuation: CheckedContinuation<[AVCapturePhoto], any Error>) { self.continuation = continuation }

    func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        if error == nil { photos.append(photo) }
    }

    func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) {
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: photos) }
    }
}
