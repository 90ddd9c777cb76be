import Foundation

/// Kind of collection.
public enum PHAssetCollectionType: Int, Sendable {
    /// Album of the user or an app.
    case album = 1
    /// Album that fills itself.
    case smartAlbum = 2
    /// Moments; never here.
    case moment = 3
}

/// Finer kind of collection. Smart albums are those of all assets, favourites, movies, Live Photos and cinematic movies; all are found as `.any` and `.albumRegular`.
public enum PHAssetCollectionSubtype: Int, Sendable {
    /// Album of the user or an app.
    case albumRegular = 2
    /// Event of iPhoto; never here.
    case albumSyncedEvent = 3
    /// Faces of iPhoto; never here.
    case albumSyncedFaces = 4
    /// Album of iPhoto; never here.
    case albumSyncedAlbum = 5
    /// Album of a camera; never here.
    case albumImported = 6
    /// My Photo Stream; never here.
    case albumMyPhotoStream = 100
    /// Shared album; never here.
    case albumCloudShared = 101
    /// Smart album of no finer kind; never here.
    case smartAlbumGeneric = 200
    /// Panoramas; never here.
    case smartAlbumPanoramas = 201
    /// Movies.
    case smartAlbumVideos = 202
    /// Favourites.
    case smartAlbumFavorites = 203
    /// Movies faster than life; never here.
    case smartAlbumTimelapses = 204
    /// Hidden assets; never here.
    case smartAlbumAllHidden = 205
    /// Assets of late; never here.
    case smartAlbumRecentlyAdded = 206
    /// Bursts; never here.
    case smartAlbumBursts = 207
    /// Slow motion; never here.
    case smartAlbumSlomoVideos = 208
    /// All assets.
    case smartAlbumUserLibrary = 209
    /// Pictures of the front camera; never here.
    case smartAlbumSelfPortraits = 210
    /// Pictures of the screen; never here.
    case smartAlbumScreenshots = 211
    /// Pictures with depth; never here.
    case smartAlbumDepthEffect = 212
    /// Live Photos.
    case smartAlbumLivePhotos = 213
    /// Animated pictures; never here.
    case smartAlbumAnimated = 214
    /// Long exposures; never here.
    case smartAlbumLongExposures = 215
    /// Assets that iCloud does not take; never here.
    case smartAlbumUnableToUpload = 216
    /// Raw pictures; never here.
    case smartAlbumRAW = 217
    /// Cinematic movies.
    case smartAlbumCinematic = 218
    /// Spatial pictures and movies; never here.
    case smartAlbumSpatial = 219
    /// Any.
    case any = 9_223_372_036_854_775_807
}

/// Album of the library, as it was when it was fetched; those that apps make last as long as the `PhotoLibraryFolder`.
public final class PHAssetCollection: PHCollection, @unchecked Sendable {
    private let title: String?
    /// Name.
    public override var localizedTitle: String? { title }
    /// True.
    public override var canContainAssets: Bool { true }
    /// Kind.
    public let assetCollectionType: PHAssetCollectionType
    /// Finer kind.
    public let assetCollectionSubtype: PHAssetCollectionSubtype
    /// Number of assets.
    public let estimatedAssetCount: Int
    /// Identifiers of the assets.
    let members: [String]
    /// Whether no library has it.
    let isTransient: Bool

    init(_ album: PhotoLibraryFolder.Album, isTransient: Bool = false) {
        title = album.title
        assetCollectionType = album.kind == .albumRegular ? .album : .smartAlbum
        assetCollectionSubtype = album.kind
        (members, estimatedAssetCount, self.isTransient) = (album.members, album.members.count, isTransient)
        super.init(localIdentifier: album.identifier)
    }

    /// Makes the album of nothing, without a name.
    public convenience init() { self.init(PhotoLibraryFolder.Album(identifier: "", title: ""), isTransient: true) }

    /// Makes an album of assets that no library has.
    public class func transientAssetCollection(with assets: [PHAsset], title: String?) -> PHAssetCollection {
        let members = assets.map(\.localIdentifier)
        return PHAssetCollection(
            PhotoLibraryFolder.Album(identifier: PHObject.newIdentifier(), title: title ?? "", members: members), isTransient: true)
    }

    /// Makes an album of what was fetched that no library has.
    public class func transientAssetCollection(withAssetFetchResult fetchResult: PHFetchResult<PHAsset>, title: String?) -> PHAssetCollection {
        transientAssetCollection(with: fetchResult.objects, title: title)
    }

    /// Returns the albums of a kind that have an asset, oldest first; none without permission.
    public class func fetchAssetCollectionsContaining(
        _ asset: PHAsset, with type: PHAssetCollectionType, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        let identifier = asset.localIdentifier
        return fetch(options) { $0.assetCollectionType == type && $0.members.contains(identifier) }
    }

    /// Returns the albums of a kind, oldest first; none without permission.
    public class func fetchAssetCollections(
        with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        fetch(options) { $0.assetCollectionType == type && ([.any, .albumRegular].contains(subtype) || subtype == $0.assetCollectionSubtype) }
    }

    /// Returns the albums of these identifiers that are there; none without permission.
    public class func fetchAssetCollections(
        withLocalIdentifiers identifiers: [String], options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> { fetch(options) { identifiers.contains($0.localIdentifier) } }

    private class func fetch(_ options: PHFetchOptions?, _ isMeant: @escaping (PHAssetCollection) -> Bool) -> PHFetchResult<PHAssetCollection> {
        let choice = options?.choice(by: FetchKey.ofCollections)
        return PHFetchResult(from: PhotoLibraryFolder.readable) { library in
            let albums = library.albums.map { PHAssetCollection($0) }.filter(isMeant)
            return choice?(albums) ?? albums
        }
    }

    override func now(in library: PhotoLibraryFolder) -> PHObject? { library.album(localIdentifier).map { PHAssetCollection($0) } }

    override var content: [AnyHashable?] { [localizedTitle, members] }
}

/// Wish for an album, made within a change of the library.
open class PHAssetCollectionChangeRequest: NSObject, @unchecked Sendable {
    /// Stand-in for an album to be made.
    public let placeholderForCreatedAssetCollection: PHObjectPlaceholder
    private let identifier: String

    private init(_ identifier: String?) {
        placeholderForCreatedAssetCollection = PHObjectPlaceholder()
        self.identifier = identifier ?? placeholderForCreatedAssetCollection.localIdentifier
    }

    /// Makes a request for a new album.
    @discardableResult
    public class func creationRequestForAssetCollection(withTitle title: String) -> PHAssetCollectionChangeRequest {
        let request = PHAssetCollectionChangeRequest(nil)
        PHPhotoLibrary.change?.add(.makeAlbum(request.identifier, title))
        return request
    }

    /// Makes a request for an album that is there; nil for one that cannot be changed.
    public convenience init?(for assetCollection: PHAssetCollection) {
        guard assetCollection.assetCollectionType == .album else { return nil }
        self.init(assetCollection.localIdentifier)
    }

    /// Makes a request for deleting albums; their assets stay.
    public class func deleteAssetCollections(_ assetCollections: any NSFastEnumeration) {
        PHPhotoLibrary.change?.add(.deleteAlbums(assetCollections.identifiers))
    }

    /// Adds assets, or stand-ins of assets that the same change makes.
    open func addAssets(_ assets: any NSFastEnumeration) {
        PHPhotoLibrary.change?.add(.addMembers(assets.identifiers, identifier))
    }

    /// Removes assets from the album; they stay in the library.
    open func removeAssets(_ assets: any NSFastEnumeration) {
        PHPhotoLibrary.change?.add(.removeMembers(assets.identifiers, identifier))
    }
}
