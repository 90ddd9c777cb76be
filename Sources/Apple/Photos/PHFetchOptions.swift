import Foundation

/// Wishes for what a fetch returns.
public final class PHFetchOptions: NSObject {
    /// Condition; nil for none.
    public var predicate: NSPredicate?
    /// Order; nil for that of age. Descriptors by other properties than those that format strings name have no effect.
    public var sortDescriptors: [NSSortDescriptor]?
    /// Number of objects at most; 0 for all.
    public var fetchLimit = 0
    /// Whether hidden assets come, too; kept without effect.
    public var includeHiddenAssets = false
    /// Whether all pictures of a burst come, too; kept without effect.
    public var includeAllBurstAssets = false
    /// Sources of the assets; kept without effect, as all are the user's.
    public var includeAssetSourceTypes: PHAssetSourceType = []
    /// Whether changes of the result are told with their indexes; kept, as they always are.
    public var wantsIncrementalChangeDetails = true

    /// Choice among objects by what the options are now.
    func choice<Object: PHObject>(by keys: [FetchKey<Object>]) -> ([Object]) -> [Object] {
        let (predicate, descriptors, limit) = (predicate, sortDescriptors ?? [], fetchLimit)
        return { objects in
            var chosen = predicate.map { predicate in objects.filter { predicate.evaluate(with: $0) } } ?? objects
            for descriptor in descriptors.reversed() {
                guard let key = keys.first(where: { $0.path == descriptor.keyPath }) else { continue }
                let order: ComparisonResult = descriptor.ascending ? .orderedAscending : .orderedDescending
                // Stable, so that the last descriptor counts least.
                chosen = chosen.enumerated().sorted {
                    let compared = FetchValue.compare(key.value($0.element), key.value($1.element))
                    return compared == order || compared == .orderedSame && $0.offset < $1.offset
                }.map(\.element)
            }
            return limit > 0 ? Array(chosen.prefix(limit)) : chosen
        }
    }
}

/// Objects that a fetch returned, in order.
public final class PHFetchResult<ObjectType: AnyObject>: NSObject, @unchecked Sendable {
    let objects: [ObjectType]
    private let fetch: (PhotoLibraryFolder) -> [ObjectType]

    /// Fetches from a library; nothing from none.
    init(from library: PhotoLibraryFolder?, _ fetch: @escaping (PhotoLibraryFolder) -> [ObjectType]) {
        self.fetch = fetch
        objects = library.map(fetch) ?? []
    }

    /// Makes the result of no fetch: nothing.
    public override convenience init() { self.init(from: nil) { _ in [] } }

    /// The same fetch, from the library as it is now.
    func again(from library: PhotoLibraryFolder) -> PHFetchResult { PHFetchResult(from: library, fetch) }

    /// Number of the objects.
    public var count: Int { objects.count }
    /// First object; nil for none.
    public var firstObject: ObjectType? { objects.first }
    /// Last object; nil for none.
    public var lastObject: ObjectType? { objects.last }
    /// Returns an object; traps beyond the end.
    public func object(at index: Int) -> ObjectType { objects[index] }
    /// Object of an index; traps beyond the end.
    public subscript(index: Int) -> ObjectType { objects[index] }
    /// Returns the objects of the indexes; traps beyond the end.
    public func objects(at indexes: IndexSet) -> [ObjectType] { indexes.map { objects[$0] } }
    /// Whether an equal object is among them.
    public func contains(_ object: ObjectType) -> Bool { index(of: object) != NSNotFound }
    /// Returns the index of an equal object; `NSNotFound` for none.
    public func index(of object: ObjectType) -> Int {
        objects.firstIndex { $0 === object || ($0 as? NSObject)?.isEqual(object) == true } ?? NSNotFound
    }
    /// Hands every object with its index to a closure, which may stop.
    public func enumerateObjects(_ block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        var stop: ObjCBool = false
        for (index, object) in objects.enumerated() {
            block(object, index, &stop)
            if stop.boolValue { return }
        }
    }
}

extension PHFetchResult {
    /// Hands every object with its index to a closure, which may stop, from the last one with `.reverse`.
    public func enumerateObjects(options: NSEnumerationOptions = [], using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void) {
        enumerateObjects(at: IndexSet(0..<count), options: options, using: block)
    }

    /// Hands the objects of the indexes to a closure, which may stop, from the last one with `.reverse`.
    public func enumerateObjects(
        at indexes: IndexSet, options: NSEnumerationOptions = [], using block: (ObjectType, Int, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        var stop: ObjCBool = false
        for index in options.contains(.reverse) ? indexes.reversed() : Array(indexes) {
            block(self[index], index, &stop)
            if stop.boolValue { return }
        }
    }
}

extension PHFetchResult where ObjectType == PHAsset {
    /// Returns how many are of a kind.
    public func countOfAssets(with mediaType: PHAssetMediaType) -> Int { (0..<count).count { self[$0].mediaType == mediaType } }
}
