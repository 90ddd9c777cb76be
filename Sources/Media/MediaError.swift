import Foundation

/// Footage that could not be read or written: which file, what was being done, what FFmpeg said, what to do.
public struct MediaError: Error, Sendable, Equatable, CustomStringConvertible, LocalizedError {
    public enum Code: String, Sendable {
        /// There is no such file, or no permission to read it.
        case missingFile
        /// No container or picture format FFmpeg knows.
        case unknownFormat
        case noVideoStream
        case unknownCodec
        /// Damaged data.
        case corrupt
        /// Fewer frames than the file promised.
        case truncated
        /// Two files that belong together differ in size or length.
        case mismatch
        /// Well-formed, but not something we work with.
        case unsupported
        /// FFmpeg was built without the encoder.
        case missingEncoder
        case encodingFailed
    }

    public var code: Code
    /// The file concerned.
    public var path: String
    /// What was wrong, and what to do.
    public var reason: String
    /// The AVERROR beneath; nil when the refusal is ours.
    public var underlying: Int32?
    /// What FFmpeg says of `underlying`, with its log line when it wrote one.
    public var underlyingText: String?

    public init(code: Code, path: String, reason: String, underlying: Int32? = nil, underlyingText: String? = nil) {
        self.code = code
        self.path = path
        self.reason = reason
        self.underlying = underlying
        self.underlyingText = underlyingText
    }

    public var description: String {
        let detail = underlyingText.map { " (FFmpeg: \($0))" } ?? ""
        return "\(path): \(reason)\(detail)"
    }

    public var errorDescription: String? { description }
}
