import AVFoundation
import Photos

// Cause: a library that is read back, files of its assets, changes that set variables outside of them, locations as a sequence, tokens that nobody keeps, subscribing on a
// queue.

/// Keeper of an app's takes in the photo library.
public actor TakeLibrary {
    /// Failure to keep a take.
    public enum Failure: Error {
        case unauthorized
    }

    /// Small pictures of what was kept.
    public nonisolated let thumbnails: AsyncStream<CGImage?>
    private let continuation: AsyncStream<CGImage?>.Continuation
    private let locations = CLLocationManager()

    public init() { (thumbnails, continuation) = AsyncStream.makeStream(of: CGImage?.self) }

    private var isAuthorized: Bool {
        get async {
            guard PHPhotoLibrary.authorizationStatus(for: .addOnly) == .notDetermined else {
                return PHPhotoLibrary.authorizationStatus(for: .addOnly) == .authorized
            }
            return await PHPhotoLibrary.requestAuthorization(for: .addOnly) == .authorized
        }
    }

    private var location: CLLocation? {
        get async throws {
            if locations.authorizationStatus == .notDetermined { locations.requestWhenInUseAuthorization() }
            return try await CLLocationUpdate.liveUpdates().first(where: { _ in true })?.location
        }
    }

    /// Keeps a picture's file, and makes its small picture.
    public func keep(_ file: Data) async throws {
        let location = try await location
        try await change {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .photo, data: file, options: nil)
            request.location = location
            return request.placeholderForCreatedAsset
        }
    }

    private func change(_ makeRequests: @Sendable @escaping () -> PHObjectPlaceholder?) async throws {
        guard await isAuthorized else { throw Failure.unauthorized }
        var placeholder: PHObjectPlaceholder?
        try await PHPhotoLibrary.shared().performChanges { placeholder = makeRequests() }
        guard let placeholder,
            let asset = PHAsset.fetchAssets(withLocalIdentifiers: [placeholder.localIdentifier], options: nil).firstObject
        else { return }
        show(asset)
    }

    /// Shows the newest take.
    public func showNewest() {
        let options = PHFetchOptions()
        options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        options.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.image.rawValue)
        if let asset = PHAsset.fetchAssets(with: options).lastObject { show(asset) }
    }

    /// Copies the movies and the raw files of what was kept into a folder, and says how many bytes the pictures have.
    public func export(to folder: URL) async throws -> Int {
        let options = PHAssetResourceRequestOptions()
        options.isNetworkAccessAllowed = true
        let assets = PHAsset.fetchAssets(with: nil)
        var size = 0
        for index in 0..<assets.count {
            let resources = PHAssetResource.assetResources(for: assets[index])
            for resource in resources where [.video, .fullSizeVideo, .pairedVideo, .alternatePhoto].contains(resource.type) {
                let target = folder.appendingPathComponent(resource.originalFilename)
                try await PHAssetResourceManager.default().writeData(for: resource, toFile: target, options: options)
            }
            if let picture = resources.first(where: { $0.type == .photo }) { size += try await data(of: picture, options).count }
        }
        return size
    }

    private func data(of resource: PHAssetResource, _ options: PHAssetResourceRequestOptions) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            var data = Data()
            PHAssetResourceManager.default().requestData(for: resource, options: options) {
                data.append($0)
            } completionHandler: { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: data) }
            }
        }
    }

    private func show(_ asset: PHAsset) {
        PHImageManager.default().requestImage(for: asset, targetSize: .init(width: 16, height: 16), contentMode: .default, options: nil) {
            [weak self] image, _ in
            guard let self, let image else { return }
            continuation.yield(image.cgImage)
        }
    }
}

/// Saver for a camera's delegate, with handlers on queues of the library's own.
public final class TakeSaver {
    private let results = PassthroughSubject<Bool, Never>()
    private var cancellables: Set<AnyCancellable> = []

    public init() {
        NotificationCenter.default.addObserver(forName: .AVCaptureSessionRuntimeError, object: nil, queue: .main) { _ in }
    }

    /// Saves a file, and says on a queue whether it is there.
    public func save(_ file: Data, then done: @escaping (Bool) -> Void) {
        results.subscribe(on: OperationQueue.main).receive(on: DispatchQueue.global()).sink(receiveValue: done).store(in: &cancellables)
        PHPhotoLibrary.requestAuthorization(for: .addOnly) { status in
            guard status == .authorized else { return self.results.send(false) }
            PHPhotoLibrary.shared().performChanges(
                {
                    PHAssetCreationRequest.forAsset().addResource(with: .photo, data: file, options: nil)
                }, completionHandler: { isDone, _ in self.results.send(isDone) })
        }
    }
}
