import CoreMedia
import Foundation
import Pipeline

/// Everything `VisionDetector` knows between frames, and its one step per frame.
struct SceneTracker {
    /// For a closer look at who was found.
    let cascades: Cascades
    let tuning: VisionTuning
    let pace: VisionDetector.Pace
    let searcher: Searcher
    private let timings: Timings?
    private(set) var flow: Flow
    /// The search that goes on at free pace.
    private var errand: Errand?
    private var isPlanned = false
    private var size = CGSize.zero
    private var shot: Int?
    private var lastTime: Int64?
    private var lastSearch: Int64?
    private(set) var frames = 0
    var tracks: [Track] = []
    /// What the object network sees; nil without one.
    var bodies: BodyTracker?
    var identities = Identities()
    var movement = MotionFinder()
    var conspicuous = ConspicuousThing()
    /// The standard deviation, 0…255, of a picture that shows nothing.
    private static let blackout = 1.5
    /// Between two searches that begin at free pace, nanoseconds.
    private static let longestPause: Int64 = 100_000_000
    /// Things that are offered at once without having been tapped.
    static let mostOffered = 2

    init(folder: String, models: VisionModels, tuning: VisionTuning, pace: VisionDetector.Pace, timings: Timings?) throws(VisionError) {
        cascades = try Cascades(folder: folder)
        // A cascade serves one thread.
        searcher = try Searcher(
            cascades: pace == .free ? try Cascades(folder: folder) : cascades, models: models, tuning: tuning, timings: timings)
        flow = try Flow()
        (self.tuning, self.pace, self.timings) = (tuning, pace, timings)
        if searcher.hasObjectNet { bodies = BodyTracker(tuning: tuning) }
    }

    /// Looks at one frame and says what is there, faces first, then by object.
    mutating func step(_ frame: Frame, disparity: DisparityMap) throws(VisionError) -> [Detection] {
        let picture = try timings.measured("reduce") { () throws(VisionError) in try ReducedPicture(frame.image) }
        let depth = DepthProbe(disparity, picture: picture)
        let time = frame.presentationTime.nanoseconds
        try prepare(picture, shot: frame.shot, time: time)
        if picture.half.deviation < Self.blackout { return try goBlind(picture, time: time) }
        switch pace {
        case .lockStep: try stepInStep(picture, depth, time)
        case .free: try stepFreely(picture, depth, time, due: frame.dueDate)
        }
        frames += 1
        lastTime = time
        return try completed(report(picture, time: time), of: frame, picture: picture)
    }

    /// Waits for the search that goes on, if any.
    func settle() { errand?.join() }

    /// This frame's searches are done before the frame is.
    private mutating func stepInStep(_ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let aside = Aside(searcher.farLook(picture, time: time))
        defer { aside.join() }
        try predict(picture, depth)
        let turn = Searcher.turn(of: tracks, frame: frames)
        for index in turn { tracks[index].lastLook = time }
        let near = try timings.measured("faces") { () throws(VisionError) in
            try searcher.look(after: tracks, turn: turn, picture: picture, frame: frames, seeksCats: seeksCats)
        }
        let (far, sightings) = try timings.measured("wait") { () throws(VisionError) in try aside.value() }
        try digest(Hit.withoutDuplicates(near + far), sightings, picture, depth, time)
    }

    /// Flow carries what is known; a search is taken in when it is done, and the next one begins.
    private mutating func stepFreely(_ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64, due: Date?) throws(VisionError) {
        try predict(picture, depth)
        var finds: Searcher.Finds = ([], nil)
        if let done = errand, done.isDone {
            errand = nil
            finds = try done.finds(in: picture)
            for index in tracks.indices where tracks[index].isAwaited { (tracks[index].lastLook, tracks[index].isAwaited) = (time, false) }
        }
        try digest(finds.hits, finds.sightings, picture, depth, time)
        guard errand == nil, maySearch(at: time, due: due) else { return }
        lastSearch = time
        let turn = Searcher.turn(of: tracks, frame: frames)
        for index in turn { tracks[index].isAwaited = true }
        errand = Errand(searcher, tracks: tracks, turn: turn, picture: picture, frame: frames, time: time, seeksCats: seeksCats)
    }

    /// Before a camera frames come first: a search begins where half of a frame's time is left, so that it is hardly in the way of the next one, or
    /// after a pause.
    private func maySearch(at time: Int64, due: Date?) -> Bool {
        guard let due, let lastTime, let lastSearch, time - lastSearch < Self.longestPause else { return true }
        return Date().timeIntervalSince(due) < 0.5 * Double(time - lastTime) * 1e-9
    }

    private mutating func predict(_ picture: ReducedPicture, _ depth: DepthProbe) throws(VisionError) {
        try timings.measured("flow") { () throws(VisionError) in
            try flow.push(picture.luma)
            for index in tracks.indices { try tracks[index].predict(with: flow, in: picture, depth: depth) }
            try bodies?.predict(with: flow, in: picture)
        }
    }

    private mutating func digest(
        _ hits: [Hit], _ sightings: [Sighting]?, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64
    ) throws(VisionError) {
        try timings.measured("follow") { () throws(VisionError) in
            try associate(hits, picture: picture, depth: depth, time: time)
            try settle(picture, depth: depth, time: time)
            try followBodies(sightings, picture: picture, depth: depth, time: time)
            try offerWhatMoves(picture, depth: depth, time: time)
        }
    }

    /// Where a network sees cats, their heads are sought only while one is there.
    private var seeksCats: Bool {
        guard let bodies, searcher.hasFaceNet else { return true }
        return bodies.tracks.contains { $0.kind == .catBody }
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

    /// Another size or another shot is another scene: only the numbers go on.
    private mutating func prepare(_ picture: ReducedPicture, shot: Int?, time: Int64) throws(VisionError) {
        let current = CGSize(width: picture.frameWidth, height: picture.frameHeight)
        if current != size || shot != self.shot {
            dropErrand()
            if size != .zero {
                (tracks, bodies) = ([], bodies.map { _ in BodyTracker(tuning: tuning) })
                searcher.forget()
            }
            (flow, movement, conspicuous) = (try Flow(), MotionFinder(), ConspicuousThing())
            (size, isPlanned) = (current, false)
            self.shot = shot
        }
        // The frame rate is known from the second frame on; until then 30 a second.
        if !isPlanned || frames == 1 {
            dropErrand()
            let duration = lastTime.map { min(max(Double(time - $0) * 1e-9, 0.005), 0.5) } ?? 1.0 / 30
            searcher.prepare(for: picture, frameDuration: duration)
            isPlanned = true
        }
    }

    private mutating func dropErrand() {
        errand?.join()
        errand = nil
        for index in tracks.indices { tracks[index].isAwaited = false }
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
