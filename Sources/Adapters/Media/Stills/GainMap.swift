import Foundation
import Support

/// Gain map of a photo, with which a display brightens a picture of ordinary range to HDR: Adobe's and Google's Ultra HDR, ISO 21496-1, Apple's.
///
/// It is told of, and not applied.
enum GainMap {
    /// Names that a file has in plain letters where it brings one: XMP namespaces, the application segment of a JPEG file, the auxiliary type of HEIF.
    private static let names = [
        "http://ns.adobe.com/hdr-gain-map/", "urn:iso:std:iso:ts:21496:-1", "http://ns.apple.com/HDRGainMap/",
        "urn:com:apple:photo:2020:aux:hdrgainmap",
    ]
    /// Bytes of a file that are searched.
    private static let most = 1 << 28

    /// Whether a photo brings one; of HEIF also by its brand `tmap`.
    static func isIn(_ path: String) -> Bool {
        guard let data = try? FileContents.read(path, atMost: most) else { return false }
        let head = data.prefix(64)
        if head.dropFirst(4).starts(with: Array("ftyp".utf8)), head.range(of: Data("tmap".utf8)) != nil { return true }
        return names.contains { data.range(of: Data($0.utf8)) != nil }
    }
}
