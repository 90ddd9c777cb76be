import CoreVideo
import Foundation
import Synchronization

public typealias CMAttachmentMode = UInt32
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// Why a frame was dropped: one of the `kCMSampleBufferDroppedFrameReason_…`.
public let kCMSampleBufferAttachmentKey_DroppedFrameReason: CFString = "DroppedFrameReason"
/// The client was still busy with an earlier frame.
public let kCMSampleBufferDroppedFrameReason_FrameWasLate: CFString = "FrameWasLate"
/// The client holds all buffers there are.
public let kCMSampleBufferDroppedFrameReason_OutOfBuffers: CFString = "OutOfBuffers"
/// Nobody knows how many frames are missing.
public let kCMSampleBufferDroppedFrameReason_Discontinuity: CFString = "Discontinuity"
/// What is known beside the reason of a drop.
public let kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo: CFString = "DroppedFrameReasonInfo"
/// The camera went over to another mode, format or camera.
public let kCMSampleBufferDroppedFrameReasonInfo_CameraModeSwitch: CFString = "CameraModeSwitch"

/// What is attached to the sample under `key`, and its mode through `attachmentModeOut`; nil when nothing is.
public func CMGetAttachment(
    _ target: CMSampleBuffer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> (any Sendable)? {
    guard let attachment = target.attached.withLock({ $0[key] }) else { return nil }
    attachmentModeOut?.pointee = attachment.mode
    return attachment.value
}

/// Attaches `value` to the sample under `key`; nil takes away what was there.
public func CMSetAttachment(_ target: CMSampleBuffer, key: CFString, value: (any Sendable)?, attachmentMode: CMAttachmentMode) {
    target.attached.withLock { $0[key] = value.map { CMSampleBuffer.Attachment(value: $0, mode: attachmentMode) } }
}

extension CMSampleBuffer {
    struct Attachment: Sendable {
        let value: any Sendable
        let mode: CMAttachmentMode
    }
}
