import AVFoundation
import CaptureTesting
import Foundation
import Testing

@Suite("The reason of a failure")
struct FailureReasonTests {
    /// Calls once what would end an app.
    private func misuse() {
        let session = AVCaptureSession()
        session.beginConfiguration()
        session.startRunning()
    }

    @Test("is the call that would have ended the app, whatever fails after it, and waiting ends at once")
    func violationFirst() async throws {
        let waited = await thrownFailure {
            try await withTestPhone { phone in
                misuse()
                try await phone.until(within: .seconds(1)) { false }
            }
        }
        #expect(waited?.message.hasPrefix("this would have ended the app: NS") == true, "\(waited as Any)")
        let thrown = await thrownFailure {
            try await withTestPhone { _ in
                misuse()
                throw CancellationError()
            }
        }
        #expect(thrown?.message.hasPrefix("this would have ended the app: NS") == true && thrown?.message.contains("afterwards: ") == true)
    }

    @Test("is, where there is no phone at all, told once on standard error")
    func unbound() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for _ in 1...2 where AVCaptureDevice.default(for: .video) != nil { exit(1) }
        }
        let lines = String(decoding: result.standardErrorContent, as: UTF8.self).split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("AVFoundation: no cameras are bound here") && $0.contains("`withTestPhone") } == 1)
    }

    @Test("is a session kept from an earlier phone")
    func keptSession() async throws {
        let kept = try await withTestPhone { _ in AVCaptureSession() }
        try await withTestPhone { phone in
            let violation = try await phone.expectViolation(.generic, "earlier test") { kept.startRunning() }
            #expect(violation.reason.contains("make a new AVCaptureSession") && !kept.isRunning)
            #expect(violation.reason.contains("withTestPhone(reusing:)"))
        }
    }
}
