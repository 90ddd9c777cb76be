import Foundation

extension Dictionary where Key == String, Value == Any {
    /// Dictionary whose numbers and codecs are Foundation's, at every depth: a client's `as? UInt32`, `as? Int` and `as? NSNumber` of a number all succeed, as
    /// on Apple's systems, and `as? String` and `as? AVVideoCodecType` of a codec.
    package var bridged: [String: Any] { mapValues(Self.bridged) }

    private static func bridged(_ value: Any) -> Any {
        switch value {
        // A number of Swift's would be taken for one of Foundation's by `is NSNumber`, and one of Foundation's for a Boolean by `as Bool`.
        case _ where type(of: value) is AnyClass: value
        case let value as Bool: NSNumber(value: value)
        case let value as any BinaryFloatingPoint: NSNumber(value: Double(value))
        case let value as any BinaryInteger: Int64(exactly: value).map { NSNumber(value: $0) } ?? value
        case let value as AVVideoCodecType: value._bridgeToObjectiveC()
        case let value as [String: Any]: value.bridged
        case let value as [Any]: value.map(bridged)
        default: value
        }
    }
}

extension AVVideoCodecType: _ObjectiveCBridgeable {
    /// Text that a dictionary of Foundation's holds for the codec.
    public func _bridgeToObjectiveC() -> NSString { NSString(string: rawValue) }
    /// Makes the codec of a dictionary's text.
    public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout AVVideoCodecType?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }
    /// Makes the codec of a dictionary's text; every text is one.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout AVVideoCodecType?) -> Bool {
        result = _unconditionallyBridgeFromObjectiveC(source)
        return true
    }
    /// Makes the codec of a dictionary's text; that without a name of none.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> AVVideoCodecType {
        AVVideoCodecType(rawValue: source.map { String._unconditionallyBridgeFromObjectiveC($0) } ?? "")
    }
}
