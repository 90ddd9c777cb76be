import Foundation

/// Way of writing a whole number.
public struct OSLogIntegerFormatting: Sendable {
    var radix = 10
    var prefix = ""
    var positiveSign = ""
    var isUppercase = false
    var minDigits = 0

    /// Base ten.
    public static let decimal = OSLogIntegerFormatting()
    /// Base sixteen, small letters, without a prefix.
    public static let hex = OSLogIntegerFormatting(radix: 16)
    /// Base eight, without a prefix.
    public static let octal = OSLogIntegerFormatting(radix: 8)
    /// Base ten, with a plus sign where that is asked for, and at least so many digits.
    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 0) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(positiveSign: explicitPositiveSign ? "+" : "", minDigits: minDigits)
    }
    /// Base sixteen, with `0x` and large letters where they are asked for, and at least so many digits.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, prefix: includePrefix ? "0x" : "", positiveSign: explicitPositiveSign ? "+" : "", isUppercase: uppercase, minDigits: minDigits)
    }

    func write<Number: BinaryInteger>(_ number: Number) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        return (number < 0 ? "-" : positiveSign) + prefix + String(repeating: "0", count: max(0, minDigits - digits.count)) + digits
    }
}

/// Way of writing a number with a fraction.
public struct OSLogFloatFormatting: Sendable {
    let format: String
    /// Six digits behind the point.
    public static let fixed = fixed(precision: 6)
    /// One digit before the point, six behind it, and an exponent.
    public static let exponential = exponential(precision: 6)
    /// The shorter of both.
    public static let hybrid = OSLogFloatFormatting(format: "%g")
    /// So many digits behind the point.
    public static func fixed(precision: Int, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting(format: "%\(explicitPositiveSign ? "+" : "").\(precision)f")
    }
    /// So many digits behind the point, and an exponent.
    public static func exponential(precision: Int, explicitPositiveSign: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting(format: "%\(explicitPositiveSign ? "+" : "").\(precision)e")
    }
}

/// Column in which a value is written.
public struct OSLogStringAlignment: Sendable {
    let columns: Int
    let isRight: Bool
    /// As long as the value is.
    public static let none = OSLogStringAlignment(columns: 0, isRight: false)
    /// At the right of so many characters.
    public static func right(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment(columns: columns, isRight: true) }
    /// At the left of so many characters.
    public static func left(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment(columns: columns, isRight: false) }

    func place(_ text: String) -> String {
        let blanks = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? blanks + text : text + blanks
    }
}

extension OSLogPrivacy {
    /// Stand-in for a value that is masked.
    public struct Mask: Sendable {
        /// A number that tells values from each other.
        public static let hash = Mask()
        /// Nothing.
        public static let none = Mask()
    }

    /// Meant to be masked; written in full here.
    public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
    /// Meant to be masked even in private logs; written in full here.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
    /// Left to the type of the value; written in full here.
    public static func auto(mask: Mask) -> OSLogPrivacy { .auto }
}

extension OSLogMessage.StringInterpolation {
    /// Appends a whole number.
    public mutating func appendInterpolation<Number: BinaryInteger>(
        _ number: @autoclosure () -> Number, format: OSLogIntegerFormatting, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { text += align.place(format.write(number())) }
    /// Appends a number with a fraction.
    public mutating func appendInterpolation<Number: BinaryFloatingPoint>(
        _ number: @autoclosure () -> Number, format: OSLogFloatFormatting, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) { text += align.place(String(format: format.format, Double(number()))) }
    /// Appends a value in a column, as `String(describing:)` writes it.
    public mutating func appendInterpolation<Value>(
        _ value: @autoclosure () -> Value, align: OSLogStringAlignment, privacy: OSLogPrivacy = .auto
    ) { text += align.place(String(describing: value())) }
}
