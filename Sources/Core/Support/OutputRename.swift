import Foundation

/// Atomic rename of a finished temporary, in one step of the file system.
enum OutputRename {
    private typealias RenameAt2 = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// `renameat2` and its flags stand behind `_GNU_SOURCE`, which Swift's Glibc module does not define, so the linker is asked for it.
    private static let renameAt2: RenameAt2? = dlsym(nil, "renameat2").map { unsafeBitCast($0, to: RenameAt2.self) }
    private static let noReplace: UInt32 = 1
    private static let exchange: UInt32 = 2

    /// Renames a file; without `replacingExisting` it never replaces one that appeared meanwhile. Whether an old one ended up under `source`: with
    /// `keepingOld`, where there was one and the file system can exchange names.
    static func file(_ source: String, to path: String, replacingExisting: Bool, keepingOld: Bool) -> Result<Bool, OutputError> {
        if replacingExisting, !keepingOld { return rename(source, path) == 0 ? .success(false) : .failure(failure(errno, path)) }
        let refused = withFlags(noReplace, source, path)
        switch refused {
        case 0: return .success(false)
        case EEXIST where replacingExisting:
            if withFlags(exchange, source, path) == 0 { return .success(true) }
            fallthrough
        case EINVAL where replacingExisting, ENOSYS where replacingExisting:
            return rename(source, path) == 0 ? .success(false) : .failure(failure(errno, path))
        case EINVAL, ENOSYS:
            // Some network file systems know no flags; a hard link refuses an existing name as well.
            guard link(source, path) == 0 else { return .failure(failure(errno, path)) }
            unlink(source)
            return .success(false)
        default: return .failure(failure(refused, path))
        }
    }

    /// Renames a directory; an old one that may be replaced ends up under `source`. Whether there was one.
    static func directory(_ source: String, to path: String, replacingExisting: Bool) -> Result<Bool, OutputError> {
        let refused = withFlags(noReplace, source, path)
        if refused == 0 { return .success(false) }
        guard refused == EEXIST, replacingExisting else { return .failure(failure(refused, path)) }
        let exchanged = withFlags(exchange, source, path)
        return exchanged == 0 ? .success(true) : .failure(failure(exchanged, path))
    }

    /// Undoes a rename: what lies under `path` goes back to `source`, and what it replaced comes back.
    static func back(_ path: String, to source: String, hasReplaced: Bool) -> OutputError? {
        let refused = withFlags(hasReplaced ? exchange : noReplace, path, source)
        guard refused != 0 else { return nil }
        let other = hasReplaced ? "what was there before, now \(source)" : ""
        return OutputError(code: .failed, path: path, underlying: refused, action: "bring back \(other.isEmpty ? "its absence" : other)")
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
