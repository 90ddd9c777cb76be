import Foundation
import Pipeline
import Support

/// People, animals and balls as an object network sees them every few frames, under lasting identities.
///
/// Two-stage association (ByteTrack: sure boxes first, then unsure ones for what is still open), gated by class, with colours beside
/// overlap; who is hidden inside the picture is remembered by colours, who left by its edge is somebody new.
struct BodyTracker {
    let tuning: VisionTuning
    private(set) var tracks: [BodyTrack] = []

    /// Scores from which on a box may start a track, is sure at first sight, and may go on one.
    private static let (start, sure, least) = (0.4, 0.55, 0.2)

    init(tuning: VisionTuning) { self.tuning = tuning }

    mutating func predict(with flow: Flow, in picture: ReducedPicture) throws(VisionError) {
        let boxes = tracks.map { ($0.phase, $0.box) }
        for index in tracks.indices {
            let box = boxes[index].1
            let isCovered = boxes.indices.contains { other in
                other != index && boxes[other].0 == .seen && boxes[other].1.intersection(box).area > 0.5 * box.area
            }
            try tracks[index].predict(with: flow, isCovered: isCovered)
        }
    }

    /// Takes in what the network saw in this frame.
    mutating func step(
        _ sightings: [Sighting], picture: ReducedPicture, depth: DepthProbe, time: Int64, identities: inout Identities
    ) throws(VisionError) {
        let seen = try Self.distinct(sightings).map { sighting throws(VisionError) in
            let isAlone = !sightings.contains { $0.kind.family == sighting.kind.family && (0.02..<0.5).contains($0.box.overlap(sighting.box)) }
            return Seen(
                sighting: sighting, colours: try Self.colours(of: sighting.box, in: picture), isAlone: isAlone,
                disparity: depth.spread > 0 ? depth.median(sighting.box.scaled(0.5)) : nil)
        }
        var open = Set(seen.indices)
        for isSure in [true, false] {
            let places = open.sorted().filter { (seen[$0].sighting.score >= Self.start) == isSure }
            for (track, place) in match(places.map { seen[$0] }, isSure: isSure, time: time) {
                open.remove(places[place])
                take(seen[places[place]], for: track, time: time, &identities)
            }
        }
        let places = open.sorted().filter { seen[$0].sighting.score >= Self.start }
        for (track, place) in recognise(places.map { seen[$0] }, time: time) {
            open.remove(places[place])
            take(seen[places[place]], for: track, time: time, &identities)
        }
        for place in open.sorted() where seen[place].sighting.score >= Self.start && isNew(seen[place].sighting) {
            var track = BodyTrack(seen[place].sighting, at: time)
            track.colours = seen[place].colours
            track.disparity = seen[place].disparity
            if seen[place].sighting.score >= Self.sure { Self.introduce(&track, &identities) }
            tracks.append(track)
        }
        for index in tracks.indices {
            if tracks[index].lastSeen == time { tracks[index].faceWhereItIsHigh(depth) } else { miss(index, picture, time) }
        }
        tracks.removeAll(where: \.isGone)
    }

    func report(_ picture: ReducedPicture) -> [Detection] {
        tracks.compactMap { track in
            guard track.phase == .seen || track.phase == .carried, let box = picture.visible(track.box, share: 0.1) else { return nil }
            return Detection(
                objectID: track.objectID, groupID: track.family == .ball ? -1 : track.groupID, kind: track.kind, bounds: box,
                confidence: min(track.score, 1), disparity: track.disparity)
        }
    }

    /// Heads that `isSeen` does not already say are seen, in the group of their body.
    func reportHeads(_ picture: ReducedPicture, isSeen: (Int) -> Bool) -> [Detection] {
        tracks.compactMap { track in
            guard track.phase == .seen || track.phase == .carried, let id = track.headID, !isSeen(id) else { return nil }
            guard let head = track.head(in: picture), let box = picture.visible(head, share: 0.3) else { return nil }
            return Detection(
                objectID: id, groupID: track.groupID, kind: track.headKind, bounds: box, confidence: min(track.score, 1) * 0.7,
                disparity: track.disparity)
        }
    }

    /// Nothing is seen any more; who was there is remembered for as long as somebody behind something.
    mutating func hide(_ time: Int64) {
        tracks.removeAll { $0.phase == .candidate || time - $0.lastSeen > tuning.memory }
        for index in tracks.indices { tracks[index].phase = .hidden }
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
    private static func distinct(_ sightings: [Sighting]) -> [Sighting] {
        var kept: [Sighting] = []
        for sighting in sightings where sighting.score >= least {
            let isDuplicate = kept.contains {
                $0.kind.family == sighting.kind.family && $0.kind != sighting.kind && $0.box.overlap(sighting.box) > 0.5
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

    /// Pairs of track and place, by overlap and colours; unsure boxes only go on what is in sight.
    private func match(_ seen: [Seen], isSure: Bool, time: Int64) -> [(track: Int, place: Int)] {
        let rows = tracks.indices.filter { tracks[$0].lastSeen != time && (tracks[$0].phase == .seen || (isSure && tracks[$0].phase != .hidden)) }
        let costs = rows.map { row in
            seen.map { seen -> Double? in
                let track = tracks[row]
                let overlap = track.box.overlap(seen.sighting.box)
                guard track.family == seen.sighting.kind.family, overlap > (isSure ? 0.15 : 0.4) else { return nil }
                let unlike = 1 - (track.likeness(seen.colours) ?? 1)
                return 1 - overlap + unlike * (seen.isAlone ? 1.5 : 0.7)
            }
        }
        return zip(rows, Assignment.solve(costs, columns: seen.count)).compactMap { row, place in place.map { (row, $0) } }
    }

    /// The hidden that come out again: by colours, and not farther away than one can have got.
    private func recognise(_ seen: [Seen], time: Int64) -> [(track: Int, place: Int)] {
        let rows = tracks.indices.filter { tracks[$0].phase == .hidden }
        let costs = rows.map { row in
            seen.map { seen -> Double? in
                let track = tracks[row]
                let (box, seconds) = (seen.sighting.box, Double(time - track.lastSeen) * 1e-9)
                let distance = hypot(box.midX - track.box.midX, box.midY - track.box.midY) / max(track.box.height, box.height)
                let ratio = box.height / track.box.height
                guard track.family == seen.sighting.kind.family, distance < 0.5 + seconds, (0.3...3).contains(ratio) else { return nil }
                let likeness = track.likeness(seen.colours) ?? 0
                return likeness > (distance < 0.5 ? 0.7 : 0.82) ? 1 - likeness + 0.1 * distance : nil
            }
        }
        return zip(rows, Assignment.solve(costs, columns: seen.count)).compactMap { row, place in place.map { (row, $0) } }
    }

    private mutating func take(_ seen: Seen, for index: Int, time: Int64, _ identities: inout Identities) {
        let isLearning = seen.isAlone || tracks[index].colours == nil
        tracks[index].correct(to: seen.sighting, at: time, colours: isLearning ? seen.colours : nil, disparity: seen.disparity)
        if tracks[index].phase == .candidate { Self.introduce(&tracks[index], &identities) }
    }

    private static func introduce(_ track: inout BodyTrack, _ identities: inout Identities) {
        track.phase = .seen
        track.objectID = identities.object()
        track.groupID = identities.group()
    }

    /// A box within a box of its kind is a part of it.
    private func isNew(_ sighting: Sighting) -> Bool {
        !tracks.contains {
            $0.family == sighting.kind.family && $0.phase != .hidden
                && $0.box.intersection(sighting.box).area > 0.75 * min($0.box.area, sighting.box.area)
        }
    }

    private mutating func miss(_ index: Int, _ picture: ReducedPicture, _ time: Int64) {
        let track = tracks[index]
        let age = time - track.lastSeen
        let visible = track.box.intersection(picture.luma.bounds).area
        switch track.phase {
        case .candidate: tracks[index].isGone = age > tuning.objectInterval * 5 / 2
        case .seen, .carried:
            tracks[index].phase = .carried
            if visible < 0.3 * track.box.area { tracks[index].isGone = true }
            if age > tuning.objectInterval * 2, track.isLeaving(picture) { tracks[index].isGone = true }
            if age > tuning.bodyHold { tracks[index].phase = .hidden }
        case .hidden: tracks[index].isGone = age > tuning.memory || visible < 0.3 * track.box.area
        }
    }
}
