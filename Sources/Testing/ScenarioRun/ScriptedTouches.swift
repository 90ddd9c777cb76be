import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import RunReport
import ScenarioFormat
import Synchronization

/// Player of a scenario's touches at their exact times, between the frames they fall between.
public final class ScriptedTouches: Sendable {
    private struct Step {
        var time: Int64
        var event: TimelineEvent
        var finger: FingerStep?
    }

    /// Connected app, replaced as a whole: most frames only advance its time.
    private final class App: Sendable {
        let connections: TouchConnections
        init(_ connections: TouchConnections) { self.connections = connections }
        func timePassed(to time: Int64) { connections.target.timePassed(to: time) }
    }

    private struct State {
        var next = 0
        /// Position of the finger in layer points; nil while it is up or its touch has failed.
        var finger: CGPoint?
        var previousTruth: [Detection]?
        var app: App?
    }

    private let steps: [Step]
    private let viewSize: CGSize
    private let state = Mutex(State())

    /// Creates the player of a scenario's timeline.
    public init(_ scenario: ScenarioFile) {
        viewSize = scenario.view.size
        var steps: [Step] = []
        for event in scenario.timeline {
            switch event.action {
            case .finger(let parts): for part in parts { steps.append(Step(time: event.time + part.delay, event: event, finger: part)) }
            case .setAperture, .mark, .api, .throwing, .camera, .fault: steps.append(Step(time: event.time, event: event))
            case .world, .expect: break
            }
        }
        self.steps = steps.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    /// Steps that no frame has reached.
    public var remaining: [TimelineEvent] { state.withLock { steps[$0.next...].map(\.event) } }

    /// Connects an app, and holds it; nil releases it.
    public func connect(_ connections: TouchConnections?) { state.withLock { $0.app = connections.map(App.init) } }

    /// Plays all steps up to the frame's presentation time, in order; call it before the frame is processed.
    ///
    /// Subjects are touched where the user saw them: in the frame before, unless the touch falls on this one.
    ///
    /// - Parameter objectOf: the object reported last for a subject.
    public func advance(to frame: Frame, objectOf: (String) -> Int? = { _ in nil }) -> [ScriptedAction] {
        let now = frame.presentationTime.nanoseconds
        let (due, app, previous) = state.withLock { state in
            let first = state.next
            while state.next < steps.count, steps[state.next].time <= now { state.next += 1 }
            let previous = state.previousTruth
            state.previousTruth = frame.truth
            return (first..<state.next, state.app, previous)
        }
        guard !due.isEmpty else {
            app?.timePassed(to: now)
            return []
        }
        let connections = app?.connections
        var actions: [ScriptedAction] = []
        for step in steps[due] {
            app?.timePassed(to: step.time)
            let seen = step.time < now ? previous ?? frame.truth : frame.truth
            let outcome = call(step.event, connections, objectOf) ?? perform(step, in: frame, seen, connections)
            guard let outcome else { continue }
            actions.append(ScriptedAction(time: step.time, location: step.event.location, summary: step.event.summary, outcome: outcome))
        }
        app?.timePassed(to: now)
        return actions
    }

    /// Makes a scripted call; nil when the event is none.
    private func call(_ event: TimelineEvent, _ connections: TouchConnections?, _ objectOf: (String) -> Int?) -> ScriptedAction.Outcome? {
        switch event.action {
        case .fault(.missDetection), .fault(.swapIDs), .fault(.dropFrames): return .called
        case .fault(let fault):
            guard let faults = connections?.faults else { return .failed("only `rackfocus test` plays this fault") }
            faults(fault)
            return .called
        case .camera(let call):
            guard let target = connections?.calls else { return .failed("no app is connected that takes calls") }
            do { try target.perform(call) } catch { return .failed("\(error)") }
            return .called
        case .api(let call):
            guard let target = connections?.calls else { return .failed("no app is connected that takes calls") }
            switch call.kind {
            case .trackObject(let id): target.focus(objectID: id, mode: call.mode)
            case .trackPoint(let point): target.focus(at: point, mode: call.mode)
            case .fixPoint(let point): target.fixFocus(at: point, mode: call.mode)
            case .trackSubject(let name):
                guard let id = objectOf(name) else { return .failed("\(name) has not been reported yet, so there is no object ID to pass") }
                target.focus(objectID: id, mode: call.mode)
            }
            return .called
        case .throwing(let call, let error):
            guard let target = connections?.calls else { return .failed("no app is connected that takes calls") }
            let raised = target.exceptions(of: call)
            return raised == [error]
                ? .called : .failed("expected \(error), but \(raised.isEmpty ? "nothing" : raised.joined(separator: ", ")) was raised")
        case .finger, .setAperture, .world, .mark, .expect: return nil
        }
    }

    /// Nil when there is nothing to do, because the touch had failed before.
    private func perform(
        _ step: Step, in frame: Frame, _ truth: [Detection]?, _ connections: TouchConnections?
    ) -> ScriptedAction.Outcome? {
        if case .mark = step.event.action { return .marked }
        guard let connections else { return .failed("no app is connected") }
        if case .setAperture(let fNumber) = step.event.action {
            do { try connections.setAperture(fNumber) } catch { return .failed("\(error)") }
            return .apertureSet(fNumber)
        }
        guard let finger = step.finger else { return nil }
        let held = state.withLock { $0.finger }
        if finger.phase != .down, held == nil { return nil }
        let point: CGPoint
        do throws(OffScreen) {
            point =
                try finger.point.map { target throws(OffScreen) in
                    try locate(target, in: frame, truth, connections, at: step.time)
                } ?? held ?? .zero
        } catch {
            if let held { connections.target.touchUp(at: held, time: step.time) }
            state.withLock { $0.finger = nil }
            return .failed(error.reason)
        }
        state.withLock { $0.finger = finger.phase == .up ? nil : point }
        switch finger.phase {
        case .down: connections.target.touchDown(at: point, time: step.time)
        case .move: connections.target.touchMoved(to: point, time: step.time)
        case .up: connections.target.touchUp(at: point, time: step.time)
        }
        return .touched(finger.phase, point)
    }

    private struct OffScreen: Error {
        let reason: String
    }

    private func locate(
        _ target: TouchPoint, in frame: Frame, _ truth: [Detection]?, _ connections: TouchConnections, at time: Int64
    ) throws(OffScreen) -> CGPoint {
        func converted(_ point: CGPoint) -> CGPoint { connections.layerRect(CGRect(origin: point, size: .zero)).origin }
        let (point, what): (CGPoint, String)
        switch target {
        case .view(let part): (point, what) = (CGPoint(x: part.x * viewSize.width, y: part.y * viewSize.height), "the point")
        case .points(let place): (point, what) = (place, "the point")
        case .meta(let place): (point, what) = (converted(place), "the point")
        case .pixels(let pixel):
            let (width, height) = frame.image.size
            (point, what) = (converted(CGPoint(x: pixel.x / Double(width), y: pixel.y / Double(height))), "the pixel")
        case .subject(let name, let offset):
            guard let box = truth?.first(where: { $0.label == name })?.bounds else {
                throw OffScreen(reason: "\(name) is not to be seen at \(TimelineClock.seconds(time))")
            }
            let rect = connections.layerRect(box)
            (point, what) = (CGPoint(x: rect.minX + rect.width * offset.x, y: rect.minY + rect.height * offset.y), name)
        }
        guard (0...viewSize.width).contains(point.x), (0...viewSize.height).contains(point.y) else {
            let place = "[\(String(plain: point.x.rounded())), \(String(plain: point.y.rounded()))] pt"
            throw OffScreen(
                reason:
                    "\(what) is off screen at \(TimelineClock.seconds(time)), at \(place) of a \(Int(viewSize.width))x\(Int(viewSize.height)) view")
        }
        return point
    }
}
