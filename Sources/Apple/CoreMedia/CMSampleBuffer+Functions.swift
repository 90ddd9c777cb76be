import CoreVideo
import Foundation
import Synchronization

/// Attachment key that has the sample shown as soon as it comes, whatever its time.
public nonisolated(unsafe) let kCMSampleAttachmentKey_DisplayImmediately: CFString = "DisplayImmediately"
/// Attachment key that keeps the sample from being shown.
public nonisolated(unsafe) let kCMSampleAttachmentKey_DoNotDisplay: CFString = "DoNotDisplay"
/// Attachment key of compressed samples that cannot be decoded alone; plain pictures never carry it.
public nonisolated(unsafe) let kCMSampleAttachmentKey_NotSync: CFString = "NotSync"
/// Attachment key of compressed samples that need others to be decoded.
public nonisolated(unsafe) let kCMSampleAttachmentKey_DependsOnOthers: CFString = "DependsOnOthers"
/// Attachment key of compressed samples that no other needs.
public nonisolated(unsafe) let kCMSampleAttachmentKey_IsDependedOnByOthers: CFString = "IsDependedOnByOthers"

extension CMSampleBuffer {
    /// Makes a buffer of the same picture or sound at another time, with the same attachments; throws unless `timing` has one entry.
    public convenience init(copying original: CMSampleBuffer, withNewTiming timing: [CMSampleTimingInfo]) throws {
        guard let first = timing.first, timing.count == 1 else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_RequiredParameterMissing))
        }
        self.init(original, timing: first)
        let copied = original.attached.withLock { $0 }
        attached.withLock { $0 = copied }
        let attachments = original.perSample.withLock { PerSample(dictionary: $0.dictionary?.mutableCopy() as? NSMutableDictionary) }
        perSample.withLock { $0 = attachments }
    }

    /// Makes a buffer of the same picture or sound, time and attachments; the memory is shared.
    public convenience init(copying original: CMSampleBuffer) throws {
        try self.init(copying: original, withNewTiming: original.sampleTimingInfos())
        try setOutputPresentationTimeStamp(original.outputPresentationTimeStamp)
    }

    /// Attachments of the single samples: one set, for the one picture.
    public var sampleAttachments: [PerSampleAttachmentsDictionary] { [PerSampleAttachmentsDictionary(sample: self)] }

    /// Attachments of one sample by key; reads and writes reach the buffer itself.
    public struct PerSampleAttachmentsDictionary: Sendable {
        let sample: CMSampleBuffer

        /// Name of an attachment of one sample.
        public struct Key: RawRepresentable, Hashable, Sendable {
            /// Name as the C constants have it, `kCMSampleAttachmentKey_…`.
            public nonisolated(unsafe) let rawValue: CFString
            /// Makes a key from its name; any name is accepted.
            public init(rawValue: CFString) { self.rawValue = rawValue }
            /// Shows the sample as soon as it comes.
            public static let displayImmediately = Key(rawValue: kCMSampleAttachmentKey_DisplayImmediately)
            /// Keeps the sample from being shown.
            public static let doNotDisplay = Key(rawValue: kCMSampleAttachmentKey_DoNotDisplay)
            /// Marks a compressed sample that cannot be decoded alone.
            public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
            /// Marks a compressed sample that needs others to be decoded.
            public static let dependsOnOthers = Key(rawValue: kCMSampleAttachmentKey_DependsOnOthers)
            /// Marks a compressed sample that others need.
            public static let isDependedOnByOthers = Key(rawValue: kCMSampleAttachmentKey_IsDependedOnByOthers)
        }

        /// Attachment under `key`, nil without one; copies have it, too; nil removes it.
        public subscript(key: Key) -> Any? {
            get { sample.perSample.withLock { $0 }.dictionary?[key.rawValue] }
            nonmutating set { sample.perSample.withLock { $0.make() }.dictionary?[key.rawValue] = newValue }
        }
    }
}

/// Makes a buffer of one picture; `dataReady` and the callback are ignored, as data is always ready. The allocator is ignored, too.
@discardableResult
public func CMSampleBufferCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, dataReady: Bool, makeDataReadyCallback: ((CMSampleBuffer) -> OSStatus)?,
    refcon: UnsafeMutableRawPointer?, formatDescription: CMVideoFormatDescription, sampleTiming: UnsafePointer<CMSampleTimingInfo>,
    sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    CMSampleBufferCreateReadyWithImageBuffer(
        allocator: allocator, imageBuffer: imageBuffer, formatDescription: formatDescription, sampleTiming: sampleTiming,
        sampleBufferOut: sampleBufferOut)
}

/// Makes a buffer of the same picture or sound, time and attachments. The allocator is ignored.
@discardableResult
public func CMSampleBufferCreateCopy(
    allocator: CFAllocator?, sampleBuffer: CMSampleBuffer, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    sampleBufferOut.pointee = try? CMSampleBuffer(copying: sampleBuffer)
    return sampleBufferOut.pointee == nil ? kCMSampleBufferError_RequiredParameterMissing : noErr
}

/// Makes a copy at another time; -12731 unless there is exactly one entry of timing. The allocator is ignored.
@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
    allocator: CFAllocator?, sampleBuffer: CMSampleBuffer, sampleTimingEntryCount: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    guard let sampleTimingArray, sampleTimingEntryCount == 1 else {
        sampleBufferOut.pointee = nil
        return kCMSampleBufferError_RequiredParameterMissing
    }
    sampleBufferOut.pointee = try? CMSampleBuffer(copying: sampleBuffer, withNewTiming: [sampleTimingArray.pointee])
    return sampleBufferOut.pointee == nil ? kCMSampleBufferError_RequiredParameterMissing : noErr
}

/// Returns the time of one sample; each follows the one before after its duration. -12731 for an index out of range.
@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
    _ sbuf: CMSampleBuffer, at sampleIndex: CMItemCount, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
    guard var timing = try? sbuf.sampleTimingInfos().first, sampleIndex >= 0, sampleIndex < max(sbuf.numSamples, 1) else {
        return kCMSampleBufferError_RequiredParameterMissing
    }
    if sampleIndex > 0 {
        let passed = CMTime(value: timing.duration.value * Int64(sampleIndex), timescale: timing.duration.timescale)
        timing.presentationTimeStamp = timing.presentationTimeStamp + passed
    }
    timingInfoOut.pointee = timing
    return noErr
}
