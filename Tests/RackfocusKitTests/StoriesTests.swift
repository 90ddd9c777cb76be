import Foundation
import Scenario
import Testing

private let wanted = ProcessInfo.processInfo.environment["RACKFOCUS_STORIES"]

/// Some scenarios; all of them with `RACKFOCUS_STORIES=1` (`make stories`), or those named instead of 1, separated by commas.
@Suite("Every scenario tells the same story to the eyes as from the truth")
struct StoriesTests {
    /// Cats, a tap on one, and taps near the corners of faces.
    private static let usual = ["two-cats", "hit-test"]

    /// What the eyes tell otherwise, and why. Closed: a scenario in here that tells the same story is a mistake, too.
    private static let otherwise = [
        "board": "the eyes know who was hidden for three seconds, so nobody enters; the stage's truth gives a new number after half a second"
    ]

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
        if let reason = Self.otherwise[name] {
            #expect(vision.tale != truth.tale, "it tells the same story now, so it is no longer to be listed with \"\(reason)\"")
        } else {
            #expect(vision.tale == truth.tale)
        }
    }

    @Test("what is listed as told otherwise is there")
    func listed() { #expect(Self.otherwise.keys.filter { !Self.all.contains($0) } == []) }
}
