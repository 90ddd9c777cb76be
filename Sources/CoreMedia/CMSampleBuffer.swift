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

/// One picture with its time and its kind.
public final class CMSampleBuffer: Sendable {
    /// Nil in a buffer that only tells of a dropped frame.
    public let imageBuffer: CVImageBuffer?
    public let formatDescription: CMFormatDescription?
    private let timing: CMSampleTimingInfo
    private let valid = Mutex(true)
    let attached = Mutex<[String: Attachment]>([:])

    package init(imageBuffer: CVImageBuffer?, formatDescription: CMFormatDescription?, timing: CMSampleTimingInfo) {
        self.imageBuffer = imageBuffer
        self.formatDescription = formatDescription
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
    public var duration: CMTime { timing.duration }
    public var numSamples: CMItemCount { imageBuffer == nil ? 0 : 1 }
    public var isValid: Bool { valid.withLock { $0 } }
    public var dataReadiness: DataReadiness { .ready }
    public func invalidate() throws { valid.withLock { $0 = false } }

    public enum DataReadiness: Sendable { case ready, notReady }

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
