import Foundation
import Pipeline

/// Prominence of a subject in edited footage, where the film maker has already chosen: who is large, sharp and lit.
///
/// A weighted sum of size, class, facing and centrality, about 0…1, times a factor for each of what speaks against a subject: less sharp than the
/// sharpest, darker than the brightest, turned away, cut by the lower edge without a face (the row in front), a thing that nobody asked for. Nearness
/// does not count: of plain video it is a guess from the sizes that count already.
extension SubjectList {
    func footageProminence(of index: Int, at time: Int64, _ tuning: FocusTuning) -> Double {
        guard let object = all[index].standIn ?? latest(of: index) else { return 0 }
        let (subject, track) = (all[index], tracks[object])
        let hasFace = subject.faceSeen.map { time - $0 <= tuning.footageFaceMemory } ?? false
        let sum =
            tuning.footageSize * min(headSide(of: index, at: time, tuning) / tuning.fullSize, 1).squareRoot()
            + tuning.footageKind * (hasFace ? 1 : track.kind.isPet ? 0.6 : track.kind == .salientObject ? 0.3 : 0.8)
            + tuning.footageFacing * (subject.facing.isAway ? 0 : hasFace || track.kind.isPet ? 1 : 0.5)
            + tuning.footageCentrality * centrality(of: extent(of: index, at: time, tuning) ?? track.bounds)
        var factor = 1.0
        if let sharpest, sharpest > 0, let own = cue(\.sharpness, of: index, at: time, tuning) {
            factor *= 1 - tuning.footageSharpness * (1 - min(own / sharpest, 1))
        }
        if let brightest, brightest > 0, let own = cue(\.brightness, of: index, at: time, tuning) {
            factor *= 1 - tuning.footageBrightness * (1 - min(own / brightest, 1))
        }
        if subject.facing.isAway { factor *= tuning.footageAway }
        if !hasFace, track.kind.isPerson, isCutBelow(index, at: time, tuning) { factor *= tuning.footageForeground }
        if track.kind == .salientObject, !subject.wasRequested { factor *= tuning.footageThing }
        return sum * factor
    }

    /// Updates the greatest cues of all that is present.
    mutating func compareCues(at time: Int64, _ tuning: FocusTuning) {
        sharpest = all.indices.compactMap { cue(\.sharpness, of: $0, at: time, tuning) }.max()
        brightest = all.indices.compactMap { cue(\.brightness, of: $0, at: time, tuning) }.max()
    }

    /// Greatest cue among its objects that are present; nil where none was measured.
    private func cue(_ path: KeyPath<DetectionTrack, SmoothedCue>, of index: Int, at time: Int64, _ tuning: FocusTuning) -> Double? {
        all[index].members.lazy.filter { tracks[$0].isPresent(at: time, tuning) }.compactMap { tracks[$0][keyPath: path].value }.max()
    }

    /// Side of its head, as its largest part tells: that of the square of the same area, as a fraction of the picture.
    private func headSide(of index: Int, at time: Int64, _ tuning: FocusTuning) -> Double {
        all[index].members.lazy.filter { tracks[$0].isPresent(at: time, tuning) }.map { tracks[$0].headSide(tuning) }.max() ?? 0
    }

    /// Box around its objects that are present.
    private func extent(of index: Int, at time: Int64, _ tuning: FocusTuning) -> CGRect? {
        let present = all[index].members.filter { tracks[$0].isPresent(at: time, tuning) }
        return present.dropFirst().reduce(present.first.map { tracks[$0].bounds }) { $0?.union(tracks[$1].bounds) }
    }

    /// Whether the lower edge cuts it and its top is in the lower half of the picture.
    private func isCutBelow(_ index: Int, at time: Int64, _ tuning: FocusTuning) -> Bool {
        guard let box = extent(of: index, at: time, tuning) else { return false }
        return box.maxY >= 1 - tuning.edge && box.minY >= 0.5
    }
}

extension DetectionTrack {
    fileprivate func headSide(_ tuning: FocusTuning) -> Double {
        let inside = bounds.intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
        guard !inside.isNull else { return 0 }
        let side = (inside.width * inside.height).squareRoot()
        switch kind {
        case .face, .salientObject: return side
        case .humanHead: return side * tuning.headSize
        case .humanBody: return side * tuning.footageBody
        case .catHead, .dogHead: return side * tuning.petHeadSize * tuning.footagePet
        case .catBody, .dogBody: return side * tuning.footagePet
        }
    }
}

/// Cue of the picture, smoothed over time; nil until measured.
struct SmoothedCue: Sendable {
    private(set) var value: Double?

    /// Updates with a measurement `elapsed` seconds after the last frame; nil changes nothing.
    mutating func step(_ measurement: Double?, elapsed: Double, _ tuning: FocusTuning) {
        guard let measurement else { return }
        let constant = seconds(tuning.footageSmoothing)
        value = value.map { $0 + (measurement - $0) * elapsed / (elapsed + constant) } ?? measurement
    }
}
