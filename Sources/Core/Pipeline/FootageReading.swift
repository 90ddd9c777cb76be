/// Choices of how the pictures of footage are read.
public struct FootageReading: Sendable {
    /// Whether frames bring their `original` where the footage has more than 8 bits, another matrix than BT.709's, or full range.
    public var keepsCoding: Bool
    /// Whether HLG and PQ are brought to the range of ordinary video, BT.709.
    public var toneMaps: Bool

    /// Creates choices, by default of 8 bits in BT.709 and no tone mapping.
    public init(keepsCoding: Bool = false, toneMaps: Bool = false) { (self.keepsCoding, self.toneMaps) = (keepsCoding, toneMaps) }
}
