import CoreVideo
import Foundation

extension CMSampleBuffer {
    /// Copies a range of the frames of uncompressed sound into buffers of the same layout; without a range all of them.
    ///
    /// Throws -12743 for what is not uncompressed sound, -12734 for frames that there are none of, -12737 for buffers that are fewer or too small.
    public func copyPCMData(fromRange range: Range<Int>? = nil, into bufferList: UnsafeMutableAudioBufferListPointer) throws {
        guard let stream = formatDescription?.audioStreamBasicDescription, stream.mFormatID == kAudioFormatLinearPCM else {
            throw CMBlockBuffer.error(kCMSampleBufferError_InvalidMediaFormat)
        }
        let range = range ?? 0..<numSamples
        guard range.lowerBound >= 0, range.upperBound <= numSamples else { throw CMBlockBuffer.error(kCMSampleBufferError_SampleIndexOutOfRange) }
        let frame = Int(stream.mBytesPerFrame)
        try withAudioBufferList { own, _ in
            guard own.count == bufferList.count, bufferList.allSatisfy({ $0.mData != nil && Int($0.mDataByteSize) >= range.count * frame }) else {
                throw CMBlockBuffer.error(kCMSampleBufferError_ArrayTooSmall)
            }
            for (source, target) in zip(own, bufferList) {
                guard let from = source.mData, let to = target.mData else { continue }
                to.copyMemory(from: from + range.lowerBound * frame, byteCount: range.count * frame)
            }
        }
    }

    /// Makes a buffer of a range of another one's samples, with its format, times and attachments; throws -12734 for samples that there are none of, and
    /// -12743 for packets of compressed sound, whose bounds are not known.
    public convenience init(copying original: CMSampleBuffer, forRange range: Range<Int>) throws {
        guard !range.isEmpty, range.lowerBound >= 0, range.upperBound <= original.numSamples else {
            throw CMBlockBuffer.error(kCMSampleBufferError_SampleIndexOutOfRange)
        }
        let timing = try original.sampleTimingInfo(at: range.lowerBound)
        if range == 0..<original.numSamples {
            self.init(original, timing: timing)
        } else {
            guard let data = original.dataBuffer, let stream = original.formatDescription?.audioStreamBasicDescription, stream.mBytesPerFrame > 0
            else {
                throw CMBlockBuffer.error(kCMSampleBufferError_InvalidMediaFormat)
            }
            let frame = Int(stream.mBytesPerFrame)
            let buffers = stream.isInterleaved ? 1 : Int(stream.mChannelsPerFrame)
            let part = try CMBlockBuffer(length: buffers * range.count * frame)
            for buffer in 0..<buffers {
                guard let source = data.part((buffer * original.numSamples + range.lowerBound) * frame, range.count * frame) else {
                    throw CMBlockBuffer.error(kCMSampleBufferError_InvalidSampleData)
                }
                try part.withUnsafeMutableBytes(atOffset: buffer * range.count * frame) { $0.copyMemory(from: UnsafeRawBufferPointer(source)) }
            }
            self.init(dataBuffer: part, formatDescription: original.formatDescription, numSamples: range.count, timing: timing)
        }
        CMPropagateAttachments(original, destination: self)
    }

    /// Returns the bytes of a sample: those of a frame of sound, or of a coded picture; 0 for another index, and for a picture that is not coded.
    public func sampleSize(at index: Int) -> Int { (0..<numSamples).contains(index) ? totalSampleSize / numSamples : 0 }
}

/// Copies frames of uncompressed sound into buffers of the same layout, as of an `AVAudioPCMBuffer`; -12743, -12734 or -12737 where that cannot be.
@discardableResult
public func CMSampleBufferCopyPCMDataIntoAudioBufferList(
    _ sbuf: CMSampleBuffer, at frameOffset: Int32, frameCount numFrames: Int32, into bufferList: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
    guard frameOffset >= 0, numFrames >= 0 else { return kCMSampleBufferError_SampleIndexOutOfRange }
    let range = Int(frameOffset)..<Int(frameOffset) + Int(numFrames)
    do {
        try sbuf.copyPCMData(fromRange: range, into: UnsafeMutableAudioBufferListPointer(bufferList))
        return noErr
    } catch { return OSStatus((error as NSError).code) }
}

/// Makes a buffer of a range of another one's samples; -12734 or -12743 where that cannot be. The allocator is ignored.
@discardableResult
public func CMSampleBufferCopySampleBufferForRange(
    allocator: CFAllocator?, sampleBuffer sbuf: CMSampleBuffer, sampleRange: CFRange, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard sampleRange.location >= 0, sampleRange.length >= 0 else { return kCMSampleBufferError_SampleIndexOutOfRange }
    do {
        sampleBufferOut.pointee = try CMSampleBuffer(
            copying: sbuf, forRange: sampleRange.location..<sampleRange.location + sampleRange.length)
        return noErr
    } catch { return OSStatus((error as NSError).code) }
}

/// Returns the bytes of a sample; 0 for an index that there is none at, and for a picture that is not coded.
public func CMSampleBufferGetSampleSize(_ sbuf: CMSampleBuffer, at sampleIndex: CMItemCount) -> Int { sbuf.sampleSize(at: sampleIndex) }
/// Fills in the bytes of the samples: one entry, since all are of one size. -12735 for a picture that is not coded, -12737 without room for it.
@discardableResult
public func CMSampleBufferGetSampleSizeArray(
    _ sbuf: CMSampleBuffer, entryCount: CMItemCount, arrayToFill: UnsafeMutablePointer<Int>?, entriesNeededOut: UnsafeMutablePointer<CMItemCount>?
) -> OSStatus {
    guard sbuf.totalSampleSize > 0 else { return kCMSampleBufferError_BufferHasNoSampleSizes }
    entriesNeededOut?.pointee = 1
    guard let arrayToFill else { return noErr }
    guard entryCount >= 1 else { return kCMSampleBufferError_ArrayTooSmall }
    arrayToFill.pointee = sbuf.sampleSize(at: 0)
    return noErr
}

/// Returns the bytes of all samples; 0 for a picture that is not coded.
public func CMSampleBufferGetTotalSampleSize(_ sbuf: CMSampleBuffer) -> Int { sbuf.totalSampleSize }
/// Returns the duration of all samples, since nothing is trimmed or played at another rate.
public func CMSampleBufferGetOutputDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }
/// Makes the data ready, which it always is.
@discardableResult
public func CMSampleBufferMakeDataReady(_ sbuf: CMSampleBuffer) -> OSStatus { noErr }
