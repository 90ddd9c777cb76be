import Foundation
import Synchronization

/// Files of a sequence that take their names together when all are written; until then they lie in a hidden directory beside them.
///
///     let shots = try OutputSequence(path: "out.%04d.png", existing: [], replacingExisting: false)
///     try shots.write(data, to: "out.0001.png")
///     try shots.commit()
public final class OutputSequence: PendingOutput {
    /// Pattern as the caller gave it, for errors.
    public let path: String
    private let folder: String
    private let temporaryPath: String
    private let existing: [String]
    private let state: Mutex<State>

    private struct State {
        var isOpen = true
        /// Nil from where on old files may lie in the hidden directory, which no signal is to take.
        var slot: UnfinishedOutput.Slot?
        /// In the order of writing.
        var names: [String] = []
        /// Names given so far, and names whose old files lie in the hidden directory.
        var given: [String] = []
        var kept: [String] = []
    }

    /// Creates the hidden directory; throws `OutputError` for one that is missing, and for `existing` files that are not to be replaced.
    ///
    /// - Parameter existing: names of files of the same sequence, which go when this one comes.
    public init(path: String, existing: [String], replacingExisting: Bool) throws(OutputError) {
        let place = OutputPath(path)
        if let first = existing.first, !replacingExisting {
            throw OutputError(code: .exists, path: "\(place.directory)/\(first)", action: "create")
        }
        (self.path, self.existing, folder) = (path, existing, place.directory)
        place.removeOrphans()
        temporaryPath = place.temporary(UnfinishedOutput.nextNumber())
        let slot = UnfinishedOutput.register(temporaryPath)
        guard mkdir(temporaryPath, 0o777) == 0 else {
            let failure = errno
            slot.release()
            throw OutputError(errno: failure, path: path, action: "create")
        }
        state = Mutex(State(slot: slot))
    }

    deinit { discard() }

    /// Writes a whole file; throws `OutputError`.
    public func write(_ bytes: some ContiguousBytes, to name: String) throws(OutputError) {
        let file = try OutputFile(path: "\(temporaryPath)/\(name)", replacingExisting: false)
        do throws(OutputError) {
            try file.write(bytes)
            try file.commit()
        } catch {
            throw OutputError(errno: error.underlying, path: "\(folder)/\(name)", action: error.action)
        }
        state.withLock { $0.names.append(name) }
    }

    /// Gives the files their names, together with `others`: all are there in the end or, after an error, none.
    public func commit(with others: [any PendingOutput] = []) throws(OutputError) {
        do throws(OutputError) { try PendingOutputs.publish(others + [self]) } catch {
            discard()
            throw error
        }
    }

    /// Gives the files their names; on any error all is as before.
    public func publish(keepingOld: Bool) throws(OutputError) {
        let failure = state.withLock { state -> OutputError? in
            guard state.isOpen else { return OutputError(errno: EBADF, path: path, action: "commit") }
            state.slot?.release()
            state.slot = nil
            for name in existing {
                if let failure = move("\(folder)/\(name)", to: "\(temporaryPath)/old.\(name)") { return failure }
                state.kept.append(name)
            }
            for name in state.names {
                if let failure = move("\(temporaryPath)/\(name)", to: "\(folder)/\(name)") { return failure }
                state.given.append(name)
            }
            return nil
        }
        guard let failure else { return }
        try retract()
        throw failure
    }

    /// Takes the names away again, and gives old files theirs back.
    public func retract() throws(OutputError) {
        let failure = state.withLock { state -> OutputError? in
            for name in state.given { unlink("\(folder)/\(name)") }
            state.given = []
            while let name = state.kept.popLast() {
                if let failure = move("\(temporaryPath)/old.\(name)", to: "\(folder)/\(name)") { return failure }
            }
            return nil
        }
        if let failure { throw failure }
    }

    private func move(_ source: String, to target: String) -> OutputError? {
        switch OutputRename.file(source, to: target, replacingExisting: false, keepingOld: false) {
        case .success: nil
        case .failure(let error): OutputError(errno: error.underlying, path: target, action: "rename the finished output")
        }
    }

    /// Removes the old files.
    public func conclude() {
        discard()
        OutputFile.syncDirectory(of: path)
    }

    /// Gives up what has no name yet. Harmless after `commit()`.
    public func discard() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            do { try FileManager.default.removeItem(atPath: temporaryPath) } catch { return }
            state.slot?.release()
        }
    }
}
