import Cinematic
import Focus
import Foundation
import Media
import Pipeline
import ScenarioFormat
import Support
import Vision

/// Cinematic movie with its edits. Its media are never written; edits lie in a list beside it, which names it by digest, or behind the media in the file.
///
///     var edited = try EditedMovie(CinematicMovie(path: "take.mov"))
///     try edited.append([EditList.item("2s: {focus: maya}")])
///     try edited.save()                                          // take.mov.edits.yaml
///     let source = try CinematicFileSource(edited.movie)         // frames, focused as edited
public struct EditedMovie: Sendable {
    /// Choice of the edits.
    public enum Choice: Sendable {
        /// Those beside the movie, else those in its file, where there are any.
        case sidecar
        /// Those of a list, or of an app's changes.
        case file(String)
        /// None: what was recorded.
        case none

        /// Path of the list for a movie.
        public func file(for movie: String) -> String { if case .file(let path) = self { path } else { movie + ".edits.yaml" } }
    }

    /// Movie as it was recorded.
    public let original: CinematicMovie
    /// Edits that are applied.
    public private(set) var edits: EditList
    /// Path of the list that was read; nil for none.
    public private(set) var file: String?
    private let target: String
    /// Whether what was read are an app's changes, which a list must not replace.
    private var isOfApp = false
    /// Script that the edits are applied to; nil before the first, since it holds the metadata a second time.
    private var script: FocusScript?

    /// Reads the edits and applies them. Throws `ScenarioError` for one that cannot be applied, with its place, and for a list of another movie.
    ///
    /// - Parameter mayBeNew: whether a list that is named need not be there yet.
    public init(_ movie: CinematicMovie, _ choice: Choice = .sidecar, mayBeNew: Bool = false) throws {
        original = movie
        target = choice.file(for: movie.path)
        edits = EditList()
        let isThere = FileManager.default.fileExists(atPath: target)
        switch choice {
        case .none: return
        case .sidecar where !isThere:
            guard let text = try EmbeddedEdits.read(movie.path) else { return }
            let place = "the edits in \(movie.path)"
            edits = try Self.checked(EditList.parse(text, path: place), path: place, of: movie)
        case .file where !isThere && mayBeNew: return
        case .sidecar, .file:
            (edits, isOfApp) = try Self.list(at: target, of: movie)
            file = target
        }
        for item in edits.items { try apply(item) }
    }

    /// The movie as edited.
    public var movie: CinematicMovie {
        get throws { edits.items.isEmpty ? original : CinematicMovie(original, samples: script?.samples ?? original.entries.map(\.sample)) }
    }

    /// Edits of another list, or those that the changes of an app (`CNScript.Changes`) come to. Throws `ScenarioError` where it is not one for this movie.
    public func list(at path: String) throws -> [EditList.Item] { try Self.list(at: path, of: original).list.items }

    private static func list(at path: String, of movie: CinematicMovie) throws -> (list: EditList, isOfApp: Bool) {
        let changes = try CNScript.Changes(dataRepresentation: FileContents.read(path, atMost: 1 << 26))
        let list = try changes.map { try EditList($0, of: movie) } ?? EditList.load(path: path)
        return (try checked(list, path: path, of: movie), changes != nil)
    }

    private static func checked(_ list: EditList, path: String, of movie: CinematicMovie) throws -> EditList {
        guard let digest = list.digest, digest != movie.digest else { return list }
        let (name, short) = (list.movie.map { "\($0.printable), " } ?? "", String(digest.prefix(12)).printable)
        let own = String(movie.digest.prefix(12))
        let remedy = "name a list with --edits, or remove its `digest` to apply it all the same"
        throw InputError(
            path: path, reason: "holds edits of another movie (\(name)digest \(short)…) than \(movie.path), whose digest is \(own)…; \(remedy)")
    }

    /// Adds edits behind those that are there; what lies at their points is looked for in the pictures. Adds none where one cannot be applied.
    public mutating func append(_ items: [EditList.Item], _ models: VisionModels = VisionModels()) throws {
        var next = self
        for item in items {
            var item = item
            if case .focus(var focus, let time) = item.edit, case .point(let point) = focus.target, focus.found == nil {
                let frame: Int
                let script = next.preparedScript()
                do { frame = try script.frame(at: time) } catch { throw item.error(error.description) }
                guard let found = try PointSearch(original, models).found(at: point, in: frame, focus.mode, script) else {
                    throw item.error("nothing stands out there; `mode: fixed` holds the distance of the place")
                }
                focus.found = found
                item.edit = .focus(focus, at: time)
            }
            try next.apply(item)
            next.edits.items.append(item)
        }
        self = next
    }

    private mutating func apply(_ item: EditList.Item) throws {
        var next = preparedScript()
        script = nil
        defer { script = next }
        do { try next.apply(item.edit) } catch { throw item.error(error.description) }
    }

    private func preparedScript() -> FocusScript {
        script
            ?? FocusScript(
                times: original.entries.map(\.time.nanoseconds), samples: original.entries.map(\.sample), frameDuration: original.frameDuration)
    }

    /// Takes back the last edits; throws `InputError` where there are fewer.
    public mutating func undo(_ count: Int) throws {
        guard count <= edits.items.count else {
            throw InputError(path: target, reason: "has \(edits.items.count) edits, so that \(count) cannot be taken back")
        }
        edits.items.removeLast(count)
        script = nil
        for item in edits.items { try apply(item) }
    }

    /// Writes the list of edits beside the movie, or where it was read. Throws `InputError` where that was an app's changes.
    public mutating func save() throws {
        guard !isOfApp else {
            throw InputError(
                path: target,
                reason: "holds an app's changes, which a list of edits would replace; name it with --apply, and another list with --edits")
        }
        edits.movie = (original.path as NSString).lastPathComponent
        edits.digest = original.digest
        let output = try OutputFile(path: target, replacingExisting: true)
        try output.write(edits.text)
        try output.commit()
        file = target
    }

    /// Writes the list of edits behind the media in the movie's file; one beside it, which would hide it, is removed then.
    public mutating func embed() throws {
        edits.movie = (original.path as NSString).lastPathComponent
        edits.digest = original.digest
        let text = edits.text
        try EmbeddedEdits.write(text, to: original.path)
        guard try EmbeddedEdits.read(original.path) == text else {
            throw InputError(
                path: original.path, reason: "does not give back the edits that were put into it; leave --embed out, and they lie beside it")
        }
        if FileManager.default.fileExists(atPath: target) { try OutputDirectory.remove(target) }
        file = nil
    }
}
