import CoreVideo
import Foundation

/// Result 0: success.
public let kCMBlockBufferNoErr: OSStatus = 0
/// Error -12700: no memory for the buffer object; never returned here.
public let kCMBlockBufferStructureAllocationFailedErr: OSStatus = -12700
/// Error -12701: no memory for its bytes; never returned here.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// Error -12702: what gives the bytes is unknown; never returned here, and apps return it themselves.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// Error -12703: an offset in bytes, or the range from it, lies outside the buffer.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// Error -12704: a length in bytes is negative or beyond the block.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
/// Error -12705: a pointer is nil.
public let kCMBlockBufferBadPointerParameterErr: OSStatus = -12705
/// Error -12706: the buffer holds no bytes.
public let kCMBlockBufferEmptyBBufErr: OSStatus = -12706
/// Error -12707: the bytes have no memory yet; never returned here.
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707
/// Error -12708: there is no room for another block; never returned here.
public let kCMBlockBufferInsufficientSpaceErr: OSStatus = -12708

/// Options of making a block buffer; accepted and ignored.
public typealias CMBlockBufferFlags = UInt32
/// Option to allocate at once, which always happens here.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1

/// Contiguous bytes. As on Apple's systems access is not synchronized: a writer makes sure that nobody reads.
public final class CMBlockBuffer: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    private let release: () -> Void

    /// Makes a buffer of `length` zero bytes; throws -12704 for a negative length.
    public init(length: Int) throws {
        guard length >= 0 else { throw CMBlockBuffer.error(kCMBlockBufferBadLengthParameterErr) }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
        self.bytes = bytes
        release = { bytes.deallocate() }
    }

    /// Takes over `buffer`; `deallocator` is called with it at the end. Throws -12705 for a buffer without an address.
    public init(
        buffer: UnsafeMutableRawBufferPointer, deallocator: @escaping (UnsafeMutableRawPointer, Int) -> Void = { pointer, _ in pointer.deallocate() }
    ) throws {
        guard let base = buffer.baseAddress else { throw CMBlockBuffer.error(kCMBlockBufferBadPointerParameterErr) }
        bytes = buffer
        release = { deallocator(base, buffer.count) }
    }

    deinit { release() }

    /// Length in bytes.
    public var dataLength: Int { bytes.count }
    /// Whether the length is 0.
    public var isEmpty: Bool { bytes.isEmpty }
    /// Whether the bytes lie in one piece, which they always do here.
    public var isContiguous: Bool { true }

    /// Returns a copy of the bytes.
    public func dataBytes() throws -> Data { Data(bytes) }

    /// Fills `destination` from the first byte on, as far as there are bytes; the rest of it stays as it is.
    public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
        destination.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.prefix(destination.count)))
    }

    /// Overwrites the bytes from `offset` on; throws -12703 where `source` would reach beyond the end.
    public func replaceDataBytes(with source: some ContiguousBytes, at offset: Int = 0) throws {
        try source.withUnsafeBytes { source in
            guard let part = part(offset, source.count) else { throw CMBlockBuffer.error(kCMBlockBufferBadOffsetParameterErr) }
            part.copyMemory(from: source)
        }
    }

    /// Overwrites every byte.
    public func fillDataBytes(with fillByte: UInt8) throws { _ = bytes.initializeMemory(as: UInt8.self, repeating: fillByte) }

    /// Calls `body` with the memory itself from `offset` on; throws -12703 for an offset outside of it.
    public func withUnsafeMutableBytes<R>(atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> R) throws -> R {
        guard let part = part(offset, bytes.count - offset) else { throw CMBlockBuffer.error(kCMBlockBufferBadOffsetParameterErr) }
        return try body(part)
    }

    /// Calls `body` with the memory itself, to read.
    public func withContiguousStorage<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R { try body(UnsafeRawBufferPointer(bytes)) }

    /// Returns a range of the bytes; nil where it is not within them.
    func part(_ offset: Int, _ length: Int) -> UnsafeMutableRawBufferPointer? {
        guard offset >= 0, length >= 0, offset <= bytes.count, length <= bytes.count - offset else { return nil }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + length])
    }

    static func error(_ code: OSStatus) -> NSError { NSError(domain: NSOSStatusErrorDomain, code: Int(code)) }
}

/// Makes a buffer of `dataLength` bytes of `memoryBlock` from `offsetToData` on, or of memory of its own where there is no block.
///
/// The block is freed in the end, as `malloc` gave it, unless `blockAllocator` is `kCFAllocatorNull`. `allocator`, `customBlockSource` and
/// `flags` are ignored.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
    allocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int, blockAllocator: CFAllocator?,
    customBlockSource: UnsafeRawPointer?, offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
    blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
    guard offsetToData >= 0, dataLength >= 0, dataLength <= blockLength - offsetToData else { return kCMBlockBufferBadLengthParameterErr }
    let isLent = blockAllocator === kCFAllocatorNull
    blockBufferOut.pointee =
        if let memoryBlock {
            try? CMBlockBuffer(buffer: UnsafeMutableRawBufferPointer(start: memoryBlock + offsetToData, count: dataLength)) { _, _ in
                if !isLent { free(memoryBlock) }
            }
        } else {
            try? CMBlockBuffer(length: dataLength)
        }
    return kCMBlockBufferNoErr
}

/// Returns the length in bytes.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }
/// Whether the length is 0.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

/// Copies a range of the bytes into `destination`; -12703 where it is not within the buffer.
@discardableResult
public func CMBlockBufferCopyDataBytes(
    _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int, destination: UnsafeMutableRawPointer
) -> OSStatus {
    guard let part = theSourceBuffer.part(offsetToData, dataLength) else { return kCMBlockBufferBadOffsetParameterErr }
    destination.copyMemory(from: part.baseAddress ?? destination, byteCount: dataLength)
    return kCMBlockBufferNoErr
}

/// Returns the memory from `offset` on; the lengths in bytes, from there and in all, may be left out.
@discardableResult
public func CMBlockBufferGetDataPointer(
    _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?, totalLengthOut: UnsafeMutablePointer<Int>?,
    dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
    guard offset < theBuffer.dataLength, let part = theBuffer.part(offset, theBuffer.dataLength - offset) else {
        return theBuffer.isEmpty ? kCMBlockBufferEmptyBBufErr : kCMBlockBufferBadOffsetParameterErr
    }
    lengthAtOffsetOut?.pointee = part.count
    totalLengthOut?.pointee = theBuffer.dataLength
    dataPointerOut?.pointee = part.baseAddress?.assumingMemoryBound(to: CChar.self)
    return kCMBlockBufferNoErr
}

/// Copies `dataLength` bytes into the buffer; -12703 where they would reach beyond its end.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
    with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
    guard let part = destinationBuffer.part(offsetIntoDestination, dataLength) else { return kCMBlockBufferBadOffsetParameterErr }
    part.copyMemory(from: UnsafeRawBufferPointer(start: sourceBytes, count: dataLength))
    return kCMBlockBufferNoErr
}

/// Overwrites `dataLength` bytes with one value; -12703 where they would reach beyond the end.
@discardableResult
public func CMBlockBufferFillDataBytes(
    with fillByte: CChar, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
    guard let part = destinationBuffer.part(offsetIntoDestination, dataLength) else { return kCMBlockBufferBadOffsetParameterErr }
    _ = part.initializeMemory(as: UInt8.self, repeating: UInt8(bitPattern: fillByte))
    return kCMBlockBufferNoErr
}
