import Foundation
import Synchronization

/// Whether an attachment is copied when a picture is made from another one.
public enum CVAttachmentMode: UInt32, Sendable {
    /// Stays with the buffer it was attached to.
    case shouldNotPropagate = 0
    /// Is copied by `CVBufferPropagateAttachments`.
    case shouldPropagate = 1
}

/// Attachment key of the matrix between R'G'B' and Y'CbCr.
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
/// Y'CbCr matrix of ITU-R BT.709, for high definition; the one of all pictures made here.
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Y'CbCr matrix of ITU-R BT.601, for standard definition.
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
/// Y'CbCr matrix of ITU-R BT.2020 (non-constant luminance), for wide gamut.
public nonisolated(unsafe) let kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"
/// Attachment key of the chromaticities of red, green, blue and white.
public nonisolated(unsafe) let kCVImageBufferColorPrimariesKey: CFString = "CVImageBufferColorPrimaries"
/// Primaries of ITU-R BT.709, which sRGB shares.
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Primaries of DCI-P3 with the white point D65 (Display P3).
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_P3_D65: CFString = "P3_D65"
/// Primaries of ITU-R BT.2020.
public nonisolated(unsafe) let kCVImageBufferColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"
/// Attachment key of the opto-electronic transfer function.
public nonisolated(unsafe) let kCVImageBufferTransferFunctionKey: CFString = "CVImageBufferTransferFunction"
/// Transfer function of ITU-R BT.709.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
/// Hybrid log-gamma transfer function of ITU-R BT.2100.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
/// Perceptual quantizer transfer function of SMPTE ST 2084.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"

/// Transfer function of sRGB.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_sRGB: CFString = "IEC_sRGB"
/// Transfer function of linear light.
public nonisolated(unsafe) let kCVImageBufferTransferFunction_Linear: CFString = "Linear"
/// Attachment key of a `CGColorSpace`, which stands for primaries, transfer function and matrix.
public nonisolated(unsafe) let kCVImageBufferCGColorSpaceKey: CFString = "CGColorSpace"
/// Dictionary key of the attachments that propagate.
public nonisolated(unsafe) let kCVBufferPropagatedAttachmentsKey: CFString = "PropagatedAttachments"
/// Dictionary key of the attachments that stay with their buffer.
public nonisolated(unsafe) let kCVBufferNonPropagatedAttachmentsKey: CFString = "NonPropagatedAttachments"

/// Dictionary key of the pixel format, an `OSType`.
public nonisolated(unsafe) let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// Dictionary key of the width in pixels.
public nonisolated(unsafe) let kCVPixelBufferWidthKey: CFString = "Width"
/// Dictionary key of the height in pixels.
public nonisolated(unsafe) let kCVPixelBufferHeightKey: CFString = "Height"

/// Attaches `value` to the buffer under `key`, in place of what was there.
public func CVBufferSetAttachment(_ buffer: CVBuffer, _ key: CFString, _ value: CFTypeRef, _ attachmentMode: CVAttachmentMode) {
    let attachment = CVBuffer.Attachment(value: value, mode: attachmentMode)
    buffer.attachments.withLock { $0[key as String] = attachment }
}

/// Attaches all values of a dictionary under its keys.
public func CVBufferSetAttachments(_ buffer: CVBuffer, _ theAttachments: CFDictionary, _ attachmentMode: CVAttachmentMode) {
    for (key, value) in theAttachments.named { CVBufferSetAttachment(buffer, key as CFString, value, attachmentMode) }
}

/// Returns the attachment under `key`, and its mode through `attachmentMode`; nil when there is none.
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> CFTypeRef? {
    guard let attachment = buffer.attachments.withLock({ $0[key as String] }) else { return nil }
    attachmentMode?.pointee = attachment.mode
    return attachment.value
}

/// Returns the attachment under `key` for the buffer to keep, as `CVBufferCopyAttachment` does for the caller.
@available(*, deprecated, renamed: "CVBufferCopyAttachment")
public func CVBufferGetAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> Unmanaged<AnyObject>? {
    buffer.attachments.withLock { attachments in
        guard let attachment = attachments[key as String] else { return nil }
        attachmentMode?.pointee = attachment.mode
        // A text or a number becomes the object that is handed out, so that the buffer keeps it.
        let object = attachment.value as AnyObject
        attachments[key as String] = CVBuffer.Attachment(value: object, mode: attachment.mode)
        return .passUnretained(object)
    }
}

/// Returns the attachments of one mode, by key; empty, never nil, without any.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> CFDictionary? {
    let all = buffer.attachments.withLock { $0 }
    return all.filter { $0.value.mode == attachmentMode }.mapValues(\.value) as CFDictionary
}

/// Whether the buffer has an attachment under `key`, of either mode.
public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool {
    buffer.attachments.withLock { $0[key as String] != nil }
}

/// Removes the attachment under `key`; does nothing without one.
public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
    buffer.attachments.withLock { $0[key as String] = nil }
}

/// Removes the attachments of both modes.
public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) {
    buffer.attachments.withLock { $0.removeAll() }
}

/// Copies the attachments of `sourceBuffer` that propagate into `destinationBuffer`, over those of the same key.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
    let propagated = sourceBuffer.attachments.withLock { $0.filter { $0.value.mode == .shouldPropagate } }
    destinationBuffer.attachments.withLock { $0.merge(propagated) { _, new in new } }
}

extension CVBuffer {
    /// Value of a property list or of Core Graphics, which nobody changes.
    struct Attachment: @unchecked Sendable {
        let value: Any
        let mode: CVAttachmentMode
    }

    /// Marks the picture as BT.709 in matrix, primaries and transfer function, which all pictures here are.
    package func tagBT709() {
        CVBufferSetAttachment(self, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
        CVBufferSetAttachment(self, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2, .shouldPropagate)
        CVBufferSetAttachment(self, kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_ITU_R_709_2, .shouldPropagate)
    }
}
