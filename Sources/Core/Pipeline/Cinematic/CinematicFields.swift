import Foundation

/// Writer of the fields of a sample: big-endian numbers, and fields of a size, a type of four characters and their content.
struct CinematicFieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes += $0 }
    }

    mutating func number(_ value: Double) { number(value.bitPattern) }

    mutating func number(_ value: Double?) { if let value { number(value) } }

    /// Text of at most 65,535 bytes, its length ahead; longer text is cut.
    mutating func text(_ text: String) {
        let encoded = text.utf8.prefix(Int(UInt16.max))
        number(UInt16(encoded.count))
        bytes += encoded
    }

    mutating func field(_ type: CinematicSample.Field, _ content: (inout CinematicFieldWriter) -> Void) {
        let start = bytes.count
        number(UInt32(0))
        number(type.rawValue)
        content(&self)
        withUnsafeBytes(of: UInt32(bytes.count - start).bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }
}

/// Reader of a field's content, from its beginning; what is left at the end belongs to a later version. Valid as long as the bytes are.
struct CinematicFieldReader {
    /// Four characters, first one highest.
    let code: UInt32
    private var rest: UnsafeRawBufferPointer

    private init(code: UInt32, _ content: UnsafeRawBufferPointer) { (self.code, rest) = (code, content) }

    /// Next field of a sample, which is taken off `bytes`; nil at the end.
    static func next(of bytes: inout UnsafeRawBufferPointer) throws(CinematicSampleError) -> CinematicFieldReader? {
        guard !bytes.isEmpty else { return nil }
        guard bytes.count >= 8 else { throw CinematicSampleError("`header of a field` ends early: 8 bytes are read, but \(bytes.count) are left") }
        let (size, code) = (Int(bytes.bigEndian(at: 0) as UInt32), bytes.bigEndian(at: 4) as UInt32)
        guard size >= 8, size <= bytes.count else {
            throw CinematicSampleError("a field says that it has \(size) bytes, but \(bytes.count) are left")
        }
        let content = UnsafeRawBufferPointer(rebasing: bytes[8..<size])
        bytes = UnsafeRawBufferPointer(rebasing: bytes[size...])
        return CinematicFieldReader(code: code, content)
    }

    /// Number of whole fields of a type.
    static func count(of field: CinematicSample.Field, in bytes: UnsafeRawBufferPointer) -> Int {
        var (offset, count) = (0, 0)
        while bytes.count - offset >= 8 {
            let size = Int(bytes.bigEndian(at: offset) as UInt32)
            guard size >= 8, size <= bytes.count - offset else { break }
            if bytes.bigEndian(at: offset + 4) == field.rawValue { count += 1 }
            offset += size
        }
        return count
    }

    private mutating func take(_ count: Int) throws(CinematicSampleError) -> UnsafeRawBufferPointer {
        guard count <= rest.count else { throw CinematicSampleError("`\(name)` ends early: \(count) bytes are read, but \(rest.count) are left") }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    private var name: String { String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }, as: UTF8.self) }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>() throws(CinematicSampleError) -> Number {
        try take(MemoryLayout<Number>.size).bigEndian(at: 0)
    }

    /// Number within a range, which no NaN is.
    mutating func number(in range: ClosedRange<Double>, _ name: String) throws(CinematicSampleError) -> Double {
        let value = Double(bitPattern: try number())
        guard range.contains(value) else { throw odd(name, value, range) }
        return value
    }

    mutating func integer<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type, in range: ClosedRange<Int64>, _ name: String
    ) throws(CinematicSampleError) -> Int64 {
        let value = Int64(clamping: try number() as Number)
        guard range.contains(value) else { throw odd(name, value, range) }
        return value
    }

    /// Whether there is content left: of a later minor version, or of parts that are there only at times.
    var hasMore: Bool { !rest.isEmpty }

    mutating func text() throws(CinematicSampleError) -> String {
        let count = Int(try number() as UInt16)
        return String(decoding: try take(count), as: UTF8.self)
    }

    private func odd<Value>(_ name: String, _ value: Value, _ range: ClosedRange<Value>) -> CinematicSampleError {
        CinematicSampleError("\(name) in `\(self.name)` is \(value); it is \(range.lowerBound) to \(range.upperBound)")
    }
}

extension UnsafeRawBufferPointer {
    /// Big-endian number at an offset.
    fileprivate func bigEndian<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
        Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
