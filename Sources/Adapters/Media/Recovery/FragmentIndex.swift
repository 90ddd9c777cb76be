import Foundation

/// Places of one fragment's samples: the runs of its `moof` (ISO/IEC 14496-12, 8.8).
struct FragmentIndex {
    private struct Run {
        /// The box in the file.
        let box: Box
        let start: Int64
        /// Bytes of each sample, or of all alike.
        let sizes: [UInt32]
        let equalSize: UInt32
        let count: Int

        /// Count of the samples that end before `end`, and the end of the last of them.
        func whole(before end: Int64) -> (count: Int, end: Int64) {
            guard start >= 0, start < end else { return (0, start) }
            guard !sizes.isEmpty else {
                let fitting = equalSize == 0 ? 0 : min(Int64(count), (end - start) / Int64(equalSize))
                return (Int(fitting), start + fitting * Int64(equalSize))
            }
            var position = start
            for (index, size) in sizes.enumerated() {
                guard Int64(size) <= end - position else { return (index, position) }
                position += Int64(size)
            }
            return (count, position)
        }
    }

    private var runs: [Run] = []
    /// Samples of each track, and the bytes that they take, in the order of the tracks' indices.
    private(set) var tracks: [(samples: Int, bytes: Int64)] = []
    /// A `moof` of this size would hold the index of hours.
    private static let largest: Int64 = 1 << 26

    /// Nil for what makes no sense.
    init?(_ fragment: Box, in file: some BoxStorage) {
        guard fragment.size <= Self.largest else { return nil }
        var dataEnd = fragment.offset
        for track in fragment.children(in: file) where track.type == "traf" {
            guard let end = read(track, of: fragment, after: dataEnd, in: file) else { return nil }
            dataEnd = end
        }
        guard !runs.isEmpty else { return nil }
    }

    /// The samples that end before `end`: where the last one does, their bytes, and how the index reads with them alone.
    func samples(before end: Int64) -> (end: Int64, media: Int64, edits: [InputFile.Edit]) {
        var (last, media, edits): (Int64, Int64, [InputFile.Edit]) = (0, 0, [])
        for run in runs {
            let whole = run.whole(before: end)
            media += whole.end - run.start
            if whole.count > 0 { last = max(last, whole.end) }
            guard whole.count < run.count else { continue }
            // FFmpeg takes a run of no samples for want of memory.
            edits.append(
                whole.count > 0 ? .init(at: run.box.content + 4, UInt32(whole.count)) : .init(at: run.box.offset + 4, bytes: Array("free".utf8)))
        }
        return (last, media, edits)
    }

    /// Takes the runs of one track, whose data begin at `start` unless it says otherwise; gives where they end.
    private mutating func read(_ track: Box, of fragment: Box, after start: Int64, in file: some BoxStorage) -> Int64? {
        let boxes = track.children(in: file)
        guard let header = boxes.first(where: { $0.type == "tfhd" }), header.size <= 64 else { return nil }
        let fields = BigEndian(file.bytes(at: header.content, count: Int(header.size - header.headerLength)))
        guard let flags = fields.uint32(at: 0) else { return nil }
        var (place, base) = (8, flags & 0x2_0000 != 0 ? fragment.offset : start)
        if flags & 1 != 0 {
            guard let own = fields.uint64(at: place).flatMap(Int64.init(exactly:)) else { return nil }
            (place, base) = (place + 8, own)
        }
        place += [0x2, 0x8].reduce(0) { $0 + (flags & $1 != 0 ? 4 : 0) }
        var defaultSize: UInt32?
        if flags & 0x10 != 0 {
            guard let size = fields.uint32(at: place) else { return nil }
            defaultSize = size
        }
        var (next, content) = (base, (samples: 0, bytes: Int64(0)))
        for box in boxes where box.type == "trun" {
            guard let run = Self.run(box, base: base, next: next, defaultSize: defaultSize, in: file) else { return nil }
            runs.append(run)
            next = run.whole(before: .max).end
            // A hostile index may promise more than a number holds.
            content = (content.samples + run.count, content.bytes &+ (next - run.start))
        }
        tracks.append(content)
        return next
    }

    private static func run(_ box: Box, base: Int64, next: Int64, defaultSize: UInt32?, in file: some BoxStorage) -> Run? {
        let fields = BigEndian(file.bytes(at: box.content, count: Int(box.size - box.headerLength)))
        guard let flags = fields.uint32(at: 0), let said = fields.uint32(at: 4), let count = Int(exactly: said) else { return nil }
        var (place, start) = (8, next)
        if flags & 1 != 0 {
            guard let offset = fields.uint32(at: place) else { return nil }
            let (sum, isOver) = base.addingReportingOverflow(Int64(Int32(bitPattern: offset)))
            guard !isOver else { return nil }
            (place, start) = (place + 4, sum)
        }
        if flags & 4 != 0 { place += 4 }
        let stride = [0x100, 0x200, 0x400, 0x800].reduce(0) { $0 + (flags & $1 != 0 ? 4 : 0) }
        guard stride == 0 || count <= (fields.bytes.count - place) / stride, start >= 0, start <= .max / 2 else { return nil }
        var sizes: [UInt32] = []
        if flags & 0x200 != 0 {
            let first = place + (flags & 0x100 != 0 ? 4 : 0)
            sizes = (0..<count).compactMap { fields.uint32(at: first + $0 * stride) }
        } else if defaultSize == nil {
            return nil
        }
        return Run(box: box, start: start, sizes: sizes, equalSize: defaultSize ?? 0, count: count)
    }
}
