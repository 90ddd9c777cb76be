import Foundation

/// A file or directory that could not be written: which, why, and what to do.
public struct OutputError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// Kind of failure, from the errno or from a refusal of ours.
    public enum Code: String, Sendable {
        /// Something of that name is there already.
        case exists
        /// The directory to write into is missing.
        case missingDirectory
        case permissionDenied
        case diskFull
        /// The name belongs to something that must not be replaced: a device, or a directory where a file is wanted.
        case wrongKind
        /// The name belongs to a file where a directory is wanted.
        case notDirectory
        /// It is an input of the same command, or holds one.
        case isInput
        /// The directory holds what was not written by this program, or was changed since.
        case foreign
        /// Another run writes into the directory.
        case busy
        case failed
    }

    /// Kind of failure.
    public var code: Code
    /// The name the caller gave, not the temporary's.
    public var path: String
    /// Underlying errno; 0 when the refusal is ours.
    public var underlying: Int32
    /// Verb of the failed step: `create`, `write`, `rename the finished output`…
    public var action: String
    /// Obstacle: the input, the files of somebody else, the other run; empty where `code` says it all.
    public var other: String

    /// Creates an error; `underlying` is an errno, `other` names what stands in the way.
    public init(code: Code, path: String, underlying: Int32 = 0, action: String, other: String = "") {
        self.code = code
        self.path = path
        self.underlying = underlying
        self.action = action
        self.other = other
    }

    /// Creates an error from an errno, which decides its code.
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

    /// Message with path, action, errno's text and a remedy, on one line.
    public var description: String {
        let text = underlying == 0 ? "" : " (\(String(cString: strerror(underlying))))"
        switch code {
        case .exists: return "\(path): exists already; use --force to replace it"
        case .missingDirectory:
            return "\(path): cannot \(action): the directory \(OutputPath(path).directory) is missing\(text); create it first"
        case .permissionDenied: return "\(path): cannot \(action): no permission\(text)"
        case .diskFull: return "\(path): cannot \(action): no room left\(text); free some space or write elsewhere"
        case .wrongKind: return "\(path): cannot \(action): this name is a directory or a device, not a plain file"
        case .notDirectory: return "\(path): cannot \(action): this name is a file, and a directory is wanted; choose another name"
        case .isInput:
            let what = other == path ? "it is an input of this command" : "it is, or holds, \(other), an input of this command"
            return "\(path): cannot \(action): \(what); choose another name"
        case .foreign:
            let what = "it holds what rackfocus did not write, or what was changed since"
            return "\(path): cannot \(action): \(what): \(other); move that, or choose another name"
        case .busy: return "\(path): cannot \(action): \(other) is writing into it; wait for its end, or choose another name"
        case .failed: return "\(path): cannot \(action)\(text)"
        }
    }

    /// Same text as `description`, for Foundation.
    public var errorDescription: String? { description }
}
