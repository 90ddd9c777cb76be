internal import CSwiftRuntime
import AVFCapture
import Foundation

/// Initializer without parameters of a class derived from `NSObject` that is known at run time alone.
///
/// Apple's frameworks make an app's object by its class. Swift does so for classes whose `init()` is marked `required`, which those of apps are not. The
/// initializer lies in every class's table of methods; where, is seen by two classes that override nothing else.
enum ClassInitializer {
    private final class Number: NSObject {
        let value: Int
        override init() {
            value = 1
            super.init()
        }
    }

    private final class Word: NSObject {
        let value: String
        override init() {
            value = "word"
            super.init()
        }
    }

    /// Words of a class's metadata ahead of its methods: kind, superclass, flags, sizes, description, and the destroyer of variables.
    private static let header = 7

    /// Place of the initializer among the words of the metadata; nil where the compiler lays classes out in another way.
    private static let place: Int? = {
        let (object, number, word) = (words(NSObject.self), words(Number.self), words(Word.self))
        let count = Int(object[4] & 0xFFFF_FFFF) - Int(object[4] >> 32)
        let different = (header..<max(header, count / MemoryLayout<UInt>.size)).filter { number[$0] != word[$0] }
        return different.count == 1 ? different[0] : nil
    }()

    private static func words(_ type: AnyClass) -> UnsafePointer<UInt> { unsafeBitCast(type, to: UnsafePointer<UInt>.self) }

    /// Makes an object by `init()`; nil for a class that is not derived from `NSObject`.
    static func make(_ type: AnyClass) -> NSObject? {
        guard type is NSObject.Type, let place, let initializer = UnsafeRawPointer(bitPattern: words(type)[place]),
            let object = CSwiftRuntime_makeObject(words(type), initializer)
        else { return nil }
        return Unmanaged<NSObject>.fromOpaque(object).takeRetainedValue()
    }
}
