import CoreMedia
import Foundation
import Pipeline
import Support

/// Focus script of a cinematic movie: its recorded decisions, the user's over them, and the focus of every frame that follows from both.
///
/// The layers are those of Apple's `CNScript`. Automatic decisions of the recording are the base. A user's decision lies over it: a weak one until the
/// next decision, a strong one until the user's next, either no longer than its subject is seen; then the base resumes. A subject is followed by
/// whichever of its parts is there, face before body. A change of part is no decision. As long as nothing but the aperture changes, focus stays as it was
/// recorded, bit for bit; a script with another decision is one whose future is known, and `LookAhead` places its racks, all of them, the user's as
/// orders: each is sharp at its time, however close the next one is.
///
///     var script = FocusScript(times: times, samples: samples, frameDuration: duration)
///     try script.apply(.focus(.init(.subject("maya")), at: .frame(48)))
///     let samples = script.samples          // as many as frames
public struct FocusScript: Sendable {
    /// Presentation times, increasing, ns.
    let times: [Int64]
    /// Metadata as recorded.
    let recorded: [CinematicSample]
    let tuning: FocusTuning
    /// Objects in order of appearance; those that were added behind them.
    private(set) var objects: [ScriptObject]
    /// Recorded decisions in order of time.
    let recordedDecisions: [ScriptDecision]
    /// Subjects of the recorded decisions; 0 for nobody.
    let recordedSubjects: [Int]
    /// The user's decisions in order of time, at most one in a frame.
    private(set) var userDecisions: [ScriptDecision]
    /// Aperture pulls in order of time, at most one in a frame.
    private(set) var pulls: [(frame: Int, pull: FocusEdit.AperturePull)] = []
    /// Detections of things that were added, by frame.
    private(set) var added: [Int: [Detection]] = [:]
    private let frameDuration: CMTime
    /// Timecode of the first frame; nil where timecodes are counted from 00:00:00:00.
    private let timecode: Timecode?
    /// End of the last frame, nanoseconds.
    private let end: Int64
    private let lastID: Int

    /// Script of a recording. There are as many `times` (ns) as samples, one at least; `end` (ns) is that of the last frame, nil for a frame's duration;
    /// `timecode` is that of the first frame, nil where they are counted from 00:00:00:00.
    public init(
        times: [Int64], samples: [CinematicSample], frameDuration: CMTime, timecode: Timecode? = nil, end: Int64? = nil,
        tuning: FocusTuning = FocusTuning()
    ) {
        precondition(times.count == samples.count && !times.isEmpty, "a script has a sample for each frame")
        self.end = end ?? times[times.count - 1] + frameDuration.nanoseconds
        (self.times, recorded, self.frameDuration, self.timecode, self.tuning) = (times, samples, frameDuration, timecode, tuning)
        objects = Self.objects(in: samples)
        lastID = samples.reduce(0) { last, sample in max(last, sample.focus.subject ?? 0, sample.detections.map(\.objectID).max() ?? 0) }
        recordedDecisions = Self.decisions(in: samples, objects)
        recordedSubjects = samples.flatMap { $0.decisions.map { $0.subject ?? 0 } }
        userDecisions = recordedDecisions.filter(\.isUser)
    }

    /// Metadata of a frame as recorded.
    package func recordedSample(_ frame: Int) -> CinematicSample { recorded[frame] }

    /// Applies one edit; an edit that cannot be applied changes nothing.
    public mutating func apply(_ edit: FocusEdit) throws(FocusScriptError) {
        switch edit {
        case .focus(let focus, let point): try add(focus, in: frame(at: point))
        case .remove(let point):
            let frame = try frame(at: point)
            userDecisions.remove(at: try place(ofDecisionIn: frame))
        case .move(let from, let to):
            let (from, to) = (try frame(at: from), try frame(at: to))
            var decision = userDecisions[try place(ofDecisionIn: from)]
            (decision.frame, decision.recorded) = (to, nil)
            userDecisions.removeAll { $0.frame == from }
            insert(decision)
        case .aperture(let pull, let point):
            let frame = try frame(at: point)
            pulls.removeAll { $0.frame == frame }
            pulls.insert((frame, pull), at: pulls.firstIndex { $0.frame > frame } ?? pulls.count)
        case .automatic: userDecisions = []
        case .reset: self = unedited
        }
    }

    /// The script without edits.
    package var unedited: FocusScript {
        FocusScript(times: times, samples: recorded, frameDuration: frameDuration, timecode: timecode, end: end, tuning: tuning)
    }

    /// Number of the frame nearest to a point of the movie. Throws for one outside of it.
    public func frame(at point: FootageSpan.Point) throws(FocusScriptError) -> Int {
        let length = seconds(end)
        let outside = FocusScriptError.outside(point, seconds: length, begin: timecode)
        let time: Double
        switch point {
        case .frame(let number):
            guard times.indices.contains(number) else { throw outside }
            return number
        case .time(let value): time = value.seconds
        case .timecode(let timecode):
            let rate = max(Int((1 / frameDuration.seconds).rounded()), 1)
            guard let number = timecode.frame(rate: rate, after: self.timecode) else { throw outside }
            time = Double(number) * frameDuration.seconds
        }
        guard time >= 0, time < length else { throw outside }
        let later = times.firstIndex { seconds($0) >= time } ?? times.count - 1
        return later > 0 && time - seconds(times[later - 1]) < seconds(times[later]) - time ? later - 1 : later
    }

    /// The recorded object, not a thing added later, whose box holds a point in a frame; as a tap would take it. Nil for none.
    public func object(at point: CGPoint, in frame: Int) -> Int? {
        let fixed = recorded[frame].focus.isFixed ? recorded[frame].focus.subject : nil
        return recorded[frame].detections.first {
            $0.objectID != fixed && $0.salience == nil && !$0.isExtrapolated && $0.bounds.contains(point)
        }?.objectID
    }

    private mutating func add(_ focus: FocusEdit.Focus, in frame: Int) throws(FocusScriptError) {
        var decision = ScriptDecision(frame: frame, target: .nobody, mode: focus.mode == .weak ? .weak : .strong, isUser: true, disparity: 0)
        switch (focus.target, focus.found) {
        case (.distance(let metres), _):
            guard recorded[frame].disparity.isMetric else { throw .notMetric }
            decision.target = .plane(CGPoint(x: 0.5, y: 0.5), disparity: 1 / metres)
        case (.subject(let word), _): decision.target = target(try object(called: word, in: frame), focus.mode, in: frame)
        case (.point, .object(let id)):
            decision.target = target(try object(called: String(id), in: frame), focus.mode, in: frame)
        case (.point(let point), .surface(let disparity)): decision.target = .plane(point, disparity: disparity)
        case (.point, .track(let boxes)):
            guard let first = boxes.first, let last = boxes.last, boxes.allSatisfy({ times.indices.contains($0.frame) }) else { throw .unresolved }
            decision.target = .object(addTrack(boxes, from: first.frame, to: last.frame), group: -1)
        case (.point, nil): throw .unresolved
        }
        switch decision.target {
        case .plane(_, let disparity): decision.disparity = disparity
        case .object(let id, _): decision.disparity = disparity(of: id, in: frame) ?? recorded[frame].focus.focusDisparity
        case .nobody: break
        }
        insert(decision)
    }

    mutating func insert(_ decision: ScriptDecision) {
        userDecisions.removeAll { $0.frame == decision.frame }
        userDecisions.insert(decision, at: userDecisions.firstIndex { $0.frame > decision.frame } ?? userDecisions.count)
    }

    private func place(ofDecisionIn frame: Int) throws(FocusScriptError) -> Int {
        guard let place = userDecisions.firstIndex(where: { $0.frame == frame }) else {
            throw .noDecision(at: seconds(times[frame]), known: userDecisions.map { seconds(times[$0.frame]) })
        }
        return place
    }

    /// The object itself, or the plane that it is in.
    private func target(_ object: ScriptObject, _ mode: FocusOrder.Mode?, in frame: Int) -> ScriptDecision.Target {
        guard mode == .fixed, let seen = detection(of: object.objectID, in: frame) else { return .object(object.objectID, group: object.groupID) }
        let middle = CGPoint(x: seen.bounds.midX, y: seen.bounds.midY)
        return .plane(middle, disparity: seen.disparity ?? recorded[frame].focus.focusDisparity)
    }

    private func object(called word: String, in frame: Int) throws(FocusScriptError) -> ScriptObject {
        let called = objects.filter { $0.isCalled(word) }
        guard !called.isEmpty else {
            var names: [String] = []
            for object in objects where !names.contains(object.name) { names.append(object.name) }
            let nearest = Suggestion.nearest(to: word, among: names)
            throw .unknownSubject(word, known: [nearest].compactMap { $0 } + names.filter { $0 != nearest })
        }
        let seen = called.filter { detection(of: $0.objectID, in: frame) != nil }.min { $0.kind.rank < $1.kind.rank }
        guard let found = seen ?? called.first(where: { $0.first <= frame && frame <= $0.last }) else {
            let (first, last) = (called.map(\.first).min() ?? 0, called.map(\.last).max() ?? 0)
            throw .absent(word, at: seconds(times[frame]), from: seconds(times[first]), to: seconds(times[last]))
        }
        return found
    }

    /// Adds an object that is seen in some frames.
    mutating func add(_ object: ScriptObject, _ detections: [(frame: Int, detection: Detection)]) {
        objects.append(object)
        for (frame, var detection) in detections {
            detection.objectID = object.objectID
            added[frame, default: []].append(detection)
        }
    }

    /// Removes an object that was added, with its detections.
    mutating func removeObject(_ id: Int) {
        guard !recorded.contains(where: { $0.detections.contains { $0.objectID == id } }) else { return }
        objects.removeAll { $0.objectID == id }
        for frame in added.keys { added[frame]?.removeAll { $0.objectID == id } }
    }

    /// Puts decisions in order of time in place of the user's.
    mutating func replaceUserDecisions(_ decisions: [ScriptDecision]) { userDecisions = decisions }

    /// Puts aperture pulls in order of time in place of those there are.
    mutating func replacePulls(_ pulls: [(frame: Int, pull: FocusEdit.AperturePull)]) { self.pulls = pulls }

    private mutating func addTrack(_ boxes: [FocusEdit.TrackedBox], from first: Int, to last: Int) -> Int {
        let id = max(lastID, objects.map(\.objectID).max() ?? 0) + 1
        add(
            ScriptObject(objectID: id, groupID: -1, kind: .salientObject, label: nil, first: first, last: last),
            boxes.map { ($0.frame, Detection(objectID: id, kind: .salientObject, bounds: $0.bounds, disparity: $0.disparity)) })
        return id
    }

    /// Detection of an object in a frame, added ones included; nil where it is not seen.
    func detection(of id: Int, in frame: Int) -> Detection? {
        recorded[frame].detections.first { $0.objectID == id } ?? added[frame]?.first { $0.objectID == id }
    }

    /// Disparity of an object in the first frame from one on in which it has one; nil without.
    func disparity(of id: Int, in frame: Int) -> Double? {
        times.indices[frame...].lazy.compactMap { detection(of: id, in: $0)?.disparity }.first
    }
}
