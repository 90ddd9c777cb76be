import CoreVideo
import Foundation
import Synchronization

/// How to show the sample as soon as it comes.
public let kCMSampleAttachmentKey_DisplayImmediately: CFString = "DisplayImmediately"
public let kCMSampleAttachmentKey_DoNotDisplay: CFString = "DoNotDisplay"
public let kCMSampleAttachmentKey_NotSync: CFString = "NotSync"

extension CMSampleBuffer {
    /// The same picture at other times.
    public convenience init(copying original: CMSampleBuffer, withNewTiming timing: [CMSampleTimingInfo]) throws {
        guard let first = timing.first, timing.count == 1 else {
            throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMSampleBufferError_RequiredParameterMissing))
        }
        self.init(imageBuffer: original.imageBuffer, formatDescription: original.formatDescription, timing: first)
        let copied = original.attached.withLock { $0 }
        attached.withLock { $0 = copied }
    }

    public convenience init(copying original: CMSampleBuffer) throws {
        try self.init(copying: original, withNewTiming: original.sampleTimingInfos())
    }

    /// What is attached to single samples: one set, for the one picture.
    public var sampleAttachments: [PerSampleAttachmentsDictionary] { [PerSampleAttachmentsDictionary(sample: self)] }

    public struct PerSampleAttachmentsDictionary: Sendable {
        let sample: CMSampleBuffer

        public struct Key: RawRepresentable, Hashable, Sendable {
            public let rawValue: String
            public init(rawValue: String) { self.rawValue = rawValue }
            public static let displayImmediately = Key(rawValue: kCMSampleAttachmentKey_DisplayImmediately)
            public static let doNotDisplay = Key(rawValue: kCMSampleAttachmentKey_DoNotDisplay)
            public static let notSync = Key(rawValue: kCMSampleAttachmentKey_NotSync)
        }

        public subscript(key: Key) -> (any Sendable)? {
            get { CMGetAttachment(sample, key: key.rawValue, attachmentModeOut: nil) }
            nonmutating set { CMSetAttachment(sample, key: key.rawValue, value: newValue, attachmentMode: kCMAttachmentMode_ShouldPropagate) }
        }
    }
}

/// Makes a buffer of one picture that is ready. The allocator is ignored.
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

@discardableResult
public func CMSampleBufferCreateCopy(
    allocator: CFAllocator?, sampleBuffer: CMSampleBuffer, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    sampleBufferOut.pointee = try? CMSampleBuffer(copying: sampleBuffer)
    return sampleBufferOut.pointee == nil ? kCMSampleBufferError_RequiredParameterMissing : noErr
}

@discardableResult
public func CMSampleBufferCreateCopyWithNewTiming(
    allocator: CFAllocator?, sampleBuffer: CMSampleBuffer, sampleTimingEntryCount: CMItemCount,
    sampleTimingArray: UnsafePointer<CMSampleTimingInfo>?, sampleBufferOut: UnsafeMutablePointer<CMSampleBuffer?>
) -> OSStatus {
    let timing = Array(UnsafeBufferPointer(start: sampleTimingArray, count: sampleTimingEntryCount))
    sampleBufferOut.pointee = try? CMSampleBuffer(copying: sampleBuffer, withNewTiming: timing)
    return sampleBufferOut.pointee == nil ? kCMSampleBufferError_RequiredParameterMissing : noErr
}

@discardableResult
public func CMSampleBufferGetSampleTimingInfo(
    _ sbuf: CMSampleBuffer, at sampleIndex: CMItemCount, timingInfoOut: UnsafeMutablePointer<CMSampleTimingInfo>
) -> OSStatus {
    guard let timing = try? sbuf.sampleTimingInfos(), timing.indices.contains(sampleIndex) else {
        return kCMSampleBufferError_RequiredParameterMissing
    }
    timingInfoOut.pointee = timing[sampleIndex]
    return noErr
}
