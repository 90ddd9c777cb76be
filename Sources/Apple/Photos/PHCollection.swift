import Foundation

/// Collection of assets or of other collections.
open class PHCollection: PHObject, @unchecked Sendable {
    /// Name.
    open var localizedTitle: String? { nil }
    /// Whether assets can be in it.
    open var canContainAssets: Bool { false }
    /// Whether collections can be in it.
    open var canContainCollections: Bool { false }

    /// Returns the albums of apps, oldest first; none without permission.
    public class func fetchTopLevelUserCollections(with options: PHFetchOptions?) -> PHFetchResult<PHCollection> {
        let choice = options?.choice(by: FetchKey.ofCollections)
        return PHFetchResult(from: PhotoLibraryFolder.readable) { library in
            let albums = library.albums.filter { $0.kind == .albumRegular }.map { PHAssetCollection($0) }
            return choice?(albums) ?? albums
        }
    }

    /// Returns the collections of a folder of albums: none.
    public class func fetchCollections(in collectionList: PHCollectionList, options: PHFetchOptions?) -> PHFetchResult<PHCollection> {
        PHFetchResult()
    }
}

/// Kind of a folder of albums.
public enum PHCollectionListType: Int, Sendable {
    /// Moments of a year or a place.
    case momentList = 1
    /// Folder of the user.
    case folder = 2
    /// Folder that fills itself.
    case smartFolder = 3
}

/// Finer kind of a folder of albums.
public enum PHCollectionListSubtype: Int, Sendable {
    /// Moments of a place.
    case momentListCluster = 1
    /// Moments of a year.
    case momentListYear = 2
    /// Folder of the user.
    case regularFolder = 100
    /// Folder of events.
    case smartFolderEvents = 200
    /// Folder of faces.
    case smartFolderFaces = 201
    /// Any.
    case any = 9_223_372_036_854_775_807
}

/// Folder of albums; a library has none.
public final class PHCollectionList: PHCollection, @unchecked Sendable {
    /// Makes the folder of nothing.
    public convenience init() { self.init(localIdentifier: "") }

    /// Returns the folders of albums: none.
    public class func fetchCollectionLists(
        with collectionListType: PHCollectionListType, subtype: PHCollectionListSubtype, options: PHFetchOptions?
    ) -> PHFetchResult<PHCollectionList> { PHFetchResult() }
}
