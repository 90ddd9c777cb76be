import Foundation

/// Receiver of changes of the library.
public protocol PHPhotoLibraryChangeObserver: NSObjectProtocol {
    /// Takes a change, on a queue of the library's own.
    func photoLibraryDidChange(_ changeInstance: PHChange)
}

/// Change of the library: what became of objects and fetch results from before it.
public final class PHChange: NSObject, Sendable {
    private let library: PhotoLibraryFolder

    init(of library: PhotoLibraryFolder) { self.library = library }

    /// Returns what became of an asset or album; nil where it is as it was.
    public func changeDetails<Object: PHObject>(for object: Object) -> PHObjectChangeDetails<Object>? {
        let now = object.now(in: library)
        return now?.content == object.content ? nil : PHObjectChangeDetails(object, now as? Object)
    }

    /// Returns what the same fetch gives now, and how that differs; nil where it does not.
    public func changeDetails<Object: PHObject>(for fetchResult: PHFetchResult<Object>) -> PHFetchResultChangeDetails<Object>? {
        let details = PHFetchResultChangeDetails(fetchResult, fetchResult.again(from: library))
        return details.isEmpty ? nil : details
    }
}

/// Change of an asset or album.
public final class PHObjectChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
    /// The object as it was fetched.
    public let objectBeforeChanges: ObjectType
    /// The object now; nil where it was deleted.
    public let objectAfterChanges: ObjectType?

    init(_ before: ObjectType, _ after: ObjectType?) { (objectBeforeChanges, objectAfterChanges) = (before, after) }

    /// Whether picture, movie or sound changed; never here: assets keep their files.
    public var assetContentChanged: Bool { false }
    /// Whether the library has it no more.
    public var objectWasDeleted: Bool { objectAfterChanges == nil }
}

/// Difference between a fetch result and the same fetch later.
public final class PHFetchResultChangeDetails<ObjectType: PHObject>: NSObject, @unchecked Sendable {
    /// The result as it was.
    public let fetchResultBeforeChanges: PHFetchResult<ObjectType>
    /// The result now.
    public let fetchResultAfterChanges: PHFetchResult<ObjectType>
    /// Indexes in the old result of what is no more in the new one.
    public let removedIndexes: IndexSet?
    /// Indexes in the new result of what was not in the old one.
    public let insertedIndexes: IndexSet?
    /// Indexes in the new result of what was in the old one and is not as it was.
    public let changedIndexes: IndexSet?
    private let moves: [(from: Int, to: Int)]

    init(_ before: PHFetchResult<ObjectType>, _ after: PHFetchResult<ObjectType>) {
        (fetchResultBeforeChanges, fetchResultAfterChanges) = (before, after)
        let (old, new) = (Dictionary(grouping: before.objects, by: \.localIdentifier), Set(after.objects.map(\.localIdentifier)))
        func isNew(_ object: ObjectType) -> Bool { old[object.localIdentifier] == nil }
        func isChanged(_ object: ObjectType) -> Bool { old[object.localIdentifier].map { $0[0].content != object.content } ?? false }
        func indexes(of result: PHFetchResult<ObjectType>, _ isMeant: (ObjectType) -> Bool) -> IndexSet {
            IndexSet(result.objects.indices.filter { isMeant(result[$0]) })
        }
        removedIndexes = indexes(of: before) { !new.contains($0.localIdentifier) }
        let inserted = indexes(of: after, isNew)
        insertedIndexes = inserted
        changedIndexes = indexes(of: after, isChanged)
        // In the old order, without what is gone and with what is new.
        var order = before.objects.map(\.localIdentifier).filter(new.contains)
        for index in inserted { order.insert(after[index].localIdentifier, at: index) }
        var moves: [(from: Int, to: Int)] = []
        for (to, object) in after.objects.enumerated() where order[to] != object.localIdentifier {
            guard let from = order.firstIndex(of: object.localIdentifier) else { continue }
            order.insert(order.remove(at: from), at: to)
            moves.append((from, to))
        }
        self.moves = moves
    }

    fileprivate var isEmpty: Bool { [removedIndexes, insertedIndexes, changedIndexes].allSatisfy { $0?.isEmpty != false } && moves.isEmpty }

    /// Whether the differences are known; always here.
    public var hasIncrementalChanges: Bool { true }
    /// Objects that are no more in the result.
    public var removedObjects: [ObjectType] { fetchResultBeforeChanges.objects(at: removedIndexes ?? []) }
    /// Objects that were not in the result.
    public var insertedObjects: [ObjectType] { fetchResultAfterChanges.objects(at: insertedIndexes ?? []) }
    /// Objects that are not as they were, as they are now.
    public var changedObjects: [ObjectType] { fetchResultAfterChanges.objects(at: changedIndexes ?? []) }
    /// Whether the objects of both results are in another order.
    public var hasMoves: Bool { !moves.isEmpty }
    /// Hands over each move, from one index to another, to be made one after the other once objects were removed and inserted.
    public func enumerateMoves(_ handler: (Int, Int) -> Void) { for move in moves { handler(move.from, move.to) } }
}
