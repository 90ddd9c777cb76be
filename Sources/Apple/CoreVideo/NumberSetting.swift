import Foundation

/// Number in a settings dictionary, which on Apple's systems is one of Foundation's whatever type of Swift's it was written in.
package enum NumberSetting {
    /// The number; nil for another value.
    package static func number(_ value: Any?) -> Double? {
        switch value {
        case let number as any BinaryInteger: Double(number)
        case let number as any BinaryFloatingPoint: Double(number)
        case let number as Bool: number ? 1 : 0
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }

    /// The number without its fraction.
    package static func integer(_ value: Any?) -> Int? { number(value).flatMap { Int(exactly: $0.rounded(.towardZero)) } }

    /// The code of a pixel format; nil for another value.
    package static func pixelFormat(_ value: Any?) -> OSType? { integer(value).flatMap(OSType.init(exactly:)) }
}
