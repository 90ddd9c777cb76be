/// Header of an OpenEXR file of one part ("OpenEXR File Layout"): its attributes, and where they end.
struct EXRHeader {
    /// Bytes of magic number and version, before the first attribute.
    static let start = 8
    var attributes: [(name: String, content: Range<Int>)] = []
    /// Place of the table of the chunks' offsets.
    var end = start

    /// Nil for another file, and for one that is cut off.
    init?<Bytes: RandomAccessCollection>(_ bytes: Bytes) where Bytes.Element == UInt8, Bytes.Index == Int {
        guard bytes.count > Self.start, bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) else { return nil }
        func text() -> String? {
            guard let stop = bytes[end...].prefix(256).firstIndex(of: 0) else { return nil }
            defer { end = stop + 1 }
            return String(decoding: bytes[end..<stop], as: UTF8.self)
        }
        while let name = text() {
            if name.isEmpty { return }
            guard text() != nil, end + 4 <= bytes.count else { return nil }
            let size = Self.number(bytes, at: end, bytes: 4)
            guard size <= bytes.count - end - 4 else { return nil }
            attributes.append((name, end + 4..<end + 4 + size))
            end += 4 + size
        }
        return nil
    }

    /// Whether a chunk that the table of offsets promises is not all there. Decoders of FFmpeg leave its lines black, and say nothing. Not of files of
    /// several parts or of deep pixels.
    static func lacksChunks(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let header = EXRHeader(bytes), bytes[5] & 0x18 == 0 else { return false }
        // Coordinates and the length of what follows: of a line one, of a tile four.
        let head = bytes[5] & 0x02 == 0 ? 8 : 20
        var place = header.end
        // The first chunk begins where the table ends, in whatever order they lie.
        var first = Int.max
        while place < first {
            guard place + 8 <= bytes.count else { return true }
            let chunk = number(bytes, at: place, bytes: 8)
            guard chunk >= header.end + 8, chunk <= bytes.count - head else { return true }
            guard number(bytes, at: chunk + head - 4, bytes: 4) <= bytes.count - chunk - head else { return true }
            first = min(first, chunk)
            place += 8
        }
        return false
    }

    /// Place of the name of an only channel that has one letter other than Y, as Z of renderers' depth; FFmpeg's decoder knows red, green, blue and Y.
    static func nameOfOnlyChannel(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let channels = EXRHeader(bytes)?.attributes.first(where: { $0.name == "channels" })?.content else { return nil }
        // Letter and 0, 16 bytes about the samples, the 0 of the list's end.
        let name = channels.lowerBound
        return channels.count == 19 && bytes[name + 1] == 0 && bytes[name] != UInt8(ascii: "Y") ? name : nil
    }

    /// A number, least byte first.
    static func number<Bytes: RandomAccessCollection>(_ bytes: Bytes, at place: Int, bytes count: Int) -> Int
    where Bytes.Element == UInt8, Bytes.Index == Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[place + $1]) }
    }
}
