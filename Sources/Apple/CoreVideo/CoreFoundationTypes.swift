@_exported import Foundation

// Core Foundation's types. Apple bridges each to a class of Foundation without a call; here it is that class, so that `as CFString` of a text,
// `as CFDictionary` of a dictionary or an NSDictionary and `as String` of a constant hold, and references can be taken of all of them.

/// Foundation's class of texts in place of Apple's CFString.
public typealias CFString = NSString
/// Foundation's class of dictionaries in place of Apple's CFDictionary.
public typealias CFDictionary = NSDictionary
/// Foundation's class of dictionaries that change in place of Apple's CFMutableDictionary.
public typealias CFMutableDictionary = NSMutableDictionary
/// Foundation's class of arrays in place of Apple's CFArray.
public typealias CFArray = NSArray
/// Foundation's class of arrays that change in place of Apple's CFMutableArray.
public typealias CFMutableArray = NSMutableArray
/// Foundation's class of places of files in place of Apple's CFURL.
public typealias CFURL = NSURL
/// Foundation's class of bytes in place of Apple's CFData.
public typealias CFData = NSData
/// Foundation's class of bytes that change in place of Apple's CFMutableData.
public typealias CFMutableData = NSMutableData
/// Foundation's class of times in place of Apple's CFDate.
public typealias CFDate = NSDate
/// Foundation's class of numbers in place of Apple's CFNumber.
public typealias CFNumber = NSNumber
/// Foundation's class of numbers, which holds Booleans too, in place of Apple's CFBoolean.
public typealias CFBoolean = NSNumber
/// Any value, in place of a reference to a Core Foundation object.
public typealias CFTypeRef = Any
/// Length of time in seconds.
public typealias CFTimeInterval = Double
/// Seconds since the start of 2001, UTC.
public typealias CFAbsoluteTime = CFTimeInterval
/// Index into or count of a collection.
public typealias CFIndex = Int
/// Set of options, a bit each.
public typealias CFOptionFlags = UInt

/// The value true, as entries of attribute dictionaries name it; optional as on Apple's systems, and never nil.
public let kCFBooleanTrue: CFBoolean! = true
/// The value false, as entries of attribute dictionaries name it; optional as on Apple's systems, and never nil.
public let kCFBooleanFalse: CFBoolean! = false
/// Foundation's class of the value that stands for none, in place of Apple's CFNull.
public typealias CFNull = NSNull
/// The value that stands for none, as in properties to be left out; optional as on Apple's systems, and never nil.
public let kCFNull: CFNull! = NSNull()

/// Seconds from 1970 to 2001, both at their start, UTC.
public let kCFAbsoluteTimeIntervalSince1970: CFTimeInterval = 978_307_200

/// Returns the seconds since the start of 2001, UTC, by the system's clock.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

extension NSDictionary {
    /// Makes a dictionary of another one's entries, as of the properties that a function returned.
    public convenience init(dictionary otherDictionary: NSDictionary) { self.init(dictionary: otherDictionary as! [AnyHashable: Any]) }

    /// The entries under texts.
    package var named: [String: Any] { self as? [String: Any] ?? [:] }
}
