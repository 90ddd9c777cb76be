import Foundation
import Pipeline

/// Foreground of plain video besides people with known faces: moving regions, animals, and salient objects.
///
/// A thing that stops stays for `patience`, then goes back into the background over `transition`.
struct ThingList {
    struct Thing {
        /// Number of its detection; nil where only motion tells of it.
        fileprivate(set) var objectID: Int?
        /// Box of its detection, pixels.
        fileprivate(set) var box: CGRect?
        /// Moving region in this picture; nil while it stands still.
        fileprivate(set) var moving: SoftMask?
        var cutout = Cutout()
        /// 1/m.
        var disparity: Double?
        /// Seconds since it moved or was detected.
        fileprivate var idle = 0.0
        /// Time since it appeared as a share of the transition, 0…1.
        fileprivate var age = 0.0

        /// Seconds for which it stays when it stops: less at the picture's sides, where it has left.
        fileprivate var patience: Double {
            guard let mask = cutout.mask, let bounds = mask.bounds else { return ThingList.leaving }
            return bounds.minX < 1 || bounds.maxX > Double(mask.width - 1) ? ThingList.leaving : ThingList.patience
        }

        /// Share of its way from what is behind to its distance, 0…1; begins and ends at rest.
        var presence: Double { age * age * (3 - 2 * age) }
    }

    /// Seconds.
    private static let (patience, leaving, transition) = (3.0, 0.1, 0.8)
    /// Shares of the picture that one thing may cover.
    private static let (smallest, largest) = (0.004, 0.5)
    /// Least width, as a share of the picture's, of a region at the lower edge that is ground the camera passes over.
    private static let widest = 0.6

    var things: [Thing] = []

    /// The next picture is the first of another shot.
    mutating func forget() { things = [] }

    /// Takes in one picture of `width` x `height` pixels: its detections, what moves in it, and which pixels are people's.
    mutating func step(_ detections: [Detection], motion: SoftMask?, people: SoftMask, elapsed: Double?) {
        let (width, height) = (people.width, people.height)
        for index in things.indices {
            things[index].moving = nil
            things[index].box = nil
            things[index].idle += elapsed ?? 0
        }
        // A thing in the group of a person is that person, tapped.
        for found in detections where [.catBody, .dogBody].contains(found.kind) || found.kind == .salientObject && found.groupID < 1 {
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
            things[index].idle = 0
        }
        if let motion { take(motion, apartFrom: people) }
        let share = elapsed.map { min($0 / Self.transition, 1) } ?? 1
        for index in things.indices {
            things[index].age = min(max(things[index].age + (things[index].idle < things[index].patience ? share : -share), 0), 1)
        }
        things.removeAll { $0.idle >= $0.patience && $0.age == 0 }
    }

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
            let place = things.indices.first { (things[$0].cutout.mask?.overlap(with: part) ?? 0) > 0.3 }
            // A region that begins at a person is a part of the person.
            if place == nil, part.values.indices.contains(where: { part.values[$0] > 0 && near[$0] < 5 }) { continue }
            let index = place ?? things.count
            if place == nil { things.append(Thing()) }
            things[index].idle = 0
            if things[index].moving == nil {
                things[index].moving = part
            } else {
                for at in part.values.indices { things[index].moving!.values[at] = max(things[index].moving!.values[at], part.values[at]) }
            }
        }
    }
}

extension ThingList.Thing {
    /// Log-odds of it about where it moves, was detected or has been.
    func prior(in raster: Raster, people: SoftMask) -> SubjectPrior? {
        if moving == nil, let box { return filled(in: raster, box: box) }
        guard let seed = seed, let bounds = seed.bounds else { return nil }
        let size = Double(max(bounds.width, bounds.height))
        let margin: Double = 0.4 * size + 6
        guard let part = PixelBox(bounds.insetBy(dx: -margin, dy: -margin), in: raster) else { return nil }
        var prior = SubjectPrior(box: part)
        let distance = seed.distance()
        var core = seed
        for at in core.values.indices { core.values[at] = 1 - seed.values[at] }
        let depth = core.distance()
        let width = raster.width
        let (scale, end) = (Float(0.08 * size + 1), Float(0.35 * size + 3))
        let (now, box) = (moving, box)
        prior.add(width: width) { _, at in
            // Motion beside the box is that of something else.
            let rho = box.map { Self.distance(at, from: $0, width: width) } ?? 0
            let outside = rho > 1 ? Self.oddsOutside(rho) : 0
            // Motion now is surer than motion before.
            if distance[at] < 0.5 { return outside + ((now?.values[at] ?? 1) >= 0.5 ? 1.8 : 0.6) }
            return outside - 0.6 * min(max(distance[at] / scale, 0.6), 4)
        }
        mark(&prior, width: width) { at in
            if people.values[at] > 0.5 || distance[at] > end { return .background }
            let rho = box.map { Self.distance(at, from: $0, width: width) } ?? 0
            return rho > Self.reach ? .background : rho < 1 && depth[at] >= 2 ? .object : nil
        }
        return prior
    }

    /// Reach of a detected thing beyond its box, as a factor of the box's half sides.
    private static let reach = 1.25

    /// Distance of a pixel from the middle of a box, in its half sides: 1 on its edge.
    private static func distance(_ at: Int, from box: CGRect, width: Int) -> Double {
        let (x, y) = (Double(at % width) + 0.5 - box.midX, Double(at / width) + 0.5 - box.midY)
        return max(abs(x) / max(box.width / 2, 0.5), abs(y) / max(box.height / 2, 0.5))
    }

    /// Log-odds at a distance of more than 1.
    private static func oddsOutside(_ rho: Double) -> Float { Float(-4 * min(rho - 1, 1) - 0.5) }

    /// Takes a fit unless it ran out into the background.
    mutating func take(_ fit: SoftMask, at time: Int64) {
        let most = 2.5 * (seed?.area ?? 1)
        if box != nil || fit.area <= most { cutout.take(fit, at: time) }
    }

    /// Union of its moving region and its mask.
    private var seed: SoftMask? {
        guard var union = moving, let mask = cutout.mask else { return moving ?? cutout.mask }
        for at in union.values.indices { union.values[at] = max(union.values[at], mask.values[at]) }
        return union
    }

    /// Log-odds of what fills most of a box.
    private func filled(in raster: Raster, box: CGRect) -> SubjectPrior? {
        guard let part = PixelBox(box.scaled(1.4), in: raster) else { return nil }
        var prior = SubjectPrior(box: part)
        let width = raster.width
        prior.add(width: width) { _, at in
            let rho = Self.distance(at, from: box, width: width)
            return rho < 1 ? Float(1.2 * (1 - rho * rho)) : Self.oddsOutside(rho)
        }
        mark(&prior, width: width) { at in
            let rho = Self.distance(at, from: box, width: width)
            return rho > Self.reach ? .background : rho < 0.15 ? .object : nil
        }
        return prior
    }

    private func mark(_ prior: inout SubjectPrior, width: Int, _ label: (Int) -> CutLabel?) {
        for y in 0..<prior.box.height {
            for x in 0..<prior.box.width {
                if let label = label((prior.box.y + y) * width + prior.box.x + x) { prior.labels[y * prior.box.width + x] = label }
            }
        }
    }
}
