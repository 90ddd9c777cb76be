import Foundation
import ScenarioFormat
import Testing

@Suite("The demo tells its story")
struct StoryTests {
    private let expected = ["maya", "ben", "maya", "ben", "maya", "fixed"]

    @Test("from the stage's truth")
    func truth() throws {
        let story = try Story(Project.demo, width: 160, height: 90, detections: .truth)
        #expect(story.labels == expected)
        #expect(story.failures == [])
    }

    @Test("from the pixels, the same subjects within half a second")
    func vision() throws {
        let truth = try Story(Project.demo, width: 160, height: 90, detections: .truth)
        let vision = try Story(Project.demo, width: 640, height: 360, detections: .vision)
        #expect(vision.labels == expected)
        #expect(vision.failures == [])
        #expect(vision.tale == truth.tale)
        for (seen, due) in zip(vision.scenes, truth.scenes) {
            #expect(abs(seen.since - due.since) <= 0.5, "\(seen.label) at \(seen.since) s, truth \(due.since) s")
        }
    }
}
