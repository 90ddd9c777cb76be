import Foundation

/// Place of EXIF data in a file: the first such segment APP1 of JPEG, the chunk `eXIf` of PNG.
package enum EXIFPlace {
    private static let name = Data("Exif\0\0".utf8)

    /// Returns the EXIF data of a file; nil without any.
    package static func data(in file: Data, _ format: PictureFileFormat) -> Data? {
        let bytes = Array(file)
        var place = format == .jpeg ? 2 : 8
        while let (head, length, isLast) = format == .jpeg ? segment(bytes, place) : chunk(bytes, place) {
            let content = place + head..<place + head + length
            if format == .jpeg {
                if bytes[place + 1] == 0xE1, bytes[content].starts(with: name) { return Data(bytes[content].dropFirst(name.count)) }
            } else if bytes[place + 4..<place + 8].elementsEqual("eXIf".utf8) {
                return Data(bytes[content])
            }
            if isLast { return nil }
            place = content.upperBound + (format == .jpeg ? 0 : 4)
        }
        return nil
    }

    /// Returns the file with EXIF data in it; as it is where the data is empty or does not fit: JPEG's segments hold 64 KiB.
    package static func insert(_ exif: Data, into file: Data, _ format: PictureFileFormat) -> Data {
        guard !exif.isEmpty else { return file }
        switch format {
        case .jpeg:
            let length = exif.count + name.count + 2
            guard length <= 0xFFFF else { return file }
            var new = Data(file.prefix(2))
            new += [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
            new += name
            new += exif
            new += file.dropFirst(2)
            return new
        case .png:
            return PNGChunk.insert("eXIf", exif, into: file)
        }
    }

    /// Marker segment of JPEG: bytes before its content and in it, and whether the picture follows; nil where it is broken.
    private static func segment(_ bytes: [UInt8], _ place: Int) -> (head: Int, length: Int, isLast: Bool)? {
        guard place + 4 <= bytes.count, bytes[place] == 0xFF else { return nil }
        let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
        guard length >= 2, place + 2 + length <= bytes.count else { return nil }
        return (4, length - 2, bytes[place + 1] == 0xDA)
    }

    /// Chunk of PNG, likewise.
    private static func chunk(_ bytes: [UInt8], _ place: Int) -> (head: Int, length: Int, isLast: Bool)? {
        PNGChunk.head(in: bytes, at: place).map { (8, $0.content.count, $0.type == "IEND") }
    }
}
