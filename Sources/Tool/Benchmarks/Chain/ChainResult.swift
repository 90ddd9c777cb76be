import Foundation
import Pipeline
import Support

/// Measurements of one command beside ffmpeg's.
struct ChainResult: Encodable {
    /// One run by turns.
    struct Run: Encodable {
        /// Of the run over one frame, from the program's start to its end.
        let start: ProcessorTime
        /// Of each frame behind it.
        let frame: ProcessorTime

        /// The one in the middle by processor time of a frame.
        static func median(_ runs: [Run]) -> Run { runs.sorted { $0.frame.cores < $1.frame.cores }[runs.count / 2] }
    }

    let command: String
    let ours: Run
    /// Nil with the reason in `failure`.
    let ffmpeg: Run?
    let failure: String?
    /// Of our last run over all frames.
    let figures: RunFigures

    static let heading = "  command  program    frames/s   wall ms   core ms   ratio   p95 ms   first s    core s   peak MB"

    /// A line for each program; `ratio` is ffmpeg's processor time over ours.
    var text: String {
        func line(_ title: String, _ program: String) -> String {
            "  " + title.padding(toLength: 9, withPad: " ", startingAt: 0) + program.padding(toLength: 9, withPad: " ", startingAt: 0)
        }
        func numbers(_ run: Run) -> String {
            [1 / run.frame.wall, run.frame.wall * 1000, run.frame.cores * 1000].map { " " + $0.cell(9, 1) }.joined()
        }
        let own =
            line(command, "rackfocus") + numbers(ours) + "        "
            + String(format: " %8.1f %9.2f %9.2f %9.0f", figures.p95 * 1000, figures.firstFrame, figures.firstFrameCores, figures.peakMemory)
        guard let ffmpeg else { return own + "\n" + line("", "ffmpeg") + "  " + (failure ?? "") }
        return own + "\n" + line("", "ffmpeg") + numbers(ffmpeg) + " " + (ours.frame.cores > 0 ? ffmpeg.frame.cores / ours.frame.cores : 0).cell(7, 2)
            + String(format: "          %9.2f", ffmpeg.start.wall)
    }

    /// Stages and passes, milliseconds a frame, and copies; leading spaces mark one inside another.
    var stageTable: String {
        let frames = Double(max(figures.frames, 1))
        let stages = figures.stages.map { stage in
            "    " + stage.name.padding(toLength: 22, withPad: " ", startingAt: 0)
                + String(
                    format: " %9.2f wall ms %9.2f core ms a frame, p95 %8.2f ms a call", stage.seconds / frames * 1000,
                    stage.coreSeconds / frames * 1000, stage.p95 * 1000)
        }
        let copies = figures.copies.map { copy in
            "    copy: \(copy.step.rawValue), \(String(format: "%.2f", Double(copy.count) / frames)) a frame,"
                + String(format: " %.2f MB", Double(copy.bytes) / frames / 1_048_576)
        }
        return (stages + (copies.isEmpty ? ["    copy: none"] : copies)).joined(separator: "\n")
    }
}

/// All figures of a bench, as its JSON file has them; seconds and MB of 2^20 bytes.
struct ChainReport: Encodable {
    let width: Int
    let height: Int
    let frames: Int
    let rounds: Int
    let results: [ChainResult]

    func json() throws -> Data { try JSONEncoder.readable.encode(self) + Data("\n".utf8) }
}
