import CoreVideo
import Foundation
import Synchronization

public typealias CMItemCount = Int
public let kCMSampleBufferError_RequiredParameterMissing: OSStatus = -12731
public let kCMSampleBufferError_InvalidMediaFormat: OSStatus = -12743

/// When a sample is shown, decoded, and for how long.
public struct CMSampleTimingInfo: Sendable {
    public var duration: CMTime
    public var presentationTimeStamp: CMTime
    public var decodeTimeStamp: CMTime

    public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        self.duration = duration
        self.presentationTimeStamp = presentationTimeStamp
        self.decodeTimeStamp = decodeTimeStamp
    }

    public static let invalid = CMSampleTimingInfo()
}

/// One picture, or many samples of sound, with time and kind.
public final class CMSampleBuffer: Sendable {
    /// Nil for sound, and in a buffer that only tells of a dropped frame.
    public let imageBuffer: CVImageBuffer?
    /// The samples of sound; nil for a picture.
    public let dataBuffer: CMBlockBuffer?
    public let numSamples: CMItemCount
    public let formatDescription: CMFormatDescription?
    private let timing: CMSampleTimingInfo
    private let valid = Mutex(true)
    let attached = Mutex<[String: Attachment]>([:])

    package init(imageBuffer: CVImageBuffer?, formatDescription: CMFormatDescription?, timing: CMSampleTimingInfo) {
        self.imageBuffer = imageBuffer
        dataBuffer = nil
        numSamples = imageBuffer == nil ? 0 : 1
        self.formatDescription = formatDescription
        self.timing = timing
    }

    /// Samples in a row; `timing` has the time of the first and how long one of them is.
    init(dataBuffer: CMBlockBuffer, formatDescription: CMFormatDescription?, numSamples: CMItemCount, timing: CMSampleTimingInfo) {
        imageBuffer = nil
        self.dataBuffer = dataBuffer
        self.numSamples = numSamples
        self.formatDescription = formatDescription
        self.timing = timing
    }

    /// The same picture or sound at other times.
    init(_ original: CMSampleBuffer, timing: CMSampleTimingInfo) {
        (imageBuffer, dataBuffer, numSamples) = (original.imageBuffer, original.dataBuffer, original.numSamples)
        formatDescription = original.formatDescription
        self.timing = timing
    }

    /// A buffer of one picture.
    public convenience init(
        imageBuffer: CVImageBuffer, formatDescription: CMVideoFormatDescription, sampleTiming: CMSampleTimingInfo
    ) throws {
        guard formatDescription == CMFormatDescription(of: imageBuffer) else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_InvalidMediaFormat))
        }
        self.init(imageBuffer: imageBuffer, formatDescription: formatDescription, timing: sampleTiming)
    }

    public var presentationTimeStamp: CMTime { timing.presentationTimeStamp }
    public var outputPresentationTimeStamp: CMTime { timing.presentationTimeStamp }
    public var decodeTimeStamp: CMTime { timing.decodeTimeStamp }
    /// Of all its samples; of a dropped frame, how long that would have been.
    public var duration: CMTime {
        guard numSamples > 1, timing.duration.isNumeric else { return timing.duration }
        return CMTime(value: timing.duration.value * Int64(numSamples), timescale: timing.duration.timescale)
    }
    public var isValid: Bool { valid.withLock { $0 } }
    public var dataReadiness: DataReadiness { .ready }
    public func invalidate() throws { valid.withLock { $0 = false } }

    public enum DataReadiness: Sendable { case ready, notReady }

    /// One for all samples: each is as long as the first.
    public func sampleTimingInfos() throws -> [CMSampleTimingInfo] { [timing] }
}

public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { sbuf.imageBuffer }
public func CMSampleBufferGetFormatDescription(_ sbuf: CMSampleBuffer) -> CMFormatDescription? { sbuf.formatDescription }
public func CMSampleBufferGetPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.presentationTimeStamp }
public func CMSampleBufferGetOutputPresentationTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.outputPresentationTimeStamp }
public func CMSampleBufferGetDecodeTimeStamp(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.decodeTimeStamp }
public func CMSampleBufferGetDuration(_ sbuf: CMSampleBuffer) -> CMTime { sbuf.duration }
public func CMSampleBufferGetNumSamples(_ sbuf: CMSampleBuffer) -> CMItemCount { sbuf.numSamples }
public func CMSampleBufferIsValid(_ sbuf: CMSampleBuffer) -> Bool { sbuf.isValid }
public func CMSampleBufferDataIsReady(_ sbuf: CMSampleBuffer) -> Bool { true }

/// Makes a buffer of one picture. The allocator is ignored.
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
