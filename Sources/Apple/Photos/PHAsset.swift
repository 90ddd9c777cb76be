import AVFoundation
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
    /// Picture or movie for two eyes; never here.
    public static let spatialMedia = Self(rawValue: 1 << 10)
    /// Movie of the screen; never here.
    public static let videoScreenRecording = Self(rawValue: 1 << 15)
    /// Slow motion; never here.
    public static let videoHighFrameRate = Self(rawValue: 1 << 17)
    /// Movie faster than life; never here.
    public static let videoTimelapse = Self(rawValue: 1 << 18)
    /// Cinematic movie: one with disparity beside its pictures.
    public static let videoCinematic = Self(rawValue: 1 << 21)
}

/// Place that an asset comes from.
public struct PHAssetSourceType: OptionSet, Sendable {
    /// Bits as Apple numbers them.
    public let rawValue: UInt
    /// Makes a set of bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The user's own.
    public static let typeUserLibrary = Self(rawValue: 1)
    /// A shared album; never here.
    public static let typeCloudShared = Self(rawValue: 2)
    /// A computer; never here.
    public static let typeiTunesSynced = Self(rawValue: 4)
}

/// Kind of edit of an asset.
public enum PHAssetEditOperation: Int, Sendable {
    /// Deleting it.
    case delete = 1
    /// Editing its picture or movie.
    case content = 2
    /// Changing its date, place or whether it is a favourite.
    case properties = 3
}

/// Picture, movie or sound of the library, as it was when it was fetched.
public final class PHAsset: PHObject, @unchecked Sendable {
    /// Kind, by the extension of its first file.
    public let mediaType: PHAssetMediaType
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
    /// Place that it comes from: the user's.
    public let sourceType = PHAssetSourceType.typeUserLibrary
    /// Identifier of its burst; never here.
    public let burstIdentifier: String? = nil
    /// Whether it stands for a burst; never here.
    public let representsBurst = false
    /// Whether the user edited it, by an app's `PHContentEditingOutput`.
    public var hasAdjustments: Bool { record.edit != nil }
    let record: PhotoLibraryFolder.Asset
    let folder: URL
    /// Movie or sound, opened when something of it is first asked for; nil for a picture.
    private let media: AVURLAsset?
    /// Movie; nil for others.
    var video: AVURLAsset? { mediaType == .video ? media : nil }
    var files: [URL] { record.files.map { folder.appendingPathComponent($0.name) } }
    /// File with the user's edit, else the first; nil for an asset of no file.
    var current: URL? { (record.edit?.file ?? record.files.first).map { folder.appendingPathComponent($0.name) } }

    init(_ record: PhotoLibraryFolder.Asset, in folder: URL) {
        self.record = record
        self.folder = folder
        mediaType = record.mediaType
        let first = (record.edit?.file ?? record.files.first).map { folder.appendingPathComponent($0.name) }
        media = [.video, .audio].contains(mediaType) ? first.map { AVURLAsset(url: $0) } : nil
        let attributes = first.flatMap { try? FileManager.default.attributesOfItem(atPath: $0.path) }
        modificationDate = attributes?[.modificationDate] as? Date
        creationDate = record.creationDate ?? attributes?[.modificationDate] as? Date
        location = record.location
        isFavorite = record.isFavorite
        super.init(localIdentifier: record.identifier)
    }

    /// Makes the asset of no file.
    public convenience init() { self.init(PhotoLibraryFolder.Asset(identifier: "", files: []), in: URL(fileURLWithPath: "/")) }

    /// Special kinds; a cinematic movie is known as one where the environment has a reader of movies.
    public var mediaSubtypes: PHAssetMediaSubtype {
        if record.isLivePhoto { return .photoLive }
        return video?.tracks(withMediaType: .auxiliaryPicture).isEmpty == false ? .videoCinematic : []
    }

    private var pixels: CGSize {
        if let track = video?.tracks(withMediaType: .video).first {
            return CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform).size
        }
        guard mediaType == .image, let file = current, let source = CGImageSourceCreateWithURL(file as CFURL, nil) else { return .zero }
        return source.uprightSize ?? .zero
    }
    /// Width in pixels, upright; 0 where the file is neither JPEG nor PNG nor a movie that can be read.
    public var pixelWidth: Int { Int(pixels.width) }
    /// Height in pixels, upright; 0 where the file is neither JPEG nor PNG nor a movie that can be read.
    public var pixelHeight: Int { Int(pixels.height) }
    /// Length in seconds; 0 for a picture, and for what cannot be read.
    public var duration: TimeInterval { media.map(\.duration).flatMap { $0.isNumeric ? $0.seconds : nil } ?? 0 }

    /// Way in which an asset is shown.
    public enum PlaybackStyle: Int, Sendable {
        /// In no way.
        case unsupported = 0
        /// As a picture.
        case image = 1
        /// As an animated picture.
        case imageAnimated = 2
        /// As a picture with a movie.
        case livePhoto = 3
        /// As a movie.
        case video = 4
        /// As a movie that begins anew at its end; never here.
        case videoLooping = 5
    }

    /// Way in which it is shown; a GIF is taken for animated.
    public var playbackStyle: PlaybackStyle {
        switch mediaType {
        case .video: .video
        case .image: mediaSubtypes.contains(.photoLive) ? .livePhoto : files.first?.pathExtension.lowercased() == "gif" ? .imageAnimated : .image
        case .audio, .unknown: .unsupported
        }
    }

    /// Whether an edit is possible: that of the content of pictures and movies, but for Live Photos; the others of all.
    public func canPerform(_ editOperation: PHAssetEditOperation) -> Bool {
        editOperation != .content || [.image, .video].contains(mediaType) && !record.isLivePhoto
    }

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
        let (album, own) = (assetCollection.localIdentifier, assetCollection.isTransient ? assetCollection.members : [])
        return fetch(options) { library in
            let members = Set(library.album(album)?.members ?? own)
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
        return [record.allFiles.map(\.name), creationDate, modificationDate, isFavorite, place]
    }
}

extension CGImageSource {
    /// Orientation of the first picture.
    var orientation: CGImagePropertyOrientation {
        let number = CGImageSourceCopyPropertiesAtIndex(self, 0, nil)?.named["Orientation"] as? Int
        return number.flatMap { CGImagePropertyOrientation(rawValue: UInt32($0)) } ?? .up
    }

    /// Size of the first picture in pixels, upright; nil for what is no JPEG or PNG.
    var uprightSize: CGSize? {
        let properties = CGImageSourceCopyPropertiesAtIndex(self, 0, nil)?.named
        guard let width = properties?["PixelWidth"] as? Int, let height = properties?["PixelHeight"] as? Int else { return nil }
        return orientation.rawValue > 4 ? CGSize(width: height, height: width) : CGSize(width: width, height: height)
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
