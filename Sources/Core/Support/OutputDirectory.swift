import Foundation
import Synchronization

/// A directory of results that takes its name only when all of its files are written, with a manifest of them (`OutputManifest`).
///
/// It replaces a directory only if that holds nothing but what its own manifest lists, unchanged.
///
///     let run = try OutputDirectory(path: "movie.run", replacingExisting: false)
///     try run.write(trace, to: "trace.jsonl")
///     try run.commit()
public final class OutputDirectory: Sendable {
    /// Final path of the directory.
    public let path: String
    /// Hidden directory beside it, in which files lie until `commit()`.
    public let temporaryPath: String
    private let replacesExisting: Bool
    private let isFlushed: Bool
    private let state: Mutex<State>

    private struct State {
        var isOpen = true
        var slots: [UnfinishedOutput.Slot]
        var names: Set<String> = []
        var folders: Set<String> = []
        var manifest = OutputManifest()
        var isSealed = false
    }

    /// Refuses at once what could not be committed: an existing name, files of somebody else, a missing parent, no permission. One that is not `isFlushed` appears
    /// whole as well, but may be lost in a power cut, and leaves what a killed process left to ``removeOrphans(in:)``: for results by the
    /// thousand.
    public init(path: String, replacingExisting: Bool, isFlushed: Bool = true) throws(OutputError) {
        var target = path
        while target.count > 1, target.hasSuffix("/") { target.removeLast() }
        var status = stat()
        if lstat(target, &status) == 0 {
            guard replacingExisting else { throw OutputError(code: .exists, path: target, action: "create") }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw OutputError(code: .notDirectory, path: target, action: "replace") }
            if let refusal = OutputError.refusal(toReplace: target) { throw refusal }
        }
        if isFlushed { OutputPath(target).removeOrphans() }
        let temporary = OutputPath(target).temporary(UnfinishedOutput.nextNumber())
        let slot = UnfinishedOutput.register(temporary)
        guard mkdir(temporary, 0o777) == 0 else {
            let failure = errno
            slot.release()
            throw OutputError(errno: failure, path: target, action: "create")
        }
        self.path = target
        temporaryPath = temporary
        replacesExisting = replacingExisting
        self.isFlushed = isFlushed
        state = Mutex(State(slots: [slot]))
    }

    deinit { discard() }

    /// Writes a whole file. A name may begin with folders, `frames/frame-3.png`, which are made when they are not there; a file that is not
    /// `isReproducible` is listed without its digest.
    public func write(_ bytes: some ContiguousBytes, to name: String, isReproducible: Bool = true) throws(OutputError) {
        let file = prepare(name)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputError(errno: errno, path: path + "/" + name, action: "create") }
        let failed = bytes.withUnsafeBytes { OutputFile.writeAll($0, to: descriptor) }
        let synced = failed == nil && isFlushed && fsync(descriptor) != 0 ? errno : failed
        close(descriptor)
        if let synced { throw OutputError(errno: synced, path: path + "/" + name, action: "write") }
        let listed = isReproducible ? bytes.withUnsafeBytes { OutputManifest.File(Array($0)) } : OutputManifest.File()
        state.withLock { state in
            if name == OutputManifest.name { state.isSealed = true } else { state.manifest.files[name] = listed }
        }
    }

    /// Books a file and the folders it lies in; its place.
    private func prepare(_ name: String) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        precondition(!parts.isEmpty && !parts.contains { ["", ".", ".."].contains($0) }, "a file of an output directory lies in it")
        let file = temporaryPath + "/" + name
        state.withLock { state in
            guard state.isOpen else { return }
            for depth in parts.indices.dropFirst() {
                let folder = temporaryPath + "/" + parts[..<depth].joined(separator: "/")
                guard state.folders.insert(folder).inserted else { continue }
                state.slots.append(UnfinishedOutput.register(folder))
                mkdir(folder, 0o777)
            }
            if state.names.insert(name).inserted { state.slots.append(UnfinishedOutput.register(file)) }
        }
        return file
    }

    /// Writes a whole text file as UTF-8.
    public func write(_ text: String, to name: String) throws(OutputError) { try write(Array(text.utf8), to: name) }

    /// Writes the manifest, after which nothing but its name is missing. Whoever writes a file `manifest.json` has done so himself.
    public func seal() throws(OutputError) {
        guard let manifest = state.withLock({ $0.isSealed ? nil : $0.manifest }) else { return }
        guard let json = try? manifest.json else { preconditionFailure("names and numbers can be written as JSON") }
        try write(json, to: OutputManifest.name)
    }

    /// Gives the directory its name; on any error all of it is removed and `path` is as before.
    public func commit() throws(OutputError) {
        do throws(OutputError) {
            try seal()
            if replacesExisting, access(path, F_OK) == 0, let refusal = OutputError.refusal(toReplace: path) { throw refusal }
        } catch {
            discard()
            throw error
        }
        let failure = state.withLock { state -> OutputError? in
            guard state.isOpen else { return OutputError(errno: EBADF, path: path, action: "commit") }
            state.isOpen = false
            let failure = OutputRename.directory(temporaryPath, to: path, replacingExisting: replacesExisting)
            Self.removeTree(temporaryPath)
            for slot in state.slots { slot.release() }
            return failure
        }
        if let failure { throw failure }
        if isFlushed { OutputFile.syncDirectory(of: path) }
    }

    /// Makes a directory and those it lies in, as far as they are missing.
    public static func create(_ path: String) throws(OutputError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw OutputError(code: .notDirectory, path: path, action: "create") }
            return
        }
        let parent = OutputPath(path).directory
        if parent != path { try create(parent) }
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw OutputError(errno: errno, path: path, action: "create") }
    }

    /// Removes a file, or a directory with all that is in it.
    public static func remove(_ path: String) throws(OutputError) {
        do { try FileManager.default.removeItem(atPath: path) } catch {
            let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code ?? Int(EIO)
            throw OutputError(errno: Int32(truncatingIfNeeded: code), path: path, action: "remove")
        }
    }

    /// Removes the temporaries that killed processes left in a directory.
    public static func removeOrphans(in directory: String) { OutputPath.removeOrphans(in: directory) }

    /// Gives up; nothing is left. Harmless after `commit()`.
    public func discard() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            Self.removeTree(temporaryPath)
            for slot in state.slots { slot.release() }
        }
    }

    /// Most often there is nothing left to remove: the directory has its name.
    private static func removeTree(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0 { try? FileManager.default.removeItem(atPath: path) }
    }
}
