import AVFCapture
import Foundation
import Synchronization
import XCTest

/// XCTest case with a simulated phone for each of its tests, or one for all of them.
///
///     final class FocusTests: CaptureTestCase {
///         override class var stage: TestStage { TestStage(.face("maya", box: box, depth: 1.5)) }
///
///         func testFocusStartsOnMaya() async throws {
///             let camera = CameraModel()
///             try await camera.start()
///             await XCTAssertFocus(phone, on: "maya", mode: .weak, within: .seconds(1))
///         }
///     }
///
/// The phone is there from `setUp` to `tearDown` and process-wide: XCTest runs one test after the other. A call that would have ended the app fails the
/// test. Files of failed runs go to the folder that the environment variable `CAPTURE_TESTING_ATTACHMENTS` names.
open class CaptureTestCase: XCTestCase {
    /// Stage of each test.
    open class var stage: TestStage { TestStage() }

    /// Whether the tests of the class use one phone, as `withTestPhone(reusing:)`, for an app whose camera is a singleton.
    open class var sharesPhone: Bool { false }

    private static let shared = Mutex<[ObjectIdentifier: TestPhone]>([:])
    private var held: TestPhone?

    /// Phone of the test under way; for use from `setUp` to `tearDown`.
    public var phone: TestPhone {
        guard let held else { preconditionFailure("there is a phone while a test runs alone") }
        return held
    }

    /// Runs the test with its phone.
    open override func invokeTest() {
        do {
            let phone = try Self.phoneOfNextTest()
            held = phone
            defer { held = nil }
            try phone.begin(isProcessWide: true)
            CaptureEnvironment.$scoped.withValue(phone.environment) { super.invokeTest() }
            phone.end(isProcessWide: true, endsPhone: !Self.sharesPhone)
            // A run that goes on has not succeeded yet: its failures count.
            if let violation = phone.violations.first, testRun?.totalFailureCount == 0 {
                report(TestFailure("\(Witness.ending(violation)) (expect it with `XCTAssertViolation`)"))
            }
            if let count = testRun?.totalFailureCount, count > 0 { TestFailure.keep(phone.files(of: TestFailure("\(name) failed"))) }
        } catch {
            report((error as? TestFailure) ?? TestFailure("\(error)"))
        }
    }

    /// Records a failure; that of an expectation at its line, after what would have ended the app.
    open override func recordFailure(withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool) {
        if let thrown = TestFailure.last(thrownAs: description), let failure = held?.explained(thrown) { return report(failure) }
        super.recordFailure(
            withDescription: held?.afterEnding(description) ?? description, inFile: filePath, atLine: lineNumber, expected: expected)
    }

    private func report(_ failure: TestFailure) {
        super.recordFailure(
            withDescription: failure.text, inFile: failure.source?.file.description ?? "<unknown>", atLine: Int(failure.source?.line ?? 0),
            expected: true)
    }

    private static func phoneOfNextTest() throws -> TestPhone {
        guard sharesPhone else { return try TestPhone(showing: stage) }
        if let phone = shared.withLock({ $0[ObjectIdentifier(self)] }) {
            try phone.restart(showing: nil)
            return phone
        }
        let phone = try TestPhone(showing: stage)
        shared.withLock { $0[ObjectIdentifier(self)] = phone }
        return phone
    }
}

extension TestFailure {
    /// The failure made last, which XCTest knows by its text alone.
    private static let lastMade = Mutex<TestFailure?>(nil)

    /// Remembers the failure for the description that XCTest gives of a thrown error.
    func remember() { Self.lastMade.withLock { $0 = self } }

    /// The failure that XCTest describes so; nil where it was another error.
    static func last(thrownAs description: String) -> TestFailure? {
        lastMade.withLock { last in
            guard let failure = last, description == "threw error \"\(failure)\"" else { return nil }
            return failure
        }
    }
}
