import CoreMedia
import Foundation
import Pipeline
import Support

/// State of `VisionDetector` between frames, and its one step per frame.
///
/// Tracking by detection, as in SORT (Bewley et al. 2016), with Median Flow (Kalal et al. 2010) for the motion: reduce the picture, carry the tracks
/// by flow, search, associate, update lifecycles, follow bodies, offer what moves, report, add cues. Extensions hold these steps.
struct SceneTracker {
    /// Tell a face from a cat's head before a track is confirmed; in lock step the searcher uses the same.
    let cascades: Cascades
    let tuning: VisionTuning
    let pace: VisionDetector.Pace
    let searcher: Searcher
    private let timings: Timings?
    private(set) var flow: Flow
    /// Searches of a frame in lock step.
    let searches: LockStepSearch
    /// Search that goes on at free pace.
    private var search: BackgroundSearch?
    private var isPlanned = false
    private var size = CGSize.zero
    private var shot: Int?
    private var lastTime: Int64?
    private var lastSearch: Int64?
    private(set) var frames = 0
    var tracks: [Track] = []
    /// Bodies that the object network sees; nil without a network.
    var bodies: BodyTracker?
    /// Pictures of the last frames, where newly confirmed heads and bodies are to be followed back; nil elsewhere.
    private var past: Past?
    /// Detections in earlier frames that nobody has taken yet.
    private var earlier: [EarlierDetections] = []
    var identities = Identities()
    var movement = MotionFinder()
    var conspicuous = ConspicuousThing()
    /// Between two searches that begin at free pace, nanoseconds; and where searches are few because the machine is late.
    private static let longestPause: Int64 = 100_000_000
    private static let sparingPause: Int64 = 400_000_000
    /// Whether searches at free pace are few.
    var isSparing = false
    /// Things that are offered at once without having been tapped.
    static let mostOffered = 2

    init(
        folder: String, models: VisionModels, tuning: VisionTuning, pace: VisionDetector.Pace, looksBack: Bool, timings: Timings?
    ) throws(VisionError) {
        cascades = try Cascades(folder: folder)
        // A cascade serves one thread.
        searcher = try Searcher(
            cascades: pace == .free ? try Cascades(copying: cascades) : cascades, models: models, tuning: tuning, timings: timings)
        searches = LockStepSearch(searcher, timings: timings)
        flow = try Flow()
        self.tuning = tuning
        self.pace = pace
        past = looksBack && pace == .lockStep ? Past() : nil
        self.timings = timings
        if searcher.hasObjectNet { bodies = BodyTracker(tuning: tuning) }
    }

    /// Detections in one frame, faces first, then by object ID.
    mutating func step(_ frame: Frame, disparity: DisparityMap) throws(VisionError) -> [Detection] {
        let begun = pace == .lockStep ? try searches.searches(of: frame, runsSweep: runsCascadeSweep(in: frame)) : nil
        defer { begun?.join() }
        let picture = if let begun { begun.picture } else { try ReducedPicture(frame.image, timings) }
        let depth = DepthProbe(disparity, picture: picture)
        let time = frame.presentationTime.nanoseconds
        try prepare(picture, shot: frame.shot, time: time)
        if picture.isBlack { return try handleCoveredLens(picture, time: time) }
        if let begun { try stepInLockStep(begun, depth, time) } else { try stepAtFreePace(picture, depth, time, handOver: frame.dueDate) }
        frames += 1
        lastTime = time
        let detections = try addingCues(to: report(picture, time: time), of: frame, picture: picture)
        try lookBack(from: picture, depth, detections, time: time)
        return detections
    }

    /// Takes what newly confirmed heads were in earlier frames, in no order; each is given once.
    mutating func takeEarlier() -> [EarlierDetections] {
        defer { earlier = [] }
        return earlier
    }

    /// Follows the heads, bodies and things back that were confirmed in this frame, and keeps its picture.
    private mutating func lookBack(
        from picture: ReducedPicture, _ depth: DepthProbe, _ detections: [Detection], time: Int64
    ) throws(VisionError) {
        guard var past else { return }
        for track in tracks where track.life.isSeen && track.life.contact?.hits == Past.provenHits && track.source != .network {
            guard track.kind != .thing, track.life.contact?.lastHit == time, track.margin > Hit.doubtfulProfile else { continue }
            earlier += try earlierDetections(of: track, in: picture, through: past, isMeasured: depth.range > 0)
        }
        let known = past.moments.last?.bodies.map(\.objectID) ?? []
        let seen = bodies?.tracks.filter { $0.life.isReported } ?? []
        for body in seen where body.lastSeen == time {
            if known.contains(body.objectID) {
                earlier += interpolatedDetections(of: body, seenAt: time, through: past)
            } else if body.faceID == nil {
                earlier += try earlierDetections(of: body, in: picture, through: past)
            }
        }
        let objects = detections.map(\.objectID)
        if let thing = detections.first(where: { $0.salience != nil }), past.moments.last?.objects.contains(thing.objectID) == false {
            earlier += try earlierDetections(ofThing: thing, in: picture, through: past)
        }
        let reported = tracks.filter { $0.kind != .thing && $0.life.isReported }.map { ($0.identity.objectID, $0.box, $0.life.isSeen) }
        let sightings = seen.map { ($0.objectID, $0.box, $0.lastSeen == time) }
        past.append(Past.Moment(time: time, picture: picture, objects: objects, reported: reported, bodies: sightings))
        self.past = past
    }

    /// Waits for the background search, if one goes on.
    func waitForSearch() { search?.join() }

    /// Steps with this frame's searches done before the frame is: slices of the whole picture beside the flow and the search around the tracks that are to
    /// be verified. All find newcomers.
    private mutating func stepInLockStep(_ begun: LockStepSearch.Begun, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let picture = begun.picture
        try predict(picture, depth)
        let toVerify = Searcher.tracksDue(tracks, frame: frames)
        for index in toVerify { tracks[index].verification = .done(time) }
        let verified = try timings.measured("faces") { () throws(VisionError) in
            try searcher.verify(tracks, due: toVerify, picture: picture, frame: frames)
        }
        let swept = try timings.measured("wait") { () throws(VisionError) in
            begun.search?.join()
            return try begun.sweep?.value() ?? []
        }
        let (found, sightings) = try begun.search?.value() ?? ([], nil)
        try associate(searcher.suppressingNonMaxima(verified + swept + found), sightings, picture, depth, time)
    }

    /// Carries the tracks by flow; takes in a background search when it is done, and begins the next one.
    private mutating func stepAtFreePace(_ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64, handOver: Date?) throws(VisionError) {
        try predict(picture, depth)
        var finds: Searcher.Finds = ([], nil)
        if let done = search, done.isDone {
            search = nil
            finds = try done.finds(in: picture)
            for index in tracks.indices where tracks[index].verification == .pending { tracks[index].verification = .done(time) }
        }
        try associate(finds.hits, finds.sightings, picture, depth, time)
        guard search == nil, maySearch(at: time, handOver: handOver) else { return }
        lastSearch = time
        let toVerify = Searcher.tracksDue(tracks, frame: frames)
        for index in toVerify { tracks[index].verification = .pending }
        search = BackgroundSearch(
            searcher, tracks: tracks, due: toVerify, picture: picture, frame: frames, time: time, runsCascadeSweep: runsCascadeSweep)
    }

    /// Whether a background search may begin. Before a camera frames go first: one begins at most half a frame after the hand-over of its frame, or
    /// when the last one began `longestPause` ago.
    private func maySearch(at time: Int64, handOver: Date?) -> Bool {
        guard let handOver, let lastTime, let lastSearch else { return true }
        if isSparing { return time - lastSearch >= Self.sparingPause }
        if time - lastSearch >= Self.longestPause { return true }
        return Date().timeIntervalSince(handOver) < 0.5 * Double(time - lastTime) * 1e-9
    }

    private mutating func predict(_ picture: ReducedPicture, _ depth: DepthProbe) throws(VisionError) {
        try timings.measured("flow") { () throws(VisionError) in
            try flow.push(picture.luma)
            for index in tracks.indices { try tracks[index].predict(with: flow, in: picture, depth: depth, tuning.following) }
            try bodies?.predict(with: flow, in: picture)
        }
    }

    private mutating func associate(
        _ hits: [Hit], _ sightings: [Sighting]?, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64
    ) throws(VisionError) {
        try timings.measured("follow") { () throws(VisionError) in
            try associateHeads(hits, picture: picture, depth: depth, time: time)
            try updateLifecycles(picture, depth: depth, time: time)
            try followBodies(sightings, picture: picture, depth: depth, time: time)
            try offerWhatMoves(picture, depth: depth, time: time)
        }
    }

    /// Whether cascades sweep the picture: always without a face network, as they find the faces too; else for cats' heads while a cat's body is seen.
    private var runsCascadeSweep: Bool {
        guard let bodies, searcher.hasFaceNet else { return true }
        return bodies.tracks.contains { $0.kind == .catBody }
    }

    /// The same where another size or another shot, of which no cat is known, may begin.
    private func runsCascadeSweep(in frame: Frame) -> Bool {
        let (width, height) = frame.image.size
        let isNew = frame.shot != shot || CGSize(width: width, height: height) != size
        return isNew ? bodies == nil || !searcher.hasFaceNet : runsCascadeSweep
    }

    /// Hides every track that is remembered: through a covered lens nobody is seen, and those who were there may be there still. Others end; a search
    /// under way goes on.
    private mutating func handleCoveredLens(_ picture: ReducedPicture, time: Int64) throws(VisionError) -> [Detection] {
        try flow.push(picture.luma)
        for index in tracks.indices { tracks[index].handle(.lensCovered, at: time, tuning) }
        tracks.removeAll { $0.life == .gone }
        bodies?.hide(time)
        movement = MotionFinder()
        lastTime = time
        frames += 1
        return []
    }

    /// Starts anew where another size or another shot begins; object IDs go on.
    private mutating func prepare(_ picture: ReducedPicture, shot: Int?, time: Int64) throws(VisionError) {
        let current = CGSize(width: picture.frameWidth, height: picture.frameHeight)
        if current != size || shot != self.shot {
            discardSearch()
            if size != .zero {
                tracks = []
                bodies = bodies.map { _ in BodyTracker(tuning: tuning) }
                if pace == .free { searcher.forget() }
            }
            flow = try Flow()
            movement = MotionFinder()
            conspicuous = ConspicuousThing()
            past = past.map { _ in Past() }
            size = current
            isPlanned = false
            self.shot = shot
        }
        if pace == .free, !isPlanned || frames == 1 {
            discardSearch()
            let duration = SearchTime.frameDuration(from: lastTime, to: time)
            searcher.prepareSearch(for: picture, frameDuration: duration)
            searcher.prepareSweep(for: picture, frameDuration: duration)
            isPlanned = true
        }
    }

    private mutating func discardSearch() {
        search?.join()
        search = nil
        for index in tracks.indices where tracks[index].verification == .pending { tracks[index].verification = .none }
    }
}
