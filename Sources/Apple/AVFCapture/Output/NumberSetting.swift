import Foundation

/// Number in a settings dictionary.
package enum NumberSetting {
    /// The number; nil for another value.
    package static func number(_ value: Any?) -> Double? {
        switch value {
        case let number as Int: Double(number)
        case let number as Double: number
        case let number as Float: Double(number)
        case let number as UInt32: Double(number)
        case let number as Int32: Double(number)
        case let number as Bool: number ? 1 : 0
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }

    /// The number without its fraction.
    package static func integer(_ value: Any?) -> Int? { number(value).flatMap { Int(exactly: $0.rounded(.towardZero)) } }
}
