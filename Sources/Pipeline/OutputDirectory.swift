import Foundation
import Synchronization

/// A directory of results that takes its name only when all of its files are written.
///
///     let run = try OutputDirectory(path: "movie.run", replacingExisting: false)
///     try run.write(trace, to: "trace.jsonl")
///     try run.commit()
public final class OutputDirectory: Sendable {
    /// The name the directory will have.
    public let path: String
    /// Where the files go until then.
    public let temporaryPath: String
    private let replacesExisting: Bool
    private let isFlushed: Bool
    private let state: Mutex<State>

    private struct State {
        var isOpen = true
        var slots: [UnfinishedOutput.Slot]
        var names: [String] = []
    }

    /// Refuses at once what could not be committed: an existing name, a missing parent, no permission. One that is not `isFlushed` appears
    /// whole as well, but may be lost in a power cut, and leaves what a killed process left to ``removeOrphans(in:)``: for results by the
    /// thousand.
    public init(path: String, replacingExisting: Bool, isFlushed: Bool = true) throws(OutputError) {
        var target = path
        while target.count > 1, target.hasSuffix("/") { target.removeLast() }
        var status = stat()
        if lstat(target, &status) == 0 {
            guard replacingExisting else { throw OutputError(code: .exists, path: target, action: "create") }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw OutputError(errno: ENOTDIR, path: target, action: "replace") }
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

    /// Where a file of this name is to be written, for libraries that open files by name. The file goes if the directory is given up.
    ///
    /// A name may begin with one folder, `frames/frame-3.png`, which is made when it is not there.
    public func temporaryPath(of name: String) -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        precondition((1...2).contains(parts.count) && !parts.contains(""), "a file of an output directory lies in it, or in a folder of it")
        let file = temporaryPath + "/" + name
        state.withLock {
            guard $0.isOpen else { return }
            if parts.count == 2, register(String(parts[0]), in: &$0) { mkdir(temporaryPath + "/" + parts[0], 0o777) }
            _ = register(name, in: &$0)
        }
        return file
    }

    /// False when the name was there already.
    private func register(_ name: String, in state: inout State) -> Bool {
        guard !state.names.contains(name) else { return false }
        state.names.append(name)
        state.slots.append(UnfinishedOutput.register(temporaryPath + "/" + name))
        return true
    }

    /// Writes a whole file.
    public func write(_ bytes: some ContiguousBytes, to name: String) throws(OutputError) {
        let file = temporaryPath(of: name)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputError(errno: errno, path: path + "/" + name, action: "create") }
        let failed = bytes.withUnsafeBytes { OutputFile.writeAll($0, to: descriptor) }
        let synced = failed == nil && isFlushed && fsync(descriptor) != 0 ? errno : failed
        close(descriptor)
        if let synced { throw OutputError(errno: synced, path: path + "/" + name, action: "write") }
    }

    /// Writes a whole text file as UTF-8.
    public func write(_ text: String, to name: String) throws(OutputError) { try write(Array(text.utf8), to: name) }

    /// Gives the directory its name; on any error all of it is removed and `path` is as before.
    public func commit() throws(OutputError) {
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

    /// Removes what killed processes left unfinished in a directory.
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
