import Foundation
import Photos
import Synchronization
import Testing

/// Gallery of an app that keeps its fetch results up to date.
private final class Gallery: NSObject, PHPhotoLibraryChangeObserver {
    let assets: Mutex<PHFetchResult<PHAsset>>
    let albums: PHFetchResult<PHAssetCollection>
    private let changes = AsyncStream<PHChange>.makeStream()

    init(_ options: PHFetchOptions? = nil) {
        assets = Mutex(PHAsset.fetchAssets(with: .image, options: options))
        albums = PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil)
        super.init()
        PHPhotoLibrary.shared().register(self)
    }

    func photoLibraryDidChange(_ changeInstance: PHChange) { changes.continuation.yield(changeInstance) }

    /// The next change; nil once the gallery has ended.
    func next() async -> PHChange? { await changes.stream.first { _ in true } }
    func end() {
        PHPhotoLibrary.shared().unregisterChangeObserver(self)
        changes.continuation.finish()
    }
}

extension PhotoLibraryTests {
    private func add(_ second: Double) async throws -> String {
        let made = Mutex("")
        try await PHPhotoLibrary.shared().performChanges {
            let request = PHAssetCreationRequest.forAsset()
            request.creationDate = Date(timeIntervalSince1970: second)
            request.addResource(with: .photo, data: Self.jpeg, options: nil)
            made.withLock { $0 = request.placeholderForCreatedAsset?.localIdentifier ?? "" }
        }
        return made.withLock { $0 }
    }

    private func details(_ change: PHChange?, _ gallery: Gallery) throws -> PHFetchResultChangeDetails<PHAsset> {
        try gallery.assets.withLock { assets in
            let details = try #require(change?.changeDetails(for: assets))
            assets = details.fetchResultAfterChanges
            return details
        }
    }

    @Test("tells an observer what comes, changes and goes, and where in its fetch results")
    func observing() async throws {
        try await withLibrary(.authorized) { _ in
            _ = await PHPhotoLibrary.requestAuthorization(for: .readWrite)
            let library = PHPhotoLibrary.shared()
            let old = try await add(2000)
            let newestFirst = PHFetchOptions()
            newestFirst.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
            let gallery = Gallery(newestFirst)
            newestFirst.sortDescriptors = nil

            let new = try await add(3000)
            let arrival = try details(await gallery.next(), gallery)
            #expect(arrival.insertedIndexes == [0] && arrival.insertedObjects.map(\.localIdentifier) == [new])
            #expect(arrival.removedIndexes?.isEmpty == true && arrival.changedObjects.isEmpty && !arrival.hasMoves && arrival.hasIncrementalChanges)
            #expect(arrival.fetchResultBeforeChanges.count == 1 && arrival.fetchResultAfterChanges.count == 2)

            let asset = try #require(PHAsset.fetchAssets(withLocalIdentifiers: [old], options: nil).firstObject)
            try await library.performChanges {
                let request = PHAssetChangeRequest(for: asset)
                request.isFavorite = true
                request.creationDate = Date(timeIntervalSince1970: 4000)
            }
            let liking = await gallery.next()
            let liked = try #require(liking?.changeDetails(for: asset))
            #expect(liked.objectBeforeChanges === asset && liked.objectAfterChanges?.isFavorite == true && !liked.objectWasDeleted)
            #expect(liking?.changeDetails(for: gallery.albums) == nil)
            let change = try details(liking, gallery)
            #expect(change.changedIndexes == [0] && change.changedObjects.first?.localIdentifier == old && change.insertedObjects.isEmpty)
            var moves: [[Int]] = []
            change.enumerateMoves { moves.append([$0, $1]) }
            #expect(change.hasMoves && moves == [[1, 0]])

            try await library.performChanges { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
            let end = await gallery.next()
            let gone = try details(end, gallery)
            #expect(gone.removedIndexes == [0] && gone.removedObjects.first?.localIdentifier == old && !gone.hasMoves)
            #expect(end?.changeDetails(for: asset)?.objectWasDeleted == true)

            try await library.performChanges { PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "Takes") }
            let titling = await gallery.next()
            #expect(titling?.changeDetails(for: gallery.albums)?.insertedObjects.first?.localizedTitle == "Takes")
            #expect(gallery.assets.withLock { titling?.changeDetails(for: $0) } == nil)

            gallery.end()
            _ = try await add(5000)
            #expect(await gallery.next() == nil)
        }
    }

    @Test("tells nobody of another library's changes, nor of those that fail or change nothing")
    func notObserving() async throws {
        try await withLibrary(.authorized) { _ in
            let gallery = Gallery()
            try await withLibrary(.authorized) { _ in _ = try await add(1) }
            try await PHPhotoLibrary.shared().performChanges {}
            await #expect(throws: PHPhotosError.self) {
                try await PHPhotoLibrary.shared().performChanges { _ = PHAssetCreationRequest.forAsset() }
            }
            // The first and only change: changes come one after the other.
            _ = try await add(2)
            #expect(await gallery.next() != nil)
            gallery.end()
            #expect(await gallery.next() == nil)
        }
    }
}
