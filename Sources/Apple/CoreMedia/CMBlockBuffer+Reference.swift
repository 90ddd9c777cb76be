import CoreVideo

/// Option to copy bytes that lie in one piece already.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 2

extension CMBlockBuffer {
    /// Returns a buffer of a range of this one's memory, which it holds; nil where the range is not within it.
    fileprivate func reference(to offset: Int, _ length: Int) -> CMBlockBuffer? {
        part(offset, length).flatMap { part in try? CMBlockBuffer(buffer: part) { _, _ in withExtendedLifetime(self) {} } }
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
    let length = dataLength == 0 ? bufferReference.dataLength - offsetToData : dataLength
    guard let part = bufferReference.reference(to: offsetToData, length) else { return kCMBlockBufferBadOffsetParameterErr }
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
    let length = dataLength == 0 ? sourceBuffer.dataLength - offsetToData : dataLength
    guard let part = sourceBuffer.part(offsetToData, length), let copy = try? CMBlockBuffer(length: length) else {
        return kCMBlockBufferBadOffsetParameterErr
    }
    copy.bytes.copyMemory(from: UnsafeRawBufferPointer(part))
    blockBufferOut.pointee = copy
    return kCMBlockBufferNoErr
}

/// Whether a range of the bytes lies in one piece; a `length` of 0 means all from `offset` on.
public func CMBlockBufferIsRangeContiguous(_ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int) -> Bool {
    theBuffer.part(offset, length == 0 ? theBuffer.dataLength - offset : length) != nil
}
