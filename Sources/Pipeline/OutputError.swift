import Foundation

/// A file or directory that could not be written: which, why, and what to do.
public struct OutputError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    public enum Code: String, Sendable {
        /// Something of that name is there already.
        case exists
        /// The directory to write into is missing.
        case missingDirectory
        case permissionDenied
        case diskFull
        /// The name belongs to something that must not be replaced: a device, or a directory where a file is wanted.
        case wrongKind
        case failed
    }

    public var code: Code
    /// The name the caller gave, not the temporary's.
    public var path: String
    /// The errno beneath; 0 when the refusal is ours.
    public var underlying: Int32
    /// What was being done: `create`, `write`, `rename`...
    public var action: String

    public init(code: Code, path: String, underlying: Int32 = 0, action: String) {
        self.code = code
        self.path = path
        self.underlying = underlying
        self.action = action
    }

    /// The error that an errno stands for.
    public init(errno number: Int32, path: String, action: String) {
        let code: Code =
            switch number {
            case EEXIST, ENOTEMPTY: .exists
            case ENOENT, ENOTDIR: .missingDirectory
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOSPC, EDQUOT, EFBIG: .diskFull
            case EISDIR: .wrongKind
            default: .failed
            }
        self.init(code: code, path: path, underlying: number, action: action)
    }

    public var description: String {
        let text = underlying == 0 ? "" : " (\(String(cString: strerror(underlying))))"
        switch code {
        case .exists: return "\(path): exists already; use --force to replace it"
        case .missingDirectory:
            return "\(path): cannot \(action): the directory \(OutputPath(path).directory) is missing\(text); create it first"
        case .permissionDenied: return "\(path): cannot \(action): no permission\(text)"
        case .diskFull: return "\(path): cannot \(action): no room left\(text); free some space or write elsewhere"
        case .wrongKind: return "\(path): cannot \(action): this name is a directory or a device, not a plain file"
        case .failed: return "\(path): cannot \(action)\(text)"
        }
    }

    public var errorDescription: String? { description }
}
