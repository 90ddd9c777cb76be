import Foundation

extension SceneTracker {
    /// Assigns each hit to at most one track, cheapest pair first; what is left over of a search may be something new.
    mutating func associateHeads(_ hits: [Hit], picture: ReducedPicture, depth: DepthProbe, time: Int64) throws(VisionError) {
        var costs: [(cost: Double, track: Int, hit: Int)] = []
        // Boxes of a cascade's search may be some frames old; those of dlib are of this frame.
        for (h, hit) in hits.enumerated() where !hit.isNew || hit.source == .gradients {
            let disparity = depth.median(hit.box.scaled(0.5))
            for (t, track) in tracks.enumerated() {
                guard let cost = try cost(of: hit, disparity, for: track, picture: picture, depth: depth) else { continue }
                costs.append((cost, t, h))
            }
        }
        let pairs = GreedyAssignment.solve(costs)
        for (track, hit) in pairs { tracks[track].accept(hits[hit], at: time, tuning) }
        let takenTracks = Set(pairs.map(\.track))
        for index in tracks.indices where !takenTracks.contains(index) && tracks[index].life.isCandidate {
            if tracks[index].verification == .done(time) { tracks[index].handle(.missed, at: time, tuning) }
        }
        let takenHits = Set(pairs.map(\.hit))
        for (h, hit) in hits.enumerated() where !takenHits.contains(h) && (hit.isNew || (hit.source == .network && !hit.isDoubtful)) {
            if let index = try hidden(hit, picture: picture, depth: depth) {
                tracks[index].box = hit.box
            } else if isPlausible(hit, depth: depth) {
                tracks.append(Track(hit, at: time))
            }
        }
    }

    /// Index of the hidden track that a search may have found again, the next verification of which decides; nil when there is none.
    private func hidden(_ hit: Hit, picture: ReducedPicture, depth: DepthProbe) throws(VisionError) -> Int? {
        let disparity = depth.median(hit.box.scaled(0.5))
        var best: (cost: Double, index: Int)?
        for (index, track) in tracks.enumerated() where track.life.isHidden {
            guard let cost = try cost(of: hit, disparity, for: track, picture: picture, depth: depth), cost < best?.cost ?? .infinity else {
                continue
            }
            best = (cost, index)
        }
        return best?.index
    }

    /// Cost of assigning a hit to a track, ≥ 0: distance and difference of size, and of colours where it is hidden; nil when it cannot be the same being.
    private func cost(
        of hit: Hit, _ disparity: Double?, for track: Track, picture: ReducedPicture, depth: DepthProbe
    ) throws(VisionError) -> Double? {
        guard track.kind == hit.look.kind, let cost = track.distance(to: hit.box, tuning.association) else { return nil }
        guard depth.agrees(disparity, track.disparity) else { return nil }
        guard track.life.isHidden, let appearance = track.appearance else { return cost }
        let likeness = appearance.colourLikeness(try Appearance.colours(of: track.anchor(of: hit.box), in: picture))
        return likeness > tuning.colourLikeness ? cost + (1 - likeness) : nil
    }

    /// Whether a hit that no track takes is something new: not where a track is, nor a pattern on a person's chest, nor what is behind somebody.
    private func isPlausible(_ hit: Hit, depth: DepthProbe) -> Bool {
        guard hit.look.kind != .person || !depth.isBackdrop(hit.box) else { return false }
        let disparity = depth.median(hit.box.scaled(0.5))
        return !tracks.contains { track in
            // Somebody in front of a hidden person is another person.
            if track.life.isHidden, depth.isCovered(hit.box.scaled(0.5), of: track.disparity) { return false }
            if track.box.overlap(hit.box) > tuning.association.explainedOverlap { return true }
            guard track.kind == .person, track.life.isReported, let body = track.bodyBox(in: depth.picture) else { return false }
            return track.hasOnChest(hit.box, body: body, tuning.association) && depth.agrees(disparity, track.disparity)
        }
    }
}

extension Track {
    /// Distance of a box, in box widths, and its relative difference of width, added up; nil beyond the reach that the track has in its state.
    func distance(to other: CGRect, _ tuning: VisionTuning.Association) -> Double? {
        let ratio = other.width / box.width
        let distance = hypot(other.midX - box.midX, other.midY - box.midY) / box.width
        let growth = life.isHidden ? tuning.hiddenGrowth : tuning.growth
        let reach = life.isHidden ? tuning.hiddenReach : (life.isCoasting ? tuning.coastingReach : tuning.seenReach)
        guard distance < reach, ratio < growth, ratio > 1 / growth else { return nil }
        return distance + abs(ratio - 1)
    }

    /// Whether a box is below the face, within the body and no wider than the face.
    func hasOnChest(_ other: CGRect, body: CGRect, _ tuning: VisionTuning.Association) -> Bool {
        other.midY > box.maxY && body.contains(other.center) && other.width < box.width * tuning.chestWidth
    }
}
