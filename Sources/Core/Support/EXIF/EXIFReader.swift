import Foundation

/// Reader of EXIF data: a TIFF file without a picture, in either byte order. What is broken is left out.
package struct EXIFReader {
    private let bytes: [UInt8]
    private let isBig: Bool

    /// Opens EXIF data; nil where its header is wrong.
    package init?(_ data: Data) {
        bytes = Array(data)
        guard bytes.count >= 8 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0x4D, 0x4D): isBig = true
        case (0x49, 0x49): isBig = false
        default: return nil
        }
        guard short(2) == 42 else { return nil }
    }

    /// Dictionaries by ImageIO's keys; empty ones are left out.
    package var properties: [String: [String: Any]] {
        guard let first = long(4) else { return [:] }
        var result = ["{TIFF}": dictionary(at: first, EXIFTag.tiff)]
        for (name, number, tags) in [("{Exif}", UInt16(0x8769), EXIFTag.exif), ("{GPS}", 0x8825, EXIFTag.gps)] {
            guard let entry = entries(at: first)[number], let place = long(entry.place) else { continue }
            result[name] = dictionary(at: place, tags)
        }
        return result.filter { !$0.value.isEmpty }
    }

    private struct Entry {
        let type: UInt16
        let count: Int
        /// Offset of the value.
        let place: Int
    }

    private func dictionary(at offset: Int, _ tags: [EXIFTag]) -> [String: Any] {
        let entries = entries(at: offset)
        var result: [String: Any] = [:]
        for tag in tags { result[tag.key] = entries[tag.number].flatMap { value($0, tag.kind) } }
        return result
    }

    private func entries(at offset: Int) -> [UInt16: Entry] {
        guard let count = short(offset) else { return [:] }
        var result: [UInt16: Entry] = [:]
        for index in 0..<Int(count) {
            let start = offset + 2 + 12 * index
            guard let number = short(start), let type = short(start + 2), let count = long(start + 4), let size = Self.sizes[type] else { continue }
            let length = size.multipliedReportingOverflow(by: count)
            guard !length.overflow, let place = length.partialValue <= 4 ? start + 8 : long(start + 8),
                place <= bytes.count, length.partialValue <= bytes.count - place
            else { continue }
            result[number] = Entry(type: type, count: count, place: place)
        }
        return result
    }

    /// Bytes of a value by its type.
    private static let sizes: [UInt16: Int] = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8]

    private func value(_ entry: Entry, _ kind: EXIFTag.Kind) -> Any? {
        switch kind {
        case .text:
            guard entry.type == 2 else { return nil }
            return text(bytes[entry.place..<entry.place + entry.count])
        case .comment:
            guard entry.count > 8 else { return nil }
            return text(bytes[entry.place + 8..<entry.place + entry.count])
        case .undefined: return bytes[entry.place..<entry.place + entry.count].map { Int($0) }
        case .byte, .short, .long: return numbers(entry).first.map { Int($0) }
        case .shorts: return numbers(entry).map { Int($0) }
        case .fraction, .signedFraction: return numbers(entry).first
        case .fractions: return numbers(entry)
        case .degrees:
            let parts = numbers(entry)
            return parts.count == 3 ? parts[0] + parts[1] / 60 + parts[2] / 3600 : nil
        case .clock:
            let parts = numbers(entry).map { Int($0) }
            return parts.count == 3 ? parts.map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":") : nil
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

    /// Numbers of an entry, integers or fractions; empty where one is divided by zero.
    private func numbers(_ entry: Entry) -> [Double] {
        let size = Self.sizes[entry.type] ?? 1
        let numbers = (0..<entry.count).compactMap { index -> Double? in
            let place = entry.place + index * size
            switch entry.type {
            case 1: return Double(bytes[place])
            case 3: return short(place).map { Double($0) }
            case 4: return long(place).map { Double($0) }
            case 5:
                guard let top = long(place), let bottom = long(place + 4), bottom != 0 else { return nil }
                return Double(top) / Double(bottom)
            case 10:
                guard let top = long(place), let bottom = long(place + 4), bottom != 0 else { return nil }
                return Double(Int32(truncatingIfNeeded: top)) / Double(Int32(truncatingIfNeeded: bottom))
            default: return nil
            }
        }
        return numbers.count == entry.count ? numbers : []
    }

    private func short(_ offset: Int) -> UInt16? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
        return isBig ? first << 8 | second : second << 8 | first
    }

    private func long(_ offset: Int) -> Int? {
        guard let first = short(offset), let second = short(offset + 2) else { return nil }
        return isBig ? Int(first) << 16 | Int(second) : Int(second) << 16 | Int(first)
    }
}
