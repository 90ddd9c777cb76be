import Foundation

/// An error in a dictionary, as `AVCaptureSessionErrorKey` of a notification's, is both `as? AVError` and `as? NSError`, as on Apple's systems.
extension AVError: _ObjectiveCBridgeable {
    /// Error of Foundation's with the same number and details.
    public func _bridgeToObjectiveC() -> NSError { NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo) }
    /// Makes the error of one of Foundation's; nil unless it is of `AVFoundationErrorDomain` and has a known number.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) {
        result = source.domain == errorDomain && Code(rawValue: source.code) != nil ? AVError(_nsError: source) : nil
    }
    /// Makes the error of one of Foundation's, and says whether it is one.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout AVError?) -> Bool {
        _forceBridgeFromObjectiveC(source, result: &result)
        return result != nil
    }
    /// Makes the error of one of Foundation's; `unknown` of any other.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AVError {
        source.map { AVError(_nsError: $0) } ?? AVError(.unknown)
    }
}
