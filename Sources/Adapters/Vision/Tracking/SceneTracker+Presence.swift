import Foundation
import Pipeline

extension SceneTracker {
    /// Gives every track the events of this frame, and lets those go that are no longer there.
    mutating func updateLifecycles(_ picture: ReducedPicture, depth: DepthProbe, time: Int64) throws(VisionError) {
        for index in tracks.indices {
            if case .thing(let follower, _) = tracks[index].being {
                try observeThing(index, follower, picture, depth, time)
                continue
            }
            switch tracks[index].life {
            case .candidate(let evidence, _): try judgeCandidate(index, evidence, picture, depth, time)
            case .seen: try observeSeen(index, picture, depth, time)
            case .coasting: try observeCoasting(index, picture, depth, time)
            case .hidden: try searchHidden(index, picture, depth, time)
            case .gone: break
            }
        }
        tracks.removeAll { $0.life == .gone }
        removeDuplicates()
    }

    private mutating func judgeCandidate(
        _ index: Int, _ evidence: Lifecycle.Evidence, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64
    ) throws(VisionError) {
        let track = tracks[index]
        let now = Lifecycle.Observation(isMisplaced: isMisplaced(track), standsOut: depth.standsOut(track.box) && !isFur(track, depth))
        tracks[index].handle(.observed(now), at: time, tuning)
        // A cascade's face may still be a cat's, however sure.
        if tracks[index].life.isSeen { try introduce(index, isSure: evidence.isSure && track.source != .cascade, picture, depth, time) }
    }

    /// Whether a face is on the body of a cat whose head is in sight, below its top and as far away.
    private func isFur(_ face: Track, _ depth: DepthProbe) -> Bool {
        guard face.kind == .person else { return false }
        let measured = depth.median(face.core)
        return tracks.contains { cat in
            cat.kind == .cat && cat.isConfirmed && !cat.life.isHidden && face.box.midY > cat.box.minY
                && cat.bodyBox(in: depth.picture)?.contains(face.box.center) ?? false && depth.agrees(measured, cat.disparity)
        }
    }

    /// Gives a confirmed track its kind, its object IDs and its appearance.
    private mutating func introduce(
        _ index: Int, isSure: Bool, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64
    ) throws(VisionError) {
        tracks[index].identity.introduced = time
        if !isSure, tracks[index].source != .network {
            if let face = try face(of: tracks[index], picture) {
                tracks[index].being = .person(BodyShape())
                tracks[index].pose.look = face.look
                tracks[index].box = face.box
            } else {
                tracks[index].being = .cat(PetShape())
                tracks[index].pose = Pose(look: .cat)
            }
        }
        if let known = try unseenSelf(of: tracks[index], picture, depth, time) {
            let identity = tracks[index].identity
            tracks[index].identity = tracks[known].identity
            tracks[index].identity.introduced = identity.introduced
            tracks[index].measuredBody = tracks[known].measuredBody
            tracks[known].handle(.superseded, at: time, tuning)
        } else {
            giveNumbers(to: index, picture)
        }
        tracks[index].appearance = try Appearance(of: tracks[index].anchor, in: picture)
        tracks[index].disparity = depth.median(tracks[index].core)
    }

    /// Gives a track object IDs of its own and of what belongs to it.
    private mutating func giveNumbers(to index: Int, _ picture: ReducedPicture) {
        tracks[index].identity.objectID = identities.object()
        if tracks[index].kind == .person || bodies == nil {
            tracks[index].identity.bodyID = identities.object()
            let (head, body) = (picture.normalized(tracks[index].box), tracks[index].bodyBox(in: picture).map(picture.normalized))
            tracks[index].identity.groupID = conspicuous.takeGroup(for: head, body: body) ?? identities.group()
        }
        if tracks[index].kind == .person { tracks[index].identity.headID = identities.object() }
    }

    /// Index of the person whom a new face belongs to and whose head no detector sees: it is in the head or the bodies are one, or, without depth, it is
    /// as near as a head gets in the time and has the person's colours. nil when there is none.
    private func unseenSelf(of face: Track, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) -> Int? {
        guard face.kind == .person else { return nil }
        if let known = coastingSelf(of: face, depth) { return known }
        guard depth.range == 0 else { return nil }
        let (limits, colours) = (tuning.association, try Appearance.colours(of: face.anchor, in: picture))
        var best: (likeness: Double, index: Int)?
        for (index, other) in tracks.enumerated() where other.kind == .person && (other.life.isCoasting || other.life.isHidden) {
            guard let contact = other.life.contact, let appearance = other.appearance else { continue }
            let reach = limits.coastingReach + limits.refoundSpeed * Double(time - contact.lastHit) * 1e-9
            let distance = hypot(face.box.midX - other.box.midX, face.box.midY - other.box.midY) / max(face.box.width, other.box.width)
            guard (1 / limits.refoundGrowth...limits.refoundGrowth).contains(face.box.width / other.box.width) else { continue }
            guard distance < min(reach, limits.refoundReach) else { continue }
            let likeness = appearance.colourLikeness(colours)
            if likeness > max(tuning.colourLikeness, best?.likeness ?? 0) { best = (likeness, index) }
        }
        return best?.index
    }

    /// Index of the coasting person whose head a new face is in, or whose body is its own; nil when there is none.
    private func coastingSelf(of face: Track, _ depth: DepthProbe) -> Int? {
        let (measured, body, growth) = (depth.median(face.core), face.bodyBox(in: depth.picture), tuning.association.refoundGrowth)
        return tracks.firstIndex { other in
            guard other.kind == .person, other.life.isCoasting, depth.agrees(measured, other.disparity) else { return false }
            guard (1 / growth...growth).contains(face.box.width / other.box.width) else { return false }
            if other.head.scaled(1.5).contains(face.box.center) { return true }
            guard let body, let otherBody = other.bodyBox(in: depth.picture) else { return false }
            return body.intersection(otherBody).area > tuning.association.refoundBody * min(body.area, otherBody.area)
        }
    }

    /// The face a candidate is, whichever cascade found it; nil when it is a cat's.
    ///
    /// A cat passes for a person, a person hardly for a cat: measured 0…0.25 of the strength, cats 0.6 and more.
    private func face(of track: Track, _ picture: ReducedPicture) throws(VisionError) -> Hit? {
        let cat = try cascades.bestHit(.cat, near: track.kind == .cat ? track.box : track.box.scaled(0.9), in: picture, neighbours: 1)
        let face = try cascades.bestHit(
            track.kind == .cat ? .frontal : track.pose.look, near: track.box, in: picture, tone: track.tone, neighbours: 1)
        if let cat, 5 * cat.support > 2 * (face?.support ?? 0) { return nil }
        if track.kind == .cat { return face }
        return Hit(look: track.pose.look, box: track.box, support: face?.support ?? 0, isNew: false)
    }

    private mutating func observeSeen(_ index: Int, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let track = tracks[index]
        let isHit = track.life.contact?.lastHit == time
        let isVerified = track.verification == .done(time)
        let now = Lifecycle.Observation(
            isInside: track.visibleShare(in: picture) >= tuning.presence.seenInside,
            isCovered: !isHit && depth.isCovered(track.box.scaled(0.5), of: track.disparity)
                && depth.isCovered(track.anchor.scaled(0.5), of: track.disparity), isVerified: pace == .lockStep || isVerified)
        if !isHit, isVerified { tracks[index].handle(.missed, at: time, tuning) }
        tracks[index].handle(.observed(now), at: time, tuning)
        guard tracks[index].life != .gone else { return }
        if isHit {
            if let measured = depth.median(track.core) {
                let isSame = depth.agrees(measured, track.disparity)
                let share = isSame ? tuning.following.disparityShare : tuning.following.disparityJump
                tracks[index].disparity = track.disparity.map { $0 + (measured - $0) * share } ?? measured
            }
            if isLearningFrame { try tracks[index].appearance?.learn(track.anchor, in: picture, share: tuning.presence.seenLearning) }
        }
        try tightenBody(index, depth)
    }

    private var isLearningFrame: Bool { frames % tuning.presence.learningInterval == 0 }

    /// Fits the body under a face, or behind a cat's head, to what has its depth.
    private mutating func tightenBody(_ index: Int, _ depth: DepthProbe) throws(VisionError) {
        let track = tracks[index]
        switch track.being {
        case .person(var shape):
            shape.tighten(face: track.box, disparity: track.disparity, depth: depth)
            tracks[index].being = .person(shape)
        case .cat(var shape):
            guard bodies == nil, isLearningFrame || shape.reach == nil else { return }
            try shape.tighten(head: track.box, depth: depth)
            tracks[index].being = .cat(shape)
        case .thing: break
        }
    }

    private mutating func observeCoasting(_ index: Int, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let (track, limits) = (tracks[index], tuning.presence)
        guard let place = try track.appearance?.search(around: track.anchor, in: picture) else { return }
        let measured = track.heldDisparity(depth, tuning.following)
        let isAlike = try hasColours(track, picture, depth)
        let isSteady = place.score > limits.steadyScore && isAlike
        // A body that turns with its head looks different, but it stays where flow and depth say.
        let isCarried = track.agreement > limits.flowAgreement && (depth.isTelling(measured) || place.score > limits.flowScore) && isAlike
        let now = Lifecycle.Observation(
            isInside: track.visibleShare(in: picture) >= limits.unseenInside, isCovered: track.coverage(depth) > limits.covered,
            isHeld: (isSteady || isCarried) && measured != nil)
        tracks[index].handle(.observed(now), at: time, tuning)
        guard tracks[index].life != .gone, !now.isCovered else { return }
        if now.isHeld {
            if isSteady {
                let (dx, dy) = (place.dx * track.anchor.width * limits.patchShare, place.dy * track.anchor.height * limits.patchShare)
                tracks[index].shift(dx: dx, dy: dy, growth: 1)
            }
            if let measured, let known = track.disparity {
                tracks[index].disparity = known + (measured - known) * tuning.following.coastingDisparityShare
            }
            let (anchor, share) = (tracks[index].anchor, isSteady ? limits.steadyLearning : limits.turningLearning)
            if isLearningFrame { try tracks[index].appearance?.learn(anchor, in: picture, share: share, keepsColours: depth.range == 0) }
        }
        try tightenBody(index, depth)
    }

    private mutating func searchHidden(_ index: Int, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let track = tracks[index]
        var now = Lifecycle.Observation(
            isInside: track.visibleShare(in: picture) >= tuning.presence.unseenInside, isCovered: depth.isCovered(track.core, of: track.disparity),
            isHeld: true, hasDepth: depth.range > 0)
        // The track as it would go on, were it found.
        var found = track
        found.handle(.observed(now), at: time, tuning)
        now.isHeld = found.life.isCoasting ? try isFoundAgain(&found, picture, depth) : false
        if now.isHeld { tracks[index] = found } else { tracks[index].handle(.observed(now), at: time, tuning) }
    }

    /// Whether the place of a person has that person's colours; not asked where there is depth. A wall fits a grey patch now and then.
    private func hasColours(_ track: Track, _ picture: ReducedPicture, _ depth: DepthProbe) throws(VisionError) -> Bool {
        guard track.kind == .person, depth.range == 0, let appearance = track.appearance else { return true }
        return appearance.colourLikeness(try Appearance.colours(of: track.anchor, in: picture)) > tuning.colourLikeness
    }

    /// Whether a hidden track shows at its place, to which its box is moved: by its patch, or by its colours where depth tells it from what is behind.
    /// A person without depth waits for a detector: leaves pass for a patch of 560 cells.
    private func isFoundAgain(_ track: inout Track, _ picture: ReducedPicture, _ depth: DepthProbe) throws(VisionError) -> Bool {
        guard let appearance = track.appearance, depth.range > 0 || track.kind != .person else { return false }
        let anchor = track.anchor
        let place = try appearance.search(around: anchor, in: picture)
        if place.score > tuning.presence.foundScore {
            track.shift(dx: place.dx * anchor.width, dy: place.dy * anchor.height, growth: 1)
        } else {
            guard depth.isTelling(track.disparity) else { return false }
            let likeness = appearance.colourLikeness(try Appearance.colours(of: anchor, in: picture))
            guard likeness > tuning.colourLikeness else { return false }
        }
        return track.heldDisparity(depth, tuning.following) != nil && track.coverage(depth) < tuning.presence.foundCovered
    }

    private mutating func observeThing(
        _ index: Int, _ follower: ObjectFollower, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64
    ) throws(VisionError) {
        // Without an answer of the filter, flow has carried the box.
        if let found = try follower.step(picture, flow: flow) { tracks[index].box = found }
        let track = tracks[index]
        let now = Lifecycle.Observation(isInside: track.visibleShare(in: picture) >= tuning.presence.seenInside)
        let measured = depth.median(track.box.scaled(0.5))
        let score = try track.appearance?.search(around: track.box, in: picture).score ?? -1
        let isFound = score > tuning.presence.thingScore && depth.agrees(measured, track.disparity)
        tracks[index].handle(isFound ? .detected(evidence: 1, support: 0, isSure: false) : .missed, at: time, tuning)
        tracks[index].handle(.observed(now), at: time, tuning)
        guard isFound else { return }
        if let measured, let known = track.disparity {
            tracks[index].disparity = known + (measured - known) * tuning.following.thingDisparityShare
        }
        if isLearningFrame { try tracks[index].appearance?.learn(track.box, in: picture, share: tuning.presence.thingLearning) }
    }

    /// Leaves one track of those on one place: the confirmed one stays, of two the older.
    private mutating func removeDuplicates() {
        var kept: [Track] = []
        func age(_ track: Track) -> (Int, Int) { (track.isConfirmed ? 0 : 1, track.identity.objectID) }
        for track in tracks.sorted(by: { age($0) < age($1) }) {
            let isDuplicate = kept.contains {
                $0.kind != .thing && track.kind != .thing && !$0.life.isHidden && !track.life.isHidden
                    && $0.box.overlap(track.box) > ($0.kind == track.kind ? tuning.association.duplicateTrack : tuning.association.duplicateOtherKind)
                    && ($0.life.isSeen || track.life.isCandidate)
            }
            if !isDuplicate { kept.append(track) }
        }
        tracks = kept
    }
}
