import CoreMedia
import Focus
import Foundation
import Pipeline
import Synchronization

extension CNScript {
    /// Adds a track of one's own and gives it its number, which it then has itself.
    @discardableResult
    public func addDetectionTrack(_ detectionTrack: CNDetectionTrack) -> CNDetectionID {
        state.withLock { state in
            if state.tracks.contains(where: { $0 === detectionTrack }) { return detectionTrack.detectionID }
            let recorded = recording.samples.lazy.flatMap { $0.detections.map(\.objectID) + [$0.focus.subject ?? 0] }.max() ?? 0
            let last = max(Int64(recorded), state.tracks.map(\.detectionID.rawValue).max() ?? 0)
            detectionTrack.number(last + 1)
            Self.add(detectionTrack, to: &state, recording)
            return detectionTrack.detectionID
        }
    }

    /// Removes a track of one's own, and the decisions for it. False for any other.
    @discardableResult
    public func removeDetectionTrack(_ detectionTrack: CNDetectionTrack) -> Bool {
        state.withLock { state in
            guard let place = state.tracks.firstIndex(where: { $0 === detectionTrack || $0.detectionID == detectionTrack.detectionID }) else {
                return false
            }
            let id = state.tracks.remove(at: place).detectionID
            for placed in state.userDecisions(recording) where placed.decision.focusDetectionID == .single(id) {
                state.focus.removeUserChoice(in: placed.frame)
                state.given[placed.frame] = nil
            }
            state.focus.removeAdded(Int(id.rawValue))
            state.course = nil
            return true
        }
    }

    static func add(_ track: CNDetectionTrack, to state: inout State, _ recording: CinematicRecording) {
        state.tracks.append(track)
        if track.isDiscrete { state.focus.add(track.placed(in: recording), as: Int(track.detectionID.rawValue)) }
        state.course = nil
    }

    /// Tracks that were added since the recording.
    public var addedDetectionTracks: [CNDetectionTrack] { state.withLock { $0.tracks } }

    /// Returns the track of a subject over the whole script; nil for a number that no subject has.
    public func detectionTrack(for detectionID: CNDetectionID) -> CNDetectionTrack? {
        if let added = state.withLock({ $0.tracks.first { $0.detectionID == detectionID } }) { return added }
        if detectionID == ScriptCourse.nobody { return automatic }
        if let held = Self.heldDisparity(of: detectionID, recording) {
            return CNFixedDetectionTrack(Float(held), nil, id: detectionID.rawValue, isUserCreated: false)
        }
        let seen = detections { Int64($0.objectID) == detectionID.rawValue }
        guard let first = seen.first else { return nil }
        return CNDetectionTrack(
            seen, type: first.detectionType, id: detectionID.rawValue, group: first.detectionGroupID?.rawValue ?? 0, isUserCreated: false)
    }

    /// Returns the track of all detections that a decision selects: of its subject, or in each frame the best of its group; nil for none.
    public func detectionTrack(for decision: CNDecision) -> CNDetectionTrack? {
        switch decision.focusDetectionID {
        case .single(let id): return detectionTrack(for: id)
        case .group(let group):
            let best = frames(in: timeRange).compactMap { $0.bestDetection(for: group) }
            guard let first = best.first else { return nil }
            return CNDetectionTrack(
                best, type: first.detectionType, id: first.detectionID?.rawValue ?? 0, group: group.rawValue, isUserCreated: false)
        }
    }

    private func detections(_ isWanted: (Detection) -> Bool) -> [CNDetection] {
        zip(recording.times, recording.samples).flatMap { time, sample in
            sample.detections.filter(isWanted).map { CNDetection($0, at: time, frameDisparity: sample.focus.focusDisparity) }
        }
    }

    /// Track of nobody: what is nearest in the middle, at any time.
    private var automatic: CNDetectionTrack {
        CNDetectionTrack(type: .autoFocus, isUserCreated: false) { [recording] time in
            let index = recording.frame(at: time, tolerance: .positiveInfinity) ?? 0
            let sample = recording.samples[index]
            return CNDetection(
                time: time, detectionType: .autoFocus, normalizedRect: CGRect(x: 0.3, y: 0.3, width: 0.4, height: 0.4),
                focusDisparity: Float(sample.ambientDisparity ?? sample.focus.focusDisparity))
        }
    }
}
