import AVFoundation
import Foundation

/// Domain of this framework's errors as `NSError`.
public let CNCinematicErrorDomain = "CNCinematicErrorDomain"

/// Error of a cinematic movie; the error beneath is under `NSUnderlyingErrorKey` of `userInfo`.
public struct CNCinematicError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// Number of an error.
    public enum Code: Int, Sendable {
        /// Error 1: any other failure.
        case unknown = 1
        /// Error 2: the file cannot be read.
        case unreadable = 2
        /// Error 3: a track that makes a movie cinematic is missing.
        case incomplete = 3
        /// Error 4: the metadata are damaged.
        case malformed = 4
        /// Error 5: the metadata are of a version that is not known.
        case unsupported = 5
        /// Error 6: the changes are of another movie.
        case incompatible = 6
        /// Error 7: the progress was cancelled.
        case cancelled = 7
        /// Error 8: what is needed could not be fetched; never here.
        case downloadFailed = 8
    }

    /// Number of the error.
    public let code: Code
    private let error: NSError

    /// Makes an error with a number and details.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        error = NSError(domain: CNCinematicErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    init(_ code: Code, reason: String, underlying: (any Error)? = nil) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: reason]
        info[NSUnderlyingErrorKey] = underlying
        self.init(code, userInfo: info)
    }

    /// Error of an asset; `reason` reads on from its name.
    init(_ code: Code, of asset: AVAsset, reason: String, underlying: (any Error)? = nil) {
        let name = (asset as? AVURLAsset)?.url.lastPathComponent ?? "the movie"
        var info: [String: Any] = [NSLocalizedDescriptionKey: "\(name) \(reason)", NSLocalizedFailureReasonErrorKey: reason]
        info[NSUnderlyingErrorKey] = underlying
        self.init(code, userInfo: info)
    }

    /// Fault in words that read on from the name of the movie; nil where they are a sentence.
    package var reasonAfterName: String? { userInfo[NSLocalizedFailureReasonErrorKey] as? String }

    /// Domain of the error: `CNCinematicErrorDomain`.
    public static var errorDomain: String { CNCinematicErrorDomain }
    /// Raw value of the error's number.
    public var errorCode: Int { code.rawValue }
    /// Details of the error, by the keys of `NSError`.
    public var errorUserInfo: [String: Any] { error.userInfo }
    /// Details of the error, by the keys of `NSError`.
    public var userInfo: [String: Any] { error.userInfo }
    /// Text of the error.
    public var localizedDescription: String { error.localizedDescription }
    /// Text of the error; never nil.
    public var errorDescription: String? { error.localizedDescription }
    /// Error 1: any other failure.
    public static var unknown: Code { .unknown }
    /// Error 2: the file cannot be read.
    public static var unreadable: Code { .unreadable }
    /// Error 3: a track that makes a movie cinematic is missing.
    public static var incomplete: Code { .incomplete }
    /// Error 4: the metadata are damaged.
    public static var malformed: Code { .malformed }
    /// Error 5: the metadata are of a version that is not known.
    public static var unsupported: Code { .unsupported }
    /// Error 6: the changes are of another movie.
    public static var incompatible: Code { .incompatible }
    /// Error 7: the progress was cancelled.
    public static var cancelled: Code { .cancelled }
}
