import AVFCapture
import Foundation

extension AVMetadataItem: AVAsynchronousKeyValueLoading {}

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
