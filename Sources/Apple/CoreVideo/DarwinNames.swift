import Foundation

// Small names that an app has on Apple's systems wherever Foundation is, and not on Linux.

/// Signed integer of the machine's word size.
public typealias NSInteger = Int
/// Unsigned integer of the machine's word size.
public typealias NSUInteger = UInt

/// A result code; 0 is success.
public typealias OSStatus = Int32
/// Result 0: success.
public let noErr: OSStatus = 0
/// Four-character code of four 8-bit characters, the first in the high byte.
public typealias OSType = UInt32
/// Four-character code, by its other name.
public typealias FourCharCode = UInt32

/// Nanoseconds in a second.
public let NSEC_PER_SEC: UInt64 = 1_000_000_000
/// Nanoseconds in a millisecond.
public let NSEC_PER_MSEC: UInt64 = 1_000_000
/// Nanoseconds in a microsecond.
public let NSEC_PER_USEC: UInt64 = 1_000
/// Microseconds in a second.
public let USEC_PER_SEC: UInt64 = 1_000_000

/// Largest number of single precision.
public let MAXFLOAT = Float.greatestFiniteMagnitude

/// Pointer to what a callee sets; without autorelease, as any.
public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer
/// Place for an error that a callee sets; nil where nobody asks.
public typealias NSErrorPointer = AutoreleasingUnsafeMutablePointer<NSError?>?

/// Runs `body` and returns its result; without autorelease there is no pool to drain here.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

extension CGFloat {
    /// Makes the number's value as a `Double`; nothing is cut off.
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
    /// Key of the bytes free for important data; equal to `volumeAvailableCapacityKey`, as nothing is purgeable here.
    public static var volumeAvailableCapacityForImportantUsageKey: URLResourceKey { .volumeAvailableCapacityKey }
}

extension URLResourceValues {
    /// Bytes free on the volume; nothing is ever purged to make room. Nil where the key was not fetched.
    public var volumeAvailableCapacityForImportantUsage: Int64? { volumeAvailableCapacity.map(Int64.init) }
}
