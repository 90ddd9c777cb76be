import Foundation
import RackfocusKit
import Support

/// `rackfocus evaluate`: detections against the truth.
struct EvaluateCommand: Command {
    static let help = Help(
        name: "evaluate",
        summary: "Score a file of detections against the truth.",
        usage: "evaluate --truth GT.txt --detections OUT.jsonl [options]",
        discussion: """
            GT is CSV (`frame from 1, id, x, y, w, h, flag, class, visibility`, pixels), dlib's training.xml for still pictures, or
            another file of detections. Only frames it labels count; what is less than half visible may be found but need not be.
            Printed for each kind: recall, false positives a frame, IDF1, ID switches, how many numbers were given, and hold, the share
            of a subject's time in which it has the number it was given first.
            """,
        options: [
            .init("--truth", value: "GT", meaning: "what is there"),
            .init("--detections", value: "OUT.jsonl", meaning: "what was found, from `rackfocus detect`"),
            .init("--truth-size", value: "WxH", meaning: "pixels of the picture GT was drawn on; default: the detections'"),
            .init("--overlap", value: "IOU", meaning: "0 to 1, what counts as found; default 0.3 for faces and heads, 0.4 else"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus evaluate --truth dog.txt --truth-size 960x540 --detections dog.jsonl")

    private let evaluation: Evaluation

    init(_ arguments: inout Arguments) throws {
        try arguments.finish()
        let (truth, detections) = (try arguments.required("--truth"), try arguments.required("--detections"))
        let overlap = try arguments.number("--overlap")
        if let overlap, !(overlap > 0 && overlap <= 1) { throw UsageError("--overlap goes from 0 to 1, not to \(overlap)") }
        let size = try arguments.value("--truth-size").map { text in
            let sides = text.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides[0] > 0, sides[1] > 0 else { throw UsageError("--truth-size is like 960x540, not \"\(text)\"") }
            return (width: sides[0], height: sides[1])
        }
        let (log, there) = (try DetectionLog(path: detections), try TruthFile(path: truth))
        evaluation = Evaluation(of: log, against: there, size: size, overlap: overlap)
        guard evaluation.scores.contains(where: { $0.frames > 0 }) else {
            throw DetectionLogError(path: truth, reason: "labels none of the frames or pictures in \(detections)")
        }
    }

    func run() throws { StandardOutput.print(evaluation.table) }
}
