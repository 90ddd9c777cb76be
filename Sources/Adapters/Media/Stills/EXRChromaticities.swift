import CoreVideo
import Foundation
import Support

/// Attribute `chromaticities` of an OpenEXR file: CIE 1931 x and y of red, green, blue and white, which readers take for those of BT.709 where it is not there
/// ("Technical Introduction to OpenEXR", RGB color).
struct EXRChromaticities: Sendable, Equatable {
    /// x and y of red, green, blue and white: eight numbers.
    let values: [Float]

    static let white: [Float] = [0.3127, 0.3290]
    static let bt709 = EXRChromaticities(values: [0.64, 0.33, 0.30, 0.60, 0.15, 0.06] + white)

    init(values: [Float]) { self.values = values }

    /// Of primaries by their code point of H.273 (table 2); those of BT.709 for another code.
    init(primaries: Int) {
        switch primaries {
        case 5: values = [0.64, 0.33, 0.29, 0.60, 0.15, 0.06] + Self.white
        case 6: values = [0.63, 0.34, 0.31, 0.595, 0.155, 0.07] + Self.white
        case 9: values = [0.708, 0.292, 0.17, 0.797, 0.131, 0.046] + Self.white
        case 12: values = [0.680, 0.320, 0.265, 0.690, 0.150, 0.060] + Self.white
        default: values = Self.bt709.values
        }
    }

    /// Code point of H.273 (table 2) with these primaries, as far as a thousandth tells; nil for none.
    var primaries: Int? {
        [1, 5, 6, 9, 12].first { code in zip(values, EXRChromaticities(primaries: code).values).allSatisfy { abs($0 - $1) < 0.001 } }
    }

    /// Of a file of one part; nil where it says nothing, and for a file that is none.
    init?(ofFile path: String) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        let bytes = [UInt8]((try? file.read(upToCount: 1 << 16)) ?? Data())
        guard let found = EXRHeader(bytes)?.attributes.first(where: { $0.name == "chromaticities" && $0.content.count == 32 }) else { return nil }
        values = (0..<8).map { Float(bitPattern: UInt32(EXRHeader.number(bytes, at: found.content.lowerBound + 4 * $0, bytes: 4))) }
    }

    /// Whether a file names primaries without a code point.
    static func areUncoded(inFile path: String) -> Bool { EXRChromaticities(ofFile: path).map { $0.primaries == nil } ?? false }

    /// A file of one part with this attribute as its first; the offsets of its chunks move along. A file that is not of that kind stays as it is.
    func marking(_ exr: Data) -> Data {
        var bytes = [UInt8](exr)
        guard let header = EXRHeader(bytes), header.end + 8 <= bytes.count else { return exr }
        var attribute = Array("chromaticities\0chromaticities\0".utf8) + [32, 0, 0, 0]
        for value in values { attribute += (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) } }
        let chunks = (EXRHeader.number(bytes, at: header.end, bytes: 8) - header.end) / 8
        guard chunks > 0, header.end + 8 * chunks <= bytes.count else { return exr }
        for chunk in 0..<chunks {
            let place = header.end + 8 * chunk
            let moved = EXRHeader.number(bytes, at: place, bytes: 8) + attribute.count
            for byte in 0..<8 { bytes[place + byte] = UInt8(truncatingIfNeeded: moved >> (8 * byte)) }
        }
        bytes.insert(contentsOf: attribute, at: EXRHeader.start)
        return Data(bytes)
    }
}
