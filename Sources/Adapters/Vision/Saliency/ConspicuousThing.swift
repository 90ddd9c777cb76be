import Foundation
import Pipeline

/// Finds what draws the eye where no person and no animal is seen: what moves against the camera's own motion, and what stands out from the rim.
///
/// Motion is the difference to the picture before after the shift that fits the whole best, forgiving one pixel. Standing out is the minimum barrier
/// distance from the rim (Strand et al. 2013), greater in the middle. Both are joined cell by cell; the best part is it. Its box goes along with
/// the parts that cover it, or else with those that touch it, so that one thing keeps its number.
///
///     nobody seen for `patience` ──► offered under one number ──somebody seen, or gone──► nothing
///
/// A thing where somebody was seen last is in the group of that being, and who is found in a thing takes the thing's group: both are one subject. So are
/// parts of one thing that stand out one after another.
struct ConspicuousThing {
    /// Width of the map in cells, and of the picture that motion is seen in, in pixels.
    private static let (columns, pixels) = (80, 160)
    /// Time without anybody before a thing is offered, time for which another must stand out before it is offered instead, and times for which it is
    /// offered, and kept for the case that it comes back, when nothing stands out at its place, nanoseconds.
    private static let (patience, lead, blink, hold): (Int64, Int64, Int64, Int64) = (200_000_000, 1_200_000_000, 300_000_000, 1_000_000_000)
    /// Time constants of the motion map, of the box's centre and of its size, seconds.
    private static let (memory, centreSmoothing, sizeSmoothing) = (0.5, 0.1, 0.2)
    /// Levels of difference that count as full motion, and below which they are noise.
    private static let (fullMotion, noise) = (25.0, 6.0)
    /// Share of the map's maximum that a part of the thing reaches.
    private static let share = 0.55
    /// The same share of what hangs together with the part, of which that is the most conspicuous for a while.
    private static let wholeShare = 0.2
    /// Time for which the place of a being that is seen no longer is remembered, nanoseconds.
    private static let placeMemory: Int64 = 2_000_000_000
    /// Share of the picture that a thing covers at least and at most.
    private static let (smallest, largest) = (0.0015, 0.5)

    /// Thing that is offered.
    struct Offer {
        let objectID: Int
        let groupID: Int
        /// Place, 0…1.
        var box: CGRect
        /// 0…1: how conspicuous it is.
        var salience: Double
    }

    /// Thing that is offered; nil while nothing is seen at its place.
    var offer: Offer? { lastTime.map { $0 - seen <= Self.blink } == true ? held : nil }
    private var held: Offer?
    /// Beings, and things, seen lately: group, place 0…1 of everything of them that a detector saw, and time of the last sighting, nanoseconds.
    private var places: [(groupID: Int, box: CGRect, time: Int64)] = []
    private var last: Raster?
    private var motion: [Double] = []
    private var lastTime: Int64?
    /// Time at which somebody was seen last, or of the first frame.
    private var somebody: Int64?
    private var rival: (box: CGRect, since: Int64)?
    /// Time at which a part of the map was last at the thing's place.
    private var seen: Int64 = 0

    /// Looks at one frame, in which the detector reports `seen`.
    mutating func step(_ picture: ReducedPicture, time: Int64, seen beings: [Detection], identities: inout Identities) throws(VisionError) {
        let elapsed = lastTime.map { Double(time - $0) * 1e-9 } ?? 0
        lastTime = time
        try follow(picture, elapsed: elapsed)
        if !beings.isEmpty || somebody == nil { somebody = time }
        remember(beings, time: time)
        guard let somebody, time - somebody >= Self.patience else {
            return withdraw(at: time)
        }
        let map = try self.map(of: picture)
        let parts = self.parts(of: map)
        guard let best = parts.max(by: { $0.weight < $1.weight }) else {
            return time - seen > Self.hold ? withdraw(at: time) : ()
        }
        guard let known = held else {
            return take(best, of: map, time: time, &identities)
        }
        if let part = Self.part(of: parts, at: known.box) {
            let (centre, size) = (elapsed / (elapsed + Self.centreSmoothing), elapsed / (elapsed + Self.sizeSmoothing))
            held!.box = known.box.mixed(with: part.box, centre: centre, size: size)
            held!.salience += (part.salience - known.salience) * size
            seen = time
            if part.weight >= 0.6 * best.weight {
                rival = nil
                return
            }
        } else if time - seen > Self.hold {
            return take(best, of: map, time: time, &identities)
        }
        let since = rival.flatMap { $0.box.covers(best.box) ? $0.since : nil } ?? time
        rival = (best.box, since)
        if time - since >= Self.lead { take(best, of: map, time: time, &identities) }
    }

    /// Heaviest part that covers a box, else the heaviest that touches it; nil for none.
    private static func part(of parts: [Part], at box: CGRect) -> Part? {
        let same = parts.filter { $0.box.covers(box) }
        let near = same.isEmpty ? parts.filter { $0.box.intersects(box) } : same
        return near.max { $0.weight < $1.weight }
    }

    /// Offers nothing, and remembers where the thing was.
    private mutating func withdraw(at time: Int64) {
        if let held { remember(held.groupID, held.box, time: time) }
        (held, rival) = (nil, nil)
    }

    private mutating func take(_ part: Part, of map: Map, time: Int64, _ identities: inout Identities) {
        let whole = map.whole(around: part, from: Self.wholeShare)
        func isSame(_ box: CGRect) -> Bool { box.covers(part.box) || map.share(of: box, in: whole) > 0.3 }
        let known = held.flatMap { isSame($0.box) ? $0 : nil }
        let place = places.filter { isSame($0.box) }.max { ($0.time, -$0.groupID) < ($1.time, -$1.groupID) }
        held = Offer(
            objectID: known?.objectID ?? identities.object(), groupID: known?.groupID ?? place?.groupID ?? identities.group(), box: part.box,
            salience: part.salience)
        (rival, seen) = (nil, time)
    }

    // MARK: Beings

    /// Takes the group of the offered thing for somebody new whose head is in it, or in whose body it is (0…1); nil where no thing is. Given once.
    mutating func takeGroup(for head: CGRect, body: CGRect?) -> Int? {
        guard let known = held, known.box.contains(head.center) || (body ?? head).contains(known.box.center) else { return nil }
        held = nil
        return known.groupID
    }

    private mutating func remember(_ seen: [Detection], time: Int64) {
        for detection in seen where detection.groupID > 0 && !detection.isExtrapolated { remember(detection.groupID, detection.bounds, time: time) }
        places.removeAll { time - $0.time > Self.placeMemory }
    }

    private mutating func remember(_ groupID: Int, _ box: CGRect, time: Int64) {
        guard let index = places.firstIndex(where: { $0.groupID == groupID }) else { return places.append((groupID, box, time)) }
        places[index] = (groupID, places[index].time == time ? places[index].box.union(box) : box, time)
    }

    // MARK: Motion

    /// Updates the motion map.
    private mutating func follow(_ picture: ReducedPicture, elapsed: Double) throws(VisionError) {
        let width = min(Self.pixels, picture.luma.width)
        let height = max(1, width * picture.luma.height / picture.luma.width)
        let now = Raster(width: width, height: height)
        try now.fill(reducing: picture.half.image)
        let (columns, rows) = (width / 2, height / 2)
        if motion.count != columns * rows { motion = [Double](repeating: 0, count: columns * rows) }
        defer { last = now }
        guard let last, last.width == width, last.height == height, columns > 8, rows > 8 else { return }
        let shift = Self.shift(from: last, to: now)
        let keep = Self.memory / (Self.memory + elapsed)
        for row in 0..<rows {
            for column in 0..<columns {
                var sum = 0
                for (x, y) in [(2 * column, 2 * row), (2 * column + 1, 2 * row + 1)] { sum += Self.difference(now, last, x, y, shift) }
                let value = min(max((Double(sum) / 2 - Self.noise) / (Self.fullMotion - Self.noise), 0), 1)
                motion[row * columns + column] = max(motion[row * columns + column] * keep, value)
            }
        }
    }

    /// Least difference of a pixel to those around its place in the picture before; 0 where that is outside.
    private static func difference(_ now: Raster, _ last: Raster, _ x: Int, _ y: Int, _ shift: (x: Int, y: Int)) -> Int {
        let (u, v) = (x - shift.x, y - shift.y)
        guard u >= 1, v >= 1, u < now.width - 1, v < now.height - 1 else { return 0 }
        let (value, place) = (Int(now.bytes[y * now.width + x]), last.bytes + v * now.width + u)
        var least = 255
        for row in [-now.width, 0, now.width] { for column in -1...1 { least = min(least, abs(value - Int(place[row + column]))) } }
        return least
    }

    /// The shift of the whole picture, pixels: coarse over every fourth pixel, then fine.
    private static func shift(from last: Raster, to now: Raster) -> (x: Int, y: Int) {
        func cost(_ dx: Int, _ dy: Int, step: Int) -> Double {
            var (sum, count) = (0, 0)
            for y in stride(from: max(dy, 0), to: now.height + min(dy, 0), by: step) {
                for x in stride(from: max(dx, 0), to: now.width + min(dx, 0), by: step) {
                    // A person may move far; beyond this no pixel counts more.
                    sum += min(abs(Int(now.bytes[y * now.width + x]) - Int(last.bytes[(y - dy) * now.width + x - dx])), 30)
                    count += 1
                }
            }
            return Double(sum) / Double(max(count, 1))
        }
        var best = (cost: cost(0, 0, step: 4), x: 0, y: 0)
        for dy in stride(from: -12, through: 12, by: 3) {
            for dx in stride(from: -12, through: 12, by: 3) {
                let value = cost(dx, dy, step: 4)
                if value < best.cost { best = (value, dx, dy) }
            }
        }
        let coarse = best
        best.cost = cost(best.x, best.y, step: 3)
        for dy in coarse.y - 2...coarse.y + 2 {
            for dx in coarse.x - 2...coarse.x + 2 {
                let value = cost(dx, dy, step: 3)
                if value < best.cost { best = (value, dx, dy) }
            }
        }
        return (best.x, best.y)
    }

    // MARK: Parts that stand out

    private struct Part {
        /// 0…1 of the picture.
        var box: CGRect
        /// Cells of the map.
        var cells: [Int]
        /// Sum of the map over its cells, and their mean.
        var weight: Double
        var salience: Double
    }

    /// Conspicuity of each cell of the picture, row by row.
    private struct Map {
        var cells: [Double] = []
        var (columns, rows) = (0, 0)

        /// Whether each cell hangs together with a part through cells of a share of the maximum.
        func whole(around part: Part, from share: Double) -> [Bool] {
            let limit = share * (cells.max() ?? 0)
            var (isOpen, isWhole) = (cells.map { $0 >= limit }, [Bool](repeating: false, count: cells.count))
            for cell in ConnectedCells.flood(from: part.cells, through: &isOpen, columns: columns, neighbours: .eight) { isWhole[cell] = true }
            return isWhole
        }

        /// Share of the cells in a box (0…1) that are marked.
        func share(of box: CGRect, in marks: [Bool]) -> Double {
            func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
                let first = min(max(Int(low * Double(count)), 0), count)
                return first..<min(max(Int((high * Double(count)).rounded(.up)), first), count)
            }
            let (across, down) = (range(box.minX, box.maxX, columns), range(box.minY, box.maxY, rows))
            let marked = down.reduce(0) { sum, y in sum + across.count { marks[y * columns + $0] } }
            return Double(marked) / Double(max(across.count * down.count, 1))
        }
    }

    /// Map of a picture; empty where it is too small.
    private func map(of picture: ReducedPicture) throws(VisionError) -> Map {
        let (columns, rows) = (min(Self.columns, picture.luma.width / 2), motion.count / max(1, min(Self.columns, picture.luma.width / 2)))
        guard columns > 8, rows > 8, motion.count == columns * rows else { return Map() }
        let colours = try Raster.bgr(luma: picture.luma, chroma: picture.chroma, width: columns, height: rows).lab()
        let rim = Raster(width: columns, height: rows)
        for y in 0..<rows { for x in 0..<columns where x == 0 || y == 0 || x == columns - 1 || y == rows - 1 { rim.bytes[y * columns + x] = 255 } }
        let barriers = colours.barriers(from: [rim])[0]
        let highest = Double(max(barriers.sorted()[barriers.count * 99 / 100], 1))
        var cells = [Double](repeating: 0, count: columns * rows)
        for y in 0..<rows {
            for x in 0..<columns {
                let (dx, dy) = ((Double(x) + 0.5) / Double(columns) - 0.5, (Double(y) + 0.5) / Double(rows) - 0.5)
                let middle = 1 - 1.6 * (dx * dx + dy * dy)
                let standsOut = min(Double(barriers[y * columns + x]) / highest, 1) * max(middle, 0.2)
                cells[y * columns + x] = 0.25 * standsOut + motion[y * columns + x] * max(middle, 0.2).squareRoot()
            }
        }
        return Map(cells: cells, columns: columns, rows: rows)
    }

    /// Parts of the map that hang together, of a believable size.
    private func parts(of map: Map) -> [Part] {
        let limit = Self.share * (map.cells.max() ?? 0)
        guard limit > 0 else { return [] }
        var (isOpen, parts) = (map.cells.map { $0 >= limit }, [Part]())
        for start in map.cells.indices where isOpen[start] {
            let cells = ConnectedCells.flood(from: [start], through: &isOpen, columns: map.columns, neighbours: .eight)
            guard (Self.smallest...Self.largest).contains(Double(cells.count) / Double(map.cells.count)) else { continue }
            let weight = cells.reduce(0) { $0 + map.cells[$1] }
            parts.append(
                Part(
                    box: ConnectedCells.bounds(of: cells, columns: map.columns, rows: map.rows), cells: cells, weight: weight,
                    salience: min(weight / Double(cells.count), 1)))
        }
        return parts
    }
}

extension CGRect {
    /// Whether the two share three tenths of the smaller.
    fileprivate func covers(_ other: CGRect) -> Bool { intersection(other).area > 0.3 * min(area, other.area) }

    /// Rectangle whose centre and size lie these shares of the way to another's.
    fileprivate func mixed(with other: CGRect, centre: Double, size: Double) -> CGRect {
        func mix(_ a: Double, _ b: Double, _ share: Double) -> Double { a + (b - a) * share }
        let (x, y) = (mix(midX, other.midX, centre), mix(midY, other.midY, centre))
        let (width, height) = (mix(width, other.width, size), mix(height, other.height, size))
        return CGRect(x: x - width / 2, y: y - height / 2, width: width, height: height)
    }
}
