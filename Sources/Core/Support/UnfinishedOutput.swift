import Foundation
import Synchronization

/// The temporaries of this process, removed when SIGINT, SIGTERM, SIGHUP or SIGQUIT ends it.
///
/// The first output installs a handler for each of these signals that still has its default action; the handler removes what is unfinished
/// and ends the process by the same signal. A program with handlers of its own calls ``removeAll()`` in them.
public enum UnfinishedOutput {
    private typealias Path = UnsafeMutablePointer<CChar>
    private typealias ReadEntries = @convention(c) (_ folder: Int32, _ entries: UnsafeMutableRawPointer, _ bytes: Int) -> Int

    /// More unfinished outputs than this at one time are not covered by the handler.
    static let capacity = 256

    /// Allocated once and never freed, since a signal may come at any time. `taken` and `entries` are the handler's scratch.
    private struct Table: @unchecked Sendable {
        static let entryBytes = 32768
        /// `getdents64` stands behind `_GNU_SOURCE`, which Swift's Glibc module does not define, so the linker is asked for it.
        let readEntries: ReadEntries? = dlsym(nil, "getdents64").map { unsafeBitCast($0, to: ReadEntries.self) }
        let slots = UnsafeMutablePointer<Atomic<Path?>>.allocate(capacity: capacity)
        let taken = UnsafeMutablePointer<Path?>.allocate(capacity: capacity)
        let entries = UnsafeMutableRawPointer.allocate(byteCount: entryBytes, alignment: 8)

        init() {
            for index in 0..<capacity { (slots + index).initialize(to: Atomic(nil)) }
            taken.initialize(repeating: nil, count: capacity)
        }
    }

    private static let table = Table()
    private static let counter = Atomic<Int>(0)
    private static let handlers: Void = installHandlers()

    static func nextNumber() -> Int { counter.add(1, ordering: .relaxed).newValue }

    /// Slot of the table; exchanging the path out of it passes its ownership.
    package struct Slot: Sendable {
        fileprivate let index: Int?

        package func release() {
            guard let index, let path = table.slots[index].exchange(nil, ordering: .acquiringAndReleasing) else { return }
            free(path)
        }
    }

    /// Registers a temporary, to be called before it is created unless its name may be taken: a file, or a folder with the files in it.
    package static func register(_ path: String) -> Slot {
        _ = handlers
        guard let copy = strdup(path) else { return Slot(index: nil) }
        for index in 0..<capacity
        where table.slots[index].compareExchange(expected: nil, desired: copy, ordering: .acquiringAndReleasing).exchanged {
            return Slot(index: index)
        }
        free(copy)
        return Slot(index: nil)
    }

    /// Removes every unfinished temporary: files first, then the folders, innermost first. Async-signal-safe.
    public static func removeAll() {
        let table = table
        for index in 0..<capacity {
            guard let path = table.slots[index].exchange(nil, ordering: .acquiringAndReleasing) else { continue }
            table.taken[index] = path
            unlink(path)
        }
        for _ in 0..<3 {
            for index in 0..<capacity {
                guard let path = table.taken[index] else { continue }
                empty(path)
                rmdir(path)
            }
        }
    }

    /// Removes the files that lie in a folder, any number of them; what is no folder is left alone.
    private static func empty(_ path: Path) {
        let entries = table.entries
        guard let read = table.readEntries else { return }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        while case let end = read(folder, entries, Table.entryBytes), end > 0 {
            var offset = 0
            while offset < end {
                // struct linux_dirent64: d_ino, d_off, then d_reclen at 16, d_type, and d_name at 19.
                unlinkat(folder, (entries + offset + 19).assumingMemoryBound(to: CChar.self), 0)
                offset += Int((entries + offset).load(fromByteOffset: 16, as: UInt16.self))
            }
        }
        close(folder)
    }

    private static func installHandlers() {
        _ = table
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            var current = sigaction()
            guard sigaction(number, nil, &current) == 0, current.__sigaction_handler.sa_handler == nil else { continue }
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                UnfinishedOutput.removeAll()
                signal(number, SIG_DFL)
                raise(number)
            }
            action.sa_flags = Int32(SA_RESTART)
            sigaction(number, &action, nil)
        }
    }
}
