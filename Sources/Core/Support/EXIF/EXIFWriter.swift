import Foundation

/// Encoder of ImageIO's dictionaries as EXIF data: a big-endian TIFF file without a picture. Keys that it does not know are left out.
package struct EXIFWriter {
    /// Dictionaries by ImageIO's keys.
    let properties: [String: Any]

    /// Creates an encoder of these dictionaries.
    package init(properties: [String: Any]) { self.properties = properties }

    /// EXIF data; nil where nothing is to be written.
    package var data: Data? {
        var first = entries("{TIFF}", EXIFTag.tiff)
        if let orientation = properties["Orientation"].flatMap({ Self.number($0) }) {
            first.removeAll { $0.number == 0x112 }
            first.append(Entry(0x112, 3, 1, Self.big(UInt16(clamping: Int(orientation)))))
        }
        let (exif, gps) = (entries("{Exif}", EXIFTag.exif), entries("{GPS}", EXIFTag.gps))
        guard !first.isEmpty || !exif.isEmpty || !gps.isEmpty else { return nil }
        // Offsets have four bytes, whatever they are: the directories' sizes are known before their places.
        let pointers = [(UInt16(0x8769), exif), (0x8825, gps)].filter { !$0.1.isEmpty }
        var start = 8 + Self.size(first) + 12 * pointers.count
        for (number, entries) in pointers {
            first.append(Entry(number, 4, 1, Self.big(UInt32(start))))
            start += Self.size(entries)
        }
        var result = Data([0x4D, 0x4D, 0, 42, 0, 0, 0, 8])
        for entries in [first] + pointers.map(\.1) { result += Self.directory(entries, at: result.count) }
        return result
    }

    private struct Entry {
        let number: UInt16
        let type: UInt16
        let count: Int
        let bytes: Data

        init(_ number: UInt16, _ type: UInt16, _ count: Int, _ bytes: Data) {
            (self.number, self.type, self.count, self.bytes) = (number, type, count, bytes)
        }
    }

    private func entries(_ name: String, _ tags: [EXIFTag]) -> [Entry] {
        guard let dictionary = properties[name] as? [String: Any] else { return [] }
        return tags.compactMap { tag in
            guard let value = dictionary[tag.key], let (count, bytes) = Self.content(value, tag.kind) else { return nil }
            return Entry(tag.number, tag.kind.type, count, bytes)
        }
    }

    /// Count and bytes of a value; nil where it is of another kind.
    private static func content(_ value: Any, _ kind: EXIFTag.Kind) -> (Int, Data)? {
        switch kind {
        case .text: return (value as? String).map { ($0.utf8.count + 1, Data($0.utf8) + [0]) }
        case .comment: return (value as? String).map { ($0.utf8.count + 8, Data("ASCII\0\0\0".utf8) + Data($0.utf8)) }
        case .byte: return number(value).map { (1, Data([UInt8(clamping: Int($0))])) }
        case .short: return number(value).map { (1, big(UInt16(clamping: Int($0)))) }
        case .long: return number(value).map { (1, big(UInt32(clamping: Int($0)))) }
        case .shorts: return numbers(value).map { list in (list.count, list.reduce(Data()) { $0 + big(UInt16(clamping: Int($1))) }) }
        case .undefined: return numbers(value).map { list in (list.count, Data(list.map { UInt8(clamping: Int($0)) })) }
        case .fraction: return number(value).map { (1, fraction($0)) }
        case .signedFraction: return number(value).map { (1, signedFraction($0)) }
        case .fractions: return numbers(value).map { list in (list.count, list.reduce(Data()) { $0 + fraction($1) }) }
        case .degrees:
            guard let degrees = number(value), degrees >= 0 else { return nil }
            let minutes = (degrees - degrees.rounded(.down)) * 60
            let seconds = (minutes - minutes.rounded(.down)) * 60
            return (3, fraction(degrees.rounded(.down)) + fraction(minutes.rounded(.down)) + fraction(seconds))
        case .clock:
            guard let parts = (value as? String)?.split(separator: ":").map({ Double($0) }), parts.count == 3 else { return nil }
            let numbers = parts.compactMap { $0 }
            return numbers.count == 3 ? (3, numbers.reduce(Data()) { $0 + fraction($1) }) : nil
        }
    }

    /// Finite number of a Swift or Foundation type that is one, within 32 bits either way.
    package static func number(_ value: Any) -> Double? {
        let number: Double? =
            switch value {
            case let value as Double: value
            case let value as any BinaryInteger: Double(value)
            case let value as any BinaryFloatingPoint: Double(value)
            case let value as NSNumber: value.doubleValue
            default: nil
            }
        return number.flatMap { $0.isFinite && abs($0) < 4_294_967_296 ? $0 : nil }
    }

    private static func numbers(_ value: Any) -> [Double]? {
        guard let list = (value as? [Any])?.map({ number($0) }), !list.isEmpty, list.allSatisfy({ $0 != nil }) else { return nil }
        return list.compactMap { $0 }
    }

    /// Fraction next to a number: over 1 for whole ones, 1 over a whole one for its inverse, else over as much as 32 bits hold, at most a million.
    private static func fraction(_ value: Double) -> Data {
        let (top, bottom) = parts(max(value, 0), most: Double(UInt32.max))
        return big(UInt32(top)) + big(UInt32(bottom))
    }

    private static func signedFraction(_ value: Double) -> Data {
        let (top, bottom) = parts(abs(value), most: Double(Int32.max))
        return big(Int32(value < 0 ? -top : top)) + big(Int32(bottom))
    }

    private static func parts(_ value: Double, most: Double) -> (Double, Double) {
        if value == value.rounded() { return (min(value, most), 1) }
        let inverse = (1 / value).rounded()
        if inverse <= most, abs(1 / inverse - value) < 1e-12 { return (1, inverse) }
        let bottom = [1_000_000.0, 10_000, 100].first { value * $0 <= most } ?? 1
        return (min((value * bottom).rounded(), most), bottom)
    }

    /// Bytes of a directory and its longer values.
    private static func size(_ entries: [Entry]) -> Int { 2 + 12 * entries.count + 4 + entries.map { rest($0).count }.reduce(0, +) }
    private static func rest(_ entry: Entry) -> Data { entry.bytes.count > 4 ? entry.bytes + Data(count: entry.bytes.count % 2) : Data() }

    /// Image file directory (IFD) at `offset` bytes into the file, entries by number, followed by values longer than four bytes.
    private static func directory(_ entries: [Entry], at offset: Int) -> Data {
        var (table, values) = (big(UInt16(entries.count)), Data())
        let start = offset + 2 + 12 * entries.count + 4
        for entry in entries.sorted(by: { $0.number < $1.number }) {
            table += big(entry.number) + big(entry.type) + big(UInt32(entry.count))
            table += entry.bytes.count > 4 ? big(UInt32(start + values.count)) : entry.bytes + Data(count: 4 - entry.bytes.count)
            values += rest(entry)
        }
        return table + Data(count: 4) + values
    }

    private static func big(_ value: some FixedWidthInteger) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
}
