import RackfocusKit

/// Options that choose the edits of a cinematic movie.
extension Arguments {
    static let editOptions: [Help.Option] = [
        .init("--edits", value: "LIST.yaml", meaning: "edits in place of those beside the movie, FILE.edits.yaml"),
        .init("--as-recorded", meaning: "leave edits out"),
    ]

    /// The edits that are chosen.
    func edits() throws -> EditedMovie.Choice {
        let file = value("--edits")
        guard flag("--as-recorded") else { return file.map { .file($0) } ?? .sidecar }
        guard file == nil else { throw UsageError("--edits and --as-recorded are one too many") }
        return .none
    }
}
