import AVFCapture
import CoreVideo
import Foundation
import Pipeline
import RunReport
import ScenarioFormat
import Support

/// History of focus with its reasons, against which expectations are checked.
struct FocusHistory: Sendable {
    private let isMetric: Bool
    private(set) var time: Int64 = 0
    private var record: Sight?
    private var label: String?
    private var labels: [String?] = []
    private var since: Int64 = 0
    private var lastDecision: LastDecision?
    private var app = AppState()

    /// Decision with the names of the subjects in focus before and after it.
    private struct LastDecision: Sendable {
        let decision: FocusDecision
        let before: String?
        let after: String?

        /// The reason, and whom it is about: one who went away is not the one who is in focus now.
        var text: String {
            let isAboutOldSubject = [.exited, .lost, .facedAway].contains(decision.why)
            let who = isAboutOldSubject ? before : after
            let next = isAboutOldSubject ? after.map { ", then \($0)" } ?? "" : ""
            return decision.why.rawValue + (who.map { " (\($0))" } ?? "") + next + " at \(TimelineClock.seconds(decision.time))"
        }
    }

    /// Part of a frame that an expectation may ask for.
    private struct Sight: Sendable {
        let state: FocusState
        let detections: [Detection]
        let fNumber: Double?
        let notEnoughLight: Bool
        let truth: [Detection]?
        let image: CVPixelBuffer

        init(_ record: FrameRecord) {
            state = record.state
            detections = record.detections
            fNumber = record.fNumber
            notEnoughLight = record.notEnoughLight
            truth = record.frame.truth
            image = record.frame.image
        }

        /// The object in focus, when it is seen in this frame.
        var focused: Detection? { state.subject.flatMap { id in detections.first { $0.objectID == id } } }
    }

    init(isMetric: Bool) { self.isMetric = isMetric }

    /// The frames are over, or there were none: what the app is doing now.
    mutating func conclude(_ app: AppState) { self.app = app }

    mutating func observe(_ record: FrameRecord, labels: [String?], focused label: String?, app: AppState) {
        let before = self.record?.state
        if before?.subject != record.state.subject || before?.mode != record.state.mode || before?.isFixed != record.state.isFixed {
            since = record.time
        }
        if let decision = record.decisions.last { lastDecision = LastDecision(decision: decision, before: self.label, after: label) }
        self.record = Sight(record)
        self.label = label
        self.labels = labels
        self.app = app
        time = record.time
    }

    /// Without a frame nothing is true but which camera films.
    func satisfies(_ expected: Expectation) -> Bool {
        if let camera = expected.camera, camera != app.camera { return false }
        guard let record else { return expected.isAboutCamera }
        let state = record.state
        if let focus = expected.focus, !isIn(focus, record) { return false }
        if let mode = expected.mode, mode != state.mode { return false }
        if let fixed = expected.fixed, fixed != state.isFixed { return false }
        if let racking = expected.racking, racking != (state.rack != nil) { return false }
        if let settled = expected.settled, settled != (state.rack == nil && (state.subject != nil || state.isFixed)) { return false }
        if let distance = expected.distance, !(state.focusDisparity > 0 && distance.holds(1 / state.focusDisparity)) { return false }
        if let aperture = expected.aperture, abs((record.fNumber ?? 0) - aperture) > 0.005 { return false }
        if let dark = expected.notEnoughLight, dark != record.notEnoughLight { return false }
        if let disparity = expected.disparity, !disparity.holds(state.focusDisparity) { return false }
        if let why = expected.why, why != lastDecision?.decision.why { return false }
        if let recording = expected.recording, recording != app.recording { return false }
        if let dropped = expected.droppedFrames, dropped != app.droppedFrames { return false }
        switch expected.objects {
        case .count(let count): if ReportedObjects(record.detections, subject: nil).detections.count != count { return false }
        case .names(let names): if names != reported { return false }
        case nil: break
        }
        return expected.rects.allSatisfy { $0.style == style(of: $0.subject, record) }
    }

    /// The subjects of which an object is reported, sorted.
    private var reported: [String] { labels.compactMap { $0 }.sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } } }

    /// Style in which an app draws a subject: the box in focus, else any box that it draws.
    private func style(of subject: String, _ record: Sight) -> Expectation.Rect.Style {
        let drawn = zip(record.detections, labels).filter { $1 == subject && Self.isDrawn($0.kind) }.map(\.0)
        guard !drawn.isEmpty else { return .none }
        guard !record.state.isFixed, drawn.contains(where: { $0.objectID == record.state.subject }) else { return .white }
        return switch record.state.mode {
        case .weak: .dashed
        case .strong: .solid
        case .none: .white
        }
    }

    private static func isDrawn(_ kind: Detection.Kind) -> Bool { ![.humanHead, .humanBody, .catBody, .dogBody].contains(kind) }

    private func isIn(_ focus: Expectation.Focus, _ record: Sight) -> Bool {
        switch focus {
        case .none: return record.state.subject == nil && !record.state.isFixed
        case .subject(let name): return label == name && !record.state.isFixed
        case .object(let kind, let near):
            if let kind, record.focused?.kind != kind { return false }
            return near.map { isNear($0, record) } ?? true
        }
    }

    /// Whether the middle of what is in focus lies on a subject, or its box on a point, each with a little margin.
    private func isNear(_ place: TouchPoint, _ record: Sight) -> Bool {
        let middle = record.state.fixedPoint ?? record.focused.map { CGPoint(x: $0.bounds.midX, y: $0.bounds.midY) }
        guard let middle else { return false }
        let margin = 0.03
        let box = record.state.fixedPoint.map { CGRect(origin: $0, size: .zero) } ?? record.focused?.bounds ?? .null
        switch place {
        case .subject(let name, _):
            let truth = record.truth?.first { $0.label == name }
            return truth?.bounds.insetBy(dx: -margin, dy: -margin).contains(middle) ?? false
        case .meta(let point), .view(let point), .points(let point): return box.insetBy(dx: -margin, dy: -margin).contains(point)
        case .pixels(let pixel):
            let (width, height) = record.image.size
            return box.insetBy(dx: -margin, dy: -margin).contains(CGPoint(x: pixel.x / Double(width), y: pixel.y / Double(height)))
        }
    }

    private static func distance(_ disparity: Double, _ isMetric: Bool) -> String {
        guard isMetric else { return "disparity \((disparity * 1000).rounded() / 1000)" }
        return disparity > 0 ? Expectation.metres(1 / disparity) : "infinity"
    }

    /// Camera in use, in a word.
    var camera: String { app.camera?.rawValue ?? "unknown" }

    /// State of focus, its start, the last decision's reason, and the touch, in words.
    var account: String {
        guard let record else { return "no frame came" + (app.camera == .denied ? ": the app may not use a camera" : "") }
        let state = record.state
        var parts: [String] = []
        if state.isFixed {
            parts.append("focus was fixed")
        } else if let subject = state.subject {
            parts.append("focus was on \(label ?? record.focused.map { "a \($0.kind.rawValue)" } ?? "object \(subject)")")
        } else {
            parts.append("nothing was in focus")
        }
        parts[0] += ", \(state.mode.name), since \(TimelineClock.seconds(since))"
        if state.rack != nil { parts.append("racking") }
        parts.append("at " + Self.distance(state.focusDisparity, isMetric))
        if let fNumber = record.fNumber { parts.append("f/\(String(plain: fNumber))") }
        if record.notEnoughLight { parts.append("notEnoughLight") }
        var text = "at \(TimelineClock.seconds(time)) \(parts.joined(separator: ", "))"
        if let lastDecision { text += "; last decision: \(lastDecision.text)" }
        if let recording = app.recording, recording != .off { text += "; recording \(recording.word)" }
        if app.droppedFrames > 0 { text += "; \(app.droppedFrames.counted("frame")) dropped so far" }
        if let finger = app.finger { text += "; \(finger)" }
        return text
    }
}

extension Expectation {
    /// Whether it says nothing of a frame.
    fileprivate var isAboutCamera: Bool { self == Expectation { ($0.camera, $0.within, $0.span) = (camera, within, span) } }
}
