import Foundation

/// Name space of metadata keys.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
    /// Four-character code of the space, as text.
    public let rawValue: String
    /// Makes a space from its code; any code is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a space from its code; any code is accepted.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Keys that every format knows.
    public static let common = Self("comn")
    /// Keys of QuickTime's metadata.
    public static let quickTimeMetadata = Self("mdta")
    /// Keys of QuickTime's user data, which files here do not keep.
    public static let quickTimeUserData = Self("udta")
    /// Keys of ISO user data, which files here do not keep.
    public static let isoUserData = Self("uiso")
    /// Keys of iTunes, which files here do not keep.
    public static let iTunes = Self("itsk")
    /// Keys of ID3, which files here do not keep.
    public static let id3 = Self("org.id3")
}

/// Key of a metadata item within its name space.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
    /// Text of the key.
    public let rawValue: String
    /// Makes a key from its text; any text is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a key from its text; any text is accepted.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// Title, in any format.
    public static let commonKeyTitle = Self("title")
    /// Date of creation, in any format.
    public static let commonKeyCreationDate = Self("creationDate")
    /// Program that made the movie, in any format.
    public static let commonKeySoftware = Self("software")
    /// Maker of the camera, in any format.
    public static let commonKeyMake = Self("make")
    /// Model of the camera, in any format.
    public static let commonKeyModel = Self("model")
    /// Author, in any format.
    public static let commonKeyAuthor = Self("author")
    /// Description of the content, in any format.
    public static let commonKeyDescription = Self("description")
    /// Place of the recording, in any format.
    public static let commonKeyLocation = Self("location")
    /// Title, in a QuickTime file.
    public static let quickTimeMetadataKeyTitle = Self("com.apple.quicktime.title")
    /// Date of creation in ISO 8601, in a QuickTime file.
    public static let quickTimeMetadataKeyCreationDate = Self("com.apple.quicktime.creationdate")
    /// Place of the recording as ISO 6709 writes it, in a QuickTime file.
    public static let quickTimeMetadataKeyLocationISO6709 = Self("com.apple.quicktime.location.ISO6709")
    /// Program that made the movie, in a QuickTime file.
    public static let quickTimeMetadataKeySoftware = Self("com.apple.quicktime.software")
    /// Maker of the camera, in a QuickTime file.
    public static let quickTimeMetadataKeyMake = Self("com.apple.quicktime.make")
    /// Model of the camera, in a QuickTime file.
    public static let quickTimeMetadataKeyModel = Self("com.apple.quicktime.model")
    /// Author, in a QuickTime file.
    public static let quickTimeMetadataKeyAuthor = Self("com.apple.quicktime.author")
    /// Comment, in a QuickTime file.
    public static let quickTimeMetadataKeyComment = Self("com.apple.quicktime.comment")
    /// Copyright notice, in a QuickTime file.
    public static let quickTimeMetadataKeyCopyright = Self("com.apple.quicktime.copyright")
    /// Description of the content, in a QuickTime file.
    public static let quickTimeMetadataKeyDescription = Self("com.apple.quicktime.description")
    /// Identifier that a movie shares with the picture of its Live Photo, in a QuickTime file.
    public static let quickTimeMetadataKeyContentIdentifier = Self("com.apple.quicktime.content.identifier")
}

extension AVMetadataIdentifier {
    /// Name space and key, about the first slash; nil without one.
    var parts: (keySpace: String, key: String)? {
        guard let slash = rawValue.firstIndex(of: "/") else { return nil }
        return (String(rawValue[..<slash]), String(rawValue[rawValue.index(after: slash)...]))
    }
}

extension AVMetadataItem {
    /// Returns the identifier of a key in a name space; nil for a key that is no text.
    public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
        let text = (key as? AVMetadataKey)?.rawValue ?? (key as? String) ?? (key as? NSString).map(String.init(describing:))
        return text.map { AVMetadataIdentifier("\(keySpace.rawValue)/\($0)") }
    }

    /// Returns the name space of an identifier; nil for one without a slash.
    public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
        identifier.parts.map { AVMetadataKeySpace($0.keySpace) }
    }
}

/// Name of a further property of a metadata item.
public struct AVMetadataExtraAttributeKey: RawRepresentable, Hashable, Sendable {
    /// Text of the name.
    public let rawValue: String
    /// Makes a name from its text; any is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Place of a value that lies elsewhere.
    public static let valueURIKey = AVMetadataExtraAttributeKey(rawValue: "dataURI")
    /// Address of what the item stands for.
    public static let baseURIKey = AVMetadataExtraAttributeKey(rawValue: "baseURI")
    /// Further text of the value.
    public static let info = AVMetadataExtraAttributeKey(rawValue: "info")
}

// `AVMetadataKey.commonKeyTitle as NSString` and `as (NSCopying & NSObjectProtocol)?`, as an item's key is set.
extension AVMetadataKey: _ObjectiveCBridgeable {
    /// Text of the key, as Foundation's class.
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }
    /// Makes a key of a text.
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout AVMetadataKey?) {
        result = AVMetadataKey(rawValue: String(describing: source))
    }
    /// Makes a key of a text; always can.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout AVMetadataKey?) -> Bool {
        _forceBridgeFromObjectiveC(source, result: &result)
        return true
    }
    /// Makes a key of a text, an empty one of nil.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> AVMetadataKey {
        AVMetadataKey(rawValue: source.map { String(describing: $0) } ?? "")
    }
}
