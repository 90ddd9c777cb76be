import Foundation

/// Property of what is fetched, as sort descriptors and predicates name it.
struct FetchKey<Object> {
    let name: String
    let path: PartialKeyPath<Object>
    let value: (Object) -> Any

    init<Value>(_ name: String, _ path: KeyPath<Object, Value>) {
        (self.name, self.path) = (name, path)
        value = { $0[keyPath: path] }
    }
}

// Foundation sorts by what is comparable, which optionals are not.
extension PHAsset {
    fileprivate var creationOrder: Date { creationDate ?? .distantPast }
    fileprivate var modificationOrder: Date { modificationDate ?? .distantPast }
}

extension PHAssetCollection {
    fileprivate var titleOrder: String { localizedTitle ?? "" }
}

extension FetchKey<PHAsset> {
    static var ofAssets: [Self] {
        [
            Self("creationDate", \.creationOrder), Self("modificationDate", \.modificationOrder), Self("mediaType", \.mediaType.rawValue),
            Self("mediaSubtypes", \.mediaSubtypes.rawValue), Self("duration", \.duration), Self("pixelWidth", \.pixelWidth),
            Self("pixelHeight", \.pixelHeight), Self("isFavorite", \.isFavorite), Self("favorite", \.isFavorite), Self("isHidden", \.isHidden),
            Self("localIdentifier", \.localIdentifier),
        ]
    }
}

extension FetchKey<PHAssetCollection> {
    static var ofCollections: [Self] {
        [
            Self("localizedTitle", \.titleOrder), Self("title", \.titleOrder), Self("estimatedAssetCount", \.estimatedAssetCount),
            Self("localIdentifier", \.localIdentifier),
        ]
    }
}

extension NSSortDescriptor {
    /// Makes an order by a property of assets or albums, by its name: Foundation has key paths alone here. Ends the program for another name.
    public convenience init(key: String?, ascending: Bool) {
        switch key {
        case "creationDate": self.init(keyPath: \PHAsset.creationOrder, ascending: ascending)
        case "modificationDate": self.init(keyPath: \PHAsset.modificationOrder, ascending: ascending)
        case "mediaType": self.init(keyPath: \PHAsset.mediaType.rawValue, ascending: ascending)
        case "duration": self.init(keyPath: \PHAsset.duration, ascending: ascending)
        case "pixelWidth": self.init(keyPath: \PHAsset.pixelWidth, ascending: ascending)
        case "pixelHeight": self.init(keyPath: \PHAsset.pixelHeight, ascending: ascending)
        case "localizedTitle", "title": self.init(keyPath: \PHAssetCollection.titleOrder, ascending: ascending)
        case "estimatedAssetCount": self.init(keyPath: \PHAssetCollection.estimatedAssetCount, ascending: ascending)
        default: preconditionFailure("NSSortDescriptor(key:ascending:) knows properties of PHAsset and PHAssetCollection here, not \(key ?? "nil")")
        }
    }
}

enum FetchValue {
    /// Order of numbers, texts and dates; nil comes first, what cannot be compared is the same.
    static func compare(_ a: Any?, _ b: Any?) -> ComparisonResult {
        guard let a, let b else { return a == nil ? (b == nil ? .orderedSame : .orderedAscending) : .orderedDescending }
        if let a = a as? String, let b = b as? String { return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending }
        guard let a = number(a), let b = number(b) else { return .orderedSame }
        return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
    }

    /// A number as it is, a date in seconds, true as 1.
    static func number(_ value: Any) -> Double? {
        switch value {
        case let value as Bool: value ? 1 : 0
        case let value as any BinaryInteger: Double(value)
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as Date: value.timeIntervalSinceReferenceDate
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }
}
