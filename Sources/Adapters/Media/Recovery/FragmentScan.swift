import Foundation

/// Playable part of a movie in fragments, wherever it was cut off: all whole fragments, and of one that is cut the samples that are whole.
///
/// A movie in fragments is `ftyp moov (moof mdat)*`. The walk stops at the first box that is not there or makes no sense.
struct FragmentScan {
    /// Fragments with at least one sample.
    private(set) var fragments = 0
    /// Bytes of the samples in fragments; nil where an index makes no sense.
    private(set) var mediaSize: Int64? = 0
    /// Whether something follows that cannot be played, or reads differently.
    private(set) var isCut = false
    /// End of the playable part; the file's where nothing is cut.
    private(set) var end: Int64
    /// Bytes that have to read differently for it.
    private(set) var edits: [InputFile.Edit] = []
    /// Start of the part that is hidden from players; nil when nothing is.
    private(set) var firstHidden: Int64?
    /// Reason to keep the file from FFmpeg, which would take seconds or gigabytes over its index: where there are fragments and a track without a
    /// number, or more samples than bytes. Nil for most files.
    var damage: String? {
        if hasFragments, !areTracksValid { return "a track of it has no number, so its fragments belong nowhere" }
        if !UnlistedSamples.areCredible(unlistedSamples, inBytes: file.length) { return "its index promises more samples than it has bytes" }
        return nil
    }
    private let file: InputFile
    private let reveals: Bool
    private var hasFragments = false
    private var areTracksValid = true
    private var unlistedSamples: Int64 = 0
    private var hasIndex = false
    /// The last `moof`, while its media is still to come; `start` is that of the first one that waits.
    private var pending: (start: Int64, index: FragmentIndex?)?

    /// - Parameter revealing: whether what is hidden from players counts.
    init(_ file: InputFile, revealing: Bool) {
        (self.file, reveals) = (file, revealing)
        end = file.length
        var offset: Int64 = 0
        while offset < file.length {
            guard let box = Box(at: offset, in: file), let next = take(box) else {
                if !isCut { finish(at: offset) }
                break
            }
            offset = next
        }
        if let pending, end == file.length { finish(at: pending.start) }
        // Nothing is read that was revealed behind the first index that waits.
        edits.removeAll { $0.offset >= end }
    }

    private mutating func finish(at offset: Int64) {
        end = pending?.start ?? offset
        isCut = true
    }

    /// Start of the next box; nil when this one is not all there.
    private mutating func take(_ box: Box) -> Int64? {
        if HiddenFragment.begins(box, in: file) {
            firstHidden = firstHidden ?? box.offset
            guard reveals else { return box.end <= file.length ? box.end : nil }
            edits.append(HiddenFragment.revealed(at: box.offset))
            return box.offset + HiddenFragment.headerLength
        }
        let isWhole = box.end <= file.length
        unlistedSamples &+= UnlistedSamples.count(in: box, until: file.end, of: file)
        switch box.type {
        case "moov":
            hasIndex = hasIndex || isWhole
            areTracksValid = areTracksValid && TrackNumbers.areValid(in: box, of: file)
        case "trak":
            // FFmpeg takes it for one more track, whose number it has not seen.
            areTracksValid = false
        case "moof":
            hasFragments = true
            if isWhole, hasIndex { pending = (pending?.start ?? box.offset, FragmentIndex(box, in: file)) }
        case "mdat":
            guard let (_, index) = pending else { break }
            if isWhole {
                fragments += 1
                count(index?.samples(before: file.length).media)
                pending = nil
            } else {
                keepWholeSamples(of: index, in: box)
            }
        default: break
        }
        return isWhole ? box.end : nil
    }

    private mutating func count(_ media: Int64?) {
        guard let media, let (sum, isOver) = mediaSize?.addingReportingOverflow(media), !isOver else { return mediaSize = nil }
        mediaSize = sum
    }

    private mutating func keepWholeSamples(of index: FragmentIndex?, in media: Box) {
        guard let kept = index?.samples(before: file.length), kept.end > media.content else { return }
        fragments += 1
        count(kept.media)
        edits += kept.edits
        if media.headerLength == 8 { edits.append(.init(at: media.offset, UInt32(clamping: kept.end - media.offset))) }
        pending = nil
        (end, isCut) = (kept.end, true)
    }
}

/// A box around a fragment by which players pass over it: `uuid`, with a number of our own. What is inside reads as ever once the box is said
/// to end with its header.
enum HiddenFragment {
    static let headerLength: Int64 = 24
    private static let identifier: [UInt8] = [
        0x5A, 0x0B, 0x61, 0x3D, 0x77, 0x16, 0x4C, 0x39, 0x9A, 0x92, 0x1E, 0xC4, 0xD5, 0x0F, 0x28, 0x83,
    ]

    static func header(around count: Int) -> [UInt8] {
        InputFile.Edit(at: 0, UInt32(clamping: count + Int(headerLength))).bytes + Array("uuid".utf8) + identifier
    }

    static func begins(_ box: Box, in file: InputFile) -> Bool {
        box.type == "uuid" && box.headerLength == 8 && box.size >= headerLength && file.bytes(at: box.content, count: 16) == identifier
    }

    /// The size that ends the box before what it hides.
    static func revealed(at offset: Int64) -> InputFile.Edit { .init(at: offset, UInt32(headerLength)) }
}
