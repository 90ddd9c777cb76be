import AVFoundation
import Foundation
import Pipeline
import Scenario
import Synchronization

/// What focus is expected to be on; a text is a subject's name.
public enum ExpectedFocus: Sendable, Equatable, ExpressibleByStringLiteral {
    case subject(String)
    /// Nothing at all.
    case nothing
    /// It does not matter.
    case anything

    public init(stringLiteral name: String) { self = .subject(name) }
}

extension TestPhone {
    /// Lets frames come, for at most the virtual time `limit`, until focus is as told; with `.zero` it has to be so in the newest frame.
    ///
    /// What is nil is not looked at. `isFixed`: at a distance and not on a subject. `isRacking`: on its way.
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
        while !witness.watch.satisfies(expected) {
            guard frameTime(nextFrame) <= end else {
                let span = limit > .zero ? " within \(limit)" : ""
                let reason = stepper.isRunning ? "" : "; no session is running"
                throw TestFailure("expected \(expected.words)\(span), but \(witness.watch.account)\(reason)", file, line)
            }
            await step()
        }
    }

    /// Runs `body`, in which a call must be made that Apple answers with this exception; a part of its reason suffices.
    ///
    /// The call has no effect, as an app would not have come so far.
    @discardableResult
    public func expectViolation(
        _ name: CaptureEnvironment.Violation.Name, _ reason: String = "", isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #filePath, line: UInt = #line, in body: () async throws -> Void
    ) async throws -> CaptureEnvironment.Violation {
        let before = violations.count
        try await body()
        let raised = witness.takeViolations(from: before)
        guard let match = raised.first(where: { $0.name == name && $0.reason.contains(reason) }), raised.count == 1 else {
            let there = raised.isEmpty ? "nothing was raised" : "this was raised: " + raised.map(\.description).joined(separator: "; ")
            throw TestFailure("expected \(name.rawValue) with \"\(reason)\", but \(there)", file, line)
        }
        return match
    }

    /// Runs `body` and lets frames come, for at most the virtual time `limit`, until this phone posted a notification. Returns its user info.
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
        while true {
            if let info = heard.withLock({ $0 }) { return info.content }
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

/// What a notification carried; handed over, not shared.
private struct UserInfo: @unchecked Sendable {
    let content: [AnyHashable: Any]
}
