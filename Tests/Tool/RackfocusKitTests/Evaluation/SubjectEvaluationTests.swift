import Foundation
import Pipeline
import RackfocusKit
import TestSupport
import Testing

@Suite("Focus scored against whom a person would choose")
struct SubjectEvaluationTests {
    private func who(_ text: String) throws -> SubjectTruth {
        let scratch = try Scratch()
        return try SubjectTruth(path: try scratch.write(text, to: "who.txt"))
    }

    /// Ten frames a second; each shot's detections by the time in it.
    private func log(_ shots: [(seconds: Double, seen: (Double) -> [Detection])]) -> DetectionLog {
        var log = DetectionLog(header: .init(source: "a", width: 640, height: 360, frameDuration: [1, 10]))
        for (shot, part) in shots.enumerated() {
            for index in 0..<Int(part.seconds * 10) {
                let frame = log.entries.count
                log.entries.append(
                    .init(frame: frame, time: Int64(frame) * 100_000_000, detections: part.seen(Double(index) / 10), shot: shot))
            }
        }
        return log
    }

    private func face(_ id: Int, _ x: Double, side: Double = 0.1, sharpness: Double? = nil, yaw: Double? = nil) -> Detection {
        Detection(
            objectID: id, kind: .face, bounds: CGRect(x: x, y: 0.3, width: side, height: side), yaw: yaw, sharpness: sharpness, brightness: sharpness)
    }

    @Test("the share of time, a moving place, either of two, and nobody")
    func share() throws {
        let still = log([(2, { _ in [face(1, 0.1)] })])
        #expect(SubjectEvaluation(of: still, against: try who("0 2 box 0.1 0.3 0.1 0.1")).share == 1)
        #expect(SubjectEvaluation(of: still, against: try who("0 1 box 0.1 0.2 0.2 0.8\n1 2 box 0.5 0 0.5 1 # who was not there")).share == 0.5)
        #expect(SubjectEvaluation(of: still, against: try who("0 2 box 0.5 0 0.5 1 or box 0 0 0.5 1")).share == 1)
        #expect(SubjectEvaluation(of: still, against: try who("0 2 nobody")).share == 0)
        let moving = log([(2, { [face(1, 0.1 + 0.3 * $0)] })])
        #expect(SubjectEvaluation(of: moving, against: try who("0 2 box 0.1 0.3 0.1 0.1 to 0.7 0.3 0.1 0.1")).share == 1)
        #expect(SubjectEvaluation(of: moving, against: try who("0 2 box 0.1 0.3 0.1 0.1")).share < 0.2)
    }

    @Test("time that no span covers, or whose number has no label, does not count")
    func unknown() throws {
        let scratch = try Scratch()
        let truth = try TruthFile(path: try scratch.write("6,3,64,108,64,36,1,face,1\n11,3,64,108,64,36,1,face,1", to: "gt.txt"))
        let score = SubjectEvaluation(of: log([(2, { _ in [face(1, 0.1)] })]), against: try who("0 1.9 3"), objects: truth)
        #expect(score.share == 1 && abs(score.seconds - 0.6) < 1e-9)
        let error = #expect(throws: DetectionLogError.self) { try who("# who\n0 1 3\n1 2 7").check(truth, path: "who.txt", truth: "gt.txt") }
        #expect(error?.description == "who.txt:3: there is no subject 7 in gt.txt, which has 3")
    }

    @Test("a person is its face, its head and its body; another's is not")
    func parts() throws {
        let scratch = try Scratch()
        let truth = try TruthFile(path: try scratch.write("1,3,64,108,64,36,1,face,1\n20,3,64,108,64,36,1,face,1", to: "gt.txt"))
        func share(_ kind: Detection.Kind, _ box: CGRect) throws -> Double {
            let seen = Detection(objectID: 1, kind: kind, bounds: box)
            return SubjectEvaluation(of: log([(2, { _ in [seen] })]), against: try who("0 2 3"), objects: truth).share
        }
        #expect(try share(.humanHead, CGRect(x: 0.08, y: 0.25, width: 0.14, height: 0.18)) == 1)
        #expect(try share(.humanBody, CGRect(x: 0.02, y: 0.25, width: 0.3, height: 0.75)) == 1)
        #expect(try share(.humanBody, CGRect(x: 0.3, y: 0.25, width: 0.3, height: 0.75)) == 0)
    }

    @Test("changes are counted from one person to another within a shot; openings wait for the right one")
    func changes() throws {
        let score = SubjectEvaluation(
            of: log([(3, { $0 < 1.5 ? [face(1, 0.1)] : [face(2, 0.8)] }), (3, { $0 < 0.3 ? [] : [face(3, 0.1)] })]),
            against: try who("0 6 box 0 0 0.5 1"))
        #expect(score.changes == 1 && abs(score.changesPerMinute - 10) < 1e-9)
        #expect(score.openings == 2 && abs(score.latestOpening - 0.4) < 1e-9, "a face at the side is waited with for 0.1 s")
        #expect(score.table.contains("10.0 changes a minute (1 in 6.00 s)\n2 shots open with it"))
        let single = SubjectEvaluation(of: log([(2, { _ in [face(1, 0.1)] })]), against: try who("0 2 box 0 0 0.5 1"))
        #expect(single.table.contains("\n1 shot opens with it after at most 0.00 s\n"), "\(single.table)")
    }

    @Test("edited footage keeps its number: the near profile, the sharp one, the one who is lit")
    func footage() throws {
        func body(_ id: Int, _ x: Double, _ y: Double, _ width: Double, _ height: Double, sharpness: Double, brightness: Double) -> Detection {
            Detection(
                objectID: id, kind: .humanBody, bounds: CGRect(x: x, y: y, width: width, height: height), confidence: 0.9, sharpness: sharpness,
                brightness: brightness)
        }
        let clip = log([
            // Small people behind a near profile, who come and go as detections do.
            (
                4,
                { time in
                    [face(1, 0.6, side: 0.35, sharpness: 0.8, yaw: -80)]
                        + (Int(time * 10) % 7 < 5 ? [body(2, 0.1, 0.4, 0.1, 0.4, sharpness: 0.1, brightness: 0.2)] : [])
                        + (time > 1 ? [face(3, 0.3, side: 0.1, sharpness: 0.1)] : [])
                }
            ),
            // The row in front, dark and blurred, before somebody small on a stage.
            (
                4,
                { _ in
                    [
                        body(4, 0, 0.55, 0.5, 0.45, sharpness: 0.1, brightness: 0.1), body(5, 0.5, 0.6, 0.4, 0.4, sharpness: 0.15, brightness: 0.1),
                        body(6, 0.45, 0.2, 0.1, 0.4, sharpness: 0.9, brightness: 0.9),
                    ]
                }
            ),
        ])
        let score = SubjectEvaluation(of: clip, against: try who("0 4 box 0.55 0.2 0.45 0.8\n4 8 box 0.4 0.15 0.2 0.5"))
        #expect(score.share == 1, "\(score.table)")
        #expect(score.changesPerMinute == 0 && score.latestOpening == 0)
    }

    @Test(
        "a file that is none is refused with its line",
        arguments: [
            ("0 1", "who.txt:1: a line is `from to who`"), ("1 0 nobody", "a line is"), ("0 1 box 0 0 1", "who.txt:1: who is a number"),
            ("0 2 1\n1 3 1", "who.txt:2: 1 s comes before the end"), ("# nothing", "holds no span"), ("0 1 1 or", "who is a number"),
            ("0 1 box 0 0 0 1", "who is a number"), ("nan 1 1", "a line is"),
        ])
    func damaged(text: String, message: String) {
        #expect {
            try who(text)
        } throws: {
            "\($0)".contains(message)
        }
    }
}
