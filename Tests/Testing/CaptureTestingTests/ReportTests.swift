import AVFoundation
import CaptureTesting
import Synchronization
import Testing

@Suite("A failure that leaves a test")
struct ReportTests {
    private let stage = TestStage(.face("maya", box: CGRect(x: 0.2, y: 0.2, width: 0.2, height: 0.4), depth: 1.5))

    @Test("is recorded once, at the line of the expectation, with the last seconds")
    func place() async throws {
        let line = #line + 4
        try await withKnownIssue {
            try await withCamera(showing: stage) { phone, _ in
                await phone.step(frames: 3)
                try await phone.expect(focus: .nothing)
            }
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return issue.sourceLocation?.line == line && issue.sourceLocation?.fileName == "ReportTests.swift"
                && text.hasPrefix("expected focus none, but at 0.067 s focus was on maya") && text.contains("the last seconds:\n  at 0.000 s")
        }
    }

    @Test("stands in the first line of its issue")
    func firstLine() async throws {
        let words = Mutex<[String]>([])
        let listening: IssueHandlingTrait = .compactMapIssues { issue in
            if case .errorCaught(let error) = issue.kind { words.withLock { $0.append("\(error)") } }
            return nil
        }
        let (test, stage) = (try #require(Test.current), stage)
        try? await listening.provideScope(for: test, testCase: Test.Case.current) {
            try await withTestPhone(showing: stage) { phone in try await phone.expect(focus: "maya") }
        }
        try? await listening.provideScope(for: test, testCase: Test.Case.current) {
            try await withTestPhone(showing: stage) { _ in
                AVCaptureDevice.default(for: .video)?.unlockForConfiguration()
                #expect(Bool(false))
            }
        }
        let told = words.withLock { $0 }
        #expect(told.count == 2 && told[0].hasPrefix("expected focus maya, but no frame came"), "\(told)")
        #expect(told.last?.hasPrefix("this would have ended the app: NSGeneric") == true)
    }

    @Test("is the app's own error where nothing explains that")
    func ownError() async throws {
        struct AppError: Error {}
        await #expect(throws: AppError.self) {
            try await withCamera(showing: stage) { phone, _ in
                await phone.step()
                throw AppError()
            }
        }
    }

    @Test("is, after a call that would have ended the app, that call, ahead of what the test itself expects and at its line")
    func ahead() async throws {
        let line = #line + 5
        let issues = Mutex<[String]>([])
        try await withKnownIssue {
            try await withTestPhone { _ in
                AVCaptureDevice.default(for: .video)?.unlockForConfiguration()
                #expect(Bool(false), "a box")
                #expect(Bool(false), "another")
            }
        } matching: { issue in
            let words = if case .errorCaught(let error) = issue.kind { "\(error)" } else { issue.comments.map(\.rawValue).joined() }
            issues.withLock { $0.append("\(issue.sourceLocation?.line ?? 0) \(words.prefix(31))") }
            return true
        }
        #expect(issues.withLock { $0 } == ["\(line) this would have ended the app: ", "\(line) a box", "\(line + 1) another"])
    }

    @Test("is placed at the test where the app would have ended and nothing else failed")
    func violation() async throws {
        let line = #line + 2
        try await withKnownIssue {
            try await withTestPhone { _ in
                AVCaptureDevice.default(for: .video)?.unlockForConfiguration()
            }
        } matching: { issue in
            issue.sourceLocation?.line == line && issue.comments.map(\.rawValue).joined().hasPrefix("this would have ended the app: NSGeneric")
        }
    }
}
