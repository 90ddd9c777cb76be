import Foundation
import RackfocusKit
import Support

/// `rackfocus inspect`: tracks, subjects, decisions and racks of a cinematic movie.
struct InspectCommand: Command {
    static let help = Help(
        name: "inspect",
        summary: "Show the tracks, subjects and focus decisions of a cinematic movie.",
        usage: "inspect FILE.mov [--json] [--svg FOCUS.svg] [--edits LIST.yaml | --as-recorded]",
        discussion: """
            A cinematic movie is what a movie file output records while cinematic capture is enabled: the sharp picture, its disparity, and in every
            frame who was seen and who was in focus, and why. The decisions are listed by time code, as a director reads them, with the
            changes of `rackfocus edit`. Only the metadata are read; no picture is decoded.
            """,
        options: [
            .init("--json", meaning: "print the same as JSON"),
            .init("--svg", value: "FOCUS.svg", meaning: "draw focus and subjects over time"),
        ] + Arguments.editOptions + [
            .init("--force", meaning: "replace an existing drawing"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus inspect take.mov --svg focus.svg")

    private let path: String
    private let isJSON: Bool
    private let drawing: String?
    private let edits: EditedMovie.Choice
    private let replacesExisting: Bool

    init(_ arguments: inout Arguments) throws {
        path = try arguments.positional("FILE")
        try arguments.finish()
        isJSON = arguments.flag("--json")
        drawing = arguments.value("--svg")
        edits = try arguments.edits()
        replacesExisting = arguments.flag("--force")
    }

    var inputs: [String] { [path, edits.file(for: path)] }
    var outputs: [String] { drawing.map { [$0] } ?? [] }

    func run() throws {
        let edited = try EditedMovie(CinematicMovie(path: path), edits)
        if let drawing {
            let file = try OutputFile(path: drawing, replacingExisting: replacesExisting)
            try file.write(edited.movie.focusPlot)
            try file.commit()
        }
        let report = try CinematicReport(edited)
        StandardOutput.print(isJSON ? String(decoding: try report.json.dropLast(), as: UTF8.self) : report.text)
    }
}
