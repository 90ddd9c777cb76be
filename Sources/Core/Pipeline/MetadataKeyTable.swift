import CoreMedia
import Foundation

/// Coding of QuickTime's timed metadata `mebx` (QuickTime File Format, "Timed Metadata Media"): the table of keys in its sample entry, and samples of boxes
/// that are named by the keys' numbers.
public enum MetadataKeyTable {
    /// Reads the boxes of a table `keys`; one that is cut off ends it.
    package static func keys(in table: Data) -> [MetadataKey] {
        boxes(in: table).compactMap { number, content in
            let parts = Dictionary(boxes(in: content)) { first, _ in first }
            guard let name = parts[code("keyd")], name.count > 4 else { return nil }
            let (space, key) = (String(decoding: name.prefix(4), as: UTF8.self), String(decoding: name.dropFirst(4), as: UTF8.self))
            return MetadataKey(
                number: number, identifier: "\(space)/\(key)", dataType: parts[code("dtyp")].flatMap(dataType),
                language: parts[code("loca")].map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
    }

    /// Boxes of a table of keys.
    package static func data(of keys: [MetadataKey]) -> Data {
        keys.reduce(into: Data()) { table, key in
            let slash = key.identifier.firstIndex(of: "/") ?? key.identifier.startIndex
            let space = Data(key.identifier[..<slash].utf8.prefix(4))
            let name = space + Data(repeating: 0x20, count: 4 - space.count) + Data(key.identifier[slash...].dropFirst().utf8)
            var content = box(code("keyd"), name)
            if let type = key.dataType { content += box(code("dtyp"), data(ofType: type)) }
            if let language = key.language { content += box(code("loca"), Data(language.utf8) + [0]) }
            table += box(key.number, content)
        }
    }

    /// Values of a sample under the numbers of their keys, in its order.
    package static func values(in sample: Data) -> [(key: UInt32, value: Data)] { boxes(in: sample).filter { $0.0 != nothing } }

    /// Sample of values under the numbers of their keys; none makes a sample that says so.
    package static func sample(of values: [(key: UInt32, value: Data)]) -> Data {
        values.isEmpty ? box(nothing, Data()) : values.reduce(into: Data()) { $0 += box($1.key, $1.value) }
    }

    /// Number of no key, whose box readers pass over.
    private static let nothing: UInt32 = 0

    /// QuickTime's numbers of types ("Well-Known Types"), as those of the fixed sizes have them.
    private static let types: [(number: UInt32, name: String)] = [
        (0, kCMMetadataBaseDataType_RawData as String), (1, kCMMetadataBaseDataType_UTF8 as String), (2, kCMMetadataBaseDataType_UTF16 as String),
        (23, kCMMetadataBaseDataType_Float32 as String), (24, kCMMetadataBaseDataType_Float64 as String),
        (65, kCMMetadataBaseDataType_SInt8 as String),
        (66, kCMMetadataBaseDataType_SInt16 as String), (67, kCMMetadataBaseDataType_SInt32 as String),
        (74, kCMMetadataBaseDataType_SInt64 as String),
        (75, kCMMetadataBaseDataType_UInt8 as String), (76, kCMMetadataBaseDataType_UInt16 as String), (77, kCMMetadataBaseDataType_UInt32 as String),
        (78, kCMMetadataBaseDataType_UInt64 as String),
    ]

    /// Type of values: by QuickTime's number in name space 0, by its name in 1.
    private static func dataType(_ content: Data) -> String? {
        guard content.count >= 4 else { return nil }
        let name = content.dropFirst(4)
        switch number(content) {
        case 0: return name.count >= 4 ? types.first { $0.number == number(name) }?.name : nil
        case 1: return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        default: return nil
        }
    }

    private static func data(ofType name: String) -> Data {
        types.first { $0.name == name }.map { bytes(0) + bytes($0.number) } ?? bytes(1) + Data(name.utf8)
    }

    private static func boxes(in data: Data) -> [(UInt32, Data)] {
        var (offset, boxes): (Int, [(UInt32, Data)]) = (data.startIndex, [])
        while data.endIndex - offset >= 8 {
            let size = Int(number(data[offset...]))
            guard size >= 8, size <= data.endIndex - offset else { break }
            boxes.append((number(data[(offset + 4)...]), Data(data[(offset + 8)..<(offset + size)])))
            offset += size
        }
        return boxes
    }

    private static func box(_ type: UInt32, _ content: Data) -> Data { bytes(UInt32(8 + content.count)) + bytes(type) + content }
    private static func number(_ data: Data) -> UInt32 { data.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    private static func bytes(_ number: UInt32) -> Data { withUnsafeBytes(of: number.bigEndian) { Data($0) } }
    private static func code(_ text: StaticString) -> UInt32 { (0..<4).reduce(0) { $0 << 8 | UInt32(text.utf8Start[$1]) } }
}
