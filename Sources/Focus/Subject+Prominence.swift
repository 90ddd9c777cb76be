import Foundation
import Pipeline

extension Subject {
    /// How much the subject asks for focus, a weighted sum; about 0…1.
    func prominence(at time: Int64, _ tuning: FocusTuning) -> Double {
        guard let track = representative(at: time, tuning) ?? tracks.max(by: { $0.lastSeen < $1.lastSeen }) else { return 0 }
        var detection = track.detection
        if isEntering(at: time, tuning) { detection.bounds.origin.x += track.motion.x * seconds(tuning.anticipation) }
        let sum =
            tuning.weightSize * min(side(of: detection, at: time, tuning) / tuning.fullSize, 1)
            + tuning.weightNearness * min(track.disparity.position / tuning.fullNearness, 1)
            + tuning.weightKind * detection.kind.prior
            + tuning.weightFacing * (facing.isAway ? 0 : detection.facingCue)
            + tuning.weightCentrality * detection.centrality
            + tuning.weightConfidence * detection.confidence
            + tuning.weightRecency * max(0, 1 - seconds(time - arrived) / max(seconds(tuning.recency), 0.001))
            + tuning.weightMotion * min(track.motion.speed / tuning.fullSpeed, 1)
        return facing.isAway ? sum * tuning.awayFactor : sum
    }

    /// Somebody on the way in from a side is where they will be presently: by the time the rack is there, so are they.
    private func isEntering(at time: Int64, _ tuning: FocusTuning) -> Bool { cameFromSide && time - firstSeen < tuning.newcomer }

    /// A person is as large as what stands for them, a pet as its largest part.
    private func side(of representative: Detection, at time: Int64, _ tuning: FocusTuning) -> Double {
        let side = representative.side(tuning)
        guard representative.kind.isPet else { return side }
        return tracks.filter { $0.isPresent(at: time, tuning) }.map { $0.detection.side(tuning) }.reduce(side, max)
    }
}

extension Detection.Kind {
    var prior: Double {
        switch self {
        case .face: 1
        case .humanHead: 0.9
        case .humanBody: 0.8
        case .catHead, .catBody, .dogHead, .dogBody: 0.45
        case .salientObject: 0.3
        }
    }
}

extension Detection {
    /// Side of the square of the same area as the part of the box inside the picture, made comparable between kinds.
    fileprivate func side(_ tuning: FocusTuning) -> Double {
        let width = max(0, min(bounds.maxX, 1) - max(bounds.minX, 0))
        let height = max(0, min(bounds.maxY, 1) - max(bounds.minY, 0))
        let scale =
            switch kind {
            case .humanHead: tuning.headSize
            case .humanBody: tuning.bodySize
            case .catHead, .dogHead: tuning.petHeadSize
            case .face, .catBody, .dogBody, .salientObject: 1.0
            }
        return (width * height).squareRoot() * scale
    }

    fileprivate var centrality: Double {
        let (x, y) = (bounds.midX - 0.5, bounds.midY - 0.5)
        return max(0, 1 - (x * x + y * y) / 0.5)
    }

    /// What the detection by itself says about looking into the camera.
    fileprivate var facingCue: Double {
        if yaw != nil || kind == .face { return 1 }
        return kind.isPet ? 0.9 : 0.5
    }
}
