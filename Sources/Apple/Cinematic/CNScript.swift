import AVFoundation
import CoreMedia
import Focus
import Foundation
import Optics
import Pipeline
import Synchronization

/// Script of a cinematic movie: who is in focus when, as recorded and as changed since.
///
/// A user's decision lies over the automatic ones: a weak one until the next decision, a strong one until the user's next or the end of its track. As soon as
/// a decision differs from the recording, all racks are placed anew, each ending when its subject is to be sharp. All calls are serialised; a change is worked
/// out when something is asked for the first time after it.
public final class CNScript: Sendable {
    let recording: CinematicRecording
    let state: Mutex<State>

    struct State {
        var fNumber: Float
        /// In order of time, one a frame.
        var userDecisions: [PlacedDecision]
        var tracks: [CNDetectionTrack] = []
        /// Frames and decisions that follow; nil after a change.
        var course: ScriptCourse?
    }

    /// Decision and the frame nearest to its time.
    struct PlacedDecision: Sendable {
        var decision: CNDecision
        var frame: Int
        /// Number among the recorded decisions; nil of an added one.
        var recorded: Int?
        /// Disparity of a distance that was held while recording; nil of another.
        var disparity: Double?
    }

    /// Reads the script of an asset and applies changes.
    ///
    /// Throws `CNCinematicError`: `unreadable`, `incomplete` (a track is missing), `malformed`, `unsupported` (a later version), `incompatible` (the changes
    /// are of another movie) or `cancelled`.
    public init(asset: AVAsset, changes: Changes? = nil, progress: Progress? = nil) async throws {
        let recording = try await CinematicRecording(asset: asset, progress: progress)
        if let digest = changes?.digest, digest != recording.digest {
            throw CNCinematicError(.incompatible, reason: "the changes are of another movie")
        }
        self.recording = recording
        state = Mutex(Self.recorded(recording))
        if let changes { state.withLock { Self.apply(changes, to: &$0, recording) } }
    }

    /// Drops all changes, and applies others; none where it is nil.
    public func reload(changes: Changes?) {
        state.withLock { state in
            state = Self.recorded(recording)
            if let changes { Self.apply(changes, to: &state, recording) }
        }
    }

    /// Time that the script covers: in which all tracks of the movie have samples.
    public var timeRange: CMTimeRange { recording.timeRange }

    /// Simulated f-number of the whole movie; at first that of the first frame. Set, it holds in each frame; what is not above 0 is ignored.
    public var fNumber: Float {
        get { state.withLock { $0.fNumber } }
        set { if newValue > 0, newValue.isFinite { state.withLock { $0.fNumber = newValue } } }
    }

    static func recorded(_ recording: CinematicRecording) -> State {
        let user = recording.script.recordedChoices.filter(\.isUser).map { PlacedDecision($0, at: recording.times[$0.frame]) }
        // Of several in one frame the last one counts.
        let placed = user.indices.filter { $0 + 1 == user.count || user[$0 + 1].frame != user[$0].frame }.map { user[$0] }
        return State(fNumber: Float(recording.samples[0].lens.fNumber), userDecisions: placed)
    }

    /// Calls `body` with what follows from the changes.
    func withCourse<Value>(_ body: (ScriptCourse) -> Value) -> Value {
        state.withLock { state in
            let course = state.course ?? ScriptCourse(recording, state.userDecisions, state.tracks)
            state.course = course
            return body(course)
        }
    }
}

extension CNScript.PlacedDecision {
    init(_ choice: FocusScript.Choice, at time: CMTime) {
        var held: Double?
        let subject: CNDecision.FocusDetectionID =
            switch choice.subject {
            case .object(let id): .single(CNDetectionID(Int64(id)))
            case .group(let group): .group(CNDetectionGroupID(Int64(group)))
            case .plane(let id, _): .single(CNDetectionID(Int64(id)))
            case .nobody: .single(ScriptCourse.nobody)
            }
        if case .plane(_, let disparity) = choice.subject { held = disparity }
        self.init(
            decision: CNDecision(time: time, subject, isStrong: choice.isStrong, isUser: choice.isUser), frame: choice.frame,
            recorded: choice.recorded, disparity: held)
    }
}
