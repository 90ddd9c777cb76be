import Foundation
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults
@testable import ScenarioRun

@Suite("Another camera, or none")
struct CameraSwitchTests {
    private func outcome(_ timeline: String, _ sections: String = "") throws -> ScenarioOutcome {
        let text = """
            scenario: Cameras
            clip: {source: synthetic, size: 64x36, fps: 30, length: 2s}
            subjects:
              maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}
            \(sections)
            timeline:
            """
        return try ScenarioRunner(ScenarioFile.parse(text + "\n  - \(timeline)\n", path: "cameras.yaml")).run()
    }

    @Test("switching costs the frame it falls on, and object numbers go on")
    func numbers() throws {
        let outcome = try outcome("1s: {switchCamera: trueDepth}")
        #expect(outcome.verdict == .passed, "\(outcome.failures)")
        #expect(outcome.frames == 59)
        let trace = outcome.trace
        #expect(trace.contains(#""objects":[{"id":1,"group":1,"kind":"face""#) && trace.contains(#""objects":[{"id":3,"group":2,"kind":"face""#))
        #expect(trace.contains(#"{"t":1033333333,"camera":"trueDepth"}"#))
    }

    @Test("switching to the camera that films already does nothing")
    func same() throws {
        let outcome = try outcome("1s: {switchCamera: dualWide}")
        #expect(outcome.frames == 60 && outcome.verdict == .passed)
    }

    @Test("switching twice at once ends on the second camera")
    func twice() throws {
        let outcome = try outcome("1s: {switchCamera: trueDepth}\n  - 1s: {switchCamera: dualWide}\n  - end: {expect: {camera: dualWide}}")
        #expect(outcome.verdict == .passed, "\(outcome.failures)")
        #expect(outcome.frames == 59)
    }

    @Test("without permission from the start there is no camera and no frame")
    func denied() throws {
        let denied = try outcome("0s: {fault: {deny: true}}\n  - end: {expect: {camera: denied}}")
        #expect(denied.verdict == .passed, "\(denied.failures)")
        #expect(denied.frames == 0)
        let other = try outcome("0s: {fault: {deny: true}}\n  - end: {expect: {focus: maya}}")
        #expect(other.failures.map(\.message) == ["expected focus maya, but no frame came: the app may not use a camera"])
    }

    @Test("permission taken back leaves the camera that films, and refuses another")
    func deniedLater() throws {
        let outcome = try outcome("0.5s: {fault: {deny: true}}\n  - 1s: {switchCamera: trueDepth}\n  - end: {expect: {camera: dualWide}}")
        #expect(outcome.verdict == .passed, "\(outcome.failures)")
        #expect(outcome.frames == 60)
        #expect(outcome.trace.contains(#""camera":"denied"}"#))
    }

    @Test("a wrong camera is told with the one there is")
    func message() throws {
        let outcome = try outcome("1s: {expect: {camera: trueDepth}}")
        let message = try #require(outcome.failures.first?.message)
        #expect(message.hasPrefix("expected camera trueDepth, but at 1.000 s") && message.hasSuffix("; camera dualWide"), "\(message)")
    }
}
