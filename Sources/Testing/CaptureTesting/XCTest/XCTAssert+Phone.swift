import AVFCapture
import Foundation
import XCTest

// Assertions in XCTest's manner: a failure is recorded at its line, and the test goes on. What they do is that of the phone's methods, which throw.

/// Asserts the state of focus as `TestPhone.expect(focus:)` does: steps frames, for at most the virtual time `limit`, until it is so.
public func XCTAssertFocus(
    _ phone: TestPhone, on focus: ExpectedFocus = .anything, mode: AVCaptureDevice.CinematicVideoFocusMode? = nil, isFixed: Bool? = nil,
    isRacking: Bool? = nil, isTooDark: Bool? = nil, within limit: Duration = .zero, file: StaticString = #filePath, line: UInt = #line
) async {
    await asserted(phone, file, line) {
        try await phone.expect(
            focus: focus, mode: mode, isFixed: isFixed, isRacking: isRacking, isTooDark: isTooDark, within: limit, file: file, line: line)
    }
}

/// Asserts that a condition comes true within the virtual time `limit`, as `TestPhone.until(within:)` does.
public func XCTAssertEventually(
    _ phone: TestPhone, within limit: Duration, isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath, line: UInt = #line,
    _ condition: () async throws -> Bool
) async {
    await asserted(phone, file, line) { try await phone.until(within: limit, file: file, line: line, condition) }
}

/// Asserts that `body` makes exactly one call that Apple answers with this exception, as `TestPhone.expectViolation` does.
public func XCTAssertViolation(
    _ phone: TestPhone, _ name: CaptureEnvironment.Violation.Name, _ reason: String = "", isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath, line: UInt = #line, in body: () async throws -> Void
) async {
    await asserted(phone, file, line) { try await phone.expectViolation(name, reason, file: file, line: line, in: body) }
}

/// Asserts that the phone posts a notification within the virtual time `limit`, as `TestPhone.expect(notification:)` does.
public func XCTAssertNotification(
    _ phone: TestPhone, _ name: Notification.Name, within limit: Duration = .zero, isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath, line: UInt = #line, from body: () async throws -> Void = {}
) async {
    await asserted(phone, file, line) { try await phone.expect(notification: name, within: limit, file: file, line: line, from: body) }
}

/// Records what `body` throws.
private func asserted(
    _ phone: TestPhone, _ file: StaticString, _ line: UInt, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
) async {
    do { try await body() } catch {
        let failure = phone.explained(error)
        XCTFail(failure?.text ?? "threw error \"\(error)\"", file: failure?.source?.file ?? file, line: failure?.source?.line ?? line)
    }
}
