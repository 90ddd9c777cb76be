/// View of an `AudioBufferList` in memory as a collection of its buffers; does not own the memory.
public struct UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    /// Address of the list.
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    /// Makes a view of the list at `p`.
    public init(_ p: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = p }

    /// Makes a view of the list at `p`; nil for nil.
    public init?(_ p: UnsafeMutablePointer<AudioBufferList>?) {
        guard let p else { return nil }
        unsafeMutablePointer = p
    }

    /// Address of the list, to read.
    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }

    /// Number of buffers in the list's head; setting it does not change the memory.
    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(newValue) }
    }

    /// First index, 0.
    public var startIndex: Int { 0 }
    /// Index after the last buffer.
    public var endIndex: Int { count }

    /// Buffer at `index`; traps outside of the list.
    public subscript(index: Int) -> AudioBuffer {
        get { buffer(index).pointee }
        nonmutating set { buffer(index).pointee = newValue }
    }

    private func buffer(_ index: Int) -> UnsafeMutablePointer<AudioBuffer> {
        precondition(index >= 0 && index < count, "the list has \(count) buffers, none at \(index)")
        let first = UnsafeMutableRawPointer(unsafeMutablePointer) + MemoryLayout<AudioBufferList>.offset(of: \.mBuffers)!
        return first.assumingMemoryBound(to: AudioBuffer.self) + index
    }
}
