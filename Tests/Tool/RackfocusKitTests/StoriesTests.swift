import Foundation
import ScenarioFormat
import Testing

private let wanted = ProcessInfo.processInfo.environment["RACKFOCUS_STORIES"]

/// Some scenarios; all of them with `RACKFOCUS_STORIES=1` (`make stories`), or those named instead of 1, separated by commas.
@Suite("Every scenario tells the same story to the eyes as from the truth")
struct StoriesTests {
    /// Cats, a tap on one, and taps near the corners of faces.
    private static let usual = ["two-cats", "hit-test"]

    private static let all = ((try? FileManager.default.contentsOfDirectory(atPath: Project.scenarios)) ?? [])
        .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("_") }.map { String($0.dropLast(5)) }.sorted()

    static var scenarios: [String] {
        guard let wanted else { return usual }
        return wanted == "1" ? all : wanted.split(separator: ",").map(String.init)
    }

    @Test("the same subjects in the same order, chosen as firmly", arguments: scenarios)
    func story(name: String) throws {
        let path = "\(Project.scenarios)/\(name).yaml"
        let truth = try Story(path, width: 640, height: 360, detections: .truth)
        let vision = try Story(path, width: 640, height: 360, detections: .vision)
        #expect(vision.tale == truth.tale)
    }
}
