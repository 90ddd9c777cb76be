import CoreVideo
import Foundation
import Synchronization

/// Whether an attachment is copied to samples made from this one; one of `kCMAttachmentMode_…`.
public typealias CMAttachmentMode = UInt32
/// Mode 0: the attachment stays with its sample.
public let kCMAttachmentMode_ShouldNotPropagate: CMAttachmentMode = 0
/// Mode 1: the attachment is copied to samples made from this one.
public let kCMAttachmentMode_ShouldPropagate: CMAttachmentMode = 1

/// Attachment key of the reason of a drop: one of the `kCMSampleBufferDroppedFrameReason_…`.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_DroppedFrameReason: CFString = "DroppedFrameReason"
/// Reason of a drop: the client was still busy with an earlier frame.
public nonisolated(unsafe) let kCMSampleBufferDroppedFrameReason_FrameWasLate: CFString = "FrameWasLate"
/// Reason of a drop: the client holds all buffers there are.
public nonisolated(unsafe) let kCMSampleBufferDroppedFrameReason_OutOfBuffers: CFString = "OutOfBuffers"
/// Reason of a drop: an unknown number of frames is missing.
public nonisolated(unsafe) let kCMSampleBufferDroppedFrameReason_Discontinuity: CFString = "Discontinuity"
/// Attachment key of details beside the reason of a drop.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo: CFString = "DroppedFrameReasonInfo"
/// Detail of a drop: the camera went over to another mode, format or camera.
public nonisolated(unsafe) let kCMSampleBufferDroppedFrameReasonInfo_CameraModeSwitch: CFString = "CameraModeSwitch"

/// Attachment key of the bytes of a `matrix_float3x3`: focal lengths and principal point in pixels.
public nonisolated(unsafe) let kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix: CFString = "CameraIntrinsicMatrix"

/// Returns the sample's attachment under `key`, and its mode through `attachmentModeOut`; nil when there is none.
public func CMGetAttachment(
    _ target: CMSampleBuffer, key: CFString, attachmentModeOut: UnsafeMutablePointer<CMAttachmentMode>?
) -> CFTypeRef? {
    guard let attachment = target.attached.withLock({ $0[key as String] }) else { return nil }
    attachmentModeOut?.pointee = attachment.mode
    return attachment.value
}

/// Attaches `value` to the sample under `key`; nil removes the attachment.
public func CMSetAttachment(_ target: CMSampleBuffer, key: CFString, value: CFTypeRef?, attachmentMode: CMAttachmentMode) {
    let attachment = value.map { CMSampleBuffer.Attachment(value: $0, mode: attachmentMode) }
    target.attached.withLock { $0[key as String] = attachment }
}

extension CMSampleBuffer {
    /// Value of a property list, which nobody changes.
    struct Attachment: @unchecked Sendable {
        let value: Any
        let mode: CMAttachmentMode
    }
}
