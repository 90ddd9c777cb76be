import Foundation
import Pipeline
import Support

/// People, animals and balls as an object network sees them every few frames, under lasting identities.
///
/// Two-stage association (ByteTrack, Zhang et al. 2022: sure boxes first, then unsure ones for the tracks that are still open), gated by class, with
/// colours beside overlap. A body hidden inside the picture is remembered by its colours; one that left by its edge is somebody new.
struct BodyTracker {
    let tuning: VisionTuning
    private(set) var tracks: [BodyTrack] = []

    init(tuning: VisionTuning) { self.tuning = tuning }

    mutating func predict(with flow: Flow, in picture: ReducedPicture) throws(VisionError) {
        let before = tracks
        for index in tracks.indices {
            let box = before[index].box
            let isCovered = before.indices.contains { other in
                other != index && before[other].life.isSeen && before[other].box.intersection(box).area > tuning.bodies.covered * box.area
            }
            try tracks[index].predict(with: flow, isCovered: isCovered, tuning.bodies)
        }
    }

    /// Takes in what the network saw in this frame.
    mutating func step(
        _ sightings: [Sighting], picture: ReducedPicture, depth: DepthProbe, time: Int64, identities: inout Identities
    ) throws(VisionError) {
        let crowded = tuning.bodies.crowded..<tuning.bodies.duplicate
        let seen = try distinct(sightings).map { sighting throws(VisionError) in
            let isAlone = !sightings.contains { $0.kind.family == sighting.kind.family && crowded.contains($0.box.overlap(sighting.box)) }
            return Seen(
                sighting: sighting, colours: try Self.colours(of: sighting.box, in: picture), isAlone: isAlone,
                disparity: depth.range > 0 ? depth.median(sighting.box.scaled(0.5)) : nil)
        }
        var open = Set(seen.indices)
        for isHighScore in [true, false] {
            let places = open.sorted().filter { (seen[$0].sighting.score >= tuning.bodies.startScore) == isHighScore }
            for (track, place) in match(places.map { seen[$0] }, isHighScore: isHighScore, time: time) {
                open.remove(places[place])
                take(seen[places[place]], for: track, time: time, &identities)
            }
        }
        let places = open.sorted().filter { seen[$0].sighting.score >= tuning.bodies.startScore }
        for (track, place) in recognise(places.map { seen[$0] }, time: time) {
            open.remove(places[place])
            take(seen[places[place]], for: track, time: time, &identities)
        }
        for place in open.sorted() where seen[place].sighting.score >= tuning.bodies.startScore && isNew(seen[place].sighting) {
            var track = BodyTrack(seen[place].sighting, at: time, tuning.bodies)
            track.colours = seen[place].colours
            track.disparity = seen[place].disparity
            Self.introduce(&track, &identities)
            tracks.append(track)
        }
        for index in tracks.indices {
            if tracks[index].lastSeen == time { tracks[index].faceWhereItIsHigh(depth) } else { miss(index, picture, time) }
        }
        tracks.removeAll { $0.life == .gone }
    }

    func report(_ picture: ReducedPicture) -> [Detection] {
        tracks.compactMap { $0.life.isReported ? $0.detection(in: picture, tuning.bodies) : nil }
    }

    /// Heads that `isSeen` does not already say are seen, in the group of their body.
    func reportHeads(_ picture: ReducedPicture, isSeen: (Int) -> Bool) -> [Detection] {
        tracks.compactMap { track in
            guard track.life.isReported, let id = track.headID, !isSeen(id) else { return nil }
            return track.headDetection(in: picture, tuning.bodies)
        }
    }

    /// Hides every body: through a covered lens nothing is seen, and those who were there are remembered as if behind something.
    mutating func hide(_ time: Int64) {
        for index in tracks.indices { tracks[index].handle(.lensCovered, at: time, tuning) }
        tracks.removeAll { $0.life == .gone }
    }

    mutating func edit(_ index: Int, _ change: (inout BodyTrack) -> Void) { change(&tracks[index]) }
}

/// A sighting and what is known of its colours.
private struct Seen {
    var sighting: Sighting
    var colours: [Double]
    /// Nothing else is in front of it or behind it, so that its colours are its own.
    var isAlone: Bool
    var disparity: Double?
}

extension BodyTracker {
    /// One box for one animal, whether it passes for a cat or for a dog.
    private func distinct(_ sightings: [Sighting]) -> [Sighting] {
        var kept: [Sighting] = []
        for sighting in sightings where sighting.score >= tuning.bodies.leastScore {
            let isDuplicate = kept.contains {
                $0.kind.family == sighting.kind.family && $0.kind != sighting.kind && $0.box.overlap(sighting.box) > tuning.bodies.duplicate
            }
            if !isDuplicate { kept.append(sighting) }
        }
        return kept
    }

    /// Colours of the upper and of the lower half, 32 bins each and brightness in 8; adds up to 1.
    static func colours(of box: CGRect, in picture: ReducedPicture) throws(VisionError) -> [Double] {
        var bins: [Double] = []
        for part in 0..<2 {
            let half = CGRect(x: box.minX, y: box.minY + Double(part) * box.height / 2, width: box.width, height: box.height / 2).scaled(0.7, 0.9)
            bins += try Appearance.colours(of: half, in: picture).map { $0 / 6 }
            let grey = try picture.luma.sample(half, width: 16, height: 16)
            var brightness = [Double](repeating: 0, count: 8)
            for i in 0..<256 { brightness[Int(grey.bytes[i]) / 32] += 1.0 / 256 / 6 }
            bins += brightness
        }
        return bins
    }

    /// Pairs of track and place, by overlap and colours; boxes of a low score only go on what is in sight.
    private func match(_ seen: [Seen], isHighScore: Bool, time: Int64) -> [(track: Int, place: Int)] {
        let rows = tracks.indices.filter { tracks[$0].lastSeen != time && (tracks[$0].life.isSeen || (isHighScore && !tracks[$0].life.isHidden)) }
        let costs = rows.map { row in
            seen.map { seen -> Double? in
                let track = tracks[row]
                let overlap = track.box.overlap(seen.sighting.box)
                guard track.family == seen.sighting.kind.family, overlap > (isHighScore ? tuning.bodies.sureOverlap : tuning.bodies.unsureOverlap)
                else {
                    return nil
                }
                let unlike = 1 - (track.likeness(seen.colours) ?? 1)
                return 1 - overlap + unlike * (seen.isAlone ? tuning.bodies.colourWeight : tuning.bodies.crowdedColourWeight)
            }
        }
        return zip(rows, Assignment.solve(costs, columns: seen.count)).compactMap { row, place in place.map { (row, $0) } }
    }

    /// The hidden that come out again: by colours, and not farther away than one can have got.
    private func recognise(_ seen: [Seen], time: Int64) -> [(track: Int, place: Int)] {
        let rows = tracks.indices.filter { tracks[$0].life.isHidden }
        let costs = rows.map { row in
            seen.map { seen -> Double? in
                let track = tracks[row]
                let (box, seconds) = (seen.sighting.box, Double(time - track.lastSeen) * 1e-9)
                let distance = hypot(box.midX - track.box.midX, box.midY - track.box.midY) / max(track.box.height, box.height)
                let ratio = box.height / track.box.height
                guard track.family == seen.sighting.kind.family, distance < tuning.bodies.hiddenReach + seconds,
                    tuning.bodies.hiddenHeights.contains(ratio)
                else { return nil }
                let likeness = track.likeness(seen.colours) ?? 0
                let least = distance < tuning.bodies.hiddenReach ? tuning.bodies.nearLikeness : tuning.bodies.farLikeness
                return likeness > least ? 1 - likeness + tuning.bodies.distanceWeight * distance : nil
            }
        }
        return zip(rows, Assignment.solve(costs, columns: seen.count)).compactMap { row, place in place.map { (row, $0) } }
    }

    private mutating func take(_ seen: Seen, for index: Int, time: Int64, _ identities: inout Identities) {
        let isLearning = seen.isAlone || tracks[index].colours == nil
        tracks[index].accept(seen.sighting, at: time, colours: isLearning ? seen.colours : nil, disparity: seen.disparity, tuning)
        Self.introduce(&tracks[index], &identities)
    }

    /// Gives a track its object IDs in the frame that confirms it.
    private static func introduce(_ track: inout BodyTrack, _ identities: inout Identities) {
        guard track.life.isSeen, !track.isConfirmed else { return }
        track.objectID = identities.object()
        track.groupID = identities.group()
    }

    /// A box within a box of its kind is a part of it.
    private func isNew(_ sighting: Sighting) -> Bool {
        !tracks.contains {
            $0.family == sighting.kind.family && !$0.life.isHidden
                && $0.box.intersection(sighting.box).area > tuning.bodies.part * min($0.box.area, sighting.box.area)
        }
    }

    private mutating func miss(_ index: Int, _ picture: ReducedPicture, _ time: Int64) {
        let track = tracks[index]
        let visible = track.box.intersection(picture.luma.bounds).area
        // A network says nothing of what is in front.
        let now = Lifecycle.Observation(
            isInside: visible >= tuning.bodies.inside * track.box.area, isLeaving: track.isLeaving(picture, tuning.bodies), hasDepth: false)
        tracks[index].handle(.missed, at: time, tuning)
        tracks[index].handle(.observed(now), at: time, tuning)
    }
}
