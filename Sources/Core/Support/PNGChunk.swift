import Foundation

/// Chunk of a PNG file (ISO/IEC 15948): length, four characters of its type, content and checksum.
package enum PNGChunk {
    /// The eight bytes with which a file begins.
    package static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

    /// Chunk of a type, four ASCII characters, with its content.
    package static func data(_ type: String, _ content: some Collection<UInt8>) -> Data {
        let body = Array(type.utf8) + content
        var chunk = big(UInt32(content.count))
        chunk += body
        chunk += big(checksum(body))
        return chunk
    }

    /// The file with a chunk behind its header, whose own has 25 bytes.
    package static func insert(_ type: String, _ content: some Collection<UInt8>, into file: Data) -> Data {
        let header = signature.count + 25
        var new = Data(file.prefix(header))
        new += data(type, content)
        new += file.dropFirst(header)
        return new
    }

    /// Type and place of the content of the chunk at a place; nil where the file is cut off before its end.
    package static func head(in bytes: [UInt8], at place: Int) -> (type: String, content: Range<Int>)? {
        guard place + 12 <= bytes.count else { return nil }
        let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= bytes.count - place - 12 else { return nil }
        return (String(decoding: bytes[place + 4..<place + 8], as: UTF8.self), place + 8..<place + 8 + length)
    }

    private static func big(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

    /// CRC-32 of the PNG specification, annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            let slot = Int((sum ^ UInt32(byte)) & 0xFF)
            sum = table[slot] ^ sum >> 8
        }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
    }
}
