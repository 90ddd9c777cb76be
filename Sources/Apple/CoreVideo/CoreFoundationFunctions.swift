import Foundation

/// Returns the number of elements.
public func CFArrayGetCount(_ theArray: CFArray) -> CFIndex { theArray.count }

/// Returns a reference to an element, not counted; nil for an index that there is none at.
///
/// The attachments of samples are the dictionaries themselves. Other arrays keep texts, numbers and collections as Swift's values: of these a
/// reference is made that is never freed.
public func CFArrayGetValueAtIndex(_ theArray: CFArray, _ idx: CFIndex) -> UnsafeRawPointer! {
    guard (0..<theArray.count).contains(idx) else { return nil }
    if let dictionaries = theArray as? DictionaryArray { return UnsafeRawPointer(Unmanaged.passUnretained(dictionaries.items[idx]).toOpaque()) }
    return UnsafeRawPointer(Unmanaged.passRetained(theArray.object(at: idx) as AnyObject).toOpaque())
}

/// Returns the number of entries.
public func CFDictionaryGetCount(_ theDict: CFDictionary) -> CFIndex { theDict.count }

/// Whether there is an entry under the key that the reference is of.
public func CFDictionaryContainsKey(_ theDict: CFDictionary, _ key: UnsafeRawPointer?) -> Bool { object(key).map { theDict[$0] != nil } ?? false }

/// Sets the entry under a key; both are given by reference, and kept.
public func CFDictionarySetValue(_ theDict: CFMutableDictionary, _ key: UnsafeRawPointer?, _ value: UnsafeRawPointer?) {
    guard let key = object(key), let value = object(value) else { return }
    theDict[key] = value
}

/// Removes the entry under the key that the reference is of; does nothing without one.
public func CFDictionaryRemoveValue(_ theDict: CFMutableDictionary, _ key: UnsafeRawPointer?) {
    if let key = object(key) { theDict.removeObject(forKey: key) }
}

/// Makes a copy that can be changed; nil for no dictionary. Allocator and capacity are ignored.
public func CFDictionaryCreateMutableCopy(_ allocator: CFAllocator?, _ capacity: CFIndex, _ theDict: CFDictionary?) -> CFMutableDictionary! {
    theDict?.mutableCopy() as? NSMutableDictionary
}

/// Makes bytes that can be changed; allocator and capacity are ignored.
public func CFDataCreateMutable(_ allocator: CFAllocator?, _ capacity: CFIndex) -> CFMutableData! { NSMutableData() }

/// Makes a copy of bytes; the allocator is ignored.
public func CFDataCreate(_ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>?, _ length: CFIndex) -> CFData! {
    NSData(bytes: bytes, length: length)
}

/// Returns the number of bytes.
public func CFDataGetLength(_ theData: CFData!) -> CFIndex { theData.length }

/// Returns the first byte; valid as long as the data are.
public func CFDataGetBytePtr(_ theData: CFData!) -> UnsafePointer<UInt8>! { theData.bytes.assumingMemoryBound(to: UInt8.self) }

/// Returns the first byte, to be changed; valid until the data are changed in another way.
public func CFDataGetMutableBytePtr(_ theData: CFMutableData!) -> UnsafeMutablePointer<UInt8>! {
    theData.mutableBytes.assumingMemoryBound(to: UInt8.self)
}

/// Returns the length in UTF-16 units.
public func CFStringGetLength(_ theString: CFString) -> CFIndex { theString.length }

/// Returns whether the value is true.
public func CFBooleanGetValue(_ boolean: CFBoolean) -> Bool { boolean.boolValue }

private func object(_ reference: UnsafeRawPointer?) -> NSObject? {
    reference.map { Unmanaged<NSObject>.fromOpaque($0).takeUnretainedValue() }
}

/// Array whose elements are dictionaries that can be changed; Foundation's own hands out copies.
package final class DictionaryArray: NSArray {
    package let items: [NSMutableDictionary]

    package init(_ items: [NSMutableDictionary]) {
        self.items = items
        super.init(objects: nil, count: 0)
    }

    /// Makes an array without elements; a coder has none of these.
    package required init?(coder: NSCoder) { nil }
    /// Makes an array of the dictionaries among the objects.
    package required init(objects: UnsafePointer<AnyObject>?, count: Int) {
        items = (0..<count).compactMap { objects?[$0] as? NSMutableDictionary }
        super.init(objects: nil, count: 0)
    }
    /// Makes an array of the dictionaries among the elements.
    package required init(arrayLiteral elements: Any...) {
        items = elements.compactMap { $0 as? NSMutableDictionary }
        super.init(objects: nil, count: 0)
    }

    package override var count: Int { items.count }
    package override func object(at index: Int) -> Any { items[index] }
}
