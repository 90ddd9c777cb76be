import Foundation
import Media
import RackfocusKit
import Support

/// `rackfocus inspect`: tracks, subjects, decisions and racks of a cinematic movie.
struct InspectCommand: Command {
    static let help = Help(
        name: "inspect",
        summary: "Show the tracks, subjects and focus decisions of a cinematic movie.",
        usage: "inspect FILE.mov [--json] [--svg FOCUS.svg] [--sheet SHEET.jpg] [--edits LIST.yaml | --as-recorded]",
        discussion: """
            A cinematic movie is what a movie file output records while cinematic capture is enabled: the sharp picture, its disparity, and in every
            frame who was seen and who was in focus, and why. The decisions are listed by time code, as a director reads them, with the
            changes of `rackfocus edit`; of a phone's cinematic movie the tracks alone. Only the metadata are read, but for --sheet: no picture is decoded.
            """,
        options: [
            .init("--json", meaning: "print the same as JSON"),
            .init("--svg", value: "FOCUS.svg", meaning: "draw focus and subjects over time"),
            .init("--sheet", value: "SHEET.jpg", meaning: "draw a contact sheet: the frame of each decision with the rectangle of its subject"),
        ] + Arguments.editOptions + [
            .init("--force", meaning: "replace an existing drawing or sheet"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus inspect take.mov --svg focus.svg --sheet sheet.jpg")

    private let path: String
    private let isJSON: Bool
    private let drawing: String?
    private let sheet: String?
    private let edits: EditedMovie.Choice
    private let replacesExisting: Bool

    init(_ arguments: inout Arguments) throws {
        path = try arguments.positional("FILE")
        try arguments.finish()
        isJSON = arguments.flag("--json")
        drawing = arguments.value("--svg")
        sheet = arguments.value("--sheet")
        if let sheet, !["jpg", "jpeg"].contains((sheet as NSString).pathExtension.lowercased()) {
            throw UsageError("--sheet is written as JPEG: name it with .jpg, not \"\(sheet)\"")
        }
        edits = try arguments.edits()
        replacesExisting = arguments.flag("--force")
    }

    var inputs: [String] { [path, edits.file(for: path)] }
    var outputs: [String] { [drawing, sheet].compactMap { $0 } }

    func run() throws {
        let edited: EditedMovie
        do { edited = try EditedMovie(path, edits) } catch let error as MediaError {
            guard let tracks = try? TrackTable(phone: path) else { throw error }
            return try show(tracks)
        }
        let plot = try drawing.map { try OutputFile(path: $0, replacingExisting: replacesExisting) }
        let image = try sheet.map { try OutputFile(path: $0, replacingExisting: replacesExisting) }
        try plot?.write(edited.focusPlot)
        if let image {
            let drawn = try ContactSheet(edited)
            try image.write(drawn.data)
            if drawn.leftOut > 0 {
                StandardError.print("rackfocus: note: \(image.path.printable) has no room for the last \(drawn.leftOut.counted("decision"))")
            }
        }
        if let plot { try plot.commit(with: [image].compactMap { $0 }) } else { try image?.commit() }
        let report = try CinematicReport(edited)
        StandardOutput.print(isJSON ? String(decoding: try report.json.dropLast(), as: UTF8.self) : report.text)
    }

    /// Prints the tracks of a phone's movie, whose decisions nobody can read.
    private func show(_ tracks: TrackTable) throws {
        guard drawing == nil, sheet == nil, case .sidecar = edits else {
            throw InputError(path: path, reason: "holds no decisions that can be read, so there is nothing to draw or edit; \(Self.phoneRemedy)")
        }
        StandardOutput.print(isJSON ? String(decoding: try tracks.json.dropLast(), as: UTF8.self) : tracks.text)
        StandardError.print("rackfocus: note: decisions are in the phone's own format and are left alone; \(Self.phoneRemedy)")
    }

    private static let phoneRemedy = "`rackfocus render --video FILE --cinematic take.mov` makes them anew"
}
