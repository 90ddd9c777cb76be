import Foundation
import Pipeline
import RackfocusKit
import TestSupport
import Testing

@Suite("Detections scored against the truth")
struct EvaluationTests {
    private func log(_ frames: [[(id: Int, x: Double)]], kind: Detection.Kind = .face) -> DetectionLog {
        let header = DetectionLog.Header(source: "a", width: 100, height: 100, frameDuration: [1, 10])
        let entries = frames.enumerated().map { index, seen in
            DetectionLog.Entry(
                frame: index, time: Int64(index),
                detections: seen.map { Detection(objectID: $0.id, kind: kind, bounds: CGRect(x: $0.x, y: 0, width: 0.1, height: 0.1)) })
        }
        return DetectionLog(header: header, entries: entries)
    }

    private func truth(_ text: String, _ name: String = "gt.txt") throws -> TruthFile {
        let scratch = try Scratch()
        return try TruthFile(path: try scratch.write(text, to: name))
    }

    /// Two faces for four frames, at 0 and at 50 pixels.
    private let two = (1...4).map { "\($0),1,0,0,10,10,1,face,1\n\($0),2,50,0,10,10,1,face,1" }.joined(separator: "\n")

    @Test("perfect is one in everything")
    func perfect() throws {
        let score = Evaluation(of: log(Array(repeating: [(7, 0), (8, 0.5)], count: 4)), against: try truth(two)).scores[0]
        #expect(score.truth == 8 && score.found == 8 && score.falsePositives == 0 && score.switches == 0)
        #expect(score.identityF1 == 1 && score.hold == 1 && score.identities == 2 && score.trueIdentities == 2)
    }

    @Test("a swap of numbers halfway costs two switches and half the identity")
    func swap() throws {
        let swapped = log([[(7, 0), (8, 0.5)], [(7, 0), (8, 0.5)], [(8, 0), (7, 0.5)], [(8, 0), (7, 0.5)]])
        let score = Evaluation(of: swapped, against: try truth(two)).scores[0]
        #expect(score.recall == 1 && score.switches == 2 && score.identityF1 == 0.5 && score.hold == 0.5)
    }

    @Test("misses, false alarms, and a box that is off by too much")
    func errors() throws {
        let score = Evaluation(of: log([[(7, 0)], [(7, 0.08), (8, 0.5)], [], [(7, 0.02), (9, 0.8)]]), against: try truth(two)).scores[0]
        #expect(score.found == 3 && score.falsePositives == 2 && score.recall == 0.375)
        #expect(score.falsePositivesPerFrame == 0.5)
    }

    @Test("what is hardly visible may be found and need not be; frames without a label do not count")
    func hidden() throws {
        let text = "1,1,0,0,10,10,1,face,1\n2,1,0,0,10,10,1,face,0.3"
        for frames in [[[(7, 0)], [(7, 0)], [(9, 0.9)]], [[(7, 0)], []]] as [[[(id: Int, x: Double)]]] {
            let score = Evaluation(of: log(frames), against: try truth(text)).scores[0]
            #expect(score.truth == 1 && score.found == 1 && score.falsePositives == 0 && score.identityF1 == 1)
        }
    }

    @Test("frames and spans of the truth that the detections lack are told")
    func unseen() throws {
        let scratch = try Scratch()
        let part = log([[(7, 0)], [(7, 0)]])
        try scratch.write(part.header.line + part.entries.map(\.line).joined(), to: "part.jsonl")
        try scratch.write(two, to: "two.txt")
        try scratch.write("0 1e-6 1\n1 2 2\n", to: "who.txt")
        func said(_ words: String...) throws -> String {
            let run = try ToolRun(["evaluate", "--detections", "part.jsonl"] + words, directory: scratch.url)
            #expect(run.exitCode == 0, "\(run.errors)")
            return run.errors
        }
        let (start, end) = ("rackfocus: note: ", "which the score leaves out\n")
        #expect(try said("--truth", "two.txt") == "\(start)two.txt: nothing in part.jsonl for 2 of 4 labelled frames, \(end)")
        #expect(
            try said("--truth", "two.txt", "--subjects", "who.txt") == "\(start)who.txt: nothing in part.jsonl for 1 of 2 spans, \(end)")
        #expect(try said("--truth", "part.jsonl").isEmpty)
    }

    @Test("the truth may be drawn on a picture of another size, and kinds do not mix")
    func size() throws {
        let text = "1,1,0,0,96,54,1,dogBody,1"
        var dogs = log([[(7, 0)]], kind: .dogBody)
        #expect(Evaluation(of: dogs, against: try truth(text), size: (960, 540)).scores[0].found == 1)
        #expect(Evaluation(of: dogs, against: try truth(text)).scores[0].found == 0)
        dogs = log([[(7, 0)]], kind: .catBody)
        let score = Evaluation(of: dogs, against: try truth(text), size: (960, 540)).scores[0]
        #expect(score.found == 0 && score.falsePositives == 0)
    }

    @Test("dlib's pictures go by name, each with identities of its own")
    func pictures() throws {
        let text = """
            <images><image file='a.jpg'>
            <box top='0' left='0' width='10' height='10'/>
            </image>
            <image file='b.jpg'>
            </image></images>
            """
        var stills = log([[(1, 0)], [(1, 0)]])
        for (index, name) in ["a.jpg", "b.jpg"].enumerated() { (stills.entries[index].picture, stills.entries[index].size) = (name, [100, 100]) }
        let score = Evaluation(of: stills, against: try truth(text, "training.xml")).scores[0]
        #expect(score.found == 1 && score.falsePositives == 1 && score.frames == 2 && score.identities == 2)
    }

    @Test(
        "a truth that is none is refused with its line",
        arguments: [
            ("1,1,0,0,10,10,1,fish,1", "there is no class `fish`"), ("1,1,0,0", "gt.txt:1: a line is `frame, id"), ("", "holds no truth"),
            ("0,1,0,0,10,10,1,face,1", "a line is"),
        ])
    func damaged(text: String, message: String) {
        #expect {
            try truth(text)
        } throws: {
            "\($0)".contains(message)
        }
    }
}
