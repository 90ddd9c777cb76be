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
        bytes += type.rawValue.utf8
        content(&self)
        withUnsafeBytes(of: UInt32(bytes.count - start).bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
    }
}

/// Reader of a field's content, from its beginning; what is left at the end belongs to a later version.
struct CinematicFieldReader {
    let type: String
    private var rest: ArraySlice<UInt8>

    init(type: String, _ content: ArraySlice<UInt8>) { (self.type, rest) = (type, content) }

    /// Next field of a sample, which is taken off `bytes`; nil at the end.
    static func next(of bytes: inout ArraySlice<UInt8>) throws(CinematicSampleError) -> CinematicFieldReader? {
        guard !bytes.isEmpty else { return nil }
        var head = CinematicFieldReader(type: "header of a field", bytes)
        let size = Int(try head.number() as UInt32)
        let name = try head.take(4)
        guard size >= 8, size <= bytes.count else {
            throw CinematicSampleError("a field says that it has \(size) bytes, but \(bytes.count) are left")
        }
        let content = bytes.dropFirst(8).prefix(size - 8)
        bytes = bytes.dropFirst(size)
        return CinematicFieldReader(type: String(decoding: name, as: UTF8.self), content)
    }

    private mutating func take(_ count: Int) throws(CinematicSampleError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw CinematicSampleError("`\(type)` ends early: \(count) bytes are read, but \(rest.count) are left") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number<Number: FixedWidthInteger>() throws(CinematicSampleError) -> Number {
        try take(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    /// Number within a range, which no NaN is.
    mutating func number(in range: ClosedRange<Double>, _ name: String) throws(CinematicSampleError) -> Double {
        let value = Double(bitPattern: try number())
        guard range.contains(value) else { throw odd(name, value, range) }
        return value
    }

    mutating func integer<Number: FixedWidthInteger>(
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
        CinematicSampleError("\(name) in `\(type)` is \(value); it is \(range.lowerBound) to \(range.upperBound)")
    }
}
