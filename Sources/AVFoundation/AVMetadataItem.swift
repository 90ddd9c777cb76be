import Foundation
import Synchronization

/// The name of a metadata item: its key space and its key.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.init(rawValue: rawValue) }

    public static let commonIdentifierTitle = Self("comn/title")
    public static let commonIdentifierCreationDate = Self("comn/creationDate")
    public static let commonIdentifierLocation = Self("comn/location")
    public static let commonIdentifierSoftware = Self("comn/software")
    public static let commonIdentifierMake = Self("comn/make")
    public static let commonIdentifierModel = Self("comn/model")
    public static let commonIdentifierAuthor = Self("comn/author")
    public static let commonIdentifierDescription = Self("comn/description")

    public static let quickTimeMetadataTitle = Self("mdta/com.apple.quicktime.title")
    public static let quickTimeMetadataCreationDate = Self("mdta/com.apple.quicktime.creationdate")
    public static let quickTimeMetadataLocationISO6709 = Self("mdta/com.apple.quicktime.location.ISO6709")
    public static let quickTimeMetadataSoftware = Self("mdta/com.apple.quicktime.software")
    public static let quickTimeMetadataMake = Self("mdta/com.apple.quicktime.make")
    public static let quickTimeMetadataModel = Self("mdta/com.apple.quicktime.model")
    public static let quickTimeMetadataAuthor = Self("mdta/com.apple.quicktime.author")
    public static let quickTimeMetadataDescription = Self("mdta/com.apple.quicktime.description")
    public static let quickTimeMetadataComment = Self("mdta/com.apple.quicktime.comment")
    public static let quickTimeMetadataCopyright = Self("mdta/com.apple.quicktime.copyright")
}

/// One thing that a movie says of itself.
public class AVMetadataItem: NSObject, @unchecked Sendable {
    fileprivate let content = Mutex(Content())

    fileprivate struct Content: @unchecked Sendable {
        var identifier: AVMetadataIdentifier?
        /// Never changed in place: `AVMutableMetadataItem` takes a copy.
        var value: (any NSCopying & NSObjectProtocol)?
        var language: String?
    }

    public var identifier: AVMetadataIdentifier? { content.withLock { $0.identifier } }
    public var value: (any NSCopying & NSObjectProtocol)? { content.withLock { $0 }.value }
    /// BCP 47; nil for none.
    public var extendedLanguageTag: String? { content.withLock { $0.language } }

    /// The value as text: a date in ISO 8601.
    public var stringValue: String? {
        switch value {
        case let text as NSString: String(describing: text)
        case let number as NSNumber: number.stringValue
        case let date as NSDate: Date(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate).ISO8601Format()
        default: nil
        }
    }

    public var numberValue: NSNumber? { value as? NSNumber }
    public var dateValue: Date? {
        (value as? NSDate).map { Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }
            ?? stringValue.flatMap { try? Date($0, strategy: .iso8601) }
    }

    /// Key and text as a QuickTime file keeps them; nil for what it does not.
    var quickTimeEntry: (key: String, text: String)? {
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

/// A metadata item to be filled in.
public final class AVMutableMetadataItem: AVMetadataItem, @unchecked Sendable {
    public override var identifier: AVMetadataIdentifier? {
        get { super.identifier }
        set { content.withLock { $0.identifier = newValue } }
    }

    /// A text, a number or a date is what files keep.
    public override var value: (any NSCopying & NSObjectProtocol)? {
        get { super.value }
        set {
            let copy = Content(value: newValue?.copy(with: nil) as? any NSCopying & NSObjectProtocol)
            content.withLock { $0.value = copy.value }
        }
    }

    public override var extendedLanguageTag: String? {
        get { super.extendedLanguageTag }
        set { content.withLock { $0.language = newValue } }
    }
}
