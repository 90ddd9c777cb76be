import Foundation
import FuzzSupport
import Pipeline
import Testing

@testable import RackfocusKit

@Suite("Truth, changed by chance")
struct TruthFuzzTests {
    @Test(
        "is read with finite boxes, or refused",
        arguments: [
            ("csv", "# boxes\n1, 1, 10, 20, 30.5, 40, 1, face, 1\n1,2,0,0,5,5,0,humanBody,0.2\n2,1,11,20,30,40,1,face,1\n"),
            ("xml", "<image file='a.jpg'>\n<box top='1' left='2' width='30' height='40'/>\n<box top='5' left='6' width='7' height='8'/>\n"),
        ])
    func truth(ending: String, sample: String) throws {
        let mutator = TextMutator([sample])
        try FuzzRun("truth-\(ending)", count: 1000)({ mutator(&$0) }) { input, seed in
            do throws(DetectionLogError) {
                let boxes = try TruthFile(input, path: "fuzz.\(ending)").objects.values.joined().map(\.box)
                #expect(boxes.allSatisfy { abs($0.midX) <= 2e6 && $0.width >= 0 && $0.height >= 0 }, "seed \(seed)")
            } catch { #expect(!error.reason.isEmpty, "seed \(seed)") }
        }
    }

    @Test("of who is to be in focus is read with its spans in order, or refused at a line")
    func subjects() throws {
        let mutator = TextMutator(["# who\n0 0.7 1\n0.7 2.75 box 0.6 0 0.4 1\r\n2.75 7 box 0.1 0 0.4 1 to 0.3 0 0.4 1 or 2\n7 9 nobody\n"])
        try FuzzRun("truth-subjects", count: 1000)({ mutator(&$0) }) { input, seed in
            do throws(DetectionLogError) {
                let spans = try SubjectTruth(String(decoding: input, as: UTF8.self), path: "fuzz.txt").spans
                #expect(zip(spans, spans.dropFirst()).allSatisfy { $0.end <= $1.start } && spans.allSatisfy { !$0.choices.isEmpty }, "seed \(seed)")
            } catch { #expect(!error.reason.isEmpty, "seed \(seed)") }
        }
    }

    @Test("with NaN in it is refused at its line")
    func notANumber() {
        let error = #expect(throws: DetectionLogError.self) { try TruthFile(Data("1,1,nan,20,30,40,1,face,1\n".utf8), path: "truth.csv") }
        #expect(error?.line == 1)
    }
}
