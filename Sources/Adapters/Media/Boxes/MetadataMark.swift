import Foundation

/// Table of keys of a track of timed metadata, as the name of the track's handler holds it until `TrackMarks` makes QuickTime's sample entry `mebx` of it,
/// which FFmpeg does not write. The name is long enough for all that comes into the index in its place.
struct MetadataMark {
    /// Boxes of the table (`MetadataKeyTable`).
    let keys: Data

    /// Name of the handler in the end.
    static let name = "TimedMetadata"

    init(keys: Data) { self.keys = keys }

    /// Nil for the name of any other handler. Of one as long as this FFmpeg takes the byte that counts its characters for one of them.
    init?(name: String) {
        let words = name.split(separator: " ")
        guard words.count == 2, words[0].hasSuffix(Self.name), let keys = Data(base64Encoded: String(words[1])) else { return nil }
        self.keys = keys
    }

    /// The name until then: the table, and room for the boxes `keys`, `tref` and, for what is left over, `free`.
    var roomyName: String {
        let text = "\(Self.name) \(keys.base64EncodedString())"
        let length = max(text.utf8.count, Self.name.utf8.count + keys.count + 4 + 20 + 8)
        // A count of 256 would be written as 0, which ends a name, and one of 32 as a space.
        return text.padding(toLength: length + ([0, 32].contains(length % 256) ? 1 : 0), withPad: " ", startingAt: 0)
    }
}
