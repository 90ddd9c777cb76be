import Foundation
import RackfocusKit
import Support

/// `rackfocus edit`: focus and aperture of a cinematic movie, changed after the shoot.
struct EditCommand: Command {
    static let help = Help(
        name: "edit",
        summary: "Change focus and aperture of a cinematic movie after the shoot.",
        usage: "edit FILE.mov [EDIT…] [options]",
        discussion: """
            FILE stays as it is, but for --embed. Its edits lie beside it in FILE.mov.edits.yaml, which names it by the digest of its metadata, and `rackfocus export` and
            `inspect` apply them. Of a phone's movie, whose decisions are in a format of its own, FILE.take.mov is made, with decisions made anew, and edited; `export FILE`
            applies it. Without an EDIT the list and what follows from it is shown. An EDIT is
              '2s: {focus: maya}'                          a subject as `inspect` names it, or its number; held until it is gone
              '2s: {focus: {on: maya, mode: weak}}'        … until the next decision;  mode: fixed  holds her distance
              '2s: {focus: {on: {at: [0.4, 0.5]}}}'        what is there, 0 to 1 of the picture: a subject, else a thing, which is tracked
              '2s: {focus: 2.3m}'                          a distance
              '2s: {move: 2.5s}'  '2s: {remove: focus}'    the user's decision of that frame, also one of the recording
              '0s: {aperture: f/2}'  '5s: {aperture: {to: f/1.4, over: 2s}}'
              automatic                                    removes the user's decisions
              reset                                        goes back to what was recorded
            and is applied after those that are there; a subject is to be sharp at its time, so that the rack begins before. A time is 2s, 48f or
            01:00:02:00 (the movie's timecode, from 00:00:00:00 where it has none), and means the nearest frame.
            """,
        options: [
            .init("--undo", value: "N", meaning: "take back the last N edits first"),
            .init("--apply", value: "LIST.yaml", meaning: "add the edits of another list, before EDIT"),
            .init("--edits", value: "LIST.yaml", meaning: "keep the edits there, in place of FILE.mov.edits.yaml"),
            .init("--embed", meaning: "keep the edits in FILE itself, behind its media, in place of beside it"),
            .init("--yaml", meaning: "print the list of edits alone, as YAML"),
        ] + DetectCommand.modelOptions + [
            .init("--help", "-h", meaning: "this text")
        ],
        example: "rackfocus edit take.mov '2s: {focus: maya}' '5s: {aperture: {to: f/1.4, over: 2s}}'")

    private let path: String
    /// Of a phone's movie.
    private let take: PhoneTake?
    private let undone: Int
    private let list: String?
    private let file: EditedMovie.Choice
    private let embeds: Bool
    private let isYAML: Bool
    private let models: VisionModels
    private var items: [EditList.Item] = []

    init(_ arguments: inout Arguments) throws {
        path = try arguments.positional("FILE")
        take = PhoneTake(of: path)
        while let word = arguments.optionalPositional() { items.append(try EditList.item(word)) }
        let number = try arguments.number("--undo") ?? 0
        guard number >= 0, number <= 1_000_000, number == number.rounded() else { throw UsageError("--undo takes back a number of edits, like 1") }
        undone = Int(number)
        list = arguments.value("--apply")
        file = arguments.value("--edits").map { .file($0) } ?? .sidecar
        embeds = arguments.flag("--embed")
        if embeds, arguments.value("--edits") != nil { throw UsageError("--edits and --embed are one too many: edits are kept in one place") }
        isYAML = arguments.flag("--yaml")
        models = try arguments.models()
    }

    var inputs: [String] { [path] + [list].compactMap { $0 } }
    var outputs: [String] { isChanging && !embeds ? [file.file(for: take?.path ?? path)] : [] }
    private var isChanging: Bool { undone > 0 || list != nil || !items.isEmpty }

    func run() throws {
        let edited = try EditedMovie(take?.made(models) ?? path, file, mayBeNew: true)
        if undone > 0 { try edited.undo(undone) }
        if let list { try edited.append(edited.list(at: list), models) }
        try edited.append(items, models)
        if embeds { try edited.embed() } else if isChanging { try edited.save() }
        if isYAML {
            StandardOutput.print(String(edited.edits.text.dropLast()))
        } else {
            StandardOutput.print(try CinematicReport(edited).focusText)
        }
    }
}
