import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import RunReport
import ScenarioFormat
import Synchronization

/// Player of a scenario's touches and calls at their exact times, between the frames they fall between.
public final class ScriptPlayer: Sendable {
    private struct Step {
        var time: Int64
        var event: TimelineEvent
        /// Step of its touch; nil for a verb that is no touch.
        var touch: TouchStep?
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
        /// Pull of the aperture under way.
        var pull: Pull?
        /// Step up to which `nextAct` has looked.
        var act = 0
        /// Outcomes of acts by their steps: the reason of a failure, or nil.
        var acted: [Int: String?] = [:]
    }

    private struct Pull {
        let step: Step
        /// Nanoseconds.
        let duration: Int64
        let play: @Sendable (ScriptedApp, Double) throws -> Void

        func isOver(at time: Int64) -> Bool { time >= step.time + duration }
        func progress(at time: Int64) -> Double { min(Double(time - step.time) / Double(duration), 1) }
    }

    private let steps: [Step]
    private let viewSize: CGSize
    private let state = Mutex(State())

    /// Creates the player of a scenario's timeline.
    public init(_ scenario: ScenarioFile) {
        viewSize = scenario.view.size
        var steps: [Step] = []
        for event in scenario.timeline {
            if let gesture = event.verb as? any GestureVerb {
                for step in gesture.steps { steps.append(Step(time: event.time + step.delay, event: event, touch: step)) }
            } else if let verb = event.verb as? any PlayedVerb {
                steps.append(Step(time: event.time + verb.delay, event: event))
            }
        }
        self.steps = steps.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }

    /// Steps that no frame has reached and that were not played between frames, and those that failed there; nil is no failure.
    var remaining: [(event: TimelineEvent, failure: String?)] {
        state.withLock { state in
            steps.indices[state.next...].compactMap { index in
                guard let failure = state.acted[index] else { return (steps[index].event, nil) }
                return failure.map { (steps[index].event, $0) }
            }
        }
    }

    /// Event up to `time` (ns) that has to be played between two frames, each once; nil when there is none. `note(act:)` then says how it went.
    ///
    /// Without such calls these events are played with the others, when a frame has come.
    package func nextAct(to time: Int64) -> TimelineEvent? {
        state.withLock { state in
            state.act = max(state.act, state.next)
            while state.act < steps.count, steps[state.act].time <= time {
                state.act += 1
                let event = steps[state.act - 1].event
                if let verb = event.verb as? any PlayedVerb, verb.command.isBetweenFrames { return event }
            }
            return nil
        }
    }

    /// Keeps how the event went that `nextAct` gave last: the reason of its failure, or nil.
    package func note(act failure: String?) { state.withLock { $0.acted[$0.act - 1] = .some(failure) } }

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
        let connections = app?.connections
        var actions: [ScriptedAction] = []
        if let failed = goOnPulling(to: now, connections, objectOf) { actions.append(failed) }
        guard !due.isEmpty else {
            app?.timePassed(to: now)
            return actions
        }
        for index in due {
            let step = steps[index]
            app?.timePassed(to: step.time)
            let seen = step.time < now ? previous ?? frame.truth : frame.truth
            let outcome: ScriptedAction.Outcome?
            if let failure = state.withLock({ $0.acted.removeValue(forKey: index) }) {
                outcome = failure.map { .failed($0) } ?? .called
            } else if let verb = step.event.verb as? any PlayedVerb {
                outcome = play(verb, step, to: now, connections, objectOf)
            } else {
                outcome = touch(step, in: frame, seen, connections)
            }
            guard let outcome else { continue }
            actions.append(ScriptedAction(time: step.time, location: step.event.location, summary: step.event.summary, outcome: outcome))
        }
        app?.timePassed(to: now)
        return actions
    }

    private func play(
        _ verb: any PlayedVerb, _ step: Step, to now: Int64, _ connections: TouchConnections?, _ objectOf: (String) -> Int?
    ) -> ScriptedAction.Outcome {
        let failure = attempt(connections, objectOf) { app in
            guard case .pullAperture(let fNumber, let passage) = verb.command else { return try app.play(verb.command) }
            state.withLock { $0.pull = nil }
            guard passage.duration > 0 else { return try app.play(verb.command) }
            let pull = Pull(step: step, duration: passage.duration, play: try app.beginPull(to: fNumber, passage.ease))
            try pull.play(app, pull.progress(at: now))
            if !pull.isOver(at: now) { state.withLock { $0.pull = pull } }
        }
        if let failure { return .failed(failure) }
        return switch verb.command {
        case .order: .focusOrdered
        case .set(.aperture(let fNumber)), .pullAperture(let fNumber, _): .apertureSet(fNumber)
        default: .called
        }
    }

    /// Pulls the aperture as far as `now`; returns the action if that failed.
    private func goOnPulling(to now: Int64, _ connections: TouchConnections?, _ objectOf: (String) -> Int?) -> ScriptedAction? {
        let pull = state.withLock { state in
            defer { if let pull = state.pull, pull.isOver(at: now) { state.pull = nil } }
            return state.pull
        }
        guard let pull, let failure = attempt(connections, objectOf, { try pull.play($0, pull.progress(at: now)) }) else { return nil }
        return ScriptedAction(time: now, location: pull.step.event.location, summary: pull.step.event.summary, outcome: .failed(failure))
    }

    /// Plays on the connected app; returns the reason why that failed.
    private func attempt(_ connections: TouchConnections?, _ objectOf: (String) -> Int?, _ body: (ScriptedApp) throws -> Void) -> String? {
        withoutActuallyEscaping(objectOf) { objectOf in
            let app = ScriptedApp(
                session: connections?.session?(), setAperture: connections?.setAperture, perform: connections?.perform, play: connections?.faults,
                objectID: objectOf)
            do { try body(app) } catch { return "\(error)" }
            return nil
        }
    }

    /// Plays a step of a touch; nil when there is nothing to do, because the touch had failed before.
    private func touch(
        _ step: Step, in frame: Frame, _ truth: [Detection]?, _ connections: TouchConnections?
    ) -> ScriptedAction.Outcome? {
        guard let connections else { return .failed("no app is connected") }
        guard let finger = step.touch else { return nil }
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
