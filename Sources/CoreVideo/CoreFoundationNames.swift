import Foundation

/// Apple's string constants are CFStrings; here they are Swift strings, so that `as String` and `as CFString` both hold.
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public typealias CFArray = [Any]
public typealias CFNumber = NSNumber
public typealias CFBoolean = Bool
public typealias CFTypeRef = Any
public typealias CFTimeInterval = Double

public let kCFBooleanTrue: CFBoolean = true
public let kCFBooleanFalse: CFBoolean = false

public typealias NSInteger = Int
public typealias NSUInteger = UInt

/// A result code; 0 is success.
public typealias OSStatus = Int32
public let noErr: OSStatus = 0
/// A four-character code, as on Apple's systems.
public typealias OSType = UInt32
public typealias FourCharCode = UInt32

public let NSEC_PER_SEC: UInt64 = 1_000_000_000
public let NSEC_PER_MSEC: UInt64 = 1_000_000
public let NSEC_PER_USEC: UInt64 = 1_000
public let USEC_PER_SEC: UInt64 = 1_000_000

/// Runs `body`; objects die by themselves here.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

extension CGFloat {
    public init(truncating number: NSNumber) { self.init(number.doubleValue) }
}

extension URL {
    /// The user's folder for movies, whether or not it is there.
    public static var moviesDirectory: URL { userDirectory(.moviesDirectory) }
    /// The user's folder for documents, whether or not it is there.
    public static var documentsDirectory: URL { userDirectory(.documentDirectory) }

    private static func userDirectory(_ directory: FileManager.SearchPathDirectory) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first ?? FileManager.default.homeDirectoryForCurrentUser
    }
}

extension URLResourceKey {
    public static var volumeAvailableCapacityForImportantUsageKey: URLResourceKey { .volumeAvailableCapacityKey }
}

extension URLResourceValues {
    /// Bytes free; nothing is ever cleared away to make room.
    public var volumeAvailableCapacityForImportantUsage: Int64? { volumeAvailableCapacity.map(Int64.init) }
}
