import Foundation
import Pipeline

extension SceneTracker {
    /// Moves every track to the phase that this frame's evidence asks for, and lets those go that are no longer there.
    mutating func updatePhases(_ picture: ReducedPicture, depth: DepthProbe, time: Int64) throws(VisionError) {
        for index in tracks.indices {
            switch (tracks[index].kind, tracks[index].phase) {
            case (.thing, _): try followThing(index, picture, depth, time)
            case (_, .candidate): try confirm(index, picture, depth, time)
            case (_, .seen): try keepSeen(index, picture, depth, time)
            case (_, .unseen): try keepUnseen(index, picture, depth, time)
            case (_, .hidden): try searchHidden(index, picture, depth, time)
            }
        }
        tracks.removeAll { $0.isGone }
        dropDuplicates()
    }

    private mutating func confirm(_ index: Int, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let track = tracks[index]
        if track.misses > 1 {
            tracks[index].isGone = true
            return
        }
        let wanted =
            switch track.look {
            case .frontal: tuning.frontalEvidence
            case .left, .right: tuning.profileEvidence
            case .cat: tuning.catEvidence
            }
        // Knees and dogs pass for faces now and then, a child before somebody's legs for as long as it stands there.
        if isMisplaced(track), track.evidence < tuning.flatEvidence { return }
        if track.isSure || (track.source == .network && track.evidence >= tuning.networkEvidence) {
            return try introduce(index, picture, depth, time)
        }
        guard track.evidence >= wanted, Double(track.support) >= Double(track.evidence) * tuning.support else { return }
        // A face flat on a wall is most often a pattern of the wall, and one on a cat's flank of its fur.
        let isPlain = track.evidence >= tuning.flatEvidence && track.support >= tuning.flatEvidence * tuning.plainSupport
        if !isPlain, !depth.standsOut(track.box) || isFur(track, depth) { return }
        try introduce(index, picture, depth, time)
    }

    /// Whether a face is on the body of a cat whose head is in sight, below its top and as far away.
    private func isFur(_ face: Track, _ depth: DepthProbe) -> Bool {
        let measured = depth.median(face.core)
        return face.kind == .person
            && tracks.contains { cat in
                cat.kind == .cat && cat.objectID > 0 && cat.phase != .hidden && face.box.midY > cat.box.minY
                    && cat.pet.box(head: cat.box)?.contains(face.box.center) ?? false && depth.agrees(measured, cat.disparity)
            }
    }

    private mutating func introduce(_ index: Int, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let track = tracks[index]
        tracks[index].phase = .seen
        tracks[index].objectID = identities.object()
        tracks[index].introduced = time
        if !track.isSure, track.source != .network {
            if let face = try face(of: track, picture) {
                tracks[index].kind = .person
                tracks[index].look = face.look
                tracks[index].box = face.box
            } else {
                tracks[index].kind = .cat
                tracks[index].look = .cat
            }
        }
        if tracks[index].kind == .person || bodies == nil {
            tracks[index].bodyID = identities.object()
            tracks[index].groupID = identities.group()
        }
        if tracks[index].kind == .person { tracks[index].headID = identities.object() }
        tracks[index].appearance = try Appearance(of: tracks[index].anchor, in: picture)
        tracks[index].disparity = depth.median(tracks[index].core)
    }

    /// The face a candidate is, whichever cascade found it; nil when it is a cat's.
    ///
    /// A cat passes for a person, a person hardly for a cat: measured 0…0.25 of the strength, cats 0.6 and more.
    private func face(of track: Track, _ picture: ReducedPicture) throws(VisionError) -> Hit? {
        let cat = try cascades.bestHit(.cat, near: track.kind == .cat ? track.box : track.box.scaled(0.9), in: picture, neighbours: 1)
        let face = try cascades.bestHit(track.kind == .cat ? .frontal : track.look, near: track.box, in: picture, neighbours: 1)
        if let cat, 5 * cat.weight > 2 * (face?.weight ?? 0) { return nil }
        if track.kind == .cat { return face }
        return Hit(look: track.look, box: track.box, weight: face?.weight ?? 0, isNew: false)
    }

    private mutating func keepSeen(_ index: Int, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let track = tracks[index]
        tracks[index].evidence = 0
        tracks[index].misses = track.lastHit == time ? 0 : track.misses + (track.lastVerified == time ? 1 : 0)
        if track.visibleShare(in: picture) < 0.3 {
            tracks[index].isGone = true
            return
        }
        if track.lastHit == time {
            if let measured = depth.median(track.core) {
                let share = depth.agrees(measured, track.disparity) ? 0.25 : 0.5
                tracks[index].disparity = track.disparity.map { $0 + (measured - $0) * share } ?? measured
            }
            if frames % 3 == 0 { try tracks[index].appearance?.learn(track.anchor, in: picture, share: 0.2) }
        } else if depth.isCovered(track.box.scaled(0.5), of: track.disparity), depth.isCovered(track.anchor.scaled(0.5), of: track.disparity) {
            tracks[index].phase = .hidden
        } else if time - track.lastHit > (track.kind == .cat ? tuning.catHold : tuning.faceHold), pace == .lockStep || track.lastVerified == time {
            // A face that was only glimpsed has no body to go on with.
            if track.hits < tuning.hitsForBody {
                tracks[index].isGone = true
                return
            }
            tracks[index].phase = .unseen
        }
        try tighten(index, depth)
    }

    /// Fits the body under a face, or behind a cat's head, to what has its depth.
    private mutating func tighten(_ index: Int, _ depth: DepthProbe) throws(VisionError) {
        let track = tracks[index]
        if track.kind == .person { tracks[index].body.tighten(face: track.box, disparity: track.disparity, depth: depth) }
        if track.kind == .cat, bodies == nil, frames % 3 == 0 || track.pet.reach == nil {
            try tracks[index].pet.tighten(head: track.box, depth: depth)
        }
    }

    private mutating func keepUnseen(_ index: Int, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let track = tracks[index]
        if track.lastHit != time, track.lastHeld != time { tracks[index].evidence = 0 }
        if track.visibleShare(in: picture) < 0.35 {
            tracks[index].isGone = true
            return
        }
        if track.kind == .cat, time - track.lastHit > tuning.catMemory {
            tracks[index].isGone = true
            return
        }
        guard let appearance = track.appearance else {
            tracks[index].isGone = true
            return
        }
        let place = try appearance.search(around: track.anchor, in: picture)
        if track.coverage(depth) > 0.6 {
            tracks[index].phase = .hidden
            return
        }
        let measured = track.holds(depth)
        let isSteady = place.score > 0.5
        // A body that turns with its head looks different, but it stays where flow and depth say.
        if isSteady || (track.agreement > 0.5 && (depth.isTelling(measured) || place.score > 0.3)), measured != nil {
            // The patch keeps what the flow's small errors would carry away.
            if isSteady { tracks[index].shift(dx: place.dx * track.anchor.width * 0.25, dy: place.dy * track.anchor.height * 0.25, growth: 1) }
            tracks[index].lastHeld = time
            if let measured, let known = track.disparity { tracks[index].disparity = known + (measured - known) * 0.15 }
            let anchor = tracks[index].anchor
            if frames % 3 == 0 { try tracks[index].appearance?.learn(anchor, in: picture, share: isSteady ? 0.1 : 0.3) }
        } else if time - track.lastHeld > tuning.doubt {
            tracks[index].phase = .hidden
        }
        try tighten(index, depth)
    }

    private mutating func searchHidden(_ index: Int, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        let track = tracks[index]
        if depth.isCovered(track.core, of: track.disparity) { tracks[index].lastCovered = time }
        // A person behind something is waited for; one who is not there though nothing is in front has left. Without depth nobody can tell.
        let isBehind = depth.spread <= 0 || tracks[index].lastCovered.map { time - $0 < tuning.occlusion } ?? false
        let patience = isBehind ? tuning.memory : tuning.occlusion
        if time - track.lastHeld > patience || track.visibleShare(in: picture) < 0.35 {
            tracks[index].isGone = true
            return
        }
        guard let appearance = track.appearance else { return }
        let place = try appearance.search(around: track.anchor, in: picture)
        let likeness = appearance.colourLikeness(try Appearance.colours(of: track.anchor, in: picture))
        let isThere = depth.isTelling(track.disparity) && likeness > tuning.colourLikeness
        guard place.score > 0.6 || isThere else { return }
        var found = track
        if place.score > 0.6 { found.shift(dx: place.dx * track.anchor.width, dy: place.dy * track.anchor.height, growth: 1) }
        found.phase = .unseen
        guard found.holds(depth) != nil, found.coverage(depth) < 0.3 else { return }
        found.lastHeld = time
        tracks[index] = found
    }

    private mutating func followThing(_ index: Int, _ picture: ReducedPicture, _ depth: DepthProbe, _ time: Int64) throws(VisionError) {
        guard let follower = tracks[index].follower, let appearance = tracks[index].appearance else {
            tracks[index].isGone = true
            return
        }
        // Without an answer of the filter, flow has carried the box.
        if let found = try follower.step(picture, flow: flow) { tracks[index].box = found }
        let box = tracks[index].box
        if tracks[index].visibleShare(in: picture) < 0.3 {
            tracks[index].isGone = true
            return
        }
        let measured = depth.median(box.scaled(0.5))
        let likeness = try appearance.search(around: box, in: picture).score
        if likeness > 0.4, depth.agrees(measured, tracks[index].disparity) {
            tracks[index].lastHeld = time
            if let measured, let known = tracks[index].disparity { tracks[index].disparity = known + (measured - known) * 0.2 }
            if frames % 3 == 0 { try tracks[index].appearance?.learn(box, in: picture, share: 0.1) }
        } else if time - tracks[index].lastHeld > tuning.thingMemory {
            tracks[index].isGone = true
        }
    }

    /// Two tracks on one place: the confirmed one stays, of two the older.
    private mutating func dropDuplicates() {
        var kept: [Track] = []
        func age(_ track: Track) -> (Int, Int) { (track.objectID == 0 ? 1 : 0, track.objectID) }
        for track in tracks.sorted(by: { age($0) < age($1) }) {
            let isDuplicate = kept.contains {
                $0.kind != .thing && track.kind != .thing && $0.phase != .hidden && track.phase != .hidden
                    && $0.box.overlap(track.box) > ($0.kind == track.kind ? 0.45 : 0.3)
                    && ($0.phase == .seen || track.phase == .candidate)
            }
            if !isDuplicate { kept.append(track) }
        }
        tracks = kept
    }
}
