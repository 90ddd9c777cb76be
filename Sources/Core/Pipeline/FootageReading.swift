/// Choices of how the pictures of footage are read.
public struct FootageReading: Sendable {
    /// Whether frames bring their `original` where the footage has more than 8 bits, another matrix than BT.709's, or full range.
    public var keepsCoding: Bool
    /// Whether HLG and PQ are brought to the range of ordinary video, BT.709.
    public var toneMaps: Bool
    /// Part that is used: reading begins at its first frame, or before where the file has no index to find that by, and nothing is read of its end and
    /// what lies behind. Times and numbers stay those of the whole.
    public var span: FootageSpan

    /// Creates choices, by default of 8 bits in BT.709, no tone mapping and all frames.
    public init(keepsCoding: Bool = false, toneMaps: Bool = false, span: FootageSpan = FootageSpan()) {
        (self.keepsCoding, self.toneMaps, self.span) = (keepsCoding, toneMaps, span)
    }
}
