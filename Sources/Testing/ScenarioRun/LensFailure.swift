import Support

/// Frames that passed sharp because the lens failed on them, and why.
public struct LensFailure: Error, CustomStringConvertible {
    /// Number of such frames.
    public internal(set) var frames: Int
    /// Number of the first of them.
    let first: Int
    /// Failure on the first of them.
    public let underlying: any Error

    /// Sentence for people.
    public var description: String { "\(frames.counted("frame")) stayed sharp because the lens failed, first frame \(first): \(underlying)" }
}
