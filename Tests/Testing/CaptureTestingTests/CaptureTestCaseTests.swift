import AVFoundation
import CaptureTesting
import Synchronization
import Testing
import XCTest

/// Keeps what XCTest reports of one case.
private final class Listener: NSObject, XCTestObservation, Sendable {
    private let heard = Mutex<[String]>([])
    var failures: [String] { heard.withLock { $0 } }

    func testCase(_ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?, atLine lineNumber: Int) {
        heard.withLock { $0.append("\(lineNumber) \(description)") }
    }
}

/// Failures of a case of XCTest with this body.
private func failures(of body: @escaping () throws -> Void) -> [String] {
    let listener = Listener()
    XCTestObservationCenter.shared.addTestObserver(listener)
    defer { XCTestObservationCenter.shared.removeTestObserver(listener) }
    CaptureTestCase(name: "case") { _ in try body() }.run()
    return listener.failures
}

/// Expectations of what cases tell; in a function, as an exit test's body has one line.
private func expectEndings() {
    let line = #line + 3
    let after = failures {
        AVCaptureDevice.default(for: .video)?.unlockForConfiguration()
        XCTAssertTrue(false, "a box")
    }
    #expect(after.count == 1 && after[0].hasPrefix("\(line) this would have ended the app: NSGeneric"), "\(after)")
    #expect(after.first?.hasSuffix("afterwards: XCTAssertTrue failed - a box") == true, "\(after)")
    let alone = failures { AVCaptureDevice.default(for: .video)?.unlockForConfiguration() }
    #expect(alone.count == 1 && alone[0].hasPrefix("0 this would have ended the app: NSGeneric"), "\(alone)")
    #expect(failures { XCTAssertTrue(false, "a box") } == ["\(#line) XCTAssertTrue failed - a box"])
}

@Suite("A case of XCTest")
struct CaptureTestCaseTests {
    @Test("tells a call that would have ended the app ahead of what fails after it, and else at the end")
    func ending() async {
        // Its phone is process-wide, so it has a process of its own.
        await #expect(processExitsWith: .success) { expectEndings() }
    }
}
