import CoreVideo
import Foundation

extension CMFormatDescription {
    /// Extensions by key; empty for all media captured here.
    public var extensions: Extensions { Extensions(values: extensionValues?.values.named ?? [:]) }

    /// Extensions of a description by key.
    public struct Extensions: Collection, ExpressibleByDictionaryLiteral {
        var values: [String: Any]

        /// Name of an extension.
        public struct Key: RawRepresentable, Hashable, Sendable {
            /// Name as the C constants have it, `kCMFormatDescriptionExtension_…`.
            public nonisolated(unsafe) let rawValue: CFString
            /// Makes a key from its name; any name is accepted.
            public init(rawValue: CFString) { self.rawValue = rawValue }
            /// Name of the format, to show.
            public static let formatName = Key(rawValue: kCMFormatDescriptionExtension_FormatName)
            /// Bits of a pixel.
            public static let depth = Key(rawValue: kCMFormatDescriptionExtension_Depth)
            /// Bits of a component.
            public static let bitsPerComponent = Key(rawValue: kCMFormatDescriptionExtension_BitsPerComponent)
            /// Chromaticities of red, green, blue and white.
            public static let colorPrimaries = Key(rawValue: kCMFormatDescriptionExtension_ColorPrimaries)
            /// Opto-electronic transfer function.
            public static let transferFunction = Key(rawValue: kCMFormatDescriptionExtension_TransferFunction)
            /// Matrix between R'G'B' and Y'CbCr.
            public static let yCbCrMatrix = Key(rawValue: kCMFormatDescriptionExtension_YCbCrMatrix)
            /// Whether samples use the full range.
            public static let fullRangeVideo = Key(rawValue: kCMFormatDescriptionExtension_FullRangeVideo)
            /// Boxes of the sample entry by their four characters.
            public static let sampleDescriptionExtensionAtoms = Key(rawValue: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)
        }

        /// Value of an extension.
        public struct Value: CustomStringConvertible {
            /// Text, number, Boolean, bytes, array or dictionary.
            public let propertyListRepresentation: CFTypeRef
            /// Makes a value of a text.
            public static func string(_ value: String) -> Value { Value(propertyListRepresentation: value) }
            /// Makes a value of a number.
            public static func number<Number: FixedWidthInteger>(_ value: Number) -> Value { Value(propertyListRepresentation: value) }
            /// The value, as `String(describing:)` writes it.
            public var description: String { String(describing: propertyListRepresentation) }
        }

        /// Makes extensions of a dictionary of property lists.
        public init(base: [CFString: CFTypeRef]) { values = (base as NSDictionary).named }
        /// Makes extensions of pairs; of equal keys the last counts.
        public init(dictionaryLiteral elements: (Key, Value)...) {
            values = Dictionary(elements.map { ($0.rawValue as String, $1.propertyListRepresentation) }) { $1 }
        }

        init(values: [String: Any]) { self.values = values }

        /// Extension under a key; nil without one, and nil removes it.
        public subscript(key: Key) -> Value? {
            get { values[key.rawValue as String].map(Value.init) }
            set { values[key.rawValue as String] = newValue?.propertyListRepresentation }
        }

        /// Place of an extension, in no order that lasts.
        public struct Index: Comparable {
            let base: Dictionary<String, Any>.Index
            /// Whether the first comes earlier.
            public static func < (lhs: Index, rhs: Index) -> Bool { lhs.base < rhs.base }
        }

        /// Place of the first extension.
        public var startIndex: Index { Index(base: values.startIndex) }
        /// Place behind the last extension.
        public var endIndex: Index { Index(base: values.endIndex) }
        /// Returns the place after another.
        public func index(after index: Index) -> Index { Index(base: values.index(after: index.base)) }
        /// Extension at a place, with its key.
        public subscript(position: Index) -> (key: Key, value: Value) {
            let (key, value) = values[position.base]
            return (Key(rawValue: key as CFString), Value(propertyListRepresentation: value))
        }
    }
}
