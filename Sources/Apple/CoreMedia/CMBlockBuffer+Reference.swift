import CoreVideo

/// Option to copy bytes that lie in one piece already.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 2

extension CMBlockBuffer {
    /// Returns the bytes of a range, all from `offset` on for a `length` of 0; nil where it is not within the buffer.
    fileprivate func range(_ offset: Int, _ length: Int) -> UnsafeMutableRawBufferPointer? {
        part(offset, length == 0 ? dataLength - offset : length)
    }
}

/// Makes a buffer of `dataLength` bytes of another one's memory from `offsetToData` on, or of all from there where that is 0.
///
/// -12703 where they are not within it. `allocator` and `flags` are ignored.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
    allocator: CFAllocator?, referenceBuffer bufferReference: CMBlockBuffer, offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    guard let range = bufferReference.range(offsetToData, dataLength),
        // It holds the other buffer.
        let part = try? CMBlockBuffer(buffer: range, deallocator: { _, _ in withExtendedLifetime(bufferReference) {} })
    else { return kCMBlockBufferBadOffsetParameterErr }
    blockBufferOut.pointee = part
    return kCMBlockBufferNoErr
}

/// Makes a buffer of a range of another one's bytes, as `CMBlockBufferCreateWithBufferReference`, and copies them where the flags ask for it.
///
/// `allocator`, `blockAllocator` and `customBlockSource` are ignored.
@discardableResult
public func CMBlockBufferCreateContiguous(
    allocator: CFAllocator?, sourceBuffer: CMBlockBuffer, blockAllocator: CFAllocator?, customBlockSource: UnsafeRawPointer?, offsetToData: Int,
    dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    guard flags & kCMBlockBufferAlwaysCopyDataFlag != 0 else {
        return CMBlockBufferCreateWithBufferReference(
            allocator: allocator, referenceBuffer: sourceBuffer, offsetToData: offsetToData, dataLength: dataLength, flags: flags,
            blockBufferOut: blockBufferOut)
    }
    guard let range = sourceBuffer.range(offsetToData, dataLength), let copy = try? CMBlockBuffer(length: range.count) else {
        return kCMBlockBufferBadOffsetParameterErr
    }
    copy.bytes.copyMemory(from: UnsafeRawBufferPointer(range))
    blockBufferOut.pointee = copy
    return kCMBlockBufferNoErr
}

/// Whether a range of the bytes lies in one piece; a `length` of 0 means all from `offset` on.
public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
    theBuffer.range(offset, length) != nil
}
