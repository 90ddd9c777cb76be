import Cinematic
import CoreMedia
import Focus
import Foundation
import Pipeline
import ScenarioFormat

extension EditList {
    /// Edits that come to the changes of an app (`CNScript.Changes`): decisions removed, decisions added, aperture. What was not changed is no edit.
    ///
    /// Throws `ScenarioError` for changes that no list can express.
    init(_ changes: CNScript.Changes, of script: CNScript, movie: String) throws {
        self.init(movie: movie, digest: changes.digest)
        let recorded = script.focus.recordedChoices.filter(\.isUser)
        let wanted = changes.userDecisions.map { (frame: script.frame(nearest: $0.time), decision: $0) }
        var edits: [FocusEdit] = []
        for choice in recorded where !wanted.contains(where: { $0.frame == choice.frame && choice.isSame(as: $0.decision) }) {
            edits.append(.remove(at: .frame(choice.frame)))
        }
        for (frame, decision) in wanted where !recorded.contains(where: { $0.frame == frame && $0.isSame(as: decision) }) {
            edits.append(.focus(script.order(decision, in: frame, changes.addedDetectionTracks), at: .frame(frame)))
        }
        if changes.changesAperture {
            // By its digits: 1.4 as a 32-bit float is another number.
            edits.append(.aperture(.init(to: Double(String(changes.fNumber)) ?? Double(changes.fNumber)), at: .frame(0)))
        }
        items = try edits.map { try EditList.item($0) }
    }
}

extension FocusScript.Choice {
    fileprivate func isSame(as decision: CNDecision) -> Bool {
        guard isStrong == decision.isStrongDecision else { return false }
        switch (subject, decision.focusDetectionID) {
        case (.object(let id), .single(let other)), (.plane(let id, _), .single(let other)): return Int64(id) == other.rawValue
        case (.group(let id), .group(let other)): return Int64(id) == other.rawValue
        default: return false
        }
    }
}

extension CNScript {
    fileprivate func frame(nearest time: CMTime) -> Int {
        let times = times
        return times.indices.min { CMTimeAbsoluteValue(times[$0] - time) < CMTimeAbsoluteValue(times[$1] - time) } ?? 0
    }

    /// Order that comes to a decision of an app.
    fileprivate func order(_ decision: CNDecision, in frame: Int, _ tracks: [CNDetectionTrack]) -> FocusEdit.Focus {
        let seen = focus.recordedSample(frame).detections
        let subject: Detection?
        var id: Int64 = 0
        switch decision.focusDetectionID {
        case .group(let group): subject = seen.first { Int64($0.groupID) == group.rawValue }
        case .single(let single):
            id = single.rawValue
            subject = seen.first { Int64($0.objectID) == id }
        }
        let track = tracks.first { $0.detectionID.rawValue == id }
        let bounds = subject?.bounds ?? track?.detection(atOrBefore: times[frame])?.normalizedRect
        let point = bounds.map { CGPoint(x: $0.midX, y: $0.midY) } ?? CGPoint(x: 0.5, y: 0.5)
        let mode: FocusOrder.Mode = decision.isStrongDecision ? .strong : .weak
        if let held = track as? CNFixedDetectionTrack {
            return FocusEdit.Focus(.point(point), mode: mode, found: .surface(Double(held.focusDisparity)))
        }
        guard let custom = track as? CNCustomDetectionTrack else {
            return FocusEdit.Focus(.point(point), mode: mode, found: .object(subject?.objectID ?? Int(id)))
        }
        var boxes: [FocusEdit.TrackedBox] = []
        for detection in custom.allDetections {
            let place = self.frame(nearest: detection.time)
            guard place != boxes.last?.frame else { continue }
            let disparity = Double(detection.focusDisparity)
            boxes.append(FocusEdit.TrackedBox(frame: place, bounds: detection.normalizedRect, disparity: disparity.isFinite ? disparity : nil))
        }
        return FocusEdit.Focus(.point(point), mode: mode, found: .track(boxes))
    }
}
