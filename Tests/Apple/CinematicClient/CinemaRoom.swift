import AVFoundation
import Cinematic
import Observation
import Photos

/// An app's cinema, as it would be written for a phone: it films, keeps takes in the photo library, lists them, and cuts and focuses them anew.
@MainActor
@Observable
public final class CinemaRoom: NSObject {
    /// Take of the library.
    public struct Reel: Identifiable, Sendable {
        public let id: String
        public let length: TimeInterval
        public let size: CGSize
    }

    public enum Failure: Error {
        case denied, noCamera, notFilming, gone, cannotExport
    }

    public private(set) var reels: [Reel] = []
    public private(set) var subjects: [CGRect] = []
    public private(set) var script: CNScript?
    @ObservationIgnored public let session = AVCaptureSession()
    @ObservationIgnored private let movie = AVCaptureMovieFileOutput()
    @ObservationIgnored private let metadata = AVCaptureMetadataOutput()
    @ObservationIgnored private var input: AVCaptureDeviceInput?
    @ObservationIgnored private var onEnd: CheckedContinuation<URL, any Error>?
    @ObservationIgnored private var asset: AVAsset?

    /// Asks for the camera, and starts it in cinematic mode.
    public func open(aperture: Float) async throws {
        guard await AVCaptureDevice.requestAccess(for: .video) else { throw Failure.denied }
        let discovery = AVCaptureDevice.DiscoverySession(
            deviceTypes: [.builtInDualWideCamera, .builtInTrueDepthCamera, .builtInWideAngleCamera], mediaType: .video, position: .unspecified)
        let camera = discovery.devices.first { $0.formats.contains(where: \.isCinematicVideoCaptureSupported) }
        guard let camera, let format = camera.formats.first(where: \.isCinematicVideoCaptureSupported) else { throw Failure.noCamera }
        session.beginConfiguration()
        let input = try AVCaptureDeviceInput(device: camera)
        for input in [input, try AVCaptureDevice.default(for: .audio).map { try AVCaptureDeviceInput(device: $0) }].compactMap({ $0 })
        where session.canAddInput(input) { session.addInput(input) }
        try camera.lockForConfiguration()
        camera.activeFormat = format
        camera.unlockForConfiguration()
        if input.isCinematicVideoCaptureSupported {
            input.isCinematicVideoCaptureEnabled = true
            input.simulatedAperture = min(max(aperture, format.minSimulatedAperture), format.maxSimulatedAperture)
        }
        for output in [movie, metadata] where session.canAddOutput(output) { session.addOutput(output) }
        metadata.metadataObjectTypes = metadata.requiredMetadataObjectTypesForCinematicVideoCapture
        metadata.setMetadataObjectsDelegate(self, queue: .main)
        session.commitConfiguration()
        self.input = input
        session.startRunning()
    }

    public func film(to url: URL) {
        if let connection = movie.connection(with: .video), connection.isVideoRotationAngleSupported(0) { connection.videoRotationAngle = 0 }
        movie.startRecording(to: url, recordingDelegate: self)
    }

    /// Ends the take; its file is whole then.
    public func cut() async throws -> URL {
        guard movie.isRecording else { throw Failure.notFilming }
        return try await withCheckedThrowingContinuation { continuation in
            onEnd = continuation
            movie.stopRecording()
        }
    }

    public func focus(at point: CGPoint) throws {
        guard let camera = input?.device else { throw Failure.noCamera }
        try camera.lockForConfiguration()
        defer { camera.unlockForConfiguration() }
        camera.setCinematicVideoTrackingFocus(at: point, focusMode: .weak)
    }

    /// Moves a take into the photo library.
    public func keep(_ take: URL) async throws {
        guard await PHPhotoLibrary.requestAuthorization(for: .readWrite) == .authorized else { throw Failure.denied }
        try await PHPhotoLibrary.shared().performChanges {
            let options = PHAssetResourceCreationOptions()
            options.shouldMoveFile = true
            PHAssetCreationRequest.forAsset().addResource(with: .video, fileURL: take, options: options)
        }
        refresh()
    }

    /// Lists the cinematic takes, newest first.
    public func refresh() {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.videoCinematic.rawValue)
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
        var found: [Reel] = []
        PHAsset.fetchAssets(with: .video, options: options).enumerateObjects { asset, _, _ in
            found.append(Reel(id: asset.localIdentifier, length: asset.duration, size: CGSize(width: asset.pixelWidth, height: asset.pixelHeight)))
        }
        reels = found
    }

    /// Number of takes that the library's own album has.
    public var countOfAlbum: Int {
        PHAssetCollection.fetchAssetCollections(with: .smartAlbum, subtype: .smartAlbumCinematic, options: nil).firstObject.map {
            PHAsset.fetchAssets(in: $0, options: nil).count
        } ?? 0
    }

    /// Opens a take to edit it.
    public func edit(_ reel: Reel) async throws {
        guard let kept = PHAsset.fetchAssets(withLocalIdentifiers: [reel.id], options: nil).firstObject else { throw Failure.gone }
        let options = PHVideoRequestOptions()
        options.version = .original
        options.deliveryMode = .highQualityFormat
        let asset = await withCheckedContinuation { continuation in
            PHImageManager.default().requestAVAsset(forVideo: kept, options: options) { asset, _, _ in continuation.resume(returning: asset) }
        }
        guard let asset, await CNAssetInfo.isCinematic(asset: asset) else { throw Failure.gone }
        self.asset = asset
        script = try await CNScript(asset: asset)
    }

    /// Lets a subject be in focus from a time on.
    public func focus(onSubject number: Int, from time: CMTime) -> Bool {
        guard let frame = script?.frame(at: time, tolerance: CMTime(value: 1, timescale: 30)), frame.allDetections.indices.contains(number),
            let id = frame.allDetections[number].detectionID
        else { return false }
        return script?.addUserDecision(CNDecision(time: frame.time, detectionID: id, strong: true)) ?? false
    }

    /// Writes a part of the take as it is coded, and returns the changes that are its own.
    public func trim(to part: CMTimeRange, as url: URL) async throws -> CNScript.Changes {
        guard let asset, let script, let export = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough) else {
            throw Failure.cannotExport
        }
        export.timeRange = part
        try await export.export(to: url, as: .mov)
        return script.changes(trimmedBy: part)
    }
}

extension CinemaRoom: AVCaptureFileOutputRecordingDelegate {
    nonisolated public func fileOutput(
        _ output: AVCaptureFileOutput, didFinishRecordingTo outputFileURL: URL, from connections: [AVCaptureConnection], error: (any Error)?
    ) {
        Task { @MainActor in
            if let error { onEnd?.resume(throwing: error) } else { onEnd?.resume(returning: outputFileURL) }
            onEnd = nil
        }
    }
}

extension CinemaRoom: AVCaptureMetadataOutputObjectsDelegate {
    nonisolated public func metadataOutput(
        _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject], from connection: AVCaptureConnection
    ) {
        let boxes = metadataObjects.map(\.bounds)
        Task { @MainActor in subjects = boxes }
    }
}
