import Foundation

/// Atomic rename of a finished temporary, in one step of the file system.
enum OutputRename {
    private typealias RenameAt2 = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// `renameat2` and its flags stand behind `_GNU_SOURCE`, which Swift's Glibc module does not define, so the linker is asked for it.
    private static let renameAt2: RenameAt2? = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: RenameAt2.self) }
    private static let noReplace: UInt32 = 1
    private static let exchange: UInt32 = 2

    /// Renames a file; without `replacingExisting` it never replaces one that appeared meanwhile.
    static func file(_ source: String, to path: String, replacingExisting: Bool) -> OutputError? {
        if replacingExisting { return rename(source, path) == 0 ? nil : failure(errno, path) }
        let refused = withFlags(noReplace, source, path)
        guard refused == EINVAL || refused == ENOSYS else { return refused == 0 ? nil : failure(refused, path) }
        // Some network file systems know no flags; a hard link refuses an existing name as well.
        guard link(source, path) == 0 else { return failure(errno, path) }
        unlink(source)
        return nil
    }

    /// Renames a directory; an old one that may be replaced ends up under `source`, for the caller to remove.
    static func directory(_ source: String, to path: String, replacingExisting: Bool) -> OutputError? {
        let refused = withFlags(noReplace, source, path)
        if refused == 0 { return nil }
        guard refused == EEXIST, replacingExisting else { return failure(refused, path) }
        let exchanged = withFlags(exchange, source, path)
        return exchanged == 0 ? nil : failure(exchanged, path)
    }

    /// Result of `renameat2`: 0, or the errno; ENOSYS where the C library lacks it.
    private static func withFlags(_ flags: UInt32, _ source: String, _ path: String) -> Int32 {
        guard let renameAt2 else { return ENOSYS }
        return renameAt2(AT_FDCWD, source, AT_FDCWD, path, flags) == 0 ? 0 : errno
    }

    private static func failure(_ number: Int32, _ path: String) -> OutputError {
        OutputError(errno: number, path: path, action: "rename the finished output")
    }
}
