import CoreVideo
import Foundation
import Pipeline
import Support

/// Colours of a still's red, green and blue as its file names them; a picture without is sRGB.
enum ColorMark: Sendable, Equatable {
    /// PQ or HLG (ITU-R BT.2100).
    case hdr(PictureColors)
    /// Ordinary range in other primaries than those of sRGB: primaries and transfer as code points of H.273.
    case codePoints(primaries: Int, transfer: Int)
    /// Linear light in other primaries than those of BT.709.
    case chromaticities(EXRChromaticities)
    /// Profile of ordinary range.
    case profile(ICCProfile)

    /// Nil for what is drawn and shown as sRGB. Throws `MediaError` for primaries of PQ and HLG that are not drawn.
    init?(primaries: Int, transfer: Int, path: String) throws(MediaError) {
        guard PictureColors(transfer: transfer).isHDR else {
            guard primaries > 0, PictureColors(primaries: primaries).hasOtherPrimaries else { return nil }
            self = .codePoints(primaries: primaries, transfer: transfer)
            return
        }
        guard primaries == 1 || primaries == 9 else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "is \(transfer == 16 ? "PQ" : "HLG") with the primaries \(primaries) of H.273; "
                    + "BT.709 (1) and BT.2020 (9) are drawn: convert it")
        }
        self = .hdr(PictureColors(primaries: primaries, transfer: transfer, matrix: primaries))
    }

    /// That of a PNG file, or of an OpenEXR file with the primaries of a code point; nil for another file.
    init?(ofPicture path: String) throws(MediaError) {
        if let mark = try ColorMark(ofPNG: path) {
            self = mark
        } else if let primaries = EXRChromaticities(ofFile: path)?.primaries {
            self = .codePoints(primaries: primaries, transfer: 13)
        } else {
            return nil
        }
    }

    /// That of a PNG file: its chunk `cICP` (PNG, third edition, 11.3.2.6), or the profile named as in "Using the ITU BT.2100 PQ EOTF with the PNG
    /// Format" (W3C, 2017). Nil without, and for another file.
    init?(ofPNG path: String) throws(MediaError) {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        let bytes = [UInt8]((try? file.read(upToCount: 1 << 20)) ?? Data())
        guard bytes.starts(with: PNGChunk.signature) else { return nil }
        var (at, named): (Int, ColorMark?) = (PNGChunk.signature.count, nil)
        while let (name, content) = PNGChunk.head(in: bytes, at: at), name != "IDAT" {
            let data = bytes[content]
            at = content.upperBound + 4
            if name == "iCCP", data.starts(with: Array("ITUR_2100_PQ_FULL\0".utf8)) {
                named = try ColorMark(primaries: 9, transfer: 16, path: path)
            }
            guard name == "cICP", data.count == 4 else { continue }
            let codes = data.map { Int($0) }
            named = try ColorMark(primaries: codes[0], transfer: codes[1], path: path)
            if case .hdr = named, codes[2] != 0 || codes[3] != 1 {
                throw MediaError(code: .unsupported, path: path, reason: "is PQ or HLG of video range; RGB of full range is drawn: convert it")
            }
            break
        }
        guard let named else { return nil }
        self = named
    }

    private nonisolated(unsafe) static let key: CFString = "RackfocusColorMark"

    /// Whether its light reaches beyond white.
    var isHDR: Bool {
        if case .hdr = self { true } else { false }
    }

    /// Remembers it with a picture, for the lens and for what is made of it.
    func attach(to picture: CVPixelBuffer) {
        if case .hdr(let colors) = self { return picture.attach(colors) }
        CVBufferSetAttachment(picture, Self.key, self, .shouldPropagate)
    }

    /// That of a picture; nil for sRGB, and for light that came as numbers in the primaries of BT.709.
    init?(of picture: CVPixelBuffer) {
        if let mark = CVBufferCopyAttachment(picture, Self.key, nil) as? ColorMark {
            self = mark
            return
        }
        let colors = PictureColors(attachedTo: picture)
        guard colors.isHDR, CVBufferCopyAttachment(picture, kCVImageBufferColorPrimariesKey, nil) != nil else { return nil }
        self = .hdr(colors)
    }

    var profile: ICCProfile? {
        if case .profile(let profile) = self { profile } else { nil }
    }

    /// Primaries for linear light; nil for a profile of tables.
    var chromaticities: EXRChromaticities? {
        switch self {
        case .hdr(let colors): EXRChromaticities(primaries: colors.primaries)
        case .codePoints(let primaries, _): EXRChromaticities(primaries: primaries)
        case .chromaticities(let named): named
        case .profile(let profile): profile.chromaticities
        }
    }

    /// A PNG file with the chunk `cICP` behind its header; unchanged for what that cannot say.
    func marking(png: Data) -> Data {
        func marked(_ primaries: Int, _ transfer: Int) -> Data { PNGChunk.insert("cICP", [UInt8(primaries), UInt8(transfer), 0, 1], into: png) }
        return switch self {
        case .hdr(let colors): marked(colors.primaries, colors.transfer)
        case .codePoints(let primaries, let transfer): marked(primaries, transfer)
        case .chromaticities, .profile: png
        }
    }
}
