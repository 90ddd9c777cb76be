import Foundation
import Synchronization

/// Atomically written file: a hidden temporary beside it takes its name only when it is complete.
///
/// Nothing half-written is ever seen under `path`. The temporary goes with `discard()`, with the last reference, and when SIGINT, SIGTERM or
/// SIGHUP ends the process (see ``UnfinishedOutput``); what a SIGKILL left goes when the same target is opened again.
///
///     let file = try OutputFile(path: "focus.svg", replacingExisting: false)
///     try file.write(svg)
///     try file.commit()
public final class OutputFile: PendingOutput {
    /// Final path of the file; symbolic links of an existing target are resolved.
    public let path: String
    /// Hidden temporary that holds the bytes until `commit()`; for libraries that open files by name.
    public let temporaryPath: String
    private let replacesExisting: Bool
    private let state: Mutex<State>

    private enum State {
        case open(descriptor: Int32, slot: UnfinishedOutput.Slot)
        /// Under its name; what had that before, where there was anything, lies under the temporary's.
        case published(slot: UnfinishedOutput.Slot, hasReplaced: Bool)
        case closed
    }

    /// Creates the temporary; throws at once what would fail the commit: an existing file, a missing directory, no permission, a name that is no
    /// plain file.
    public init(path: String, replacingExisting: Bool) throws(OutputError) {
        let target = try Self.target(of: path, replacingExisting: replacingExisting)
        self.path = target
        replacesExisting = replacingExisting
        OutputPath(target).removeOrphans()
        let created = try Self.create(for: target)
        temporaryPath = created.path
        state = Mutex(created.state)
    }

    deinit { discard() }

    /// Appends bytes to the temporary; throws `OutputError`.
    public func write(_ bytes: some ContiguousBytes) throws(OutputError) {
        let failure = state.withLock { state -> Int32? in
            guard case .open(let descriptor, _) = state else { return EBADF }
            return bytes.withUnsafeBytes { Self.writeAll($0, to: descriptor) }
        }
        if let failure { throw OutputError(errno: failure, path: path, action: "write") }
    }

    /// Appends text as UTF-8.
    public func write(_ text: String) throws(OutputError) { try write(Array(text.utf8)) }

    /// Publishes the file; on any error the temporary is removed and `path` is as before.
    ///
    /// `others` take their names with it: all of these outputs are there in the end or, after an error, none.
    public func commit(with others: [any PendingOutput] = []) throws(OutputError) {
        do throws(OutputError) {
            try PendingOutputs.publish(others + [self])
        } catch {
            discard()
            throw error
        }
    }

    /// Flushes to the disk and gives the file its name; on any error nothing of it is left and `path` is as before.
    public func publish(keepingOld: Bool) throws(OutputError) {
        let failure = state.withLock { state -> OutputError? in
            guard case .open(let descriptor, let slot) = state else { return OutputError(errno: EBADF, path: path, action: "commit") }
            let unflushed = SystemCall.repeated { fsync(descriptor) } == 0 ? nil : errno
            let lost = (SystemCall.close(descriptor) ?? unflushed).map { OutputError(errno: $0, path: path, action: "write") }
            let renamed =
                lost.map(Result.failure) ?? OutputRename.file(temporaryPath, to: path, replacingExisting: replacesExisting, keepingOld: keepingOld)
            switch renamed {
            case .success(let hasReplaced):
                state = .published(slot: slot, hasReplaced: hasReplaced)
                return nil
            case .failure(let error):
                state = .closed
                unlink(temporaryPath)
                slot.release()
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Takes the name away again, gives it back to what had it before, and removes this file.
    public func retract() throws(OutputError) {
        let failure = state.withLock { state -> OutputError? in
            guard case .published(let slot, let hasReplaced) = state else { return nil }
            state = .closed
            let failure = OutputRename.back(path, to: temporaryPath, hasReplaced: hasReplaced)
            if failure == nil { unlink(temporaryPath) }
            slot.release()
            return failure
        }
        if let failure { throw failure }
    }

    /// Removes what had the name before; harmless where `publish` was not called.
    public func conclude() {
        state.withLock { state in
            guard case .published(let slot, let hasReplaced) = state else { return }
            state = .closed
            if hasReplaced { unlink(temporaryPath) }
            slot.release()
        }
        Self.syncDirectory(of: path)
    }

    /// Gives up; nothing is left. Harmless after `commit()`.
    public func discard() {
        state.withLock { state in
            guard case .open(let descriptor, let slot) = state else { return }
            state = .closed
            close(descriptor)
            unlink(temporaryPath)
            slot.release()
        }
    }

    /// Refuses a name that is taken, as opening it does: for what the user named, where something of our own beside it would be refused first.
    public static func check(_ path: String, replacingExisting: Bool) throws(OutputError) {
        _ = try target(of: path, replacingExisting: replacingExisting)
    }

    /// The same for the names that the user gave: all but the one beside them.
    public static func check(_ paths: [String], beside own: String, replacingExisting: Bool) throws(OutputError) {
        for path in paths where path != own { try check(path, replacingExisting: replacingExisting) }
    }

    private static func target(of path: String, replacingExisting: Bool) throws(OutputError) -> String {
        var status = stat()
        guard !path.isEmpty, !path.hasSuffix("/") else { throw OutputError(code: .wrongKind, path: path, action: "create") }
        guard lstat(path, &status) == 0 else { return path }
        guard replacingExisting else { throw OutputError(code: .exists, path: path, action: "create") }
        guard stat(path, &status) == 0 else { return path }
        guard status.st_mode & S_IFMT == S_IFREG else { throw OutputError(code: .wrongKind, path: path, action: "replace") }
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func create(for path: String) throws(OutputError) -> (path: String, state: State) {
        while true {
            let temporary = OutputPath(path).temporary(UnfinishedOutput.nextNumber())
            let slot = UnfinishedOutput.register(temporary)
            let descriptor = SystemCall.repeated { open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
            if descriptor >= 0 { return (temporary, .open(descriptor: descriptor, slot: slot)) }
            let failure = errno
            slot.release()
            if failure != EEXIST { throw OutputError(errno: failure, path: path, action: "create") }
        }
    }

    package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
        var rest = bytes
        while let base = rest.baseAddress, rest.count > 0 {
            let count = SystemCall.repeated { Foundation.write(descriptor, base, rest.count) }
            if count < 0 { return errno }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return nil
    }
}

extension OutputFile {
    /// Makes a rename survive a power cut; a file system that cannot do so is left alone.
    static func syncDirectory(of path: String) {
        let descriptor = SystemCall.repeated { open(OutputPath(path).directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        SystemCall.repeated { fsync(descriptor) }
        close(descriptor)
    }
}
