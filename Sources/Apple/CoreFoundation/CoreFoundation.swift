@_exported import CoreVideo
import Foundation

// Core Foundation's names over Foundation's types, for camera code that imports the module. Toll-free bridging needs no cast here: a CFString is a
// String, a CFDictionary a dictionary. Functions that count references, and those over untyped pointers, are absent (Coverage.md).

/// Index into or count of a collection.
public typealias CFIndex = Int
/// Seconds since the start of 2001, UTC.
public typealias CFAbsoluteTime = CFTimeInterval
/// Set of options, a bit each.
public typealias CFOptionFlags = UInt
/// Foundation's value in place of Apple's CFDate.
public typealias CFDate = Date
/// Foundation's class in place of Apple's CFMutableDictionary.
public typealias CFMutableDictionary = NSMutableDictionary
/// Foundation's class in place of Apple's CFMutableArray.
public typealias CFMutableArray = NSMutableArray

/// Seconds from 1970 to 2001, both at their start, UTC.
public let kCFAbsoluteTimeIntervalSince1970: CFTimeInterval = 978_307_200

/// Returns the seconds since the start of 2001, UTC, by the system's clock.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date().timeIntervalSinceReferenceDate }

/// Returns the number of elements.
public func CFArrayGetCount(_ theArray: CFArray) -> CFIndex { theArray.count }
/// Returns the number of entries.
public func CFDictionaryGetCount(_ theDict: CFDictionary) -> CFIndex { theDict.count }
/// Returns the length in UTF-16 units.
public func CFStringGetLength(_ theString: CFString) -> CFIndex { theString.utf16.count }
/// Returns whether the value is true.
public func CFBooleanGetValue(_ boolean: CFBoolean) -> Bool { boolean }
