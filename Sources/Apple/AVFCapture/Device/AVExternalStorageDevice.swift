import Foundation

/// Drive at a phone's port that movies can be recorded to. There is none here: for code that looks for one.
open class AVExternalStorageDevice: NSObject, @unchecked Sendable {
    override init() {}

    /// Name to show to people.
    open var displayName: String? { nil }
    /// Free space in bytes.
    open var freeSize: Int { 0 }
    /// Whole space in bytes.
    open var totalSize: Int { 0 }
    /// Whether the drive is still there.
    open var isConnected: Bool { false }
    /// Identifier of the drive.
    open var uuid: UUID? { nil }
    /// Whether the drive is too slow for a recording.
    open var isNotRecommendedForCaptureUse: Bool { true }

    /// Returns a file for each extension, by DCF's rules; throws, as there is no drive.
    open func nextAvailableURLs(withPathExtensions extensionArray: [String]) throws -> [URL] { throw AVError(.deviceNotConnected) }

    /// Permission of the app to write to drives: `.denied`, as there are none.
    open class var authorizationStatus: AVAuthorizationStatus { .denied }
    /// Asks the user: says no at once, on a queue of Dispatch's.
    open class func requestAccess(completionHandler handler: @escaping (Bool) -> Void) {
        nonisolated(unsafe) let handler = handler
        DispatchQueue.global().async { handler(false) }
    }
    /// Asks the user: says no at once.
    open class func requestAccess() async -> Bool { false }
}

/// Drives at a phone's port. No phone here takes one: there is no such session.
public final class AVExternalStorageDeviceDiscoverySession: NSObject, _KeyValueObservable, Sendable {
    /// Observers of the object.
    public let _observers = _KeyValueObservers()

    private override init() {}

    /// Session of the app: nil, as on a phone without support.
    public class var shared: AVExternalStorageDeviceDiscoverySession? { nil }
    /// Whether the phone takes drives: no.
    public class var isSupported: Bool { false }
    /// Drives that are there.
    public var externalStorageDevices: [AVExternalStorageDevice] { [] }
}
