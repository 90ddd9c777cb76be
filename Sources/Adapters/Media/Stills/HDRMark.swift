import CoreVideo
import Foundation
import Pipeline

/// Mark of a picture whose codes are PQ's or HLG's (ITU-R BT.2100), as a file has it: primaries and transfer in the code points of H.273.
enum HDRMark {
    /// Colours of PQ and HLG; nil for another transfer. Throws `MediaError` for primaries that are not drawn.
    static func colors(primaries: Int, transfer: Int, path: String) throws(MediaError) -> PictureColors? {
        guard PictureColors(transfer: transfer).isHDR else { return nil }
        guard primaries == 1 || primaries == 9 else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "is \(transfer == 16 ? "PQ" : "HLG") with the primaries \(primaries) of H.273; "
                    + "BT.709 (1) and BT.2020 (9) are drawn: convert it")
        }
        return PictureColors(primaries: primaries, transfer: transfer, matrix: primaries)
    }

    /// Colours of a PNG file: its chunk `cICP` (PNG, third edition, 11.3.2.6), or the profile named as in "Using the ITU BT.2100 PQ EOTF with the PNG
    /// Format" (W3C, 2017). Nil without, and for another file.
    static func ofPNG(_ path: String) throws(MediaError) -> PictureColors? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        let bytes = [UInt8]((try? file.read(upToCount: 1 << 20)) ?? Data())
        guard bytes.starts(with: signature) else { return nil }
        var (at, named): (Int, PictureColors?) = (signature.count, nil)
        while at + 8 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { (sum: Int, byte) in sum << 8 | Int(byte) }
            let (name, data) = (String(decoding: bytes[at + 4..<at + 8], as: UTF8.self), bytes[(at + 8)...].prefix(length))
            guard data.count == length, name != "IDAT" else { break }
            at += 12 + length
            if name == "iCCP", data.starts(with: Array("ITUR_2100_PQ_FULL\0".utf8)) { named = try colors(primaries: 9, transfer: 16, path: path) }
            guard name == "cICP", length == 4 else { continue }
            let codes = data.map { Int($0) }
            let marked = try colors(primaries: codes[0], transfer: codes[1], path: path)
            guard marked == nil || (codes[2] == 0 && codes[3] == 1) else {
                throw MediaError(code: .unsupported, path: path, reason: "is PQ or HLG of video range; RGB of full range is drawn: convert it")
            }
            return marked
        }
        return named
    }

    private static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

    /// A PNG file with the chunk behind its header.
    static func marking(_ png: Data, _ colors: PictureColors) -> Data {
        let content: [UInt8] = [0x63, 0x49, 0x43, 0x50, UInt8(colors.primaries), UInt8(colors.transfer), 0, 1]
        let header = signature.count + 25
        var marked = Data(png.prefix(header))
        marked.append(bigEndian(UInt32(content.count - 4)))
        marked.append(contentsOf: content)
        marked.append(bigEndian(checksum(content)))
        marked.append(png.dropFirst(header))
        return marked
    }

    /// CRC-32 of ISO 3309, bit by bit: of eight bytes.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = sum & 1 == 1
                sum >>= 1
                if isOdd { sum ^= 0xEDB8_8320 }
            }
        }
        return ~sum
    }

    private static func bigEndian(_ value: UInt32) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }

    /// Colours of a picture that was marked, from its attachments; nil for one of ordinary range, and for light that came as numbers.
    static func ofPicture(_ picture: CVPixelBuffer) -> PictureColors? {
        func attachment(_ key: CFString) -> CFString? { CVBufferCopyAttachment(picture, key, nil) as? CFString }
        let primaries: Int
        switch attachment(kCVImageBufferColorPrimariesKey) {
        case kCVImageBufferColorPrimaries_ITU_R_709_2: primaries = 1
        case kCVImageBufferColorPrimaries_ITU_R_2020: primaries = 9
        default: return nil
        }
        switch attachment(kCVImageBufferTransferFunctionKey) {
        case kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: return PictureColors(primaries: primaries, transfer: 16, matrix: primaries)
        case kCVImageBufferTransferFunction_ITU_R_2100_HLG: return PictureColors(primaries: primaries, transfer: 18, matrix: primaries)
        default: return nil
        }
    }
}
