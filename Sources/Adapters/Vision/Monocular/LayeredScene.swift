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
    /// Evidence of the plate, times -1, from which on what was no part of a person is none.
    private static let behind: Float = 0.6
    /// Log-odds of who is not seen to stay, pixels from the edge of a mask from which on it is certain, and what the plate says of it at least.
    private static let (stays, inside, doubted): (Float, Float, Float) = (1.6, 3, -0.3)
    /// Height whose ground is as far as any thing at least where nobody is seen: that of the middle, on which focus rests then, 0…1 downwards.
    private static let middle = 0.63
    /// Weight in a cut of the outline by a face, which hair and arms exceed, and of that by a box and motion.
    private static let (byFace, byMotion): (Float, Float) = (3, 5)
    /// Motion up to which nothing is a subject's.
    private static let moves: Float = 0.3

    private(set) var things = ThingList()
    private(set) var background = SceneBackground()
    private(set) var ground = GroundPlane()
    private(set) var boundary = GroundBoundary()
    /// Time of the last look for the horizon, nanoseconds.
    private var looked: Int64?

    /// The next picture is the first of this shot: the plate begins anew.
    mutating func forgetPlate() { background.forgetPlate() }

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
        try background.compare(with: picture, people.people, silhouettes)
        let foreground = background.foreground
        var motion = picture.motion
        for at in foreground.indices where foreground[at] < 0 { motion?.values[at] *= 1 + foreground[at] }
        things.step(detections, motion: motion, foreground: foreground, people: outlined, elapsed: elapsed)
        try fit(&people, silhouettes, in: picture, foreground)
        refine(&people, in: picture)
        var covered = outlined
        masks(of: people.people).forEach { covered.raise(to: $0) }
        if let motion = picture.motion {
            for at in covered.values.indices where motion.values[at] > Self.moves { covered.values[at] = 1 }
        }
        background.learn(picture, covered: covered)
        for box in things.things.compactMap({ $0.box.flatMap { PixelBox($0, in: small) } }) { covered.fill(box) }
        if looked.map({ time - $0 >= Self.look }) ?? true {
            ground.see(horizon: VanishingPoint.horizon(in: small))
            looked = time
        }
        let disparities = people.disparities
        ground.step(Self.feet(of: people.people, disparities), nearest: disparities.max(), elapsed: elapsed)
        place(least: people.people.isEmpty ? ground.disparity(at: Self.middle) : ground.disparity(at: 0), elapsed: elapsed)
        boundary.see(picture.tones, at: time, horizon: ground.horizon, subjects: covered, stances: Self.stances(of: people.people))
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

    /// Masks of people, then of things, those that have one.
    private func masks(of people: [PersonList.Person]) -> [SoftMask] { people.compactMap(\.cutout.mask) + things.things.compactMap(\.cutout.mask) }

    /// Lets the colours beside the outlines tell what the masks miss and take along.
    private mutating func refine(_ people: inout PersonList, in picture: ScenePicture) {
        let foreground = background.foreground
        // Within the box of a face that is seen nothing is taken from it, or it would flicker.
        var front = foreground
        for face in people.people.filter(\.isSeen).compactMap({ PixelBox(picture.luma.pixels($0.face), in: picture.luma) }) {
            for y in face.y..<face.y + face.height {
                for x in face.x..<face.x + face.width { front[y * picture.luma.width + x] = 1 }
            }
        }
        let persons = people.people.indices.filter { people.people[$0].cutout.mask != nil }
        let objects = things.things.indices.filter { things.things[$0].cutout.mask != nil }
        let classifiers = LocalizedClassifiers(picture.tones, detail: picture.detail)
        let (refined, told) = classifiers.refine(masks(of: people.people), foreground: front)
        for (index, mask) in zip(persons, refined) { people.people[index].cutout.refine(to: mask, foreground: foreground) }
        for (index, mask) in zip(objects, refined.dropFirst(persons.count)) {
            things.things[index].cutout.refine(to: mask, foreground: foreground, within: things.things[index].whole)
        }
        background.know(picture, told)
    }

    /// Fits masks: of who has none first, then of those whose last fit is oldest. `foreground` is what the plate says.
    private mutating func fit(
        _ people: inout PersonList, _ silhouettes: [PersonSilhouette], in picture: ScenePicture, _ foreground: [Float]
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
        if let carried { exclude(beyond: carried, from: &prior, colours, in: tones, foreground) }
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
        exclude(beyond: mask, from: &prior, colours, in: tones, foreground)
        return prior
    }

    /// Excludes what was no part of a person and looks like the background: a mask must not grow over a wall that is enclosed by legs and arms.
    private static func exclude(
        beyond mask: SoftMask, from prior: inout SubjectPrior, _ colours: FamiliarColours, in tones: Raster, _ foreground: [Float]
    ) {
        prior.exclude(width: tones.width) { at in
            mask.values[at] < 0.5 && foreground[at] < -behind && !colours.mayHide(at, in: tones, foreground)
        }
    }

    /// Log-odds of what the plate says: a black suit before a black curtain looks like it.
    private static func weight(of foreground: [Float], _ at: Int, _ colours: FamiliarColours, in tones: Raster) -> Float {
        foreground[at] < 0 && colours.mayHide(at, in: tones, foreground) ? camouflaged : inFront
    }

    /// Footholds of the people whose feet are seen.
    private static func feet(of people: [PersonList.Person], _ disparities: [Double]) -> [GroundPlane.Foothold] {
        zip(people, disparities).compactMap { person, disparity in
            guard let (_, y) = lowerEdge(of: person) else { return nil }
            let feet = max(y, person.face.midY + foothold * person.face.height)
            return GroundPlane.Foothold(y: feet, disparity: disparity, face: person.face, weight: person.presence)
        }
    }

    /// Columns and rows of the feet that are seen.
    private static func stances(of people: [PersonList.Person]) -> [GroundBoundary.Stance] {
        people.compactMap { person in
            guard let (mask, y) = lowerEdge(of: person) else { return nil }
            let row = Int((y * Double(mask.height)).rounded())
            let columns = (0..<mask.width).filter { x in (max(row - 4, 0)..<row).contains { mask.values[$0 * mask.width + x] >= 0.5 } }
            guard let first = columns.first, let last = columns.last else { return nil }
            return GroundBoundary.Stance(columns: max(first - 1, 0)..<min(last + 2, mask.width), row: row)
        }
    }

    /// Mask of a person whose feet are seen, and its lower edge, 0…1; nil where they are not.
    private static func lowerEdge(of person: PersonList.Person) -> (mask: SoftMask, y: Double)? {
        guard let mask = person.cutout.mask, let y = lowerEdge(of: mask), y < lowest else { return nil }
        return y > person.face.midY + leg * person.face.height ? (mask, y) : nil
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
}

extension PersonList.Person {
    /// Its outline in pixels of a small picture.
    func silhouette(in raster: Raster) -> PersonSilhouette {
        PersonSilhouette(face: raster.pixels(face), turn: turn, roll: roll, body: body.map(raster.pixels), height: raster.height)
    }
}
