import Foundation

/// Kind of collection.
public enum PHAssetCollectionType: Int, Sendable {
    /// Album of the user or an app.
    case album = 1
    /// Album that fills itself; there is one, of all assets.
    case smartAlbum = 2
}

/// Finer kind of collection; all are found as `.any`.
public enum PHAssetCollectionSubtype: Int, Sendable {
    /// Album of the user or an app.
    case albumRegular = 2
    /// All assets.
    case smartAlbumUserLibrary = 209
    /// Any.
    case any = 9_223_372_036_854_775_807
}

/// Album of the library, as it was when it was fetched; those that apps make last as long as the `PhotoLibraryFolder`.
public final class PHAssetCollection: PHObject, @unchecked Sendable {
    /// Name.
    public let localizedTitle: String?
    /// Kind.
    public let assetCollectionType: PHAssetCollectionType
    /// Finer kind.
    public let assetCollectionSubtype: PHAssetCollectionSubtype
    /// Number of assets.
    public let estimatedAssetCount: Int
    private let members: [String]

    init(_ album: PhotoLibraryFolder.Album) {
        localizedTitle = album.title
        assetCollectionType = album.isSmart ? .smartAlbum : .album
        assetCollectionSubtype = album.isSmart ? .smartAlbumUserLibrary : .albumRegular
        (members, estimatedAssetCount) = (album.members, album.members.count)
        super.init(localIdentifier: album.identifier)
    }

    /// Returns the albums of a kind, oldest first; none without permission.
    public class func fetchAssetCollections(
        with type: PHAssetCollectionType, subtype: PHAssetCollectionSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHAssetCollection> {
        fetch(options) { $0.assetCollectionType == type && (subtype == .any || subtype == $0.assetCollectionSubtype) }
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
    public class func deleteAssetCollections(_ assetCollections: NSArray) {
        PHPhotoLibrary.change?.add(.deleteAlbums(assetCollections.compactMap { ($0 as? PHObject)?.localIdentifier }))
    }

    /// Adds assets, or stand-ins of assets that the same change makes.
    open func addAssets(_ assets: NSArray) {
        PHPhotoLibrary.change?.add(.addMembers(assets.compactMap { ($0 as? PHObject)?.localIdentifier }, identifier))
    }

    /// Removes assets from the album; they stay in the library.
    open func removeAssets(_ assets: NSArray) {
        PHPhotoLibrary.change?.add(.removeMembers(assets.compactMap { ($0 as? PHObject)?.localIdentifier }, identifier))
    }
}
