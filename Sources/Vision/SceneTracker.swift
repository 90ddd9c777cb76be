import CoreMedia
import Foundation
import Pipeline

/// Everything `VisionDetector` knows between frames, and its one step per frame.
struct SceneTracker {
    let cascades: Cascades
    let tuning: VisionTuning
    /// One looks after tracks; the other searches beside it.
    private let finder: HeadFinder
    private let searcher: HeadFinder
    private let faceNet: FaceNet?
    private let objectNet: ObjectNet?
    private let timings: Timings?
    private var flow: Flow
    private var plan: SweepPlan?
    private var sweep: HeadSweep?
    private var lastObjects: Int64?
    private var size = CGSize.zero
    private var lastTime: Int64?
    private(set) var frames = 0
    var tracks: [Track] = []
    /// What the object network sees; nil without one.
    var bodies: BodyTracker?
    var identities = Identities()
    var movement = MotionFinder()
    /// The standard deviation, 0…255, of a picture that shows nothing.
    private static let blackout = 1.5
    /// Things that are offered at once without having been tapped.
    static let mostOffered = 2

    init(folder: String, models: VisionModels, tuning: VisionTuning, timings: Timings?) throws(VisionError) {
        cascades = try Cascades(folder: folder)
        (finder, searcher) = (try HeadFinder(), try HeadFinder())
        flow = try Flow()
        var (face, object): (FaceNet?, ObjectNet?)
        if let path = models.face { face = try FaceNet(path: path) }
        if let path = models.object { object = try ObjectNet(path: path) }
        (faceNet, objectNet) = (face, object)
        self.tuning = tuning
        self.timings = timings
        if object != nil { bodies = BodyTracker(tuning: tuning) }
    }

    /// Looks at one frame and says what is there, faces first, then by object.
    mutating func step(_ frame: Frame, disparity: DisparityMap) throws(VisionError) -> [Detection] {
        let picture = try Self.measure(timings, "reduce") { () throws(VisionError) in try ReducedPicture(frame.image) }
        let depth = DepthProbe(disparity, picture: picture)
        let time = frame.presentationTime.nanoseconds
        try prepare(picture, time: time)
        if picture.half.deviation < Self.blackout { return try goBlind(picture, time: time) }
        let aside = lookAside(picture, time: time)
        defer { aside.join() }
        try Self.measure(timings, "flow") { () throws(VisionError) in
            try flow.push(picture.luma)
            for index in tracks.indices { try tracks[index].predict(with: flow, in: picture, depth: depth) }
            try bodies?.predict(with: flow, in: picture)
        }
        var hits = try Self.measure(timings, "faces") { () throws(VisionError) in try look(picture, time: time) }
        let (far, sightings) = try Self.measure(timings, "wait") { () throws(VisionError) in try aside.value() }
        hits = Hit.withoutDuplicates(hits + far)
        try Self.measure(timings, "follow") { () throws(VisionError) in
            try associate(hits, picture: picture, depth: depth, time: time)
            try settle(picture, depth: depth, time: time)
            try followBodies(sightings, picture: picture, depth: depth, time: time)
            try offerWhatMoves(picture, depth: depth, time: time)
        }
        frames += 1
        lastTime = time
        return report(picture, time: time)
    }

    /// Through a covered lens nobody is seen; who was there may be there still.
    private mutating func goBlind(_ picture: ReducedPicture, time: Int64) throws(VisionError) -> [Detection] {
        try flow.push(picture.luma)
        tracks.removeAll { $0.phase == .candidate }
        for index in tracks.indices where tracks[index].kind != .thing { tracks[index].phase = .hidden }
        tracks.removeAll { $0.kind == .thing || time - $0.lastHeld > tuning.memory }
        bodies?.hide(time)
        (movement, lastTime) = (MotionFinder(), time)
        frames += 1
        return []
    }

    private mutating func prepare(_ picture: ReducedPicture, time: Int64) throws(VisionError) {
        let current = CGSize(width: picture.frameWidth, height: picture.frameHeight)
        if current != size {
            if size != .zero { (tracks, bodies, lastObjects) = ([], bodies.map { _ in BodyTracker(tuning: tuning) }, nil) }
            (flow, movement) = (try Flow(), MotionFinder())
            (size, plan) = (current, nil)
        }
        // The frame rate is known from the second frame on; until then 30 a second.
        if plan == nil || frames == 1 {
            let duration = lastTime.map { min(max(Double(time - $0) * 1e-9, 0.005), 0.5) } ?? 1.0 / 30
            plan = SweepPlan(picture: picture, cascades: cascades, frameDuration: duration, seeksFaces: faceNet == nil)
            sweep = HeadSweep(picture: picture, frameDuration: duration)
        }
    }

    /// This frame's share of the search, and a look after every track.
    private mutating func look(_ picture: ReducedPicture, time: Int64) throws(VisionError) -> [Hit] {
        var hits: [Hit] = []
        // dlib takes some milliseconds for each: a crowd takes turns, and flow carries those who wait.
        let crowd = tracks.indices.filter { tracks[$0].source == .gradients && tracks[$0].phase == .seen }
        let waiting = Set(crowd.enumerated().filter { ($0.offset + frames) % ((crowd.count + 1) / 2) != 0 }.map(\.element))
        for index in tracks.indices where tracks[index].kind != .thing && !waiting.contains(index) {
            tracks[index].lastLook = time
            if let hit = try lookAfter(tracks[index], picture) { hits.append(hit) }
        }
        if let faceNet { hits += try faceNet.faces(in: picture) }
        // Where a network sees cats, their heads are sought only while one is there.
        if let bodies, faceNet != nil, !bodies.tracks.contains(where: { $0.kind == .catBody }) { return hits }
        return hits + (try plan!.advance(picture, cascades: cascades))
    }

    /// The other core's share: dlib's turns of the search, or the object network's look when it is due.
    private mutating func lookAside(_ picture: ReducedPicture, time: Int64) -> Aside<(faces: [Hit], objects: [Sighting]?)> {
        let turns = faceNet == nil ? sweep!.advance() : []
        let isDue = lastObjects.map { time - $0 >= tuning.objectInterval } ?? true
        if isDue { lastObjects = time }
        let net = isDue ? objectNet : nil
        return Aside { [searcher, timings] () throws(VisionError) in
            let faces = try Self.measure(timings, "search") { () throws(VisionError) in try searcher.faces(in: picture.luma, turns) }
            guard let net else { return (faces, nil) }
            return (faces, try Self.measure(timings, "objects") { () throws(VisionError) in try net.sightings(in: picture) })
        }
    }

    private static func measure<Result>(
        _ timings: Timings?, _ name: String, _ body: () throws(VisionError) -> Result
    ) throws(VisionError) -> Result {
        guard let timings else { return try body() }
        return try timings.measure("  " + name, body)
    }

    private func lookAfter(_ track: Track, _ picture: ReducedPicture) throws(VisionError) -> Hit? {
        if track.kind == .cat { return try lookAfterCat(track, picture) }
        if faceNet != nil { return nil }
        // Whoever saw it last looks first; the other only where that one is silent, dlib then every other frame.
        if track.source == .gradients, let hit = try finder.look(near: track.box, roll: track.roll, in: picture.luma) { return hit }
        if let hit = try lookWithCascades(track, picture) { return hit }
        guard track.source == .cascade, frames % 2 == 0 else { return nil }
        return try finder.look(near: track.box, roll: track.roll, in: picture.luma)
    }

    private func lookWithCascades(_ track: Track, _ picture: ReducedPicture) throws(VisionError) -> Hit? {
        if track.phase == .candidate {
            let mirrored = track.evidence % 2 == 1
            if let hit = try cascades.look(.frontal, near: track.box, in: picture, neighbours: 2, mirrored: mirrored) { return hit }
            return track.look == .frontal ? nil : try cascades.look(track.look, near: track.box, in: picture, neighbours: 4)
        }
        let sure = track.phase == .seen ? 1 : 3
        if let hit = try cascades.look(.frontal, near: track.box, in: picture, neighbours: sure) { return hit }
        // One profile a frame: the side it showed last, or by turns.
        let side = track.phase == .seen && track.look != .frontal ? track.look : (frames % 2 == 0 ? .left : .right)
        return try cascades.look(side, near: track.box, in: picture, neighbours: sure + 1)
    }

    /// What is known as a cat may also answer to the faces' cascade.
    private func lookAfterCat(_ track: Track, _ picture: ReducedPicture) throws(VisionError) -> Hit? {
        if track.phase == .candidate { return try cascades.look(.cat, near: track.box, in: picture, neighbours: 3) }
        if let hit = try cascades.look(.cat, near: track.box.scaled(0.9), in: picture, neighbours: 2) { return hit }
        var hit = try cascades.look(.frontal, near: track.box, in: picture, neighbours: 3)
        hit?.look = .cat
        return hit
    }
}

extension Hit {
    /// One hit per place: a look after a track before a search, frontal before profile, then the one more windows agree on.
    static func withoutDuplicates(_ hits: [Hit]) -> [Hit] {
        func rank(_ hit: Hit) -> (Int, Int, Int) { (hit.look == .frontal || hit.source != .cascade ? 0 : 1, hit.isNew ? 1 : 0, -hit.weight) }
        let ordered = hits.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
        var kept: [Hit] = []
        for hit in ordered where !kept.contains(where: { $0.look.kind == hit.look.kind && $0.box.overlap(hit.box) > 0.3 }) { kept.append(hit) }
        return kept
    }
}

private func < (lhs: ((Int, Int, Int), Int), rhs: ((Int, Int, Int), Int)) -> Bool {
    lhs.0 != rhs.0 ? lhs.0 < rhs.0 : lhs.1 < rhs.1
}
