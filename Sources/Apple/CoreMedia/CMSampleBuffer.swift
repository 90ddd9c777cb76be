import CoreVideo
import Foundation
import Synchronization

/// Count or index of samples.
public typealias CMItemCount = Int
/// Error -12731: a value that the call needs is missing.
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
/// Error -12734: there is no sample at the index.
public let kCMSampleBufferError_SampleIndexOutOfRange: OSStatus = -12734
/// Error -12743: the format description does not fit the data.
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743

/// Duration, presentation time and decode time of a sample.
public struct CMSampleTimingInfo: Sendable {
    /// Duration of one sample; may be invalid.
    public var duration: CMTime
    /// Time to show the sample, or to play its first frame of sound.
    public var presentationTimeStamp: CMTime
    /// Time to decode the sample; invalid where it is the presentation time, as for all media here.
    public var decodeTimeStamp: CMTime

    /// Makes a timing of three invalid times.
    public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

    /// Makes a timing from its three times; not checked.
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        self.duration = duration
        self.presentationTimeStamp = presentationTimeStamp
        self.decodeTimeStamp = decodeTimeStamp
    }

    /// Timing of three invalid times.
    public static let invalid = CMSampleTimingInfo()
}

/// One picture, or many samples of sound, with time and format.
public final class CMSampleBuffer: _SendableReference, @unchecked Sendable {
    /// Picture of the sample; nil for sound, and in a buffer that only reports a dropped frame.
    public let imageBuffer: CVImageBuffer?
    /// Bytes of the sound; nil for a picture.
    public let dataBuffer: CMBlockBuffer?
    /// Number of samples: 1 for a picture, frames for sound, 0 for a dropped frame.
    public let numSamples: CMItemCount
    /// Format of the media; nil where it is not known.
    public let formatDescription: CMFormatDescription?
    private let timing: CMSampleTimingInfo
    private let outputTime = Mutex<CMTime?>(nil)
    private let valid = Mutex(true)
    let attached = Mutex<[String: Attachment]>([:])
    /// Attachments of the single samples, the same for all; nil without any.
    let perSample = Mutex(PerSample())

    /// Dictionary that apps may hold and write, as on Apple's systems one thread at a time.
    struct PerSample: @unchecked Sendable {
        var dictionary: NSMutableDictionary?

        mutating func make() -> PerSample {
            if dictionary == nil { dictionary = NSMutableDictionary() }
            return self
        }
    }

    package init(imageBuffer: CVImageBuffer?, formatDescription: CMFormatDescription?, timing: CMSampleTimingInfo) {
        self.imageBuffer = imageBuffer
        dataBuffer = nil
        numSamples = imageBuffer == nil ? 0 : 1
        self.formatDescription = formatDescription
        self.timing = timing
    }

    /// Makes a row of samples; `timing` has the time of the first and the duration of each.
    package init(dataBuffer: CMBlockBuffer?, formatDescription: CMFormatDescription?, numSamples: CMItemCount, timing: CMSampleTimingInfo) {
        imageBuffer = nil
        self.dataBuffer = dataBuffer
        self.numSamples = numSamples
        self.formatDescription = formatDescription
        self.timing = timing
    }

    /// Makes a buffer of the same picture or sound at other times.
    init(_ original: CMSampleBuffer, timing: CMSampleTimingInfo) {
        (imageBuffer, dataBuffer, numSamples) = (original.imageBuffer, original.dataBuffer, original.numSamples)
        formatDescription = original.formatDescription
        self.timing = timing
    }

    /// Makes a buffer of one picture; throws -12743 where the format is not the picture's.
    public convenience init(
        imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription, sampleTiming: CMSampleTimingInfo
    ) throws {
        guard formatDescription == CMFormatDescription(of: imageBuffer) else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_InvalidMediaFormat))
        }
        self.init(imageBuffer: imageBuffer, formatDescription: formatDescription, timing: sampleTiming)
    }

    /// Time to show the picture, or to play the first sample.
    public var presentationTimeStamp: CMTime { timing.presentationTimeStamp }
    /// The presentation time, since nothing is trimmed or played at another rate, unless another was set.
    public var outputPresentationTimeStamp: CMTime { outputTime.withLock { $0 } ?? timing.presentationTimeStamp }
    /// Sets the time at which the sample is to come out; an invalid one is the presentation time again.
    public func setOutputPresentationTimeStamp(_ outputPresentationTimeStamp: CMTime) throws {
        outputTime.withLock { $0 = outputPresentationTimeStamp.isValid ? outputPresentationTimeStamp : nil }
    }
    /// Time to decode the sample; invalid where it is the presentation time.
    public var decodeTimeStamp: CMTime { timing.decodeTimeStamp }
    /// Duration of all its samples; of a dropped frame, the duration it would have had.
    public var duration: CMTime {
        guard numSamples > 1, timing.duration.isNumeric else { return timing.duration }
        return CMTime(value: timing.duration.value * Int64(numSamples), timescale: timing.duration.timescale)
    }
    /// Whether the buffer may be used: true until `invalidate()`.
    public var isValid: Bool { valid.withLock { $0 } }
    /// State of the data, which is always ready here.
    public var dataReadiness: DataReadiness { .ready }
    /// Marks the buffer as invalid; its data stays reachable.
    public func invalidate() throws { markInvalid() }
    func markInvalid() { valid.withLock { $0 = false } }

    /// State of a sample's data.
    public enum DataReadiness: Sendable {
        /// The data is in memory.
        case ready
        /// The data is still being made; never so here.
        case notReady
    }

    /// Returns one timing that holds for all samples: the time of the first and the duration of each.
    public func sampleTimingInfos() throws -> [CMSampleTimingInfo] { [timing] }

    /// Returns the timing of one sample, the same for all but its time; throws -12734 for an index that there is none at.
    public func sampleTimingInfo(at index: Int) throws -> CMSampleTimingInfo {
        guard (0..<numSamples).contains(index) else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_SampleIndexOutOfRange))
        }
        guard index > 0, timing.duration.isNumeric else { return timing }
        var result = timing
        result.presentationTimeStamp = timing.presentationTimeStamp + CMTimeMultiply(timing.duration, multiplier: Int32(index))
        return result
    }

    /// Bytes of all samples; 0 for a picture that is not coded.
    public var totalSampleSize: Int { dataBuffer.map(CMBlockBufferGetDataLength) ?? 0 }
}

/// Returns the picture; nil for sound or a dropped frame.
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }
/// Returns the format of the media; nil where it is not known.
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? { sbuf.formatDescription }
/// Returns the time to show the picture, or to play the first sample.
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.presentationTimeStamp }
/// Sets the time at which the sample is to come out; an invalid one is the presentation time again. Returns 0.
@discardableResult
public func CMSampleBufferSetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer, newValue outputPresentationTimeStamp: CMTime) -> OSStatus {
    (try? sbuf.setOutputPresentationTimeStamp(outputPresentationTimeStamp)) == nil ? kCMSampleBufferError_RequiredParameterMissing : 0
}
/// Returns the presentation time, since nothing is trimmed or played at another rate, unless another was set.
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.outputPresentationTimeStamp }
/// Returns the time to decode the sample; invalid where it is the presentation time.
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.decodeTimeStamp }
/// Returns the duration of all samples.
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }
/// Returns the number of samples: 1 for a picture, frames for sound, 0 for a dropped frame.
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }
/// Whether the buffer has not been invalidated.
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }
/// Whether the data is in memory, which it always is here.
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { true }

/// Makes a buffer of one picture; -12743 where the format is not the picture's. The allocator is ignored.
@discardableResult
public func CMSampleBufferCreateReadyWithImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription,
    sampleTiming: UnsafePointer<CMSampleTimingInfo>, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard formatDescription == CMFormatDescription(of: imageBuffer) else { return kCMSampleBufferError_InvalidMediaFormat }
    sampleBufferOut.pointee = CMSampleBuffer(
        imageBuffer: imageBuffer, formatDescription: formatDescription, timing: sampleTiming.pointee)
    return 0
}
