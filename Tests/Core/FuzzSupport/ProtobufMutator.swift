import Foundation

/// Changes messages of Protocol Buffers by their fields at any depth; the lengths around a change stay right, so that readers get to it.
public struct ProtobufMutator: Sendable {
    private let samples: [[UInt8]]

    public init(_ samples: [Data]) { self.samples = samples.map { [UInt8]($0) } }

    /// One of the samples, changed in one to three fields.
    public func callAsFunction(_ generator: inout FuzzGenerator) -> Data {
        var bytes = generator.pick(samples)
        for _ in 0...generator.index(3) { bytes = changed(bytes, &generator) }
        return Data(bytes)
    }

    /// Tag and payload; the payload of wire type 2 without its length.
    private struct Field {
        var tag: UInt64
        var payload: [UInt8]
        var bytes: [UInt8] { ProtobufMutator.varint(tag) + (tag & 7 == 2 ? ProtobufMutator.varint(UInt64(payload.count)) : []) + payload }
    }

    private func changed(_ bytes: [UInt8], _ generator: inout FuzzGenerator) -> [UInt8] {
        guard var fields = Self.fields(bytes), !fields.isEmpty else {
            var bytes = bytes
            ByteMutator.change(&bytes, &generator)
            return bytes
        }
        let index = generator.index(fields.count)
        let field = fields[index]
        switch generator.index(10) {
        case 0: fields.remove(at: index)
        case 1: fields.insert(field, at: generator.index(fields.count))
        case 2: fields.swapAt(index, generator.index(fields.count))
        case 3 where field.tag & 7 == 0: fields[index].payload = Self.varint(generator.pick(Self.numbers))
        default:
            if field.tag & 7 == 0 {
                fields[index].payload = Self.varint(generator.pick([UInt64(generator.index(16)), generator.pick(Self.numbers)]))
            } else {
                fields[index].payload = changed(field.payload, &generator)
            }
        }
        return fields.flatMap(\.bytes)
    }

    private static let numbers: [UInt64] = [0, 1, 2, 3, 127, 128, 65_536, 1 << 31, 1 << 32, 1 << 62, .max, .max - 1, 1 << 63]

    /// Nil where the bytes are no message.
    private static func fields(_ bytes: [UInt8]) -> [Field]? {
        var (rest, fields) = (bytes[...], [Field]())
        while !rest.isEmpty {
            guard let tag = readVarint(&rest), tag >> 3 > 0 else { return nil }
            let length: Int
            switch tag & 7 {
            case 0: length = (rest.firstIndex { $0 < 0x80 } ?? rest.endIndex) - rest.startIndex + 1
            case 1: length = 8
            case 2:
                guard let count = readVarint(&rest).flatMap({ Int(exactly: $0) }) else { return nil }
                length = count
            case 5: length = 4
            default: return nil
            }
            guard length <= rest.count else { return nil }
            fields.append(Field(tag: tag, payload: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        return fields
    }

    private static func readVarint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var (value, shift) = (UInt64(0), UInt64(0))
        while let byte = bytes.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
            if shift > 63 { return nil }
        }
        return nil
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var (rest, bytes) = (value, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
