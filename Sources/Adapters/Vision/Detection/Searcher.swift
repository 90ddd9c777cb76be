import Foundation
import Pipeline

/// Detection in one frame: two searches of the full frame, a slice at a time, and the verification of known tracks. One frame after the other, each as
/// a whole on one thread or, in these three parts, on three.
final class Searcher: @unchecked Sendable {
    /// Faces and cats' heads, and the object network's sightings; nil when the network was not due.
    typealias Finds = (hits: [Hit], sightings: [Sighting]?)

    /// Most tracks in sight, and most candidates, that the cascades verify in one frame.
    private static let (mostSeen, mostCandidates) = (3, 6)

    /// Least margin of dlib that continues a face that is seen; patterns have -0.9 at most.
    private static let leastScoreOfSeen = -0.5

    /// Some verify tracks; the others sweep the picture beside them.
    private let cascades: (near: Cascades, sweeping: Cascades)
    /// One verifies tracks; the other searches beside it. Nil where a network sees faces: unpacking dlib's detector takes half a second.
    private let heads: (finder: HeadFinder, sweeper: HeadFinder)?
    private let faceNet: FaceNet?
    private let objectNet: ObjectNet?
    private let tuning: VisionTuning
    private let timings: Timings?
    private var plan: SweepPlan?
    private var sweep: HeadSweep?
    private var lastObjects: Int64?
    /// Whether the face network belongs to the full-frame search, in this frame.
    private var facesInFullFrameSearch = false

    var hasFaceNet: Bool { faceNet != nil }
    var hasObjectNet: Bool { objectNet != nil }

    init(cascades: Cascades, models: VisionModels, tuning: VisionTuning, timings: Timings?) throws(VisionError) {
        self.cascades = (cascades, try Cascades(copying: cascades))
        var (face, object): (FaceNet?, ObjectNet?)
        if let path = models.face { face = try FaceNet(path: path) }
        if let path = models.object { object = try ObjectNet(path: path) }
        heads = face == nil ? (try HeadFinder(), try HeadFinder()) : nil
        faceNet = face
        objectNet = object
        self.tuning = tuning
        self.timings = timings
    }

    /// Cuts the searches of pictures of this size into slices: dlib's and, where a sweep is to come, the cascades'.
    func prepareSearch(for picture: ReducedPicture, frameDuration: Double) { sweep = HeadSweep(picture: picture, frameDuration: frameDuration) }

    func prepareSweep(for picture: ReducedPicture, frameDuration: Double) {
        plan = SweepPlan(picture: picture, cascades: cascades.sweeping, frameDuration: frameDuration, seeksFaces: faceNet == nil)
    }

    /// Box (0…1) and confidence (0…1) of the network's object at a point (0…1); nil when it sees none, or without a network. Not while a search
    /// goes on.
    func thing(at point: CGPoint, in picture: ReducedPicture) throws(VisionError) -> (box: CGRect, confidence: Double)? {
        try objectNet?.thing(at: point, in: picture)
    }

    /// Makes the object network due in the next frame.
    func forget() { lastObjects = nil }

    /// Indices of the tracks that are verified in this frame; flow carries the others.
    static func tracksDue(_ tracks: [Track], frame: Int) -> [Int] {
        func waiting(_ most: Int, _ belongs: (Track) -> Bool) -> [Int] {
            let crowd = tracks.indices.filter { belongs(tracks[$0]) }
            let period = (crowd.count + most - 1) / most
            return crowd.enumerated().filter { period > 1 && ($0.offset + frame) % period != 0 }.map(\.element)
        }
        // dlib takes some milliseconds for each.
        let waiting = Set(
            waiting(2) { $0.source == .gradients && $0.life.isSeen }
                // Things take their share of a frame's time as well.
                + waiting(mostSeen) { $0.kind == .thing || ($0.source == .cascade && $0.life.isSeen) }
                + waiting(mostCandidates) { $0.life.isCandidate })
        return tracks.indices.filter { tracks[$0].kind != .thing && !waiting.contains($0) }
    }

    /// Verifies the tracks that are due.
    func verify(_ tracks: [Track], due: [Int], picture: ReducedPicture, frame: Int) throws(VisionError) -> [Hit] {
        var hits: [Hit] = []
        for index in due { if let hit = try verify(tracks[index], picture, frame) { hits.append(hit) } }
        if let faceNet, !facesInFullFrameSearch { hits += try faceNet.faces(in: picture) }
        return hits
    }

    /// Does this frame's share of the cascades' search, which knows no tracks, or with `isWhole` all of it.
    func sweep(_ picture: ReducedPicture, isWhole: Bool) throws(VisionError) -> [Hit] {
        try timings.measured("sweep") { () throws(VisionError) in try plan!.advance(picture, cascades: cascades.sweeping, isWhole: isWhole) }
    }

    /// Search of the full frame, which knows no tracks: dlib's slices, with `isWhole` all of them, and the object network when it is due; when it is
    /// not, the face network.
    func makeFullFrameSearch(_ picture: ReducedPicture, time: Int64, isWhole: Bool) -> () throws(VisionError) -> Finds {
        let slices = heads == nil ? [] : sweep!.advance(isWhole: isWhole)
        let isDue = lastObjects.map { time - $0 >= tuning.objectInterval } ?? true
        if isDue { lastObjects = time }
        let net = isDue ? objectNet : nil
        facesInFullFrameSearch = net == nil
        let faceNet = facesInFullFrameSearch ? faceNet : nil
        return { [heads, timings] () throws(VisionError) in
            let faces = try timings.measured("search") { () throws(VisionError) in
                (try heads?.sweeper.faces(in: picture.luma, slices) ?? []) + (try faceNet?.faces(in: picture) ?? [])
            }
            guard let net else { return (faces, nil) }
            return (faces, try timings.measured("objects") { () throws(VisionError) in try net.sightings(in: picture) })
        }
    }

    /// Hits without duplicates of one head.
    func suppressingNonMaxima(_ hits: [Hit]) -> [Hit] { Hit.suppressingNonMaxima(hits, overlap: tuning.association.duplicateHit) }

    /// Looks for a track near its box with the detector that saw it last, or with another; nil when none sees it. Not while a search goes on.
    func verify(_ track: Track, _ picture: ReducedPicture, _ frame: Int) throws(VisionError) -> Hit? {
        if track.kind == .cat { return try verifyCat(track, picture) }
        guard let finder = heads?.finder else { return nil }
        // The detector that saw it last goes first; the other only where that one is silent, dlib then every other frame. A face that is seen already
        // may turn so far that dlib would not find it by itself.
        let least = track.life.isSeen ? Self.leastScoreOfSeen : 0
        func ask() throws(VisionError) -> Hit? {
            try finder.bestHit(near: track.box, roll: track.pose.roll, in: picture.luma, leastScore: least)
        }
        if track.source == .gradients, let hit = try ask() { return hit }
        if case .candidate(let evidence, _) = track.life { return try verifyCandidate(track, finder, mirrored: evidence.count % 2 == 1, picture) }
        if let hit = try verifyWithCascades(track, picture, frame) { return hit }
        guard track.source == .cascade, frame % 2 == 0 else { return nil }
        return try ask()
    }

    /// Verifies a candidate with the cascades and with dlib's second opinion.
    private func verifyCandidate(_ track: Track, _ finder: HeadFinder, mirrored: Bool, _ picture: ReducedPicture) throws(VisionError) -> Hit? {
        if var hit = try cascades.near.bestHit(.frontal, near: track.box, in: picture, neighbours: 2, mirrored: mirrored) {
            hit.margin = try finder.margin(at: hit.box, in: picture.luma)
            if hit.margin! > Hit.leastMargin { return hit }
        }
        guard track.pose.look != .frontal else { return nil }
        var hit = try cascades.near.bestHit(track.pose.look, near: track.box, in: picture, tone: track.tone, neighbours: 4)
        if let box = hit?.box { hit!.margin = try finder.margin(at: box, in: picture.luma) }
        return hit
    }

    private func verifyWithCascades(_ track: Track, _ picture: ReducedPicture, _ frame: Int) throws(VisionError) -> Hit? {
        let sure = track.life.isSeen ? 1 : 3
        if let hit = try cascades.near.bestHit(.frontal, near: track.box, in: picture, neighbours: sure) { return hit }
        // One profile a frame: the side it showed last, or left and right in alternation.
        let side = track.life.isSeen && track.pose.look != .frontal ? track.pose.look : (frame % 2 == 0 ? .left : .right)
        return try cascades.near.bestHit(side, near: track.box, in: picture, tone: track.tone, neighbours: sure + 1)
    }

    /// Verifies a cat's head, which may also answer to the faces' cascade.
    private func verifyCat(_ track: Track, _ picture: ReducedPicture) throws(VisionError) -> Hit? {
        if track.life.isCandidate { return try cascades.near.bestHit(.cat, near: track.box, in: picture, neighbours: 3) }
        if let hit = try cascades.near.bestHit(.cat, near: track.box.scaled(0.9), in: picture, neighbours: 2) { return hit }
        var hit = try cascades.near.bestHit(.frontal, near: track.box, in: picture, neighbours: 3)
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
