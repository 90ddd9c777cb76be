import Foundation
import ScenarioFormat
import Testing

@Suite("The focus of the demo, through the graph")
struct DemoFocusTests {
    private let expected = ["maya", "ben", "maya", "ben", "maya", "fixed"]

    @Test("from the stage's truth")
    func truth() throws {
        let sequence = try FocusSequence(Project.demo, width: 160, height: 90, detections: .truth)
        #expect(sequence.labels == expected)
        #expect(sequence.failures == [])
    }

    @Test("from the pixels, the same subjects within half a second")
    func vision() throws {
        let truth = try FocusSequence(Project.demo, width: 160, height: 90, detections: .truth)
        let vision = try FocusSequence(Project.demo, width: 640, height: 360, detections: .vision)
        #expect(vision.labels == expected)
        #expect(vision.failures == [])
        #expect(vision.labelsAndModes == truth.labelsAndModes)
        for (seen, due) in zip(vision.entries, truth.entries) {
            #expect(abs(seen.since - due.since) <= 0.5, "\(seen.label) at \(seen.since) s, truth \(due.since) s")
        }
    }
}
