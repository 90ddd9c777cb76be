import Foundation
import RackfocusKit
import Support

/// `rackfocus calibrate`: pictures of a chessboard in, a description of two cameras out.
struct CalibrateCommand: Command {
    static let help = Help(
        name: "calibrate",
        summary: "Measure how two cameras look and stand, from pictures of a chessboard.",
        usage: "calibrate --left L%02d.png --right R%02d.png --board 9x6 --square 25mm -o RIG.json",
        discussion: """
            Both cameras see the same board at the same time, whole, 15 times or more: near, far, tilted, and in every corner of the
            picture. The file is JSON and goes to `render --left L --right R --calibration RIG.json`. A reprojection error under half
            a pixel is good; above one, take other pictures. A file that names its cameras is one camera with measured distances to
            `record --calibration RIG.json`, and, in \(RigFile.folderName), to every app that films with this machine's cameras.
            """,
        options: [
            .init("--left", value: "FILES", meaning: "left camera: movie or image sequence like l/%04d.png or l/*.jpg"),
            .init("--right", value: "FILES", meaning: "right camera, same size and number"),
            .init("--board", value: "CxR", meaning: "inner corners across and down, where four squares meet"),
            .init("--square", value: "LENGTH", meaning: "side of one square, like 25mm, 2.5cm or 0.025m"),
            .init("--left-camera", value: "ID", meaning: "identifier of the left camera for the file, as `record --list` has it"),
            .init("--right-camera", value: "ID", meaning: "of the right one"),
            .init("--output", "-o", value: "RIG.json", meaning: "where the calibration goes"),
            .init("--force", meaning: "replace an existing file"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus calibrate --left l/%02d.png --right r/%02d.png --board 9x6 --square 25mm -o rig.json")

    private let job: CalibrateJob
    private let output: String

    init(_ arguments: inout Arguments) throws {
        try arguments.finish()
        output = try arguments.output(as: [["json"]])
        let cameras = (arguments.value("--left-camera"), arguments.value("--right-camera"))
        guard (cameras.0 == nil) == (cameras.1 == nil) else { throw UsageError("--left-camera and --right-camera go together") }
        job = CalibrateJob(
            left: try arguments.required("--left"), right: try arguments.required("--right"), board: try Self.board(arguments.required("--board")),
            square: try Self.length(arguments.required("--square")), cameras: cameras.0.flatMap { left in cameras.1.map { (left, $0) } },
            output: output, replacesExisting: arguments.flag("--force"))
    }

    var inputs: [String] { get throws { try job.inputs } }
    var outputs: [String] { [output] }

    func run() throws {
        let result = try job.run()
        let missed = result.missed.isEmpty ? "" : " (not \(OutputError.few(result.missed.map(String.init))))"
        StandardOutput.print(
            String(
                format: "%@: %d of %d pairs showed the board%@, reprojection error %.2f px, cameras %.1f mm apart", output, result.views,
                result.looked, missed, result.reprojectionError, result.baseline * 1000))
        if result.reprojectionError > 1 {
            StandardError.print("rackfocus: warning: a reprojection error above 1 px blurs depth; is --board the number of inner corners?")
        }
    }

    private static func board(_ text: String) throws -> (columns: Int, rows: Int) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard sides.count == 2, let columns = sides[0], let rows = sides[1], columns > 0, rows > 0 else {
            throw UsageError("--board counts inner corners across and down, like 9x6, not \"\(text)\"")
        }
        return (columns, rows)
    }

    private static func length(_ text: String) throws -> Double {
        for (unit, factor) in [("mm", 0.001), ("cm", 0.01), ("m", 1)] where text.hasSuffix(unit) {
            guard let value = Double(text.dropLast(unit.count)), value > 0, value.isFinite else { break }
            return value * factor
        }
        throw UsageError("--square is a length like 25mm, 2.5cm or 0.025m, not \"\(text)\"")
    }
}
