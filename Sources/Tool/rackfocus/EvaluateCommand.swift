import Foundation
import RackfocusKit
import Support

/// `rackfocus evaluate`: detections against the truth.
struct EvaluateCommand: Command {
    static let help = Help(
        name: "evaluate",
        summary: "Score a file of detections against the truth.",
        usage: """
            evaluate --truth GT.txt --detections OUT.jsonl [options]
                   rackfocus evaluate --subjects WHO.txt --detections OUT.jsonl [--truth GT.txt] [options]
            """,
        discussion: """
            GT is CSV (`frame from 1, id, x, y, w, h, flag, class, visibility`, pixels), dlib's training.xml for still pictures, or
            another file of detections. Only frames it labels, and OUT has, count; what is less than half visible may be found but need not be.
            Printed for each kind: recall, false positives a frame, IDF1, ID switches, how many numbers were given, and hold, the share
            of a subject's time in which it has the number it was given first.

            WHO says who should be in focus, a span a line: from, to (seconds), then a number in GT, `box x y w h` (0…1, the whole person
            as far as the picture shows it), a box that moves (`box x y w h to x y w h`) or `nobody`; `or` joins several that are right:

                # from  to    who
                0       0.7   1
                0.7     2.75  box 0.62 0 0.38 1
                2.75    7     box 0.1 0 0.4 1 to 0.3 0 0.4 1 or 2

            Focus is pulled over the detections once more. Printed: the share of time with the right subject in focus, changes of subject
            a minute, how long shots wait for their first right subject, and the share in each span.
            """,
        options: [
            .init("--truth", value: "GT", meaning: "what is there"),
            .init("--subjects", value: "WHO", meaning: "who should be in focus, from when to when"),
            .init("--detections", value: "OUT.jsonl", meaning: "what was found, from `rackfocus detect`"),
            .init("--truth-size", value: "WxH", meaning: "pixels of the picture GT was drawn on; default: the detections'"),
            .init("--overlap", value: "IOU", meaning: "0 to 1, what counts as found; default 0.3 for faces and heads, 0.4 else"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus evaluate --truth dog.txt --truth-size 960x540 --detections dog.jsonl")

    private let table: String
    private let remark: String?

    init(_ arguments: inout Arguments) throws {
        try arguments.finish()
        let detections = try arguments.required("--detections")
        let overlap = try arguments.number("--overlap")
        if let overlap, !(overlap > 0 && overlap <= 1) { throw UsageError("--overlap goes from 0 to 1, not to \(overlap)") }
        let size = try arguments.value("--truth-size").map { text in
            let sides = text.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides[0] > 0, sides[1] > 0 else { throw UsageError("--truth-size is like 960x540, not \"\(text)\"") }
            return (width: sides[0], height: sides[1])
        }
        if let subjects = arguments.value("--subjects") {
            if overlap != nil { throw UsageError("--overlap goes with --truth alone: who is in focus is judged by halves of boxes") }
            let who = try SubjectTruth(path: subjects)
            let truth = arguments.value("--truth")
            if truth == nil, who.hasNumbers { throw UsageError("\(subjects) names subjects by number: give the file they stand in with --truth") }
            let objects = try truth.map { try TruthFile(path: $0) }
            if let truth, let objects { try who.check(objects, path: subjects, truth: truth) }
            let evaluation = SubjectEvaluation(of: try DetectionLog(path: detections), against: who, objects: objects, size: size)
            guard evaluation.seconds > 0 else { throw DetectionLogError(path: subjects, reason: "covers none of the frames in \(detections)") }
            table = evaluation.table
            let unseen = evaluation.scores.count { $0.seconds == 0 }
            remark = Self.remark(subjects, detections, unseen, of: evaluation.scores.count, "spans")
            return
        }
        let truth = try arguments.required("--truth")
        let (log, there) = (try DetectionLog(path: detections), try TruthFile(path: truth))
        let evaluation = Evaluation(of: log, against: there, size: size, overlap: overlap)
        guard evaluation.scores.contains(where: { $0.frames > 0 }) else {
            throw DetectionLogError(path: truth, reason: "labels none of the frames or pictures in \(detections)")
        }
        table = evaluation.table
        remark = Self.remark(truth, detections, evaluation.unseen, of: there.objects.count, "labelled frames")
    }

    /// Remark on parts of the truth that the detections say nothing of; nil without any.
    private static func remark(_ truth: String, _ detections: String, _ unseen: Int, of all: Int, _ parts: String) -> String? {
        unseen == 0 ? nil : "\(truth): nothing in \(detections) for \(unseen) of \(all) \(parts), which the score leaves out"
    }

    func run() throws {
        StandardOutput.print(table)
        if let remark { StandardError.print("rackfocus: note: \(remark.printable)") }
    }
}
