import Foundation

/// Type of values that a localized text takes in.
public protocol _FormatSpecifiable {
    /// Value as C's formats take it.
    var _arg: any CVarArg { get }
    /// Its place in a format.
    static var _specifier: String { get }
}

extension _FormatSpecifiable where Self: CVarArg {
    /// The value.
    public var _arg: any CVarArg { self }
}
extension Int: _FormatSpecifiable { public static var _specifier: String { "%lld" } }
extension Int32: _FormatSpecifiable { public static var _specifier: String { "%d" } }
extension Int64: _FormatSpecifiable { public static var _specifier: String { "%lld" } }
extension UInt: _FormatSpecifiable { public static var _specifier: String { "%llu" } }
extension UInt32: _FormatSpecifiable { public static var _specifier: String { "%u" } }
extension UInt64: _FormatSpecifiable { public static var _specifier: String { "%llu" } }
extension Double: _FormatSpecifiable { public static var _specifier: String { "%lf" } }
extension Float: _FormatSpecifiable { public static var _specifier: String { "%f" } }
extension CGFloat: _FormatSpecifiable {
    /// The number in double precision.
    public var _arg: any CVarArg { Double(self) }
    /// That of a number in double precision.
    public static var _specifier: String { "%lf" }
}

extension String {
    /// Key of a text in a table of strings, with the values that it takes in.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, @unchecked Sendable {
        let key: String
        /// Numbers and texts, which nobody changes.
        let values: [any CVarArg]

        /// Makes a key without values.
        public init(_ value: String) { (key, values) = (value, []) }
        /// Makes a key without values.
        public init(stringLiteral value: String) { self.init(value) }
        /// Makes a key with places for its values.
        public init(stringInterpolation: StringInterpolation) { (key, values) = (stringInterpolation.key, stringInterpolation.values) }

        /// Whether the keys and the values as texts are equal.
        public static func == (a: LocalizationValue, b: LocalizationValue) -> Bool {
            a.key == b.key && a.values.map { "\($0)" } == b.values.map { "\($0)" }
        }

        /// Key in the making.
        public struct StringInterpolation: StringInterpolationProtocol {
            var key = ""
            var values: [any CVarArg] = []

            /// Makes an empty key.
            public init(literalCapacity: Int, interpolationCount: Int) {}
            /// Adds a text of the key.
            public mutating func appendLiteral(_ literal: String) { key += literal.replacingOccurrences(of: "%", with: "%%") }
            /// Adds a text.
            public mutating func appendInterpolation(_ string: String) { add(string as NSString, "%@") }
            /// Adds a number.
            public mutating func appendInterpolation<Value: _FormatSpecifiable>(_ value: Value) { add(value._arg, Value._specifier) }
            /// Adds a number, shown as a format of C's says.
            public mutating func appendInterpolation<Value: _FormatSpecifiable>(_ value: Value, specifier: String) { add(value._arg, specifier) }
            /// Adds a value as a format makes a text of it.
            public mutating func appendInterpolation<Format: FormatStyle>(_ value: Format.FormatInput, format: Format)
            where Format.FormatOutput == String {
                appendInterpolation(format.format(value))
            }

            private mutating func add(_ value: any CVarArg, _ specifier: String) {
                key += specifier
                values.append(value)
            }
        }

        /// The text of a bundle's table under a key of its own, this key where there is none; with the values.
        func text(under key: String, table: String?, bundle: Bundle?, locale: Locale) -> String {
            let text = (bundle ?? .main).localizedString(forKey: key, value: self.key, table: table)
            return values.isEmpty ? text : String(format: text, locale: locale, arguments: values)
        }
    }

    /// Makes the text of a bundle's table of strings under a key; the key itself where there is none.
    public init(
        localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        self = keyAndValue.text(under: keyAndValue.key, table: table, bundle: bundle, locale: locale)
    }

    /// Makes the text of a bundle's table of strings under a key; the default where there is none.
    public init(
        localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil, locale: Locale = .current,
        comment: StaticString? = nil
    ) {
        self = defaultValue.text(under: "\(key)", table: table, bundle: bundle, locale: locale)
    }

    /// Makes the text that a resource names.
    public init(localized resource: LocalizedStringResource) {
        self = resource.defaultValue.text(under: resource.key, table: resource.table, bundle: resource.bundle.found, locale: resource.locale)
    }
}

/// Text of a bundle's table of strings, to be looked up when it is shown.
public struct LocalizedStringResource: ExpressibleByStringInterpolation, Equatable, Sendable {
    /// Bundle, by what it is.
    public enum BundleDescription: Equatable, Sendable {
        /// The app.
        case main
        /// The bundle in a folder.
        case atURL(URL)

        var found: Bundle? { if case .atURL(let url) = self { Bundle(url: url) } else { nil } }
    }

    /// Key in the table.
    public let key: String
    /// Text where the table has none, with the values.
    public let defaultValue: String.LocalizationValue
    /// Name of the table; nil for `Localizable`.
    public let table: String?
    /// Language and customs of the values.
    public var locale: Locale
    let bundle: BundleDescription

    /// Makes a resource whose key is its text.
    public init(
        _ keyAndValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current, bundle: BundleDescription = .main,
        comment: StaticString? = nil
    ) {
        (key, defaultValue, self.table, self.locale, self.bundle) = (keyAndValue.key, keyAndValue, table, locale, bundle)
    }
    /// Makes a resource with a key of its own.
    public init(
        _ key: StaticString, defaultValue: String.LocalizationValue, table: String? = nil, locale: Locale = .current,
        bundle: BundleDescription = .main, comment: StaticString? = nil
    ) {
        (self.key, self.defaultValue, self.table, self.locale, self.bundle) = ("\(key)", defaultValue, table, locale, bundle)
    }
    /// Makes a resource whose key is its text, without values.
    public init(stringLiteral value: String) { self.init(String.LocalizationValue(value)) }
    /// Makes a resource whose key is its text, with values.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(String.LocalizationValue(stringInterpolation: stringInterpolation))
    }
}
