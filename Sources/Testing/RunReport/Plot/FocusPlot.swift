import AVFCapture
import Focus
import Foundation
import Pipeline
import ScenarioFormat

/// Collects what `focus.svg` draws: focus and subjects as disparity over time, decisions, touches, light and modes.
///
/// A few numbers per frame are kept; the drawing itself is made once, at the end.
public struct FocusPlot: Sendable {
    struct Sample {
        var time: Int64
        var focus: Double
        var mode: FocusMode
        var isFixed: Bool
        var isRacking: Bool
        var isDark: Bool
        /// Index into `tracks`.
        var subject: Int?
        var lux: Double?
        var fNumber: Double?
        /// Whether the session began again with it: nothing leads here from the sample before.
        var isFirst = false
    }

    /// One labelled subject; points of at most one per frame.
    struct Track {
        var name: String
        var points: [(sample: Int, disparity: Double)] = []
    }

    struct Choice {
        var time: Int64
        var disparity: Double
        var isUser: Bool
        var isFixed: Bool
        var why: FocusDecision.Why
        var subject: Int?
    }

    /// A decision that was not taken.
    struct Hesitation {
        var time: Int64
        var disparity: Double
        var subject: Int?
        var text: String
    }

    struct Touch {
        var start: Int64
        var end: Int64
        var summary: String
        var hasFailed: Bool
    }

    let title: String
    /// Whether disparities are in 1/m.
    let isMetric: Bool
    private(set) var samples: [Sample] = []
    private var hasStopped = false
    /// Samples that are kept at most; nil keeps one of each frame.
    private let most: Int?
    /// Frames so far, and how many of them there are to a sample.
    private var frames = 0
    private var stride = 1
    private(set) var tracks: [Track] = []
    private(set) var choices: [Choice] = []
    private(set) var hesitations: [Hesitation] = []
    private(set) var touches: [Touch] = []
    private(set) var checks: [CheckResult] = []
    private(set) var notes: [(time: Int64, text: String)] = []

    /// Creates the plot of a scenario. With `most` samples it takes no more memory however long the run is: every second is left out each time there
    /// are as many.
    public init(_ scenario: ScenarioFile, most: Int? = nil) {
        self.most = most
        title = scenario.name
        isMetric = scenario.clip.isMetric
        tracks = scenario.subjects.map { Track(name: $0.name) }
    }

    /// Creates the plot of a recorded movie, whose subjects are those that its frames name.
    package init(title: String, isMetric: Bool) {
        self.title = title
        self.isMetric = isMetric
        most = nil
    }

    /// Adds a frame.
    package mutating func append(_ record: FrameRecord, labels: [String?], known: SubjectLabels) {
        let isSampled = frames % stride == 0
        frames += 1
        let index = isSampled ? samples.count : nil
        if let truth = record.frame.truth {
            for subject in truth {
                if let label = subject.label, let disparity = subject.disparity { add(disparity, to: track(label), at: index) }
            }
        } else {
            for (detection, label) in zip(record.detections, labels) {
                guard let disparity = detection.disparity, !record.isFixedFocus(detection) else { continue }
                add(disparity, to: track(label ?? Self.name(detection)), at: index)
            }
        }
        let state = record.state
        var subject = known.label(of: state.subject).map { track($0) }
        if subject == nil, !state.isFixed, let focused = record.focused { subject = track(Self.name(focused)) }
        if subject == nil, !state.isFixed, state.subject != nil { subject = samples.last?.subject }
        for decision in record.decisions {
            choices.append(
                Choice(
                    time: decision.time, disparity: decision.disparity, isUser: decision.isUserDecision, isFixed: decision.isFixed,
                    why: decision.why, subject: decision.isFixed ? nil : subject))
        }
        for withheld in record.withheld {
            let name = known.label(of: withheld.subject)
            hesitations.append(
                Hesitation(
                    time: withheld.time, disparity: withheld.disparity ?? state.focusDisparity, subject: name.map { track($0) },
                    text: "\(name ?? "nobody"): \(withheld.why.rawValue) withheld, \(withheld.because.rawValue)"))
        }
        guard isSampled else { return }
        samples.append(
            Sample(
                time: record.time, focus: state.focusDisparity, mode: state.mode, isFixed: state.isFixed, isRacking: state.rack != nil,
                isDark: record.notEnoughLight, subject: state.isFixed ? nil : subject, lux: record.frame.exposure?.illuminance,
                fNumber: record.fNumber, isFirst: index == 0 || hasStopped))
        hasStopped = false
        if let most, samples.count >= most { thin() }
    }

    /// Leaves out every second sample; a new beginning goes on to the next that stays.
    private mutating func thin() {
        stride *= 2
        for index in Swift.stride(from: 1, to: samples.count, by: 2) where samples[index].isFirst {
            if index + 1 < samples.count { samples[index + 1].isFirst = true } else { hasStopped = true }
        }
        samples = samples.indices.filter { $0 % 2 == 0 }.map { samples[$0] }
        for track in tracks.indices {
            tracks[track].points = tracks[track].points.compactMap { $0.sample % 2 == 0 ? ($0.sample / 2, $0.disparity) : nil }
        }
    }

    /// The session stops, or turns to another camera, and begins again.
    package mutating func restart() { hasStopped = true }

    /// Adds a step of the script.
    package mutating func append(_ action: ScriptedAction) {
        switch action.outcome {
        case .touched(.down, _): touches.append(Touch(start: action.time, end: action.time, summary: action.summary, hasFailed: false))
        case .touched(_, _): if !touches.isEmpty { touches[touches.count - 1].end = action.time }
        case .failed: touches.append(Touch(start: action.time, end: action.time, summary: action.summary, hasFailed: true))
        case .apertureSet, .focusOrdered, .called: notes.append((action.time, action.summary))
        }
    }

    /// Adds an event of the app; other messages are not drawn.
    package mutating func append(_ remark: RunRemark, at time: Int64) {
        if case .event(let key, let value) = remark { notes.append((time, "\(key) \(value)")) }
    }

    /// Adds the outcome of an expectation.
    package mutating func append(_ check: CheckResult) { checks.append(check) }

    private mutating func add(_ disparity: Double, to track: Int, at sample: Int?) {
        guard let sample, tracks[track].points.last?.sample != sample else { return }
        tracks[track].points.append((sample, disparity))
    }

    private mutating func track(_ name: String) -> Int {
        if let index = tracks.firstIndex(where: { $0.name == name }) { return index }
        tracks.append(Track(name: name))
        return tracks.count - 1
    }

    private static func name(_ detection: Detection) -> String { "\(detection.kind.rawValue) \(detection.objectID)" }
}
