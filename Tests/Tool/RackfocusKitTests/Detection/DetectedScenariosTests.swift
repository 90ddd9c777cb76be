import Foundation
import TestSupport
import Testing

@testable import ScenarioFormat

private let wanted = ProcessInfo.processInfo.environment["RACKFOCUS_DETECTED_SCENARIOS"]

/// Some scenarios; all of them with `RACKFOCUS_DETECTED_SCENARIOS=1` (`make detected-scenarios`), or those named instead of 1, separated by commas.
@Suite("Focus from detections of painted pictures is that from the truth")
struct DetectedScenariosTests {
    /// Cats, a tap on one, and taps near the corners of faces.
    private static let usual = ["two-cats", "hit-test"]

    private static let all = Checkout.scenarioFiles.map { String($0.dropLast(5)) }

    static var scenarios: [String] {
        guard let wanted else { return usual }
        return wanted == "1" ? all : wanted.split(separator: ",").map(String.init)
    }

    @Test("the same subjects in the same order, chosen as firmly", arguments: scenarios)
    func sequence(name: String) throws {
        let path = "\(Project.scenarios)/\(name).yaml"
        let truth = try FocusSequence(path, width: 640, height: 360, detections: .truth)
        let vision = try FocusSequence(path, width: 640, height: 360, detections: .vision)
        #expect(vision.labelsAndModes == truth.labelsAndModes)
    }

    @Test("every scenario can be read at the size it is painted at", arguments: all)
    func size(name: String) throws {
        let path = "\(Project.scenarios)/\(name).yaml"
        let text = FocusSequence.resized(try String(contentsOfFile: path, encoding: .utf8), width: 640, height: 360)
        let clip = try #require(try ScenarioFile.parseAll(text, path: path).first).clip
        #expect(clip.dimensions.map { [$0.width, $0.height] } == [640, 360])
    }
}
