import Foundation
import Pipeline
import Support

/// Plain video as layers: what is far, the ground in front of it, and every subject one surface within its soft mask.
struct LayeredScene {
    /// Least time between two fits of a mask, nanoseconds, and most fits in one picture: of subjects without a mask, and of others.
    private static let (interval, mostNew, mostOld): (Int64, Int, Int) = (80_000_000, 4, 2)
    /// Time between two looks for the horizon, nanoseconds.
    private static let look: Int64 = 500_000_000
    /// Rows of less than this share of the mask's width are no feet; lower edge of feet that are seen, 0…1.
    private static let (foot, lowest) = (0.15, 0.97)
    /// Face heights from the middle of the face to the lower edge of a mask that reaches to the feet, of a child at least, and to the feet of whoever has
    /// lost them to the ground.
    private static let (leg, foothold) = (5.0, 6.0)
    /// Disparity of a thing at the picture's lower edge for its height, 1/m.
    private static let tall = 1.0
    /// Log-odds of a person by the plate: of what it tells, and of what has the person's own colours and looks like the background.
    private static let (inFront, camouflaged): (Float, Float) = (5, 0.5)
    /// Log-odds of who is not seen to stay, pixels from the edge of a mask from which on it is certain, and what the plate says of it at least.
    private static let (stays, inside, doubted): (Float, Float, Float) = (1.6, 3, -0.3)
    /// Log-odds of an outline in which the plate may be the person; motion, and pixels from a subject, up to which nothing is background.
    private static let (outer, moves, beside): (Double, Float, Float) = (-2, 0.3, 2)
    /// Height whose ground is as far as any thing at least where nobody is seen: that of the middle, on which focus rests then, 0…1 downwards.
    private static let middle = 0.63
    /// Share of the way from what is behind to a subject just outside of its outline, and pixels in which it falls to nothing: the hands and the hair that
    /// a mask misses lie there, and are nearly as sharp as the subject. `known` of them where the background is seen.
    private static let (feather, reach, known): (Float, Float, Float) = (0.8, 10, 3)
    /// Most of those pixels, as a share of the side of a square as large as the mask: hands are as small as the person is.
    private static let relativeReach: Float = 0.3
    /// Time constant in which a pixel becomes known for background, seconds: leaves that stir do not flicker.
    private static let knowing = 0.3
    /// Weight in a cut of the outline by a face, which hair and arms exceed, and of that by a box and motion.
    private static let (byFace, byMotion): (Float, Float) = (3, 5)
    /// Share of what colours beside an outline tell that counts for the next one: all of it, and masks would follow each shade.
    private static let sampled: Float = 0.3

    private var things = ThingList()
    private var plate: BackgroundPlate?
    /// Certainty with which each pixel has been background of late.
    private var behind: SoftMask?
    private var ground = GroundPlane()
    /// Time of the last look for the horizon, nanoseconds.
    private var looked: Int64?

    /// One layer of the map.
    fileprivate struct Layer {
        var disparity: Double
        var presence: Double
        var mask: SoftMask
        /// Outline of a person whose face is seen, in pixels of the map.
        var silhouette: PersonSilhouette?
        /// Box of its detection, in pixels of the mask; nil of people.
        var box: CGRect?
    }

    /// A map of the picture that was taken in last, as large as its guide, with `people` in it.
    func map(of picture: ScenePicture, people: PersonList) throws(VisionError) -> DisparityMap {
        let values = try composed(people.people, people.disparities, small: picture.luma, guide: picture.guide)
        return DisparityMap(values, width: picture.guide.width, height: picture.guide.height)
    }

    /// The next picture is the first of this shot: the plate begins anew.
    mutating func forgetPlate() { plate = nil }

    /// Takes in a picture: places and cuts out `people`, who receive their masks, and things.
    mutating func follow(_ picture: ScenePicture, detections: [Detection], people: inout PersonList) throws(VisionError) {
        let (time, elapsed, small) = (picture.time, picture.elapsed, picture.luma)
        if let flow = picture.flow {
            for index in people.people.indices { people.people[index].cutout.carry(along: flow) }
            for index in things.things.indices { things.things[index].cutout.carry(along: flow) }
        }
        let silhouettes = people.people.map { $0.silhouette(in: small) }
        let outlines = zip(silhouettes, people.people).map { Self.outline($0, $1, in: small) }
        for (index, outline) in outlines.enumerated() {
            for thing in things.takeAll(within: outline) + things.around(outline) { people.people[index].goOn(from: thing) }
        }
        var outlined = SoftMask(width: small.width, height: small.height)
        outlines.forEach { outlined.raise(to: $0) }
        let foreground = try foreground(in: picture, people.people, silhouettes)
        var motion = picture.motion
        for at in foreground.indices where foreground[at] < 0 { motion?.values[at] *= 1 + foreground[at] }
        things.step(detections, motion: motion, foreground: foreground, people: outlined, elapsed: elapsed)
        var subjects = SoftMask(width: small.width, height: small.height)
        cover(&subjects, with: people.people)
        var found = outlined
        for box in things.things.compactMap({ $0.box.flatMap { PixelBox($0, in: small) } }) { found.fill(box) }
        let samples = ColourSamples(in: picture.tones, of: subjects, found: found)
        knowBackground(picture, foreground, samples)
        try fit(&people, silhouettes, in: picture, foreground, samples)
        learnPlate(picture, people.people, outlined)
        if looked.map({ time - $0 >= Self.look }) ?? true {
            ground.see(horizon: VanishingPoint.horizon(in: small))
            looked = time
        }
        let disparities = people.disparities
        ground.step(Self.feet(of: people.people, disparities), nearest: disparities.max(), elapsed: elapsed)
        place(least: people.people.isEmpty ? ground.disparity(at: Self.middle) : ground.disparity(at: 0), elapsed: elapsed)
    }

    /// Union of a person's mask and of the outline by the face.
    private static func outline(_ silhouette: PersonSilhouette, _ person: PersonList.Person, in raster: Raster) -> SoftMask {
        var result = person.cutout.mask ?? SoftMask(width: raster.width, height: raster.height)
        guard let box = PixelBox(silhouette.reach, in: raster) else { return result }
        for y in box.y..<box.y + box.height {
            for x in box.x..<box.x + box.width where silhouette.odds(Double(x) + 0.5, Double(y) + 0.5) > 0 {
                result.values[y * raster.width + x] = 1
            }
        }
        return result
    }

    /// Evidence of the plate for each pixel, -1…1. Whoever has just been found may have stood in it so far, still or not for long.
    private mutating func foreground(
        in picture: ScenePicture, _ people: [PersonList.Person], _ silhouettes: [PersonSilhouette]
    ) throws(VisionError) -> [Float] {
        let (tones, width) = (picture.tones, picture.tones.width)
        var plate = self.plate ?? BackgroundPlate(width: width, height: tones.height)
        defer { self.plate = plate }
        try plate.align(to: tones, moving: picture.motion)
        var foreground = plate.evidence(of: tones)
        for (silhouette, person) in zip(silhouettes, people) where person.cutout.tried == nil {
            guard let box = PixelBox(silhouette.reach, in: tones) else { continue }
            var core: [Float] = []
            for y in box.y..<box.y + box.height {
                for x in box.x..<box.x + box.width where silhouette.isCore(Double(x) + 0.5, Double(y) + 0.5) {
                    core.append(foreground[y * width + x])
                }
            }
            plate.forget(in: box, core: core) { silhouette.odds(Double($0) + 0.5, Double($1) + 0.5) > Self.outer }
            foreground = plate.evidence(of: tones)
        }
        plate.forgetGhosts(in: tones, &foreground)
        return foreground
    }

    /// Takes in which pixels look like the background: that of the plate, or that farther out.
    private mutating func knowBackground(_ picture: ScenePicture, _ foreground: [Float], _ samples: ColourSamples) {
        var known = behind ?? SoftMask(width: picture.luma.width, height: picture.luma.height)
        if let flow = picture.flow { known = flow.carried(known) }
        let share = Float(1 - exp(-(picture.elapsed ?? 0) / Self.knowing))
        for at in foreground.indices {
            let background = max(-foreground[at], -tanh(samples.odds[at] / 2), 0)
            known.values[at] += (background - known.values[at]) * share
        }
        behind = known
    }

    /// Raises a mask to those of people and things.
    private func cover(_ mask: inout SoftMask, with people: [PersonList.Person]) {
        for own in people.compactMap(\.cutout.mask) + things.things.compactMap(\.cutout.mask) { mask.raise(to: own) }
    }

    /// Shows the plate what neither belongs to a subject nor moves.
    private mutating func learnPlate(_ picture: ScenePicture, _ people: [PersonList.Person], _ outlines: SoftMask) {
        var covered = outlines
        cover(&covered, with: people)
        if let motion = picture.motion {
            for at in covered.values.indices where motion.values[at] > Self.moves { covered.values[at] = 1 }
        }
        let distance = covered.distance()
        plate?.learn(picture.tones) { distance[$0] > Self.beside }
    }

    /// Fits masks: of who has none first, then of those whose last fit is oldest. `foreground` is what the plate says,
    /// `samples` what the colours beside the outlines do.
    private mutating func fit(
        _ people: inout PersonList, _ silhouettes: [PersonSilhouette], in picture: ScenePicture, _ foreground: [Float],
        _ samples: ColourSamples
    ) throws(VisionError) {
        let (tones, time) = (picture.tones, picture.time)
        let cut = SubjectCut(tones: tones)
        var taken = SoftMask(width: tones.width, height: tones.height)
        for person in people.people {
            guard let mask = person.cutout.mask else { continue }
            taken.raise(to: mask)
        }
        enum Subject { case person(Int), thing(Int) }
        let persons = people.people.indices.filter { people.people[$0].isSeen || people.people[$0].cutout.mask != nil }
        let all =
            persons.map { (Subject.person($0), people.people[$0].cutout.tried) }
            + things.things.indices.map { (Subject.thing($0), things.things[$0].cutout.tried) }
        let new = all.filter { $0.1 == nil }.prefix(Self.mostNew)
        let old = all.filter { $0.1.map { time - $0 >= Self.interval } ?? false }.sorted { $0.1! < $1.1! }.prefix(Self.mostOld)
        let due = new + old
        let masks = due.isEmpty ? [] : people.people.map(\.cutout.mask) + things.things.map(\.cutout.mask)
        let attached = Attachments(to: masks, foreground: foreground, motion: picture.motion, width: tones.width)
        func prior(of subject: Subject) -> (prior: SubjectPrior, weight: Float)? {
            var prior: SubjectPrior?
            let weight: Float
            switch subject {
            case .person(let index):
                weight = Self.byFace
                people.people[index].cutout.tried = time
                let others = silhouettes.indices.filter { $0 != index }.map { silhouettes[$0] }
                prior = Self.prior(of: people.people[index], silhouettes[index], others, in: picture, foreground)
            case .thing(let index):
                weight = Self.byMotion
                things.things[index].cutout.tried = time
                prior = things.things[index].prior(in: tones, people: taken, foreground: foreground)
            }
            prior?.add(width: tones.width) { _, at in Self.sampled * samples.odds[at] }
            return prior.map { ($0, weight) }
        }
        // Subjects are cut out side by side: no mask depends on another of the same picture.
        let cuts = due.compactMap { subject, _ in
            prior(of: subject).map { prior, weight in
                (subject, ConcurrentTask { () throws(VisionError) in try cut.mask(prior, weight: weight) })
            }
        }
        defer { cuts.forEach { $0.1.join() } }
        for (subject, mask) in cuts {
            switch subject {
            case .person(let index): people.people[index].cutout.take(attached.added(to: try mask.value(), of: index))
            case .thing(let index): things.things[index].take(attached.added(to: try mask.value(), of: people.people.count + index))
            }
        }
        for index in people.people.indices where people.people[index].isSeen {
            guard let box = PixelBox(silhouettes[index].reach, in: tones) else { continue }
            people.people[index].cutout.set(in: box) { x, y in
                let (x, y) = (Double(x) + 0.5, Double(y) + 0.5)
                return silhouettes[index].isHead(x, y) || silhouettes[index].isCore(x, y) ? 1 : nil
            }
        }
    }

    /// Log-odds of a person: by the face where one is seen, by where the person was, what moves, and what stands in front of the background.
    private static func prior(
        of person: PersonList.Person, _ silhouette: PersonSilhouette, _ others: [PersonSilhouette], in picture: ScenePicture, _ foreground: [Float]
    ) -> SubjectPrior? {
        let tones = picture.tones
        guard person.isSeen else { return remembered(person, in: tones, foreground) }
        guard var prior = silhouette.prior(in: tones, others: others) else { return nil }
        let (carried, moving, outline) = (person.cutout.mask, picture.motion, prior.odds)
        let colours = FamiliarColours(of: prior, in: tones)
        prior.add(width: tones.width) { own, at in
            // Motion beside somebody is a hand or a leg more often than not.
            let motion = moving?.values[at] ?? 0
            let raise = motion > 0.4 ? max(-0.6 - outline[own], 0) : 0
            let was = carried.map { 0.9 * (2 * $0.values[at] - 1) } ?? 0
            return raise + 1.2 * motion + was + weight(of: foreground, at, colours, in: tones) * foreground[at]
        }
        return prior
    }

    /// Log-odds of a person of whom no face is seen: who stands where they stood, but for what the plate says.
    private static func remembered(_ person: PersonList.Person, in tones: Raster, _ foreground: [Float]) -> SubjectPrior? {
        guard let mask = person.cutout.mask, var prior = person.cutout.prior(in: tones) else { return nil }
        let depth = mask.depth()
        prior.mark(width: tones.width) { depth[$0] > inside && foreground[$0] > doubted ? .object : nil }
        let colours = FamiliarColours(of: prior, in: tones)
        prior.add(width: tones.width) { _, at in
            stays * mask.values[at] + weight(of: foreground, at, colours, in: tones) * foreground[at]
        }
        return prior
    }

    /// Log-odds of what the plate says: a black suit before a black curtain looks like it.
    private static func weight(of foreground: [Float], _ at: Int, _ colours: FamiliarColours, in tones: Raster) -> Float {
        foreground[at] < 0 && colours.mayHide(at, in: tones, foreground) ? camouflaged : inFront
    }

    /// Footholds of the people whose feet are seen.
    private static func feet(of people: [PersonList.Person], _ disparities: [Double]) -> [GroundPlane.Foothold] {
        zip(people, disparities).compactMap { person, disparity in
            guard let mask = person.cutout.mask, let y = lowerEdge(of: mask), y < lowest else { return nil }
            guard y > person.face.midY + leg * person.face.height else { return nil }
            let feet = max(y, person.face.midY + foothold * person.face.height)
            return GroundPlane.Foothold(y: feet, disparity: disparity, face: person.face, weight: person.presence)
        }
    }

    /// Lower edge of a mask, 0…1: the lowest row that is not a stray pixel's.
    private static func lowerEdge(of mask: SoftMask) -> Double? {
        guard let bounds = mask.bounds else { return nil }
        let least = Float(foot * bounds.width)
        let rows = (0..<mask.height).reversed()
        let lowest = rows.first { row in mask.values[row * mask.width..<(row + 1) * mask.width].reduce(0, +) >= min(least, 3) }
        return lowest.map { Double($0 + 1) / Double(mask.height) }
    }

    /// Puts things where they stand on the ground, `least` or nearer; those that the lower edge cuts off are as near as they are high.
    private mutating func place(least: Double, elapsed: Double?) {
        for index in things.things.indices {
            guard let mask = things.things[index].cutout.mask, let bounds = mask.bounds, let y = Self.lowerEdge(of: mask) else { continue }
            let tall = y < Self.lowest ? 0 : Self.tall * bounds.height / Double(mask.height)
            let target = max(ground.disparity(at: y), tall, least)
            let old = things.things[index].disparity ?? target
            things.things[index].disparity = old + (target - old) * (1 - exp(-(elapsed ?? 0) / 0.3))
        }
    }

    /// The ground, rising around every layer, and before it every layer, farthest first.
    private func composed(
        _ people: [PersonList.Person], _ disparities: [Double], small: Raster, guide: Raster
    ) throws(VisionError) -> [Float] {
        let (width, height) = (guide.width, guide.height)
        var layers = zip(people, disparities).compactMap { person, disparity in
            person.cutout.mask.map { mask in
                let silhouette = person.isSeen ? person.silhouette(in: guide) : nil
                return Layer(disparity: disparity, presence: person.presence, mask: mask, silhouette: silhouette)
            }
        }
        for (thing, disparity) in zip(things.things, things.disparities) {
            guard let disparity, let mask = thing.cutout.mask else { continue }
            layers.append(Layer(disparity: disparity, presence: thing.presence, mask: mask, box: thing.box))
        }
        let behind = self.behind ?? SoftMask(width: small.width, height: small.height)
        var values = surroundings(of: layers, behind, in: small).enlarged(width: width, height: height)
        values.withUnsafeMutableBufferPointer { values in
            for y in 0..<height {
                let (row, plane) = (values.baseAddress! + y * width, plane(at: y, of: height))
                for x in 0..<width { row[x] += plane }
            }
        }
        // Masks are enlarged side by side.
        let tasks = layers.sorted(by: { $0.disparity < $1.disparity }).compactMap { layer in
            layer.presence > 0 ? layer.rows(of: height).map { (layer, $0, Self.alpha(of: layer, in: small, along: guide, rows: $0)) } : nil
        }
        defer { tasks.forEach { $0.2.join() } }
        for (layer, rows, task) in tasks {
            let alpha = try task.value()
            let (near, presence) = (Float(layer.disparity), Float(layer.presence))
            values.withUnsafeMutableBufferPointer { values in
                alpha.withUnsafeBufferPointer { alpha in
                    for at in rows.lowerBound * width..<rows.upperBound * width { values[at] += (near - values[at]) * alpha[at] * presence }
                }
            }
        }
        return values
    }

    /// Disparity of the ground in a row of a map, 1/m.
    private func plane(at row: Int, of height: Int) -> Float { Float(ground.disparity(at: (Double(row) + 0.5) / Double(height))) }

    /// Rise around the layers: how much nearer than the ground each pixel is, 1/m.
    private func surroundings(of layers: [Layer], _ behind: SoftMask, in small: Raster) -> SoftMask {
        var rise = SoftMask(width: small.width, height: small.height)
        for layer in layers where layer.presence > 0 {
            let (distance, presence) = (layer.mask.distance(), Float(layer.presence))
            let (place, lost) = layer.lostFocus
            let most = Self.relativeReach * Float(layer.mask.area * Double(rise.values.count)).squareRoot()
            let (reach, known) = (min(Self.reach, most), min(Self.known, most))
            for y in 0..<rise.height {
                let above = (Float(layer.disparity) - plane(at: y, of: rise.height)) * presence
                for x in 0..<rise.width {
                    let at = y * rise.width + x
                    var share = Self.feather * (1 - distance[at] / (reach + (known - reach) * behind.values[at]))
                    if lost > 0 {
                        let beside = Float(place.distance(to: CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)))
                        share = max(share, lost * (1 - beside / Self.reach))
                    }
                    if share > 0 { rise.values[at] = max(rise.values[at], above * share) }
                }
            }
        }
        return rise
    }

    /// Rows of a layer's mask along the edges of the map's picture. A face that is seen is there as its box says, to the pixel: what is beside a profile
    /// within it, now of the mask and now of what is behind, would flicker.
    private static func alpha(
        of layer: Layer, in small: Raster, along guide: Raster, rows: Range<Int>
    ) -> ConcurrentTask<[Float], VisionError> {
        ConcurrentTask { () throws(VisionError) in
            var alpha = try layer.mask.upsampled(of: small, along: guide, rows: rows)
            dilate(&alpha, width: guide.width, rows: rows)
            layer.silhouette?.markHead(in: &alpha, of: guide)
            return alpha
        }
    }

    /// Greatest value of 3 x 3 (dilation) in rows of a mask: pixels that mix subject and background, left behind it, stay sharp as dark speckles.
    private static func dilate(_ mask: inout [Float], width: Int, rows: Range<Int>) {
        // Of three in a row, for the rows above, at and below, in turn.
        var maxima = [Float](repeating: 0, count: 3 * width)
        mask.withUnsafeMutableBufferPointer { mask in
            maxima.withUnsafeMutableBufferPointer { maxima in
                let (mask, maxima) = (mask.baseAddress!, maxima.baseAddress!)
                func across(_ y: Int) {
                    let (row, out) = (mask + y * width, maxima + y % 3 * width)
                    (out[0], out[width - 1]) = (row[0], row[width - 1])
                    for x in 1..<max(width - 1, 1) { out[x] = max(row[x - 1], max(row[x], row[x + 1])) }
                }
                across(rows.lowerBound)
                for y in rows {
                    if y + 1 < rows.upperBound { across(y + 1) }
                    let (above, below) = (maxima + max(y - 1, rows.lowerBound) % 3 * width, maxima + min(y + 1, rows.upperBound - 1) % 3 * width)
                    let (own, out) = (maxima + y % 3 * width, mask + y * width)
                    for x in 0..<width { out[x] = max(above[x], max(own[x], below[x])) }
                }
            }
        }
    }
}

extension CGRect {
    /// Distance of a point from it; 0 inside.
    fileprivate func distance(to point: CGPoint) -> Double {
        hypot(max(minX - point.x, point.x - maxX, 0), max(minY - point.y, point.y - maxY, 0))
    }
}

extension LayeredScene.Layer {
    /// Middle of the box of a thing, in which focus is measured, and how much of it the mask has lost, as of a spout or of a stick: 0 where it has half, on
    /// which the measurement rests, 1 where it has a quarter or less.
    fileprivate var lostFocus: (place: CGRect, share: Float) {
        guard let box else { return (.zero, 0) }
        let place = box.insetBy(dx: box.width / 4, dy: box.height / 4)
        return (place, min(max(2 - 4 * Float(mask.share(of: place)), 0), 1))
    }

    /// Rows of a map that its soft edge may reach; nil where the mask is empty.
    fileprivate func rows(of height: Int) -> Range<Int>? {
        let margin = 5
        let used = (0..<mask.height).filter { row in mask.values[row * mask.width..<(row + 1) * mask.width].contains { $0 > 0.02 } }
        guard let first = used.first, let last = used.last else { return nil }
        return max((first - margin) * height / mask.height, 0)..<min((last + 1 + margin) * height / mask.height + 1, height)
    }
}

extension PersonList.Person {
    /// Its outline in pixels of a small picture.
    fileprivate func silhouette(in raster: Raster) -> PersonSilhouette {
        PersonSilhouette(face: raster.pixels(face), turn: turn, roll: roll, body: body.map(raster.pixels), height: raster.height)
    }
}
