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
    /// Digest of the recording, worked out when it is first asked for.
    private let knownDigest = Mutex<String?>(nil)

    struct State {
        /// The recording with all decisions, tracks and apertures.
        var focus: FocusScript
        /// Decisions that were added, as they were given, by the frames nearest to them.
        var given: [Int: CNDecision] = [:]
        var tracks: [CNDetectionTrack] = []
        /// Frames and decisions that follow; nil after a change.
        var course: ScriptCourse?
    }

    /// Decision and the frame nearest to its time.
    struct PlacedDecision: Sendable {
        var decision: CNDecision
        var frame: Int
        /// Disparity of a distance that is held; nil of another.
        var disparity: Double?
    }

    /// Reads the script of an asset and applies changes.
    ///
    /// Throws `CNCinematicError`: `unreadable`, `incomplete` (a track is missing), `malformed`, `unsupported` (a later version), `incompatible` (the changes
    /// are of another movie) or `cancelled`.
    public convenience init(asset: AVAsset, changes: Changes? = nil, progress: Progress? = nil) async throws {
        try self.init(reading: asset, changes: changes, progress: progress)
    }

    /// Reads the script of an asset while the caller waits. Throws `CNCinematicError`.
    package init(reading asset: AVAsset, changes: Changes? = nil, progress: Progress? = nil) throws {
        recording = try CinematicRecording(asset: asset, progress: progress)
        state = Mutex(State(focus: recording.script))
        guard let changes else { return }
        if let digest = changes.digest, digest != self.digest {
            throw CNCinematicError(.incompatible, reason: "the changes are of another movie")
        }
        state.withLock { Self.apply(changes, to: &$0, recording) }
    }

    /// SHA-256 of the recording's metadata, by which edits and changes name their movie.
    package var digest: String {
        knownDigest.withLock { known in
            let digest = known ?? recording.digest
            known = digest
            return digest
        }
    }

    /// Tracks of the movie.
    package var info: CNAssetInfo { recording.info }
    /// Exact time of one picture.
    package var frameDuration: CMTime { recording.frameDuration }
    /// Timecode of the first frame; nil without one.
    package var timecode: Timecode? { recording.timecode }
    /// End of the last frame.
    package var end: CMTime { recording.end }
    /// Presentation times of the frames.
    package var times: [CMTime] { recording.times }

    /// The focus script that decisions and edits change; set, all at once.
    package var focus: FocusScript {
        get { state.withLock { $0.focus } }
        set {
            state.withLock { state in
                let (before, after) = (state.focus.userChoices, newValue.userChoices)
                let changed = Set(before.filter { !after.contains($0) }.map(\.frame))
                state.given = state.given.filter { !changed.contains($0.key) }
                (state.focus, state.course) = (newValue, nil)
            }
        }
    }

    /// Drops all changes, and applies others; none where it is nil.
    public func reload(changes: Changes?) {
        state.withLock { state in
            state = State(focus: recording.script)
            if let changes { Self.apply(changes, to: &state, recording) }
        }
    }

    /// Time that the script covers: in which all tracks of the movie have samples.
    public var timeRange: CMTimeRange { recording.timeRange }

    /// Simulated f-number of the whole movie; at first that of the first frame. Set, it holds in each frame; what is not above 0 is ignored.
    public var fNumber: Float {
        get { state.withLock { Float($0.focus.firstFNumber) } }
        set {
            guard newValue > 0, newValue.isFinite else { return }
            state.withLock { state in
                state.focus.setFNumber(Double(newValue))
                state.course = nil
            }
        }
    }

    /// Calls `body` with what follows from the changes.
    func withCourse<Value>(_ body: (ScriptCourse) -> Value) -> Value {
        state.withLock { body($0.known(recording)) }
    }
}

extension CNScript.State {
    /// Consequence of the changes, worked out where it is not known yet.
    mutating func known(_ recording: CinematicRecording) -> ScriptCourse {
        let known = course ?? ScriptCourse(recording, self)
        course = known
        return known
    }

    /// The user's decisions, in order of time; of several in one frame the last.
    func userDecisions(_ recording: CinematicRecording) -> [CNScript.PlacedDecision] {
        var placed: [CNScript.PlacedDecision] = []
        for choice in focus.userChoices {
            if placed.last?.frame == choice.frame { placed.removeLast() }
            var decision = CNScript.PlacedDecision(choice, at: recording.times[choice.frame])
            if let given = given[choice.frame] { decision.decision = given }
            placed.append(decision)
        }
        return placed
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
            decision: CNDecision(time: time, subject, isStrong: choice.isStrong, isUser: choice.isUser), frame: choice.frame, disparity: held)
    }
}
