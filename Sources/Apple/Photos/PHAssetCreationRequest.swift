import Foundation
import Synchronization

/// Kind of a file that belongs to an asset.
public enum PHAssetResourceType: Int, Sendable {
    /// Picture.
    case photo = 1
    /// Movie.
    case video = 2
    /// Sound.
    case audio = 3
    /// Second file of a picture, such as raw data.
    case alternatePhoto = 4
    /// Picture as the user edited it; like whatever else an edit leaves, in no asset but of an app that adds it.
    case fullSizePhoto = 5
    /// Movie as the user edited it.
    case fullSizeVideo = 6
    /// Description of an edit.
    case adjustmentData = 7
    /// Picture that an edit began with.
    case adjustmentBasePhoto = 8
    /// Movie of a Live Photo.
    case pairedVideo = 9
    /// Movie of a Live Photo as the user edited it.
    case fullSizePairedVideo = 10
    /// Movie of a Live Photo that an edit began with.
    case adjustmentBasePairedVideo = 11
    /// Movie that an edit began with.
    case adjustmentBaseVideo = 12
    /// Proxy of a photo of deferred processing.
    case photoProxy = 19

    /// Kind of a file that no app of the test made; nil for what is neither picture, movie nor sound.
    init?(_ kind: PHAssetMediaType, besidePicture: Bool) {
        switch kind {
        case .image: self = besidePicture ? .alternatePhoto : .photo
        case .video: self = besidePicture ? .pairedVideo : .video
        case .audio: self = .audio
        case .unknown: return nil
        }
    }
}

/// Wishes for the file of a resource.
public final class PHAssetResourceCreationOptions: NSObject, @unchecked Sendable {
    /// Name of the file, its last component; nil for `IMG_` and a number. One that is taken gets these in front.
    public var originalFilename: String?
    /// Identifier of the content's type, which the resource gives back; nil for that of the file's name.
    public var uniformTypeIdentifier: String?
    /// Whether the file moves into the library; default false: it is copied.
    public var shouldMoveFile = false

    /// Makes options without a wish.
    public override init() {}
}

/// Wish for a new asset, made within a change of the library.
open class PHAssetCreationRequest: PHAssetChangeRequest, @unchecked Sendable {
    fileprivate enum Content {
        case data(Data)
        case file(URL)
    }

    fileprivate struct Resource {
        let type: PHAssetResourceType
        let content: Content
        let options: PHAssetResourceCreationOptions?
    }

    private let resources = Mutex<[Resource]>([])
    /// Makes a request within `performChanges`; outside of one it is never met.
    public class func forAsset() -> PHAssetCreationRequest {
        let request = PHAssetCreationRequest(nil)
        PHPhotoLibrary.change?.add(.create(request))
        return request
    }

    /// Adds a file of bytes.
    open func addResource(
        with type: PHAssetResourceType, data: Data, options: PHAssetResourceCreationOptions?
    ) {
        add(Resource(type: type, content: .data(data), options: options))
    }

    /// Adds a copy of a file, or the file itself where the options say so.
    open func addResource(
        with type: PHAssetResourceType, fileURL: URL, options: PHAssetResourceCreationOptions?
    ) {
        add(Resource(type: type, content: .file(fileURL), options: options))
    }

    private func add(_ resource: Resource) { resources.withLock { $0.append(resource) } }

    /// Writes the files of requests, all or none, and makes them assets of the library.
    static func write(_ requests: [PHAssetCreationRequest], to library: PhotoLibraryFolder) throws {
        let files = FileManager.default
        let staging = library.folder.appendingPathComponent(".\(UUID().uuidString)")
        try files.createDirectory(at: staging, withIntermediateDirectories: false)
        var moved: [URL] = []
        do {
            let staged = try stage(requests, in: staging, for: library)
            for file in staged.joined() {
                let target = library.folder.appendingPathComponent(file.name)
                try files.moveItem(at: staging.appendingPathComponent(file.name), to: target)
                moved.append(target)
            }
            for (request, files) in zip(requests, staged) { library.keep(request, files: files) }
        } catch {
            for target in moved { try files.removeItem(at: target) }
            try files.removeItem(at: staging)
            throw error
        }
        try files.removeItem(at: staging)
        for request in requests {
            for case .file(let source) in request.resources.withLock({
                $0.filter { $0.options?.shouldMoveFile == true }.map(\.content)
            }) {
                // The asset is in the library, whether its source goes or not.
                try? files.removeItem(at: source)
            }
        }
    }

    /// Writes the files of requests into a folder; returns those of each.
    private static func stage(
        _ requests: [PHAssetCreationRequest], in staging: URL, for library: PhotoLibraryFolder
    ) throws -> [[PhotoLibraryFolder.File]] {
        let files = FileManager.default
        var all: [[PhotoLibraryFolder.File]] = []
        for request in requests {
            var staged: [PhotoLibraryFolder.File] = []
            let resources = request.resources.withLock { $0 }
            guard !resources.isEmpty, Set(resources.map(\.type)).count == resources.count else {
                throw PHPhotosError(.invalidResource)
            }
            let number = library.takeNumber()
            for resource in resources {
                let wish = resource.name(number)
                let isTaken =
                    (all.joined() + staged).contains { $0.name == wish }
                    || files.fileExists(atPath: library.folder.appendingPathComponent(wish).path)
                let name = isTaken ? PhotoLibraryFolder.stem(number) + "-" + wish : wish
                let target = staging.appendingPathComponent(name)
                switch resource.content {
                case .data(let data): try data.write(to: target)
                case .file(let source): try files.copyItem(at: source, to: target)
                }
                guard try files.attributesOfItem(atPath: target.path)[.size] as? Int != 0 else { throw PHPhotosError(.invalidResource) }
                if let date = request.creationDate {
                    try files.setAttributes(
                        [.creationDate: date, .modificationDate: date], ofItemAtPath: target.path)
                }
                let contentType = resource.options?.uniformTypeIdentifier
                staged.append(PhotoLibraryFolder.File(name: name, type: resource.type, originalName: wish, contentType: contentType))
            }
            all.append(staged)
        }
        return all
    }
}

extension PHAssetCreationRequest.Resource {
    /// Name of the file of an asset with a number.
    fileprivate func name(_ number: Int) -> String {
        if let name = options?.originalFilename, !name.isEmpty { return URL(fileURLWithPath: "/" + name).lastPathComponent }
        let stem = PhotoLibraryFolder.stem(number)
        switch content {
        case .file(let url): return stem + "." + url.pathExtension.uppercased()
        case .data(let data): return stem + "." + Self.fileExtension(of: data, type)
        }
    }

    /// Extension by the first bytes, else by the kind.
    private static func fileExtension(of data: Data, _ type: PHAssetResourceType) -> String {
        if data.starts(with: [0xFF, 0xD8]) { return "JPG" }
        if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "PNG" }
        switch type {
        case .photo, .photoProxy, .fullSizePhoto, .adjustmentBasePhoto: return "HEIC"
        case .alternatePhoto: return "DNG"
        case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBaseVideo, .adjustmentBasePairedVideo: return "MOV"
        case .audio: return "M4A"
        case .adjustmentData: return "AAE"
        }
    }
}
