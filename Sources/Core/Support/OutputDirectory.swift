import Foundation
import Synchronization

/// A directory of results that takes its name only when all of its files are written, with a manifest of them (`OutputManifest`).
///
/// It replaces a directory only if that holds nothing but what its own manifest lists, unchanged.
///
///     let run = try OutputDirectory(path: "movie.run", replacingExisting: false)
///     try run.write(trace, to: "trace.jsonl")
///     try run.commit()
public final class OutputDirectory: PendingOutput {
    /// Final path of the directory.
    public let path: String
    /// Hidden directory beside it, in which files lie until `commit()`.
    public let temporaryPath: String
    private let replacesExisting: Bool
    private let isFlushed: Bool
    private let state: Mutex<State>

    private struct State {
        var isOpen = true
        /// Whether something had the name before; nil unless published and not concluded.
        var hasReplaced: Bool?
        var slots: [UnfinishedOutput.Slot]
        var folders: Set<String> = []
        var manifest = OutputManifest()
        /// Digest and length of the files that grow.
        var growing: [String: (digest: SHA256, bytes: Int)] = [:]
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
        let descriptor = SystemCall.repeated { open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw OutputError(errno: errno, path: path + "/" + name, action: "create") }
        let failed = bytes.withUnsafeBytes { OutputFile.writeAll($0, to: descriptor) }
        let synced = failed == nil && isFlushed && SystemCall.repeated { fsync(descriptor) } != 0 ? errno : failed
        let closed = SystemCall.close(descriptor)
        if let failure = synced ?? closed { throw OutputError(errno: failure, path: path + "/" + name, action: "write") }
        let listed = isReproducible ? bytes.withUnsafeBytes { OutputManifest.File(Array($0)) } : OutputManifest.File()
        state.withLock { state in
            if name == OutputManifest.name { state.isSealed = true } else { state.manifest.files[name] = listed }
        }
    }

    /// Appends to a file that grows while the directory is not published; the first call makes it, with nothing in it yet.
    public func append(_ bytes: [UInt8], to name: String) throws(OutputError) {
        let file = prepare(name)
        let descriptor = SystemCall.repeated { open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw OutputError(errno: errno, path: path + "/" + name, action: "create") }
        let failed = bytes.withUnsafeBytes { OutputFile.writeAll($0, to: descriptor) }
        let closed = SystemCall.close(descriptor)
        if let failure = failed ?? closed { throw OutputError(errno: failure, path: path + "/" + name, action: "write") }
        state.withLock { state in
            let before = state.growing[name] ?? (SHA256(), 0)
            state.growing[name] = (before.digest.adding(bytes), before.bytes + bytes.count)
        }
    }

    /// Place of a file that the caller writes by itself before the directory is published; it is listed without its digest.
    public func reserve(_ name: String) -> String {
        let file = prepare(name)
        state.withLock { $0.manifest.files[name] = OutputManifest.File() }
        return file
    }

    /// Takes back a place that was reserved; the file is removed where it is there.
    public func release(_ name: String) {
        state.withLock { _ = $0.manifest.files.removeValue(forKey: name) }
        unlink(temporaryPath + "/" + name)
    }

    /// Makes the folders that a file lies in; its place.
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
        }
        return file
    }

    /// Writes a whole text file as UTF-8.
    public func write(_ text: String, to name: String) throws(OutputError) { try write(Array(text.utf8), to: name) }

    /// Writes the manifest, after which nothing but its name is missing. Whoever writes a file `manifest.json` has done so himself.
    private func seal() throws(OutputError) {
        let growing = state.withLock { $0.growing.keys.sorted() }
        if isFlushed { for name in growing { try flush(name) } }
        let sealed = state.withLock { state -> OutputManifest? in
            for name in growing {
                guard let file = state.growing[name] else { continue }
                state.manifest.files[name] = OutputManifest.File(bytes: file.bytes, sha256: file.digest.hexadecimal)
            }
            return state.isSealed ? nil : state.manifest
        }
        guard let manifest = sealed else { return }
        guard let json = try? manifest.json else { preconditionFailure("names and numbers can be written as JSON") }
        try write(json, to: OutputManifest.name)
    }

    /// Flushes a file that has grown.
    private func flush(_ name: String) throws(OutputError) {
        let descriptor = SystemCall.repeated { open(temporaryPath + "/" + name, O_WRONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw OutputError(errno: errno, path: path + "/" + name, action: "write") }
        let failed = SystemCall.repeated { fsync(descriptor) } == 0 ? nil : errno
        if let failure = failed ?? SystemCall.close(descriptor) { throw OutputError(errno: failure, path: path + "/" + name, action: "write") }
    }

    /// Gives the directory its name; on any error all of it is removed and `path` is as before.
    public func commit() throws(OutputError) {
        try PendingOutputs.publish([self])
    }

    /// Gives the directory its name; on any error nothing of it is left and `path` is as before.
    public func publish(keepingOld: Bool) throws(OutputError) {
        do throws(OutputError) {
            try seal()
            if replacesExisting, access(path, F_OK) == 0, let refusal = OutputError.refusal(toReplace: path) { throw refusal }
        } catch {
            discard()
            throw error
        }
        let failure = state.withLock { state -> OutputError? in
            guard state.isOpen else { return OutputError(errno: EBADF, path: path, action: "commit") }
            switch OutputRename.directory(temporaryPath, to: path, replacingExisting: replacesExisting) {
            case .success(let hasReplaced):
                (state.isOpen, state.hasReplaced) = (false, hasReplaced)
                return nil
            case .failure(let error): return error
            }
        }
        if let failure {
            discard()
            throw failure
        }
    }

    /// Takes the name away again, gives it back to what had it before, and removes this directory.
    public func retract() throws(OutputError) {
        let failure = state.withLock { state -> OutputError? in
            guard let hasReplaced = state.hasReplaced else { return nil }
            let failure = OutputRename.back(path, to: temporaryPath, hasReplaced: hasReplaced)
            state.hasReplaced = nil
            end(&state, removing: failure == nil)
            return failure
        }
        if let failure { throw failure }
    }

    /// Removes what had the name before; harmless where `publish` was not called.
    public func conclude() {
        state.withLock { state in
            guard state.hasReplaced != nil else { return }
            state.hasReplaced = nil
            end(&state, removing: true)
        }
        if isFlushed { OutputFile.syncDirectory(of: path) }
    }

    private func end(_ state: inout State, removing: Bool) {
        if removing { Self.removeTree(temporaryPath) }
        for slot in state.slots { slot.release() }
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

    /// Removes a file, or a directory with all that is in it. The name is gone in one step: a process that is killed meanwhile leaves an orphan
    /// (``removeOrphans(in:)``), never a directory that has lost its manifest.
    public static func remove(_ path: String) throws(OutputError) {
        let temporary = OutputPath(path).temporary(UnfinishedOutput.nextNumber())
        guard rename(path, temporary) == 0 else { throw OutputError(errno: errno, path: path, action: "remove") }
        do { try FileManager.default.removeItem(atPath: temporary) } catch {
            let code = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError)?.code ?? Int(EIO)
            throw OutputError(errno: Int32(truncatingIfNeeded: code), path: path, action: "remove")
        }
    }

    /// Leftovers of killed processes of a target, which go when it is opened again, but for those with nothing in them; one that cannot be listed may have
    /// something.
    public static func orphans(of path: String) -> [String] {
        OutputPath(path).orphans.filter { (try? FileManager.default.contentsOfDirectory(atPath: $0))?.isEmpty != true }
    }

    /// Removes the temporaries that killed processes left in a directory.
    public static func removeOrphans(in directory: String) { OutputPath.removeOrphans(in: directory) }

    /// The same in the directory that a path lies in.
    public static func removeOrphans(beside path: String) { removeOrphans(in: OutputPath(path).directory) }

    /// Gives up; nothing is left. Harmless after `commit()`.
    public func discard() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            end(&state, removing: true)
        }
    }

    /// Most often there is nothing left to remove: the directory has its name.
    private static func removeTree(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0 { try? FileManager.default.removeItem(atPath: path) }
    }
}
