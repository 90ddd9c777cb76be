import Cinematic
import Focus
import Foundation
import Media
import Pipeline
import ScenarioFormat
import Support
import Vision

/// Script of a cinematic movie (`CNScript`) with edits that are kept in a list. The media are never written; the list lies beside the movie, which it names
/// by digest, or behind the media in the file.
///
///     let edited = try EditedMovie("take.mov")
///     try edited.append([EditList.item("2s: {focus: maya}")])
///     try edited.save()                                          // take.mov.edits.yaml
///     let source = try edited.openFrames()                       // frames, focused as edited
public final class EditedMovie {
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

    /// Path of the movie as the caller gave it.
    public let path: String
    /// Script of the movie, with the edits.
    package let script: CNScript
    /// Edits that are applied.
    public private(set) var edits = EditList()
    /// Path of the list that was read; nil for none.
    public private(set) var file: String?
    private let target: String
    /// Whether what was read are an app's changes, which a list must not replace.
    private var isOfApp = false

    /// Reads the script and the edits, and applies these. Throws `MediaError` for a movie that is not cinematic, `ScenarioError` for an edit that cannot be
    /// applied, with its place, and `InputError` for a list of another movie.
    ///
    /// - Parameter mayBeNew: whether a list that is named need not be there yet.
    public init(_ path: String, _ choice: Choice = .sidecar, mayBeNew: Bool = false) throws {
        self.path = path
        script = try CNScript.open(path)
        target = choice.file(for: path)
        let isThere = FileManager.default.fileExists(atPath: target)
        switch choice {
        case .none: return
        case .sidecar where !isThere:
            guard let text = try EmbeddedEdits.read(path) else { return }
            let place = "the edits in \(path)"
            edits = try checked(EditList.parse(text, path: place), path: place)
        case .file where !isThere && mayBeNew: return
        case .sidecar, .file:
            (edits, isOfApp) = try read(target)
            file = target
        }
        try applyAll(to: script.focus)
    }

    /// Opens the frames, focused as edited; throws `MediaError`.
    public func openFrames(_ reading: FootageReading = FootageReading()) throws -> any CinematicFrameSource {
        try script.info.asset.cinematicFrames(reading, edited: edits.items.isEmpty ? nil : script.allFrames.map(\.sample))
    }

    /// SHA-256 of the metadata as edited.
    var editedDigest: String {
        var digest = CinematicDigest()
        for frame in script.allFrames { digest.add(frame.sample.data, at: frame.time) }
        return digest.text
    }

    /// Edits of another list, or those that the changes of an app (`CNScript.Changes`) come to. Throws `InputError` where it is not one for this movie.
    public func list(at path: String) throws -> [EditList.Item] { try read(path).list.items }

    private func read(_ file: String) throws -> (list: EditList, isOfApp: Bool) {
        let changes = try CNScript.Changes(dataRepresentation: FileContents.read(file, atMost: 1 << 26))
        let list = try changes.map { try EditList($0, of: script, movie: (path as NSString).lastPathComponent) } ?? EditList.load(path: file)
        return (try checked(list, path: file), changes != nil)
    }

    private func checked(_ list: EditList, path file: String) throws -> EditList {
        guard let digest = list.digest, digest != script.digest else { return list }
        let (name, short) = (list.movie.map { "\($0.printable), " } ?? "", String(digest.prefix(12)).printable)
        let own = String(script.digest.prefix(12))
        let remedy = "name a list with --edits, or remove its `digest` to apply it all the same"
        throw InputError(
            path: file, reason: "holds edits of another movie (\(name)digest \(short)…) than \(path), whose digest is \(own)…; \(remedy)")
    }

    /// Adds edits behind those that are there; what lies at their points is looked for in the pictures. Adds none where one cannot be applied.
    public func append(_ items: [EditList.Item], _ models: VisionModels = VisionModels()) throws {
        guard !items.isEmpty else { return }
        var (focus, found) = (script.focus, [EditList.Item]())
        for item in items {
            var item = item
            if case .focus(var order, let time) = item.edit, case .point(let point) = order.target, order.found == nil {
                let frame: Int
                do { frame = try focus.frame(at: time) } catch { throw item.error(error.description) }
                guard let finding = try PointSearch(self, models).found(at: point, in: frame, order.mode, focus) else {
                    throw item.error("nothing stands out there; `mode: fixed` holds the distance of the place")
                }
                order.found = finding
                item.edit = .focus(order, at: time)
            }
            try Self.apply(item, to: &focus)
            found.append(item)
        }
        script.focus = focus
        edits.items += found
    }

    private static func apply(_ item: EditList.Item, to focus: inout FocusScript) throws {
        do { try focus.apply(item.edit) } catch { throw item.error(error.description) }
    }

    private func applyAll(to start: FocusScript) throws {
        var focus = start
        for item in edits.items { try Self.apply(item, to: &focus) }
        script.focus = focus
    }

    /// Takes back the last edits; throws `InputError` where there are fewer.
    public func undo(_ count: Int) throws {
        let there = edits.items.count
        guard count <= there else {
            let some = "has \(there.counted("edit")), so that \(count) cannot be taken back; --undo \(there) takes back all"
            throw InputError(path: file ?? path, reason: there == 0 ? "has no edits that could be taken back" : some)
        }
        edits.items.removeLast(count)
        try applyAll(to: script.focus.unedited)
    }

    /// Writes the list of edits beside the movie, or where it was read. Throws `InputError` where that was an app's changes.
    public func save() throws {
        guard !isOfApp else {
            throw InputError(
                path: target,
                reason: "holds an app's changes, which a list of edits would replace; name it with --apply, and another list with --edits")
        }
        edits.movie = (path as NSString).lastPathComponent
        edits.digest = script.digest
        let output = try OutputFile(path: target, replacingExisting: true)
        try output.write(edits.text)
        try output.commit()
        file = target
    }

    /// Writes the list of edits behind the media in the movie's file; one beside it, which would hide it, is removed then.
    public func embed() throws {
        edits.movie = (path as NSString).lastPathComponent
        edits.digest = script.digest
        let text = edits.text
        try EmbeddedEdits.write(text, to: path)
        guard try EmbeddedEdits.read(path) == text else {
            throw InputError(
                path: path, reason: "does not give back the edits that were put into it; leave --embed out, and they lie beside it")
        }
        if FileManager.default.fileExists(atPath: target) { try OutputDirectory.remove(target) }
        file = nil
    }
}
