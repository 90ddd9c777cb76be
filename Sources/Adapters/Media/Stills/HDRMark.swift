import CoreVideo
import Foundation
import Pipeline
import Support

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
        guard bytes.starts(with: PNGChunk.signature) else { return nil }
        var (at, named): (Int, PictureColors?) = (PNGChunk.signature.count, nil)
        while let (name, content) = PNGChunk.head(in: bytes, at: at), name != "IDAT" {
            let data = bytes[content]
            at = content.upperBound + 4
            if name == "iCCP", data.starts(with: Array("ITUR_2100_PQ_FULL\0".utf8)) { named = try colors(primaries: 9, transfer: 16, path: path) }
            guard name == "cICP", data.count == 4 else { continue }
            let codes = data.map { Int($0) }
            let marked = try colors(primaries: codes[0], transfer: codes[1], path: path)
            guard marked == nil || (codes[2] == 0 && codes[3] == 1) else {
                throw MediaError(code: .unsupported, path: path, reason: "is PQ or HLG of video range; RGB of full range is drawn: convert it")
            }
            return marked
        }
        return named
    }

    /// A PNG file with the chunk behind its header, for colours of any primaries and transfer.
    static func marking(_ png: Data, _ colors: PictureColors) -> Data {
        PNGChunk.insert("cICP", [UInt8(colors.primaries), UInt8(colors.transfer), 0, 1], into: png)
    }

    /// Colours of a picture that was marked, from its attachments; nil for one of ordinary range, and for light that came as numbers, which has no primaries.
    static func ofPicture(_ picture: CVPixelBuffer) -> PictureColors? {
        let colors = PictureColors(attachedTo: picture)
        return colors.isHDR && CVBufferCopyAttachment(picture, kCVImageBufferColorPrimariesKey, nil) != nil ? colors : nil
    }
}
