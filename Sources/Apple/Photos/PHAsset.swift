import Foundation
import ImageIO

/// Kind of an asset.
public enum PHAssetMediaType: Int, Sendable {
    /// Another file.
    case unknown = 0
    /// Picture.
    case image = 1
    /// Movie.
    case video = 2
    /// Sound.
    case audio = 3
}

/// Special kinds of pictures and movies.
public struct PHAssetMediaSubtype: OptionSet, Sendable {
    /// Bits as Apple numbers them.
    public let rawValue: UInt
    /// Makes a set of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Panorama; never here.
    public static let photoPanorama = Self(rawValue: 1)
    /// Picture of high dynamic range; never here.
    public static let photoHDR = Self(rawValue: 2)
    /// Picture of the screen; never here.
    public static let photoScreenshot = Self(rawValue: 4)
    /// Picture with a movie around it.
    public static let photoLive = Self(rawValue: 8)
    /// Picture with depth; never here: files are not asked for it.
    public static let photoDepthEffect = Self(rawValue: 16)
    /// Slow motion; never here.
    public static let videoHighFrameRate = Self(rawValue: 1 << 17)
    /// Movie faster than life; never here.
    public static let videoTimelapse = Self(rawValue: 1 << 18)
    /// Cinematic movie; never here: files are not asked for it.
    public static let videoCinematic = Self(rawValue: 1 << 21)
}

/// Picture, movie or sound of the library, as it was when it was fetched.
public final class PHAsset: PHObject, @unchecked Sendable {
    /// Kind, by the extension of its first file.
    public let mediaType: PHAssetMediaType
    /// Special kinds.
    public let mediaSubtypes: PHAssetMediaSubtype
    /// Time at which it was made: that of its request, else of its file.
    public let creationDate: Date?
    /// Time of the last change of its file.
    public let modificationDate: Date?
    /// Place at which it was made, where its request had one.
    public let location: CLLocation?
    /// Whether the user has it among the favourites.
    public let isFavorite: Bool
    /// Whether the user hides it; never here.
    public let isHidden = false
    /// Length in seconds; 0 also for movies, which are not opened.
    public let duration: TimeInterval = 0
    let record: PhotoLibraryFolder.Asset
    let folder: URL
    var files: [URL] { record.files.map { folder.appendingPathComponent($0.name) } }

    init(_ record: PhotoLibraryFolder.Asset, in folder: URL) {
        self.record = record
        self.folder = folder
        let types = record.files.map { PHAssetMediaType(fileName: $0.name) }
        mediaType = types.first { $0 != .unknown } ?? .unknown
        mediaSubtypes = mediaType == .image && types.contains(.video) ? .photoLive : []
        let first = record.files.first.map { folder.appendingPathComponent($0.name).path }
        let attributes = first.flatMap { try? FileManager.default.attributesOfItem(atPath: $0) }
        modificationDate = attributes?[.modificationDate] as? Date
        creationDate = record.creationDate ?? attributes?[.modificationDate] as? Date
        location = record.location
        isFavorite = record.isFavorite
        super.init(localIdentifier: record.identifier)
    }

    private var pixels: (width: Int, height: Int) {
        guard mediaType == .image, let file = files.first, let source = CGImageSourceCreateWithURL(file as CFURL, nil),
            let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)?.named
        else { return (0, 0) }
        let isTurned = (properties["Orientation"] as? Int ?? 1) > 4
        let (width, height) = (properties["PixelWidth"] as? Int ?? 0, properties["PixelHeight"] as? Int ?? 0)
        return isTurned ? (height, width) : (width, height)
    }
    /// Width in pixels, upright; 0 where the file is no JPEG or PNG.
    public var pixelWidth: Int { pixels.width }
    /// Height in pixels, upright; 0 where the file is no JPEG or PNG.
    public var pixelHeight: Int { pixels.height }

    /// Returns all assets, by age unless the options say otherwise; none without permission.
    public class func fetchAssets(with options: PHFetchOptions?) -> PHFetchResult<PHAsset> { fetch(options) { _ in { _ in true } } }

    /// Returns the assets of a kind; none without permission.
    public class func fetchAssets(with mediaType: PHAssetMediaType, options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        fetch(options) { _ in { $0.mediaType == mediaType } }
    }

    /// Returns the assets of these identifiers that are there; none without permission.
    public class func fetchAssets(withLocalIdentifiers identifiers: [String], options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        fetch(options) { _ in { identifiers.contains($0.localIdentifier) } }
    }

    /// Returns the assets of an album; none without permission.
    public class func fetchAssets(in assetCollection: PHAssetCollection, options: PHFetchOptions?) -> PHFetchResult<PHAsset> {
        let album = assetCollection.localIdentifier
        return fetch(options) { library in
            let members = Set(library.album(album)?.members ?? [])
            return { members.contains($0.localIdentifier) }
        }
    }

    private class func fetch(_ options: PHFetchOptions?, _ isMeant: @escaping (PhotoLibraryFolder) -> (PHAsset) -> Bool) -> PHFetchResult<PHAsset> {
        let choice = options?.choice(by: FetchKey.ofAssets)
        return PHFetchResult(from: PhotoLibraryFolder.readable) { library in
            let assets = library.assets.map { PHAsset($0, in: library.folder) }.filter(isMeant(library))
            let byAge = assets.sorted {
                ($0.creationDate ?? .distantPast, $0.localIdentifier) < ($1.creationDate ?? .distantPast, $1.localIdentifier)
            }
            return choice?(byAge) ?? byAge
        }
    }

    override func now(in library: PhotoLibraryFolder) -> PHObject? {
        library.assets.first { $0.identifier == localIdentifier }.map { PHAsset($0, in: library.folder) }
    }

    override var content: [AnyHashable?] {
        let place = location.map { [$0.coordinate.latitude, $0.coordinate.longitude, $0.altitude] }
        return [record.files.map(\.name), creationDate, modificationDate, isFavorite, place]
    }
}

extension PHAssetMediaType {
    /// Kind of a file, by the extension of its name.
    init(fileName: String) {
        switch URL(fileURLWithPath: "/" + fileName).pathExtension.lowercased() {
        case "jpg", "jpeg", "png", "heic", "heif", "dng", "tif", "tiff", "gif": self = .image
        case "mov", "mp4", "m4v": self = .video
        case "m4a", "wav", "caf", "aac": self = .audio
        default: self = .unknown
        }
    }
}
