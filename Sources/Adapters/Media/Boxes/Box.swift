import Foundation

/// A box of an MP4 or MOV file (ISO/IEC 14496-12, 4.2): its size and type as the file says them, which may reach beyond the file.
struct Box: Equatable {
    /// Offset of its first byte in the file.
    let offset: Int64
    /// Bytes before the content: 8, or 16 with a large size.
    let headerLength: Int64
    /// Bytes of all of it.
    let size: Int64
    let type: Kind

    /// Four characters.
    struct Kind: RawRepresentable, ExpressibleByStringLiteral, Hashable {
        let rawValue: UInt32
        init(rawValue: UInt32) { self.rawValue = rawValue }
        init(stringLiteral name: StaticString) {
            precondition(name.utf8CodeUnitCount == 4)
            rawValue = (0..<4).reduce(0) { $0 << 8 | UInt32(name.utf8Start[$1]) }
        }
    }

    var content: Int64 { offset + headerLength }
    /// At most `Int64.max`.
    var end: Int64 {
        let (end, isOver) = offset.addingReportingOverflow(size)
        return isOver ? .max : end
    }

    /// Nil where no box begins: too few bytes, or a size less than the header's own. A size of 0 is that of all that follows.
    init?(at offset: Int64, in file: some BoxStorage) {
        let head = BigEndian(file.bytes(at: offset, count: 16))
        guard let short = head.uint32(at: 0), let type = head.uint32(at: 4) else { return nil }
        self.offset = offset
        self.type = Kind(rawValue: type)
        if short == 1 {
            guard let large = head.uint64(at: 8).flatMap(Int64.init(exactly:)) else { return nil }
            (headerLength, size) = (16, large)
        } else {
            (headerLength, size) = (8, short == 0 ? file.end - offset : Int64(short))
        }
        guard size >= headerLength else { return nil }
    }

    /// The boxes in it, up to the first that is not whole.
    func children(in file: some BoxStorage) -> [Box] { Self.all(from: content, to: end, in: file) }

    /// The boxes in it that begin before `end`. The last one may reach beyond, as FFmpeg takes them.
    func childrenAsRead(until end: Int64, in file: some BoxStorage) -> [Box] {
        var (offset, children): (Int64, [Box]) = (content, [])
        while offset < min(self.end, end), let child = Box(at: offset, in: file) {
            children.append(child)
            offset = child.end
        }
        return children
    }

    /// The boxes that follow each other in a range, up to the first that is not whole.
    static func all(from start: Int64, to end: Int64, in file: some BoxStorage) -> [Box] {
        var (offset, boxes): (Int64, [Box]) = (start, [])
        while offset < end, let box = Box(at: offset, in: file), box.end <= end {
            boxes.append(box)
            offset = box.end
        }
        return boxes
    }
}

/// Bytes that hold boxes: a file, or what a muxer made in memory.
protocol BoxStorage {
    /// Number of bytes.
    var end: Int64 { get }
    /// The bytes at a place; fewer at the end.
    func bytes(at offset: Int64, count: Int) -> [UInt8]
}

extension InputFile: BoxStorage {}

/// Boxes in memory.
struct BoxBytes: BoxStorage {
    let bytes: [UInt8]

    var end: Int64 { Int64(bytes.count) }
    func bytes(at offset: Int64, count: Int) -> [UInt8] { Array(bytes.dropFirst(Int(offset)).prefix(count)) }
}

/// Bytes that hold big-endian numbers; nil is read where there are too few.
struct BigEndian {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func uint32(at offset: Int) -> UInt32? { number(at: offset, count: 4).map { UInt32(truncatingIfNeeded: $0) } }
    func uint64(at offset: Int) -> UInt64? { number(at: offset, count: 8) }

    private func number(at offset: Int, count: Int) -> UInt64? {
        guard offset >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
