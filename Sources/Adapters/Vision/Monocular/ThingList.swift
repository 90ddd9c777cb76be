import Foundation
import Pipeline

/// Foreground of plain video besides people with known faces: moving regions, animals, and salient objects.
///
/// A thing that stops stays for `patience`, longer where it is seen to stand in front of the background, then goes back into that over `transition`.
struct ThingList {
    struct Thing {
        /// Number of its detection; nil where only motion tells of it.
        fileprivate(set) var objectID: Int?
        /// Box of its detection, pixels.
        fileprivate(set) var box: CGRect?
        /// Whether its box is that of what stands out, which may be a shirt, and not of what a detector knows as a whole.
        fileprivate var isPart = false
        /// Moving region in this picture; nil while it stands still.
        fileprivate(set) var moving: SoftMask?
        /// Rectangle around its moving regions of late, pixels: grows with them at once, and shrinks over `narrowing`.
        fileprivate var extent: CGRect?
        var cutout = Cutout()
        /// 1/m.
        var disparity: Double?
        /// Seconds since it moved or was detected.
        fileprivate var idle = 0.0
        /// Whether the plate of the background sees it in front.
        fileprivate var isInFront = false
        /// Time since it appeared as a share of the transition, 0…1.
        fileprivate(set) var age = 0.0

        /// Box of its detection, if that is of it as a whole.
        var whole: CGRect? { isPart ? nil : box }

        /// Seconds for which it stays when it stops: less at the picture's sides, where it has left.
        fileprivate var patience: Double {
            guard let mask = cutout.mask, let bounds = mask.bounds else { return ThingList.leaving }
            if bounds.minX < 1 || bounds.maxX > Double(mask.width - 1) { return ThingList.leaving }
            return isInFront ? ThingList.rest : ThingList.patience
        }

        /// Share of its way from what is behind to its distance, 0…1; begins and ends at rest.
        var presence: Double { age * age * (3 - 2 * age) }
    }

    /// Seconds.
    private static let (patience, rest, leaving, transition, narrowing) = (3.0, 15.0, 0.1, 0.8, 0.3)
    /// Mean evidence of the plate in a mask from which on the thing stands in front: what the plate never saw is 0.
    private static let inFront: Float = 0.1
    /// Difference of two disparities' logarithms from which on they hardly are the same: what is lifted from a table goes up, and not away.
    private static let company = 0.5
    /// Shares of the picture that one thing may cover.
    private static let (smallest, largest) = (0.004, 0.5)
    /// Least width, as a share of the picture's, of a region at the lower edge that is ground the camera passes over.
    private static let widest = 0.6
    /// Gap between two things, as a share of the picture's width, and least share of the height of one that the other has.
    private static let (gap, alike) = (0.04, 0.4)

    var things: [Thing] = []

    /// The next picture is the first of another shot.
    mutating func forget() { things = [] }

    /// Disparity of each thing, 1/m, those of nearly the same distance drawn together (mean shift); nil where it is not known yet.
    var disparities: [Double?] {
        things.map { thing in thing.disparity.map { drawn($0) } }
    }

    private func drawn(_ disparity: Double) -> Double {
        var (sum, weights) = (0.0, 0.0)
        for other in things {
            guard let near = other.disparity else { continue }
            let apart = log(near / disparity) / Self.company
            let weight = exp(-apart * apart) * (near == disparity ? 1 : other.presence)
            sum += weight * near
            weights += weight
        }
        return sum / weights
    }

    /// Takes in one picture of `width` x `height` pixels: its detections, what moves in it, what the plate says, and which pixels are people's.
    mutating func step(_ detections: [Detection], motion: SoftMask?, foreground: [Float], people: SoftMask, elapsed: Double?) {
        let (width, height) = (people.width, people.height)
        for index in things.indices {
            things[index].isInFront = things[index].cutout.mask?.mean(of: foreground) ?? 0 > Self.inFront
            things[index].moving = nil
            things[index].box = nil
            things[index].idle += elapsed ?? 0
        }
        let persons = Set(detections.filter { [.face, .humanHead, .humanBody].contains($0.kind) && $0.groupID > 0 }.map(\.groupID))
        // A thing in the group of a person is that person, tapped.
        for found in detections where [.catBody, .dogBody].contains(found.kind) || found.kind == .salientObject && !persons.contains(found.groupID) {
            let box = CGRect(
                x: found.bounds.minX * Double(width), y: found.bounds.minY * Double(height), width: found.bounds.width * Double(width),
                height: found.bounds.height * Double(height))
            let place =
                things.firstIndex { $0.objectID == found.objectID }
                ?? things.firstIndex { $0.objectID == nil && ($0.cutout.mask?.bounds.map { $0.overlap(box) } ?? 0) > 0.3 }
            let index = place ?? things.count
            if place == nil { things.append(Thing()) }
            things[index].objectID = found.objectID
            things[index].box = box
            things[index].isPart = found.kind == .salientObject
            things[index].idle = 0
        }
        if let motion { take(motion, apartFrom: people) }
        for index in things.indices { things[index].narrow(over: elapsed ?? 0) }
        let share = elapsed.map { min($0 / Self.transition, 1) } ?? 1
        for index in things.indices {
            things[index].age = min(max(things[index].age + (things[index].idle < things[index].patience ? share : -share), 0), 1)
        }
        things.removeAll { $0.idle >= $0.patience && $0.age == 0 }
    }

    /// Takes out the things that mostly lie within the outline of a person, but for what is still detected, as a cup in a hand: it was the person who
    /// moved, or a shirt that stood out.
    mutating func takeAll(within outline: SoftMask) -> [Thing] {
        func belongs(_ thing: Thing) -> Bool { thing.box == nil && (thing.cutout.mask?.share(within: outline) ?? 0) > 0.5 }
        defer { things.removeAll(where: belongs) }
        return things.filter(belongs)
    }

    /// Things in which most of the outline of a person lies, as of two who touch: there is more to them than who was found.
    func around(_ outline: SoftMask) -> [Thing] { things.filter { $0.cutout.mask.map { outline.share(within: $0) > 0.5 } ?? false } }

    private mutating func take(_ motion: SoftMask, apartFrom people: SoftMask) {
        var free = motion
        let near = people.distance()
        for at in free.values.indices where near[at] < 3 { free.values[at] = 0 }
        let pixels = Double(motion.width * motion.height)
        for part in free.components(least: max(Int(Self.smallest * pixels), 6)) {
            guard part.area < Self.largest, let bounds = part.bounds else { continue }
            if bounds.maxY > 0.95 * Double(part.height), bounds.width > Self.widest * Double(part.width) { continue }
            // Nor is what fills a corner above.
            if bounds.minY < 2, bounds.minX < 2 || bounds.maxX > Double(part.width) - 2 { continue }
            let overlaps = things.map { $0.cutout.mask?.overlap(with: part) ?? 0 }
            let place = overlaps.indices.filter { overlaps[$0] > 0.3 }.max { overlaps[$0] < overlaps[$1] }
            if let place, let moving = things[place].moving, Self.isApart(part, moving) {
                split(part, from: place)
                continue
            }
            // A region that begins at a person is a part of the person.
            if place == nil, part.values.indices.contains(where: { part.values[$0] > 0 && near[$0] < 5 }) { continue }
            let index = place ?? things.count
            if place == nil { things.append(Thing()) }
            things[index].idle = 0
            if things[index].moving == nil {
                things[index].moving = part
            } else {
                things[index].moving!.raise(to: part)
            }
            absorb(part, into: index)
        }
    }

    /// Whether two moving regions are of two things: side by side with a gap, and nearly as high as each other, as neither arms nor head and feet are.
    private static func isApart(_ one: SoftMask, _ other: SoftMask) -> Bool {
        let width = one.width
        guard let one = one.bounds, let other = other.bounds else { return false }
        let gap = max(one.minX, other.minX) - min(one.maxX, other.maxX)
        return gap >= Self.gap * Double(width) && min(one.height, other.height) > Self.alike * max(one.height, other.height)
    }

    /// Makes a moving region that came apart from a thing one of its own, as near and as present; each has the part of the mask that is nearer to it. The
    /// one in the detected box goes on as what it was.
    private mutating func split(_ part: SoftMask, from index: Int) {
        guard var own = things[index].moving else { return }
        var away = part
        if let box = things[index].box, away.share(within: box) > own.share(within: box) { swap(&own, &away) }
        let (toOwn, toAway) = (own.distance(), away.distance())
        var other = Thing(moving: away, disparity: things[index].disparity, age: things[index].age)
        other.cutout = things[index].cutout.split { toAway[$0] < toOwn[$0] }
        things[index].moving = own
        things[index].extent = own.bounds
        things.append(other)
    }

    /// Makes what moves in one region one thing: other things that mostly lie in it become parts of that at `index`, which goes on as near and as present as
    /// the one that has been there longest. A hand that stands out takes the whole person over.
    private mutating func absorb(_ part: SoftMask, into index: Int) {
        let others = things.indices.filter { other in
            guard other != index, things[other].objectID == nil, let mask = things[other].cutout.mask else { return false }
            return mask.share(within: part) > 0.5
        }
        for other in others {
            things[index].cutout.join(things[other].cutout)
            guard things[other].age > things[index].age else { continue }
            (things[index].age, things[index].disparity) = (things[other].age, things[other].disparity)
        }
        for other in others.reversed() { things.remove(at: other) }
    }
}

extension ThingList.Thing {
    /// Log-odds of what has moved by the plate: of what it tells; what looks so much like the background is not surely the thing.
    private static let (inFront, behind): (Float, Float) = (4, -0.3)

    /// Log-odds of it about where it moves, was detected or has been, and where something stands in front of the background: `foreground`, -1…1.
    func prior(in raster: Raster, people: SoftMask, foreground: [Float]) -> SubjectPrior? {
        guard var prior = prior(in: raster, people: people) else { return nil }
        // The plate may have what never moved.
        guard extent != nil else { return prior }
        prior.add(width: raster.width) { _, at in Self.inFront * foreground[at] }
        prior.mark(width: raster.width, where: .object) { foreground[$0] < Self.behind ? .probablyObject : nil }
        return prior
    }

    private func prior(in raster: Raster, people: SoftMask) -> SubjectPrior? {
        guard let moving else { return box.map { filled(in: raster, box: $0) } ?? remembered(in: raster, people: people) }
        guard let bounds = moving.bounds, let region else { return nil }
        let size = Double(max(bounds.width, bounds.height))
        let margin: Double = 0.4 * size + 6
        guard let part = PixelBox(bounds.union(box ?? bounds).insetBy(dx: -margin, dy: -margin), in: raster) else { return nil }
        var prior = SubjectPrior(box: part)
        let distance = moving.distance()
        let (depth, width, mask) = (moving.depth(), raster.width, cutout.mask)
        let (scale, end) = (Float(0.08 * size + 1), Float(0.35 * size + 3))
        prior.add(width: width) { _, at in
            // Motion beside it is that of something else.
            let rho = Self.distance(at, from: region, width: width)
            let outside = rho > 1 ? Self.oddsOutside(rho) : 0
            if distance[at] < 0.5 { return outside + 1.8 }
            // Motion now is surer than motion before.
            return outside + (mask.map { $0.values[at] >= 0.5 } == true ? 0.6 : -0.6 * min(max(distance[at] / scale, 0.6), 4))
        }
        prior.mark(width: width) { at in
            if people.values[at] > 0.5 || distance[at] > end && box == nil { return .background }
            let rho = Self.distance(at, from: region, width: width)
            return rho > Self.reach ? .background : rho < 1 && depth[at] >= 2 ? .object : nil
        }
        return prior
    }

    /// Rectangle in which it lies while it moves.
    private var region: CGRect? {
        guard let box else { return extent }
        return isPart ? extent.map(box.union) ?? box : box
    }

    /// Brings the sides of its extent nearer to those of its moving region.
    fileprivate mutating func narrow(over elapsed: Double) {
        guard let bounds = moving?.bounds else { return }
        let union = extent.map(bounds.union) ?? bounds
        let share = 1 - exp(-elapsed / ThingList.narrowing)
        let (left, right) = (union.minX + (bounds.minX - union.minX) * share, union.maxX + (bounds.maxX - union.maxX) * share)
        let (top, bottom) = (union.minY + (bounds.minY - union.minY) * share, union.maxY + (bounds.maxY - union.maxY) * share)
        extent = CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// Share of the way that the mask of what moves goes to a new fit: its outline is never seen to boil, and flow loses it.
    private static let movingPace: Float = 0.8
    /// Reach of a thing beyond its box or extent, as a factor of the half sides.
    private static let reach = 1.25

    /// Distance of a pixel from the middle of a box, in its half sides: 1 on its edge.
    private static func distance(_ at: Int, from box: CGRect, width: Int) -> Double {
        let (x, y) = (Double(at % width) + 0.5 - box.midX, Double(at / width) + 0.5 - box.midY)
        return max(abs(x) / max(box.width / 2, 0.5), abs(y) / max(box.height / 2, 0.5))
    }

    /// Log-odds at a distance of more than 1.
    private static func oddsOutside(_ rho: Double) -> Float { Float(-4 * min(rho - 1, 1) - 0.5) }

    /// Takes a fit unless it ran out into the background.
    mutating func take(_ fit: SoftMask) {
        guard box != nil || fit.area <= 2.5 * ((moving ?? cutout.mask)?.area ?? 0) else { return }
        cutout.take(fit, pace: moving != nil && (box == nil || isPart) ? Self.movingPace : Cutout.pace)
    }

    /// Log-odds of what moved and stopped, or went on from there.
    private func remembered(in raster: Raster, people: SoftMask) -> SubjectPrior? {
        guard var prior = cutout.prior(in: raster) else { return nil }
        prior.mark(width: raster.width) { people.values[$0] > 0.5 ? .background : nil }
        return prior
    }

    /// Log-odds of what fills most of a box.
    private func filled(in raster: Raster, box: CGRect) -> SubjectPrior? {
        let near = box.scaled(1.4)
        guard let part = PixelBox(isPart ? cutout.mask?.bounds.map(near.union) ?? near : near, in: raster) else { return nil }
        var prior = SubjectPrior(box: part)
        let (width, mask) = (raster.width, isPart ? cutout.mask : nil)
        func wasInside(_ at: Int) -> Bool { mask.map { $0.values[at] >= 0.5 } ?? false }
        prior.add(width: width) { _, at in
            let rho = Self.distance(at, from: box, width: width)
            return rho < 1 ? Float(1.2 * (1 - rho * rho)) : wasInside(at) ? 0.4 : Self.oddsOutside(rho)
        }
        prior.mark(width: width) { at in
            let rho = Self.distance(at, from: box, width: width)
            return rho > Self.reach && !wasInside(at) ? .background : rho < 0.15 ? .object : nil
        }
        return prior
    }
}
