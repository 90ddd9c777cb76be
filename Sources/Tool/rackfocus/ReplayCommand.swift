import Foundation
import RackfocusKit
import Support

/// `rackfocus replay`: the decisions of a camera's take once more, from its log, in virtual time.
struct ReplayCommand: Command {
    static let help = Help(
        name: "replay",
        summary: "Take the decisions of a camera's take again from its log, and compare the traces.",
        usage: "replay TAKE.run [-o TRACE.jsonl]",
        discussion: """
            `rackfocus record` leaves TAKE.run beside its movie. detections.jsonl there holds what every decision came from: who was seen and how far away,
            the light, the taps of the script and the orders of focus. The camera app runs on it as fast as it can, without camera or clock; its trace must be
            that of the take, bit for bit, on any machine. Otherwise the first difference is printed, and the command ends with 7.
            """,
        options: [
            .init("--output", "-o", value: "TRACE.jsonl", meaning: "keep the replay's trace"),
            .init("--force", meaning: "replace an existing file"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus replay take.run")

    private let directory: String
    private let job: ReplayJob
    private let output: String?
    private let replacesExisting: Bool

    init(_ arguments: inout Arguments) throws {
        directory = try arguments.positional("TAKE.run")
        try arguments.finish()
        output = arguments.value("--output")
        replacesExisting = arguments.flag("--force")
        job = try ReplayJob(directory)
    }

    var inputs: [String] { [directory + "/trace.jsonl", directory + "/detections.jsonl"] }
    var outputs: [String] { [output].compactMap { $0 } }

    func run() throws {
        let file = try output.map { try OutputFile(path: $0, replacingExisting: replacesExisting) }
        let result = try job.run()
        if let file {
            try file.write(result.trace)
            try file.commit()
        }
        if let difference = result.difference { throw ReplayDiffers(directory: directory, difference: difference) }
        StandardOutput.print("\(result.frames.counted("frame")) decided again; the trace is that of \(directory)")
    }
}

/// The log of a take gave another trace.
struct ReplayDiffers: Error, CustomStringConvertible {
    let directory: String
    let difference: String

    var description: String { "the replay's trace differs from \(directory)/trace.jsonl:\n\(difference)" }
}
