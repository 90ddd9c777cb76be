import CoreMedia
import Foundation
import Synchronization

/// Name of a metadata item: its key space and its key.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    /// Key space and key, with a slash between.
    public let rawValue: String
    /// Makes a name from a key space and a key with a slash between; not checked.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Makes a name from a key space and a key with a slash between; not checked.
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    /// Title, in any format.
    public static let commonIdentifierTitle = Self("comn/title")
    /// Date of creation, in any format.
    public static let commonIdentifierCreationDate = Self("comn/creationDate")
    /// Place of the recording, in any format.
    public static let commonIdentifierLocation = Self("comn/location")
    /// Program that made the movie, in any format.
    public static let commonIdentifierSoftware = Self("comn/software")
    /// Maker of the camera, in any format.
    public static let commonIdentifierMake = Self("comn/make")
    /// Model of the camera, in any format.
    public static let commonIdentifierModel = Self("comn/model")
    /// Author, in any format.
    public static let commonIdentifierAuthor = Self("comn/author")
    /// Description of the content, in any format.
    public static let commonIdentifierDescription = Self("comn/description")

    /// Title, in a QuickTime file.
    public static let quickTimeMetadataTitle = Self("mdta/com.apple.quicktime.title")
    /// Date of creation in ISO 8601, in a QuickTime file.
    public static let quickTimeMetadataCreationDate = Self("mdta/com.apple.quicktime.creationdate")
    /// Place of the recording as ISO 6709 writes it, in a QuickTime file.
    public static let quickTimeMetadataLocationISO6709 = Self("mdta/com.apple.quicktime.location.ISO6709")
    /// Program that made the movie, in a QuickTime file.
    public static let quickTimeMetadataSoftware = Self("mdta/com.apple.quicktime.software")
    /// Maker of the camera, in a QuickTime file.
    public static let quickTimeMetadataMake = Self("mdta/com.apple.quicktime.make")
    /// Model of the camera, in a QuickTime file.
    public static let quickTimeMetadataModel = Self("mdta/com.apple.quicktime.model")
    /// Author, in a QuickTime file.
    public static let quickTimeMetadataAuthor = Self("mdta/com.apple.quicktime.author")
    /// Description of the content, in a QuickTime file.
    public static let quickTimeMetadataDescription = Self("mdta/com.apple.quicktime.description")
    /// Comment, in a QuickTime file.
    public static let quickTimeMetadataComment = Self("mdta/com.apple.quicktime.comment")
    /// Copyright notice, in a QuickTime file.
    public static let quickTimeMetadataCopyright = Self("mdta/com.apple.quicktime.copyright")
    /// Identifier that a movie shares with the picture of its Live Photo, in a QuickTime file.
    public static let quickTimeMetadataContentIdentifier = Self("mdta/com.apple.quicktime.content.identifier")
    /// Place of the recording in a QuickTime file's user data, which files here do not keep.
    public static let quickTimeUserDataLocationISO6709 = Self("udta/©xyz")
}

/// One named value of a movie's metadata.
open class AVMetadataItem: NSObject, @unchecked Sendable {
    fileprivate let content = Mutex(Content())

    fileprivate struct Content: @unchecked Sendable {
        var identifier: AVMetadataIdentifier?
        /// Never changed in place: `AVMutableMetadataItem` takes a copy.
        var value: (any NSCopying & NSObjectProtocol)?
        var language: String?
        var locale: Locale?
        var attributes = Attributes()
        var dataType: String?
        var time = CMTime.invalid
        var duration = CMTime.invalid
        /// Until the other half of a name comes.
        var keySpace: AVMetadataKeySpace?
        var key: String?
    }

    /// Never changed in place.
    fileprivate struct Attributes: @unchecked Sendable {
        var values: [AVMetadataExtraAttributeKey: Any]?
    }

    /// Name of the item; nil for an item that no file keeps.
    open var identifier: AVMetadataIdentifier? { content.withLock { $0.identifier } }
    /// Name space of the key, before the identifier's slash; nil without one.
    open var keySpace: AVMetadataKeySpace? { identifier?.parts.map { AVMetadataKeySpace(rawValue: $0.keySpace) } ?? pending.keySpace }
    /// Key within its name space, after the identifier's slash; nil without one.
    open var key: (any NSCopying & NSObjectProtocol)? { (identifier?.parts?.key ?? pending.key).map { NSString(string: $0) } }
    /// Halves of a name of which one is still missing.
    fileprivate var pending: (keySpace: AVMetadataKeySpace?, key: String?) { content.withLock { ($0.keySpace, $0.key) } }
    /// Text, number or date; nil where none was set.
    open var value: (any NSCopying & NSObjectProtocol)? { content.withLock { $0 }.value }
    /// Language of the value as a BCP 47 tag; nil for none.
    open var extendedLanguageTag: String? { content.withLock { $0.language } }

    /// Region and language of the value; nil for none.
    open var locale: Locale? { content.withLock { $0.locale } }
    /// Further properties that a format has; nil for none. Files here keep none.
    open var extraAttributes: [AVMetadataExtraAttributeKey: Any]? { content.withLock { $0.attributes.values } }

    /// Name of the value's type, one of `kCMMetadataBaseDataType_…`; nil when unknown.
    open var dataType: String? { content.withLock { $0.dataType } }
    /// Value as bytes; nil for other values.
    open var dataValue: Data? { (value as? NSData).map { Data(referencing: $0) } }
    /// Time from which the value holds; `.invalid` for all of the movie.
    open var time: CMTime { content.withLock { $0.time } }
    /// Length of the time for which the value holds; `.invalid` for all of the movie.
    open var duration: CMTime { content.withLock { $0.duration } }
    /// Key within the name space of all formats; nil for an item that is not in it.
    open var commonKey: AVMetadataKey? {
        common?.identifier?.parts.map { AVMetadataKey(rawValue: $0.key) }
    }

    /// Value as text, a date in ISO 8601; nil for other values.
    open var stringValue: String? {
        switch value {
        case let text as NSString: String(describing: text)
        case let number as NSNumber: number.stringValue
        case let date as NSDate: Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate).ISO8601Format()
        default: nil
        }
    }

    /// Value as a number; nil for other values.
    open var numberValue: NSNumber? { value as? NSNumber }
    /// Value as a date, also from text in ISO 8601; nil for other values.
    open var dateValue: Date? {
        (value as? NSDate).map { Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }
            ?? stringValue.flatMap { try? Date($0, strategy: .iso8601) }
    }

    /// Key and text as a QuickTime file keeps them; nil for an item that it does not keep.
    package var quickTimeEntry: (key: String, text: String)? {
        guard let identifier, let text = stringValue, let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
        let key = String(identifier.rawValue[identifier.rawValue.index(after: slash)...])
        switch identifier.rawValue[..<slash] {
        case "mdta": return (key, text)
        case "comn" where key == "location": return ("com.apple.quicktime.location.ISO6709", text)
        case "comn": return ("com.apple.quicktime." + key.lowercased(), text)
        default: return nil
        }
    }
}

/// Metadata item to be filled in.
open class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    /// Name of the item; nil at first.
    open override var identifier: AVMetadataIdentifier? {
        get { super.identifier }
        set { content.withLock { $0.identifier = newValue } }
    }

    /// Value of the item; files keep texts, numbers and dates. Nil at first; a set value is copied.
    open override var value: (any NSCopying & NSObjectProtocol)? {
        get { super.value }
        set {
            let copy = Content(value: newValue?.copy(with: nil) as? any NSCopying & NSObjectProtocol)
            content.withLock { $0.value = copy.value }
        }
    }

    /// Name of the value's type, one of `kCMMetadataBaseDataType_…`; nil at first.
    open override var dataType: String? {
        get { super.dataType }
        set { content.withLock { $0.dataType = newValue } }
    }

    /// Time from which the value holds; `.invalid` at first.
    open override var time: CMTime {
        get { super.time }
        set { content.withLock { $0.time = newValue } }
    }

    /// Length of the time for which the value holds; `.invalid` at first.
    open override var duration: CMTime {
        get { super.duration }
        set { content.withLock { $0.duration = newValue } }
    }

    /// Language of the value as a BCP 47 tag; nil for none.
    open override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { content.withLock { $0.language = newValue } }
    }

    /// Region and language of the value; nil for none. No file keeps it.
    open override var locale: Locale? {
        get { super.locale }
        set { content.withLock { $0.locale = newValue } }
    }

    /// Further properties that a format has; nil for none. No file keeps them.
    open override var extraAttributes: [AVMetadataExtraAttributeKey: Any]? {
        get { super.extraAttributes }
        set {
            let attributes = Attributes(values: newValue)
            content.withLock { $0.attributes = attributes }
        }
    }

    /// Name space of the key; nil at first. Together with a key it makes the identifier.
    open override var keySpace: AVMetadataKeySpace? {
        get { super.keySpace }
        set { name(newValue, key.map(String.init(describing:))) }
    }

    /// Key within its name space, as text; nil at first. Together with a name space it makes the identifier.
    open override var key: (any NSCopying & NSObjectProtocol)? {
        get { super.key }
        set { name(keySpace, newValue.map(String.init(describing:))) }
    }

    private func name(_ keySpace: AVMetadataKeySpace?, _ key: String?) {
        content.withLock { content in
            content.keySpace = keySpace
            content.key = key
            content.identifier = if let keySpace, let key { AVMetadataIdentifier("\(keySpace.rawValue)/\(key)") } else { nil }
        }
    }
}
