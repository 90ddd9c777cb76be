import Foundation
import Pipeline

/// Failure to read or write media: the file, the reason, FFmpeg's words and a remedy.
public struct MediaError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    /// Kind of failure.
    public enum Code: String, Sendable {
        /// Missing or unreadable file.
        case missingFile
        /// Container or picture format unknown to FFmpeg.
        case unknownFormat
        case noVideoStream
        case unknownCodec
        /// Damaged data.
        case corrupt
        /// File shorter than its container promised.
        case truncated
        /// Files that belong together and differ in size, rate or length.
        case mismatch
        /// Well-formed media that the pipeline does not support.
        case unsupported
        /// Options that do not go together.
        case wrongOptions
        /// Encoder missing from this build of FFmpeg.
        case missingEncoder
        case encodingFailed
        /// FFmpeg had no memory for a frame, a packet or a stream.
        case outOfMemory
    }

    /// Kind of failure.
    public var code: Code
    /// Path of the file concerned.
    public var path: String
    /// Fault and remedy in words, to be read after the path.
    public var reason: String
    /// Underlying AVERROR; nil when the refusal is ours.
    public var underlying: Int32?
    /// Text of `underlying`, with FFmpeg's log line when it wrote one.
    public var underlyingText: String?

    /// Creates an error; `reason` reads on from the path.
    public init(code: Code, path: String, reason: String, underlying: Int32? = nil, underlyingText: String? = nil) {
        self.code = code
        self.path = path
        self.reason = reason
        self.underlying = underlying
        self.underlyingText = underlyingText
    }

    /// `path: reason (FFmpeg: …)`.
    public var description: String {
        let detail = underlyingText.map { " (FFmpeg: \($0))" } ?? ""
        return "\(path): \(reason)\(detail)"
    }

    /// Same text as `description`, for Foundation.
    public var errorDescription: String? { description }
}

extension MediaError: MediaFailure {
    /// Kind of the failure, as apps tell failures apart.
    public var kind: MediaFailureKind {
        switch code {
        case .missingFile: .missingFile
        case .unknownFormat: .unknownFormat
        case .unknownCodec: .missingDecoder
        case .corrupt, .truncated: .damaged
        case .noVideoStream, .mismatch, .unsupported, .wrongOptions: .unsupported
        case .missingEncoder: .missingEncoder
        case .outOfMemory: .outOfMemory
        case .encodingFailed: .other
        }
    }
}
