import Support

/// Unusable sample of cinematic metadata: the field at fault and the reason.
public struct CinematicSampleError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Fault in words.
    public var reason: String
    /// Whether the sample is of a version that is not known, rather than damaged.
    public var isOfLaterVersion: Bool

    /// Creates an error.
    public init(_ reason: String, isOfLaterVersion: Bool = false) {
        self.reason = reason.excerpt()
        self.isOfLaterVersion = isOfLaterVersion
    }

    /// The reason.
    public var description: String { reason }
}
