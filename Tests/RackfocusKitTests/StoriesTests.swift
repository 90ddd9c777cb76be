import Foundation
import Scenario
import Testing

private let wanted = ProcessInfo.processInfo.environment["RACKFOCUS_STORIES"]

/// Minutes of work, so only when asked: `RACKFOCUS_STORIES=1 swift test --filter Stories`, or with names of scenarios instead of 1.
@Suite(
    "Every scenario tells the same story to the eyes as from the truth",
    .enabled(if: wanted != nil, "takes minutes; set RACKFOCUS_STORIES=1"))
struct StoriesTests {
    static var scenarios: [String] {
        guard let wanted else { return [] }
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: Project.scenarios)) ?? []).filter {
            $0.hasSuffix(".yaml") && !$0.hasPrefix("_")
        }
        return (wanted == "1" ? all : all.filter { name in wanted.split(separator: ",").contains { name == "\($0).yaml" } }).sorted()
    }

    /// Prints a line for each scenario: who was in focus, one after the other.
    @Test("the same subjects in the same order", arguments: scenarios)
    func story(name: String) throws {
        let path = "\(Project.scenarios)/\(name)"
        let truth = try Story(path, width: 640, height: 360, detections: .truth).scenes.map(\.label)
        let vision = try Story(path, width: 640, height: 360, detections: .vision).scenes.map(\.label)
        var lines =
            "\(vision == truth ? "same " : "OTHER") \(name.padding(toLength: 34, withPad: " ", startingAt: 0)) \(truth.joined(separator: " > "))\n"
        if vision != truth { lines += "      \("seen:".padding(toLength: 34, withPad: " ", startingAt: 0)) \(vision.joined(separator: " > "))\n" }
        FileHandle.standardError.write(Data(lines.utf8))
        #expect(vision == truth)
    }
}
