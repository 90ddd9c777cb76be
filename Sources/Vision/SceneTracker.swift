import CoreMedia
import Foundation
import Pipeline

/// Everything `VisionDetector` knows between frames, and its one step per frame.
struct SceneTracker {
    let cascades: Cascades
    let tuning: VisionTuning
    private var flow: Flow
    private var plan: SweepPlan?
    private var size = CGSize.zero
    private var lastTime: Int64?
    private(set) var frames = 0
    var tracks: [Track] = []
    private var nextObject = 1
    private var nextGroup = 1

    init(folder: String, tuning: VisionTuning) throws(VisionError) {
        cascades = try Cascades(folder: folder)
        flow = try Flow()
        self.tuning = tuning
    }

    /// Looks at one frame and says what is there, faces first, then by object.
    mutating func step(_ frame: Frame, disparity: DisparityMap) throws(VisionError) -> [Detection] {
        let picture = try ReducedPicture(frame.image)
        let depth = DepthProbe(disparity, picture: picture)
        let time = frame.presentationTime.nanoseconds
        try prepare(picture, time: time)
        try flow.push(picture.luma)
        for index in tracks.indices { try tracks[index].predict(with: flow, in: picture, depth: depth) }
        let hits = try look(picture)
        try associate(hits, picture: picture, depth: depth, time: time)
        try settle(picture, depth: depth, time: time)
        frames += 1
        lastTime = time
        return report(picture)
    }

    private mutating func prepare(_ picture: ReducedPicture, time: Int64) throws(VisionError) {
        let current = CGSize(width: picture.frameWidth, height: picture.frameHeight)
        if current != size {
            if size != .zero { tracks = [] }
            flow = try Flow()
            (size, plan) = (current, nil)
        }
        // The frame rate is known from the second frame on; until then 30 a second.
        if plan == nil || frames == 1 {
            let duration = lastTime.map { min(max(Double(time - $0) * 1e-9, 0.005), 0.5) } ?? 1.0 / 30
            plan = SweepPlan(picture: picture, cascades: cascades, frameDuration: duration)
        }
    }

    /// This frame's share of the search, and a look after every track.
    private mutating func look(_ picture: ReducedPicture) throws(VisionError) -> [Hit] {
        var hits: [Hit] = []
        for track in tracks where track.kind != .thing {
            if let hit = try lookAfter(track, picture) { hits.append(hit) }
        }
        hits += try plan!.advance(picture, cascades: cascades)
        return Hit.withoutDuplicates(hits)
    }

    private func lookAfter(_ track: Track, _ picture: ReducedPicture) throws(VisionError) -> Hit? {
        if track.kind == .cat { return try lookAfterCat(track, picture) }
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

    mutating func nextID() -> Int {
        defer { nextObject += 1 }
        return nextObject
    }

    mutating func nextGroupID() -> Int {
        defer { nextGroup += 1 }
        return nextGroup
    }
}

extension Hit {
    /// One hit per place: a look after a track before a search, frontal before profile, then the one more windows agree on.
    static func withoutDuplicates(_ hits: [Hit]) -> [Hit] {
        func rank(_ hit: Hit) -> (Int, Int, Int) { (hit.look == .frontal ? 0 : 1, hit.isNew ? 1 : 0, -hit.weight) }
        let ordered = hits.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }.map(\.element)
        var kept: [Hit] = []
        for hit in ordered where !kept.contains(where: { $0.look.kind == hit.look.kind && $0.box.overlap(hit.box) > 0.3 }) { kept.append(hit) }
        return kept
    }
}

private func < (lhs: ((Int, Int, Int), Int), rhs: ((Int, Int, Int), Int)) -> Bool {
    lhs.0 != rhs.0 ? lhs.0 < rhs.0 : lhs.1 < rhs.1
}
