import CoreMedia
import Focus
import Foundation
import Pipeline

/// Consequence of a script's changes: the focus of each frame, the decisions in effect, and the transitions between them.
struct ScriptCourse: Sendable {
    /// Metadata of each frame as changed.
    let samples: [CinematicSample]
    /// Decisions in effect, in order of time: the user's, and automatic ones where none of the user's overrides them.
    let decisions: [CNScript.PlacedDecision]
    /// Transition to each of the decisions; nil for one that is sharp at once.
    let transitions: [CMTimeRange?]
    private let times: [CMTime]
    /// Decision in effect in each frame, by its place; nil before the first.
    private let inEffect: [Int?]

    /// Number that stands for nobody: focus rests on what is nearest in the middle.
    static let nobody = CNDetectionID(0)

    init(_ recording: CinematicRecording, _ state: CNScript.State) {
        let (base, user) = (state.focus.recordedChoices, state.userDecisions(recording))
        let samples = state.focus.samples
        times = recording.times
        self.samples = samples
        var decisions: [CNScript.PlacedDecision] = []
        var inEffect: [Int?] = []
        for (frame, sample) in samples.enumerated() {
            if let taken = sample.decisions.last {
                let own = user.first { $0.frame == frame && taken.isUserDecision }
                let recorded = base.last { $0.frame == frame && $0.isUser == taken.isUserDecision }
                let placed =
                    own ?? recorded.map { CNScript.PlacedDecision($0, at: recording.times[frame]) }
                    ?? Self.resumed(taken, in: frame, at: recording.times[frame], base)
                decisions.append(placed)
            }
            inEffect.append(decisions.isEmpty ? nil : decisions.count - 1)
        }
        let racks = Self.racks(in: samples)
        (self.decisions, self.inEffect) = (decisions, inEffect)
        transitions = decisions.map { decision in
            let time = recording.times[decision.frame].nanoseconds
            // Live, a rack begins with its decision; placed anew, it ends with it, to within the frame.
            let tolerance = recording.frameDuration.nanoseconds
            return racks.first { $0.start - tolerance < time && time <= $0.start + $0.duration + tolerance }.map(Self.range)
        }
    }

    /// Automatic decision that holds again after the end of one of the user's.
    private static func resumed(
        _ taken: FocusDecision, in frame: Int, at time: CMTime, _ base: [FocusScript.Choice]
    ) -> CNScript.PlacedDecision {
        var choice =
            base.last { $0.frame <= frame && !$0.isUser } ?? FocusScript.Choice(frame: frame, subject: .nobody, isStrong: false, isUser: false)
        if taken.subject == nil { choice.subject = .nobody }
        (choice.frame, choice.recorded, choice.isUser) = (frame, nil, false)
        return CNScript.PlacedDecision(choice, at: time)
    }

    /// Racks in order of time, each once.
    private static func racks(in samples: [CinematicSample]) -> [Rack] {
        var racks: [Rack] = []
        for sample in samples {
            if let rack = sample.focus.rack, rack.start != racks.last?.start || rack.to != racks.last?.to { racks.append(rack) }
        }
        return racks
    }

    private static func range(_ rack: Rack) -> CMTimeRange {
        CMTimeRange(start: CMTime(value: rack.start, timescale: 1_000_000_000), duration: CMTime(value: rack.duration, timescale: 1_000_000_000))
    }

    /// Frame as an editor sees it.
    func frame(_ index: Int) -> CNScript.Frame {
        CNScript.Frame(time: times[index], sample: samples[index], decision: decision(in: index))
    }

    /// Decision in effect in a frame; nil before the first.
    func decision(in index: Int) -> CNScript.PlacedDecision? { inEffect[index].map { decisions[$0] } }

    /// Decision that focus has arrived at, or leaves, at a time; the first one before it.
    func primary(at time: CMTime) -> CNDecision? {
        let arrived = decisions.indices.last { (transitions[$0]?.end ?? times[decisions[$0].frame]) <= time }
        return (arrived ?? decisions.indices.first).map { decisions[$0].decision }
    }

    /// Decision that focus is on its way to at a time; nil where it rests.
    func secondary(at time: CMTime) -> CNDecision? {
        // The first one is on its way from nobody.
        decisions.indices.dropFirst().last { transitions[$0]?.containsTime(time) == true }.map { decisions[$0].decision }
    }

    /// Place of a decision among those in effect; nil for another.
    func place(of decision: CNDecision) -> Int? { decisions.firstIndex { $0.decision == decision } }
}

extension FocusScript.Choice {
    /// A decision for a subject, or for a distance that is held, in a frame.
    init(_ decision: CNDecision, held: Double?, in frame: Int) {
        let subject: Subject =
            switch decision.focusDetectionID {
            case .group(let group): .group(Int(group.rawValue))
            case .single(let id): held.map { .plane(id: Int(id.rawValue), disparity: $0) } ?? .object(Int(id.rawValue))
            }
        self.init(frame: frame, subject: subject, isStrong: decision.isStrongDecision, isUser: true)
    }
}

extension CNDetectionTrack {
    /// Detections by the frames nearest to their times; what lies outside of the movie is left out.
    func placed(in recording: CinematicRecording) -> [(frame: Int, detection: Detection)] {
        var placed: [(frame: Int, detection: Detection)] = []
        for detection in all {
            guard let frame = recording.frame(at: detection.time, tolerance: recording.frameDuration), frame != placed.last?.frame else { continue }
            let disparity = Double(detection.focusDisparity)
            placed.append(
                (
                    frame,
                    Detection(
                        objectID: Int(detectionID.rawValue), kind: detection.detectionType.kind, bounds: detection.normalizedRect,
                        disparity: disparity.isFinite ? disparity : nil)
                ))
        }
        return placed
    }
}
