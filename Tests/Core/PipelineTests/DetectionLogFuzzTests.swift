import Foundation
import FuzzSupport
import Pipeline
import Testing

@Suite("Files of detections, changed by chance")
struct DetectionLogFuzzTests {
    private static let sample = """
        {"format":1,"frameDuration":[1001,30000],"height":540,"source":"party.mp4","width":960}
        {"detections":[{"box":[0.1,0.2,0.05,0.1],"confidence":0.9,"group":1,"id":1,"kind":"face","yaw":0,"disparity":0.4,"label":"a"}],"frame":0,"time":0}
        {"detections":[],"disparity":{"far":0.1,"median":0.3,"near":1.5},"frame":1,"time":33366667,"taps":[{"at":[0.5,0.5]}],"shot":1}

        """

    @Test("are read with numbers in their ranges and written again, or refused at a line")
    func files() throws {
        let mutator = TextMutator([Self.sample])
        try FuzzRun("detections", count: 3000)({ mutator(&$0) }) { input, seed in
            do throws(DetectionLogError) {
                let log = try DetectionLog(input, path: "fuzz.jsonl")
                let boxes = log.entries.flatMap(\.detections).map(\.bounds)
                #expect(boxes.allSatisfy { abs($0.minX) <= 1000 && $0.width >= 0 && $0.maxY.isFinite }, "seed \(seed)")
                let again = try DetectionLog(Data(log.text.utf8), path: "again.jsonl")
                #expect(again.entries.count == log.entries.count, "seed \(seed)")
            } catch { #expect(error.line != nil && error.path == "fuzz.jsonl", "seed \(seed): \(error)") }
        }
    }

    @Test(
        "numbers that are none, or out of their range, are refused",
        arguments: [
            ("\"id\":1", "\"id\":99999999999"), ("0.05,0.1]", "1e300,0.1]"), ("\"disparity\":0.4", "\"disparity\":1e300"),
            ("\"width\":960", "\"width\":0"), ("[1001,30000]", "[1001,0]"), ("\"time\":0}", "\"time\":-9223372036854775808}"),
            ("\"yaw\":0", "\"yaw\":1e9"), ("\"far\":0.1", "\"far\":-1"),
        ])
    func ranges(_ old: String, _ new: String) {
        let text = Self.sample.replacing(old, with: new)
        #expect(text != Self.sample)
        #expect(throws: DetectionLogError.self) { try DetectionLog(Data(text.utf8), path: "odd.jsonl") }
    }

    @Test("a header without size says so")
    func header() {
        let text = Self.sample.replacing("\"width\":960", with: "\"width\":0")
        let error = #expect(throws: DetectionLogError.self) { try DetectionLog(Data(text.utf8), path: "odd.jsonl") }
        #expect(error?.reason == "a frame is 1 to 65536 pixels wide and high, not 0x540")
    }
}
