import CoreVideo
import Foundation

/// Fills `timingArrayOut` with the one timing that holds for all samples; -12737 where it has no room for it, and says that one is needed.
@discardableResult
public func CMSampleBufferGetSampleTimingInfoArray(
    _ sbuf: CMSampleBuffer, entryCount timingArrayEntries: CMItemCount, arrayToFill timingArrayOut: UnsafeMutablePointer<CMSampleTimingInfo>?,
    entriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    entriesNeededOut?.pointee = 1
    guard let timingArrayOut else { return noErr }
    guard timingArrayEntries >= 1 else { return kCMSampleBufferError_ArrayTooSmall }
    return CMSampleBufferGetSampleTimingInfo(sbuf, at: 0, timingInfoOut: timingArrayOut)
}

/// Makes a buffer of data of any format: compressed pictures, or sound. -12731 for more than one timing or a negative count.
///
/// Of the timing the first entry holds for all samples. Sizes, allocator, `dataReady` and the callback are ignored, as data is always ready.
@discardableResult
public func CMSampleBufferCreate(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, dataReady: Bool, makeDataReadyCallback: ((CMSampleBuffer) -> OSStatus)?,
    refcon: UnsafeMutableRawPointer?, formatDescription: CMFormatDescription?, sampleCount: CMItemCount, sampleTimingEntryCount: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: CMItemCount, sampleSizeArray: UnsafePointer<Int>?,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard sampleCount >= 0, (0...1).contains(sampleTimingEntryCount), (sampleTimingEntryCount == 0) == (sampleTimingArray == nil) else {
        return kCMSampleBufferError_RequiredParameterMissing
    }
    sampleBufferOut.pointee = CMSampleBuffer(
        dataBuffer: dataBuffer, formatDescription: formatDescription, numSamples: sampleCount, timing: sampleTimingArray?.pointee ?? .invalid)
    return noErr
}

/// Makes a buffer of data of any format: compressed pictures, or sound. As `CMSampleBufferCreate`.
@discardableResult
public func CMSampleBufferCreateReady(
    allocator: CFAllocator?, dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, sampleCount: CMItemCount,
    sampleTimingEntryCount: CMItemCount, sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleSizeEntryCount: CMItemCount,
    sampleSizeArray: UnsafePointer<Int>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreate(
        allocator: allocator, dataBuffer: dataBuffer, dataReady: true, makeDataReadyCallback: nil, refcon: nil, formatDescription: formatDescription,
        sampleCount: sampleCount, sampleTimingEntryCount: sampleTimingEntryCount, sampleTimingArray: sampleTimingArray,
        sampleSizeEntryCount: sampleSizeEntryCount, sampleSizeArray: sampleSizeArray, sampleBufferOut: sampleBufferOut)
}

/// Marks the buffer as invalid; its data stays reachable. Returns `noErr`.
@discardableResult
public func CMSampleBufferInvalidate(_ sbuf: CMSampleBuffer) -> OSStatus {
    sbuf.markInvalid()
    return noErr
}
