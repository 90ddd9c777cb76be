import Foundation

extension SceneTracker {
    /// Gives each hit to at most one track, cheapest pair first; what is left over in a search may be something new.
    mutating func associateHeads(_ hits: [Hit], picture: ReducedPicture, depth: DepthProbe, time: Int64) throws(VisionError) {
        var pairs: [(cost: Double, track: Int, hit: Int)] = []
        for (h, hit) in hits.enumerated() where !hit.isNew {
            let disparity = depth.median(hit.box.scaled(0.5))
            for (t, track) in tracks.enumerated() {
                guard let cost = try cost(of: hit, disparity, for: track, picture: picture, depth: depth) else { continue }
                pairs.append((cost, t, h))
            }
        }
        pairs.sort { ($0.cost, $0.track, $0.hit) < ($1.cost, $1.track, $1.hit) }
        var takenTracks = [Bool](repeating: false, count: tracks.count)
        var takenHits = [Bool](repeating: false, count: hits.count)
        for pair in pairs where !takenTracks[pair.track] && !takenHits[pair.hit] {
            takenTracks[pair.track] = true
            takenHits[pair.hit] = true
            accept(hits[pair.hit], for: pair.track, time: time)
        }
        for index in takenTracks.indices where !takenTracks[index] && tracks[index].phase == .candidate && tracks[index].lastVerified == time {
            tracks[index].misses += 1
        }
        for (h, hit) in hits.enumerated() where hit.isNew || (hit.source == .network && !takenHits[h]) {
            if let index = try hidden(hit, picture: picture, depth: depth) {
                tracks[index].box = hit.box
            } else if isPlausible(hit, depth: depth) {
                tracks.append(Track(hit, at: time))
            }
        }
    }

    /// The hidden track that a search may have found again; the next look there decides.
    private func hidden(_ hit: Hit, picture: ReducedPicture, depth: DepthProbe) throws(VisionError) -> Int? {
        let disparity = depth.median(hit.box.scaled(0.5))
        var best: (cost: Double, index: Int)?
        for (index, track) in tracks.enumerated() where track.phase == .hidden {
            guard let cost = try cost(of: hit, disparity, for: track, picture: picture, depth: depth), cost < best?.cost ?? .infinity else {
                continue
            }
            best = (cost, index)
        }
        return best?.index
    }

    /// Cost of assigning a hit to a track, ≥ 0; nil when it cannot be the same being.
    private func cost(
        of hit: Hit, _ disparity: Double?, for track: Track, picture: ReducedPicture, depth: DepthProbe
    ) throws(VisionError) -> Double? {
        guard track.kind == hit.look.kind else { return nil }
        let ratio = hit.box.width / track.box.width
        let distance = hypot(hit.box.midX - track.box.midX, hit.box.midY - track.box.midY) / track.box.width
        let (reach, grown) = track.phase == .hidden ? (1.5, 1.5) : (track.phase == .unseen ? (0.9, 1.6) : (0.6, 1.6))
        guard distance < reach, ratio < grown, ratio > 1 / grown else { return nil }
        guard depth.agrees(disparity, track.disparity) else { return nil }
        var cost = distance + abs(ratio - 1)
        if track.phase == .hidden, let appearance = track.appearance {
            var moved = track
            moved.box = hit.box
            let likeness = appearance.colourLikeness(try Appearance.colours(of: moved.anchor, in: picture))
            guard likeness > tuning.colourLikeness else { return nil }
            cost += 1 - likeness
        }
        return cost
    }

    private mutating func accept(_ hit: Hit, for index: Int, time: Int64) {
        let phase = tracks[index].phase
        switch phase {
        case .candidate:
            tracks[index].look = hit.look
            tracks[index].yaw = hit.yaw ?? hit.look.yaw
            tracks[index].isSure = tracks[index].isSure || hit.isSure
            tracks[index].evidence += hit.weight >= tuning.plainSupport ? 2 : 1
            tracks[index].support += hit.weight
            tracks[index].correct(to: hit, at: time)
        case .seen:
            tracks[index].correct(to: hit, at: time)
        case .unseen, .hidden:
            // Found again: one look alone may be a false alarm in the hair.
            tracks[index].evidence += 1
            tracks[index].lastHeld = time
            guard tracks[index].evidence >= 2 || tracks[index].kind == .cat || hit.isSure else { return }
            tracks[index].correct(to: hit, at: time)
            tracks[index].look = hit.look
            tracks[index].phase = .seen
        }
    }

    /// A hit that some track already explains is nothing new.
    private func isPlausible(_ hit: Hit, depth: DepthProbe) -> Bool {
        let disparity = depth.median(hit.box.scaled(0.5))
        for track in tracks {
            // Somebody in front of a hidden person is another person.
            if track.phase == .hidden, depth.isCovered(hit.box.scaled(0.5), of: track.disparity) { continue }
            if track.box.overlap(hit.box) > 0.15 { return false }
            guard track.kind == .person, track.phase != .candidate, track.phase != .hidden else { continue }
            // A pattern on the chest, at the chest's depth.
            let below = hit.box.midY > track.box.maxY && track.body.box(face: track.box, in: depth.picture).contains(hit.box.center)
            if below, hit.box.width < track.box.width * 1.1, depth.agrees(disparity, track.disparity) { return false }
        }
        return true
    }
}
