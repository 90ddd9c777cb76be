import AVFCapture
import Foundation
import Pipeline
import ScenarioFormat
import ScenarioRun
import Support
import Synchronization

/// Expected subject of focus; a string literal is a subject's name.
public enum ExpectedFocus: Sendable, Equatable, ExpressibleByStringLiteral {
    /// Subject of this name, by any of its objects.
    case subject(String)
    /// No subject at all.
    case nothing
    /// Any subject or none.
    case anything

    /// Expects the subject of this name.
    public init(stringLiteral name: String) { self = .subject(name) }
}

extension TestPhone {
    /// Steps frames, for at most the virtual time `limit`, until focus is as expected; with `.zero` the newest frame decides.
    ///
    /// Throws `TestFailure` with the state found instead.
    ///
    /// Nil arguments are not checked. `isFixed`: focus is held at a distance and follows no subject. `isRacking`: a rack is under way. `isTooDark`:
    /// the scene status is not enough light.
    public func expect(
        focus: ExpectedFocus = .anything, mode: AVCaptureDevice.CinematicVideoFocusMode? = nil, isFixed: Bool? = nil, isRacking: Bool? = nil,
        isTooDark: Bool? = nil, within limit: Duration = .zero, file: StaticString = #filePath, line: UInt = #line
    ) async throws {
        if case .subject(let name) = focus { _ = try index(of: name, file, line) }
        let expected = Expectation { expected in
            switch focus {
            case .subject(let name): expected.focus = .subject(name)
            case .nothing: expected.focus = Expectation.Focus.none
            case .anything: break
            }
            expected.mode = mode.map { FocusMode($0) }
            (expected.fixed, expected.racking, expected.notEnoughLight) = (isFixed, isRacking, isTooDark)
        }
        let end = now + limit.nanoseconds
        if limit > .zero { await awaitStart() }
        while !witness.watch.satisfies(expected) {
            try requireAlive(file, line)
            guard frameTime(nextFrame) <= end else {
                let span = limit > .zero ? " within \(limit)" : ""
                throw TestFailure("expected \(expected.summary)\(span), but \(witness.watch.account)\(sessionRemark)", file, line)
            }
            await step()
        }
    }

    /// Runs `body`, which must make exactly one call that Apple answers with this exception; a part of its reason suffices.
    ///
    /// The call has no effect: on Apple's systems the app would have ended there.
    @discardableResult
    public func expectViolation(
        _ name: CaptureEnvironment.Violation.Name, _ reason: String = "", isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath, line: UInt = #line, in body: () async throws -> Void
    ) async throws -> CaptureEnvironment.Violation {
        let before = violations.count
        witness.beginExpecting()
        defer { witness.endExpecting() }
        try await body()
        let raised = witness.takeViolations(from: before)
        let hasReason = { (violation: CaptureEnvironment.Violation) in reason.isEmpty || violation.reason.contains(reason) }
        guard let match = raised.first(where: { $0.name == name && hasReason($0) }), raised.count == 1 else {
            let there = raised.isEmpty ? "nothing was raised" : "this was raised: " + raised.map(\.description).joined(separator: "; ")
            throw TestFailure("expected \(name.rawValue)\(reason.isEmpty ? "" : " with \"\(reason)\""), but \(there)", file, line)
        }
        return match
    }

    /// Runs `body` and steps frames, for at most the virtual time `limit`, until this phone posts a notification; returns its user info.
    @discardableResult
    public func expect(
        notification name: Notification.Name, within limit: Duration = .zero, isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath, line: UInt = #line, from body: () async throws -> Void = {}
    ) async throws -> [AnyHashable: Any] {
        let heard = Mutex<UserInfo?>(nil)
        let conditions = conditions
        let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
            guard conditions.concerns(note.object) else { return }
            heard.withLock { $0 = $0 ?? UserInfo(content: note.userInfo ?? [:]) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try await body()
        let end = now + limit.nanoseconds
        if limit > .zero { await awaitStart() }
        while true {
            if let info = heard.withLock({ $0 }) { return info.content }
            try requireAlive(file, line)
            guard frameTime(nextFrame) <= end else { break }
            await step()
        }
        throw TestFailure("expected \(name.rawValue), but it was not posted until \(time)", file, line)
    }

    func unknown(_ name: String, _ file: StaticString, _ line: UInt) -> TestFailure {
        let names = stage.names
        let known = Suggestion.didYouMean(name, among: names) ?? "it has \(names.isEmpty ? "nobody" : names.joined(separator: ", "))"
        return TestFailure("the stage has no `\(name)`; \(known)", file, line)
    }
}

/// User info of a notification; handed over, not shared.
private struct UserInfo: @unchecked Sendable {
    let content: [AnyHashable: Any]
}
