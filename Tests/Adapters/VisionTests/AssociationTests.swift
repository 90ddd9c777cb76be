import Foundation
import Pipeline
import Testing

@testable import Vision

@Suite("Detections go to tracks")
struct AssociationTests {
    private static let tuning = VisionTuning()

    /// A frontal face, seen once, 40 pixels wide about (100, 100).
    private func track(_ look: Hit.Look = .frontal, source: Hit.Source = .cascade) -> Track {
        Track(hit(look, source: source), at: 0)
    }

    private func hit(
        _ look: Hit.Look = .frontal, dx: Double = 0, width: Double = 40, support: Int = 8, source: Hit.Source = .cascade, isNew: Bool = false
    ) -> Hit {
        var hit = Hit(
            look: look, box: CGRect(x: 100 + dx - width / 2, y: 100 - width / 2, width: width, height: width), support: support, isNew: isNew)
        hit.source = source
        return hit
    }

    /// A track after so many detections, 33 ms apart, and its confirmation.
    private func seen(_ look: Hit.Look = .frontal, source: Hit.Source = .cascade, frames: Int64 = 9) -> Track {
        var track = track(look, source: source)
        for frame in 1...frames {
            track.accept(hit(look, source: source), at: frame * 33_000_000, Self.tuning)
            track.handle(.observed(.init()), at: frame * 33_000_000, Self.tuning)
        }
        return track
    }

    private func hidden() -> Track {
        var track = seen()
        track.handle(.lensCovered, at: 300_000_000, Self.tuning)
        return track
    }

    private func coasting() -> Track {
        var track = seen()
        track.handle(.observed(.init()), at: 600_000_000, Self.tuning)
        return track
    }

    @Test("a box into which something nearer reaches is of what is behind; one on somebody is not, nor one where depth tells nothing")
    func backdrop() throws {
        let picture = try ReducedPicture(Pictures.picture(320, 180) { x, y in Pictures.speckle(x, y) })
        /// Somebody at 0.5 1/m in the left third of the picture, before a wall at 0.2 1/m.
        let depth = DepthProbe(Pictures.map(32, 18) { x, _ in x < 11 ? 0.5 : 0.2 }, picture: picture)
        let (width, height) = (picture.width, picture.height)
        func box(_ left: Double) -> CGRect { CGRect(x: left * width, y: 0.3 * height, width: 0.15 * width, height: 0.25 * height) }
        #expect(depth.isBackdrop(box(0.29)) && !depth.isBackdrop(box(0.15)) && !depth.isBackdrop(box(0.6)))
        #expect(!DepthProbe(Pictures.map(32, 18) { _, _ in 0.3 }, picture: picture).isBackdrop(box(0.29)))
    }

    @Test("the cheapest pair first, then the cheapest of what is left; each track and each hit once")
    func greedy() {
        let pairs = GreedyAssignment.solve([(0.3, 0, 0), (0.1, 1, 0), (0.2, 1, 1), (0.5, 0, 1), (0.4, 2, 1)])
        #expect(pairs.map(\.track) == [1, 2] && pairs.map(\.hit) == [0, 1])
    }

    @Test("of equal costs the lower track goes first, then the lower hit")
    func ties() {
        let pairs = GreedyAssignment.solve([(0.2, 1, 1), (0.2, 1, 0), (0.2, 0, 1), (0.2, 0, 0)])
        #expect(pairs.map(\.track) == [0, 1] && pairs.map(\.hit) == [0, 1])
        #expect(GreedyAssignment.solve([]).isEmpty)
    }

    @Test("a track reaches as far as it may have moved unseen")
    func reach() {
        for (track, reach) in [(track(), 0.6), (seen(), 0.6), (coasting(), 0.9), (hidden(), 1.5)] {
            #expect(track.distance(to: hit(dx: (reach - 0.01) * 40).box, Self.tuning.association) != nil, "\(track.life)")
            #expect(track.distance(to: hit(dx: -(reach + 0.01) * 40).box, Self.tuning.association) == nil, "\(track.life)")
        }
    }

    @Test("no head grows or shrinks by more than 1.6 from one detection to the next, a hidden one by 1.5")
    func growth() {
        for (track, most) in [(seen(), 1.6), (coasting(), 1.6), (hidden(), 1.5)] {
            for ratio in [most, 1 / most] {
                let (inside, outside) = ratio > 1 ? (ratio - 0.01, ratio + 0.01) : (ratio + 0.01, ratio - 0.01)
                #expect(track.distance(to: hit(width: 40 * inside).box, Self.tuning.association) != nil)
                #expect(track.distance(to: hit(width: 40 * outside).box, Self.tuning.association) == nil)
            }
        }
    }

    @Test("distance and difference of size add up")
    func distance() throws {
        #expect(try #require(seen().distance(to: hit(dx: 10, width: 44).box, Self.tuning.association)).isNear(0.25 + 0.1))
        #expect(seen().distance(to: hit().box, Self.tuning.association) == 0)
    }

    @Test("a pattern on the chest is no face; one beside it, or a larger one, may be")
    func chest() {
        let (face, body) = (seen(), CGRect(x: 40, y: 60, width: 120, height: 200))
        func isOnChest(_ x: Double, _ y: Double, _ width: Double) -> Bool {
            face.hasOnChest(CGRect(x: x - width / 2, y: y - width / 2, width: width, height: width), body: body, Self.tuning.association)
        }
        #expect(isOnChest(100, 160, 40) && isOnChest(130, 160, 43))
        #expect(!isOnChest(100, 160, 45) && !isOnChest(170, 160, 40) && !isOnChest(100, 115, 40))
    }

    @Test("of hits on one head frontal goes before profile, a verification before a search, many windows before few")
    func duplicates() {
        let hits = [
            hit(.left, dx: 1, support: 90), hit(dx: 2, support: 5, isNew: true), hit(dx: 3, support: 6), hit(dx: 4, support: 7),
            hit(dx: 30, support: 1),
            hit(.cat, dx: 0, support: 1),
        ]
        let kept = Hit.suppressingNonMaxima(hits, overlap: Self.tuning.association.duplicateHit)
        #expect(kept.map(\.box.midX) == [104, 130, 100], "\(kept)")
    }

    @Test("the first hit of a track is where it is; a jittering one moves it a little, one that is off moves it far, a network's is believed")
    func correction() {
        for (source, dx, share) in [(Hit.Source.cascade, 4.0, 0.15), (.cascade, 8, 0.35), (.cascade, 16, 0.7), (.network, 4, 0.6)] {
            var track = seen(source: source)
            track.accept(hit(dx: dx, source: source), at: 400_000_000, Self.tuning)
            #expect(Double(track.box.midX).isNear(100 + share * dx), "\(source) \(dx)")
        }
    }

    @Test("a coasting face stays where it is for one detection, and takes the second")
    func refinding() {
        var track = coasting()
        track.accept(hit(dx: 8), at: 633_000_000, Self.tuning)
        #expect(track.box.midX == 100 && track.life.isCoasting)
        track.accept(hit(dx: 8), at: 666_000_000, Self.tuning)
        #expect(track.box.midX > 102 && track.life.isSeen)
    }

    @Test("a hit of many windows counts for two")
    func evidence() {
        for (weight, count) in [(14, 1), (15, 2)] {
            var track = track()
            track.accept(hit(support: weight), at: 33_000_000, Self.tuning)
            guard case .candidate(let evidence, let contact) = track.life else {
                Issue.record("\(track.life)")
                continue
            }
            #expect(evidence == .init(count: count, support: weight, isSure: false) && contact.hits == 1)
        }
    }

    @Test("another side of a head counts when it is seen twice in a row")
    func pose() {
        var pose = Pose(look: .frontal)
        pose.yaw = 0
        let following = Self.tuning.following
        pose.follow(hit(.left), wasSeen: true, following)
        #expect(pose.look == .frontal && pose.yaw == 0)
        pose.follow(hit(.frontal), wasSeen: true, following)
        pose.follow(hit(.left), wasSeen: true, following)
        #expect(pose.look == .frontal, "not in a row")
        pose.follow(hit(.left), wasSeen: true, following)
        #expect(pose.look == .left && pose.yaw == -70)
        pose.follow(hit(.right), wasSeen: false, following)
        #expect(pose.look == .right && pose.yaw == 70, "at once after it was not seen")
    }

    @Test("a measured yaw is smoothed, but for a turn; roll is as measured")
    func measuredPose() {
        var pose = Pose(look: .frontal)
        var measured = hit(source: .network)
        for (yaw, roll, expected) in [(10.0, 3.0, 10.0), (20, -4, 16), (40, 0, 40)] {
            measured.yaw = yaw
            measured.roll = roll
            pose.follow(measured, wasSeen: true, Self.tuning.following)
            #expect(pose.yaw.map { $0.isNear(expected) } ?? false && pose.roll == roll)
        }
    }

    @Test("of many candidates six are verified in a frame, of faces of cascades three, of dlib's two; every one within three frames")
    func due() {
        let candidates = (0..<7).map { _ in track() }
        let faces = (0..<4).map { _ in seen() } + (0..<3).map { _ in seen(source: .gradients) }
        let tracks = candidates + faces
        let frames = (0..<6).map { Searcher.tracksDue(tracks, frame: $0) }
        for due in frames {
            #expect(due.count { $0 < 7 } <= 6 && due.count { (7..<11).contains($0) } <= 3 && due.count { $0 >= 11 } <= 2, "\(due)")
            #expect(due == due.sorted())
        }
        for start in 0..<4 { #expect(Set(frames[start..<start + 3].joined()) == Set(0..<14)) }
        #expect(Searcher.tracksDue([seen(), hidden(), coasting(), track()], frame: 5) == [0, 1, 2, 3], "few are verified in every frame")
    }
}

@Suite("Faces go to bodies")
struct GroupingTests {
    private let tuning = VisionTuning()
    private let body = BodyTrack(
        Sighting(kind: .person, box: CGRect(x: 100, y: 50, width: 60, height: 150), score: 0.9), at: 0, VisionTuning().bodies)

    private func face(x: Double, y: Double, width: Double = 24) -> Track {
        Track(Hit(look: .frontal, box: CGRect(x: x - width / 2, y: y - width / 2, width: width, height: width), support: 9, isNew: false), at: 0)
    }

    @Test("the nearer a face is to the head of a body, the less it costs; a known one costs less")
    func costs() throws {
        let middle = try #require(body.distance(to: face(x: 130, y: 60), tuning.grouping))
        let low = try #require(body.distance(to: face(x: 130, y: 110), tuning.grouping))
        let side = try #require(body.distance(to: face(x: 150, y: 60), tuning.grouping))
        #expect(middle.isNear(0.5) && low > middle && side > middle)
        var known = face(x: 130, y: 60)
        known.measuredBody = body.objectID
        #expect(body.distance(to: known, tuning.grouping) == 0)
    }

    @Test("a face beside, above or at the knees of a body, or wider than it, is not its own")
    func strangers() {
        for stranger in [face(x: 98, y: 60), face(x: 162, y: 60), face(x: 130, y: 34), face(x: 130, y: 141), face(x: 130, y: 60, width: 64)] {
            #expect(body.distance(to: stranger, tuning.grouping) == nil, "\(stranger.box)")
        }
    }

    @Test("a hidden body takes its own face and no other")
    func hidden() {
        var hidden = body
        hidden.objectID = 7
        hidden.handle(.lensCovered, at: 0, tuning)
        #expect(hidden.life.isHidden && hidden.distance(to: face(x: 130, y: 60), tuning.grouping) == nil)
        var known = face(x: 130, y: 60)
        known.measuredBody = 7
        #expect(hidden.distance(to: known, tuning.grouping) == 0)
    }

    @Test("a sure body is seen at first sight, an unsure one is a candidate; looks as cat and dog add up to five")
    func votes() {
        func animal(_ kind: Sighting.Kind, _ score: Double) -> Sighting {
            Sighting(kind: kind, box: CGRect(x: 0, y: 0, width: 40, height: 40), score: score)
        }
        #expect(BodyTrack(animal(.dog, 0.55), at: 0, tuning.bodies).life.isSeen)
        var track = BodyTrack(animal(.dog, 0.54), at: 0, tuning.bodies)
        #expect(track.life.isCandidate && track.kind == .dogBody)
        for _ in 0..<9 { track.accept(animal(.dog, 0.9), at: 1, colours: nil, disparity: nil, tuning) }
        #expect(track.catVotes == -5 && track.life.isSeen && track.life.contact?.hits == 9)
        for _ in 0..<5 { track.accept(animal(.cat, 0.9), at: 2, colours: nil, disparity: nil, tuning) }
        #expect(track.kind == .dogBody)
        track.accept(animal(.cat, 0.9), at: 3, colours: nil, disparity: nil, tuning)
        #expect(track.kind == .catBody)
    }
}

extension Double {
    fileprivate func isNear(_ other: Double) -> Bool { abs(self - other) < 1e-9 }
}
