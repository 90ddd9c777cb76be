import Foundation
import Pipeline

/// All that takes its time: the search for who is new, a slice at a time, and the look after who is known. One frame after the other, each as a
/// whole on one thread or, in two halves, on two.
final class Searcher: @unchecked Sendable {
    /// What was found, and what the object network saw; nil when it was not its turn.
    typealias Finds = (hits: [Hit], sightings: [Sighting]?)

    /// How many of those in sight, and how many of those nobody is sure of, a cascade looks after in one frame.
    private static let (mostSeen, mostCandidates) = (3, 6)

    private let cascades: Cascades
    /// One looks after tracks; the other searches beside it. Nil where a network sees faces: unpacking dlib's detector takes half a second.
    private let heads: (finder: HeadFinder, sweeper: HeadFinder)?
    private let faceNet: FaceNet?
    private let objectNet: ObjectNet?
    private let interval: Int64
    private let timings: Timings?
    private var plan: SweepPlan?
    private var sweep: HeadSweep?
    private var lastObjects: Int64?
    /// Whether the face network belongs to the half that knows no tracks, in this frame.
    private var seesFacesAside = false

    var hasFaceNet: Bool { faceNet != nil }
    var hasObjectNet: Bool { objectNet != nil }

    init(cascades: Cascades, models: VisionModels, tuning: VisionTuning, timings: Timings?) throws(VisionError) {
        self.cascades = cascades
        var (face, object): (FaceNet?, ObjectNet?)
        if let path = models.face { face = try FaceNet(path: path) }
        if let path = models.object { object = try ObjectNet(path: path) }
        heads = face == nil ? (try HeadFinder(), try HeadFinder()) : nil
        (faceNet, objectNet, interval, self.timings) = (face, object, tuning.objectInterval, timings)
    }

    /// Cuts the searches of pictures of this size into slices.
    func prepare(for picture: ReducedPicture, frameDuration: Double) {
        plan = SweepPlan(picture: picture, cascades: cascades, frameDuration: frameDuration, seeksFaces: faceNet == nil)
        sweep = HeadSweep(picture: picture, frameDuration: frameDuration)
    }

    /// What the object network surely sees at a point (0…1): its box (0…1) and how sure it is; nil without a network, too. Not while a search goes on.
    func thing(at point: CGPoint, in picture: ReducedPicture) throws(VisionError) -> (box: CGRect, confidence: Double)? {
        try objectNet?.thing(at: point, in: picture)
    }

    /// The object network's turn comes with the next frame.
    func forget() { lastObjects = nil }

    /// Who is looked after in this frame, by place among `tracks`: flow carries those who wait.
    static func turn(of tracks: [Track], frame: Int) -> [Int] {
        func waiting(_ most: Int, _ belongs: (Track) -> Bool) -> [Int] {
            let crowd = tracks.indices.filter { belongs(tracks[$0]) }
            let turns = (crowd.count + most - 1) / most
            return crowd.enumerated().filter { turns > 1 && ($0.offset + frame) % turns != 0 }.map(\.element)
        }
        // dlib takes some milliseconds for each.
        let waiting = Set(
            waiting(2) { $0.source == .gradients && $0.phase == .seen } + waiting(mostSeen) { $0.source == .cascade && $0.phase == .seen }
                + waiting(mostCandidates) { $0.phase == .candidate })
        return tracks.indices.filter { tracks[$0].kind != .thing && !waiting.contains($0) }
    }

    /// The half that follows the tracks: a look after those of `turn`, and this frame's share of the cascades' search.
    func look(after tracks: [Track], turn: [Int], picture: ReducedPicture, frame: Int, seeksCats: Bool) throws(VisionError) -> [Hit] {
        var hits: [Hit] = []
        for index in turn { if let hit = try look(after: tracks[index], picture, frame) { hits.append(hit) } }
        if let faceNet, !seesFacesAside { hits += try faceNet.faces(in: picture) }
        return seeksCats ? hits + (try plan!.advance(picture, cascades: cascades)) : hits
    }

    /// The half that knows no tracks: dlib's turns of the search, and the object network's look when it is due; when it is not, the face network's.
    func farLook(_ picture: ReducedPicture, time: Int64) -> () throws(VisionError) -> Finds {
        let turns = heads == nil ? [] : sweep!.advance()
        let isDue = lastObjects.map { time - $0 >= interval } ?? true
        if isDue { lastObjects = time }
        let net = isDue ? objectNet : nil
        seesFacesAside = net == nil
        let faceNet = seesFacesAside ? faceNet : nil
        return { [heads, timings] () throws(VisionError) in
            let faces = try timings.measured("search") { () throws(VisionError) in
                (try heads?.sweeper.faces(in: picture.luma, turns) ?? []) + (try faceNet?.faces(in: picture) ?? [])
            }
            guard let net else { return (faces, nil) }
            return (faces, try timings.measured("objects") { () throws(VisionError) in try net.sightings(in: picture) })
        }
    }

    private func look(after track: Track, _ picture: ReducedPicture, _ frame: Int) throws(VisionError) -> Hit? {
        if track.kind == .cat { return try lookAfterCat(track, picture) }
        guard let finder = heads?.finder else { return nil }
        // Whoever saw it last looks first; the other only where that one is silent, dlib then every other frame.
        if track.source == .gradients, let hit = try finder.look(near: track.box, roll: track.roll, in: picture.luma) { return hit }
        if let hit = try lookWithCascades(track, picture, frame) { return hit }
        guard track.source == .cascade, frame % 2 == 0 else { return nil }
        return try finder.look(near: track.box, roll: track.roll, in: picture.luma)
    }

    private func lookWithCascades(_ track: Track, _ picture: ReducedPicture, _ frame: Int) throws(VisionError) -> Hit? {
        if track.phase == .candidate {
            let mirrored = track.evidence % 2 == 1
            if let hit = try cascades.look(.frontal, near: track.box, in: picture, neighbours: 2, mirrored: mirrored) { return hit }
            return track.look == .frontal ? nil : try cascades.look(track.look, near: track.box, in: picture, neighbours: 4)
        }
        let sure = track.phase == .seen ? 1 : 3
        if let hit = try cascades.look(.frontal, near: track.box, in: picture, neighbours: sure) { return hit }
        // One profile a frame: the side it showed last, or by turns.
        let side = track.phase == .seen && track.look != .frontal ? track.look : (frame % 2 == 0 ? .left : .right)
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

extension Timings? {
    /// Books a part of the detection, indented; nothing without timings.
    func measured<Result>(_ name: String, _ body: () throws(VisionError) -> Result) throws(VisionError) -> Result {
        guard let self else { return try body() }
        return try self.measure("  " + name, body)
    }
}
