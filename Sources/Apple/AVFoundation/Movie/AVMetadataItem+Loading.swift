import CoreMedia
import Foundation

extension AVMetadataItem: AVAsynchronousKeyValueLoading {
    /// Returns those of some items that bear a name.
    public class func metadataItems(
        from metadataItems: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
    ) -> [AVMetadataItem] { metadataItems.filter { $0.identifier == identifier } }

    /// The item under its name in the name space of all formats; nil for one that has none there.
    var common: AVMetadataItem? {
        guard let parts = identifier?.parts else { return nil }
        if parts.keySpace == "comn" { return self }
        let names = ["creationdate": "creationDate", "location.ISO6709": "location"]
        let known = ["title", "software", "make", "model", "author", "description"]
        guard parts.keySpace == "mdta", parts.key.hasPrefix("com.apple.quicktime.") else { return nil }
        let name = String(parts.key.dropFirst("com.apple.quicktime.".count))
        guard let common = names[name] ?? (known.contains(name) ? name : nil) else { return nil }
        let item = AVMutableMetadataItem()
        (item.identifier, item.value, item.extendedLanguageTag) = (AVMetadataIdentifier("comn/\(common)"), value, extendedLanguageTag)
        return item
    }
}

extension AVPartialAsyncProperty where Root: AVMetadataItem {
    private static func property<Value>(_ read: @escaping (Root) throws -> Value) -> AVAsyncProperty<Root, Value> {
        AVAsyncProperty(isLoaded: { _ in true }, read)
    }

    /// Value; nil where none was set.
    public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> { property { $0.value } }
    /// Value as text; nil for other values.
    public static var stringValue: AVAsyncProperty<Root, String?> { property { $0.stringValue } }
    /// Value as a number; nil for other values.
    public static var numberValue: AVAsyncProperty<Root, NSNumber?> { property { $0.numberValue } }
    /// Value as a date; nil for other values.
    public static var dateValue: AVAsyncProperty<Root, Date?> { property { $0.dateValue } }
    /// Value as bytes; nil for other values.
    public static var dataValue: AVAsyncProperty<Root, Data?> { property { $0.dataValue } }
}
