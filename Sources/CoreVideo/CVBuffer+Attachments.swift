import Foundation
import Synchronization

/// Whether an attachment goes along when a picture is made from another one.
public enum CVAttachmentMode: UInt32, Sendable {
    case shouldNotPropagate = 0
    case shouldPropagate = 1
}

public let kCVImageBufferYCbCrMatrixKey: CFString = "CVImageBufferYCbCrMatrix"
public let kCVImageBufferYCbCrMatrix_ITU_R_709_2: CFString = "ITU_R_709_2"
public let kCVImageBufferYCbCrMatrix_ITU_R_601_4: CFString = "ITU_R_601_4"
public let kCVImageBufferYCbCrMatrix_ITU_R_2020: CFString = "ITU_R_2020"
public let kCVImageBufferColorPrimariesKey: CFString = "CVImageBufferColorPrimaries"
public let kCVImageBufferColorPrimaries_ITU_R_709_2: CFString = "ITU_R_709_2"
public let kCVImageBufferColorPrimaries_P3_D65: CFString = "P3_D65"
public let kCVImageBufferColorPrimaries_ITU_R_2020: CFString = "ITU_R_2020"
public let kCVImageBufferTransferFunctionKey: CFString = "CVImageBufferTransferFunction"
public let kCVImageBufferTransferFunction_ITU_R_709_2: CFString = "ITU_R_709_2"
public let kCVImageBufferTransferFunction_ITU_R_2100_HLG: CFString = "ITU_R_2100_HLG"
public let kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ: CFString = "SMPTE_ST_2084_PQ"

public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
public let kCVPixelBufferWidthKey: CFString = "Width"
public let kCVPixelBufferHeightKey: CFString = "Height"

/// Attaches `value` to the buffer under `key`, in place of what was there.
public func CVBufferSetAttachment(_ buffer: CVBuffer, _ key: CFString, _ value: any Sendable, _ attachmentMode: CVAttachmentMode) {
    buffer.attachments.withLock { $0[key] = CVBuffer.Attachment(value: value, mode: attachmentMode) }
}

/// The attachment under `key`, and its mode through `attachmentMode`; nil when there is none.
public func CVBufferCopyAttachment(
    _ buffer: CVBuffer, _ key: CFString, _ attachmentMode: UnsafeMutablePointer<CVAttachmentMode>?
) -> (any Sendable)? {
    guard let attachment = buffer.attachments.withLock({ $0[key] }) else { return nil }
    attachmentMode?.pointee = attachment.mode
    return attachment.value
}

/// The attachments of one mode.
public func CVBufferCopyAttachments(_ buffer: CVBuffer, _ attachmentMode: CVAttachmentMode) -> [CFString: any Sendable]? {
    let all = buffer.attachments.withLock { $0 }
    return all.filter { $0.value.mode == attachmentMode }.mapValues(\.value)
}

public func CVBufferHasAttachment(_ buffer: CVBuffer, _ key: CFString) -> Bool {
    buffer.attachments.withLock { $0[key] != nil }
}

public func CVBufferRemoveAttachment(_ buffer: CVBuffer, _ key: CFString) {
    buffer.attachments.withLock { $0[key] = nil }
}

public func CVBufferRemoveAllAttachments(_ buffer: CVBuffer) {
    buffer.attachments.withLock { $0.removeAll() }
}

/// Gives `destinationBuffer` the attachments of `sourceBuffer` that propagate.
public func CVBufferPropagateAttachments(_ sourceBuffer: CVBuffer, _ destinationBuffer: CVBuffer) {
    let propagated = sourceBuffer.attachments.withLock { $0.filter { $0.value.mode == .shouldPropagate } }
    destinationBuffer.attachments.withLock { $0.merge(propagated) { _, new in new } }
}

extension CVBuffer {
    struct Attachment: Sendable {
        let value: any Sendable
        let mode: CVAttachmentMode
    }

    /// Marks the picture as BT.709 in matrix, primaries and transfer, as everything that flows here is.
    package func tagBT709() {
        CVBufferSetAttachment(self, kCVImageBufferYCbCrMatrixKey, kCVImageBufferYCbCrMatrix_ITU_R_709_2, .shouldPropagate)
        CVBufferSetAttachment(self, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_ITU_R_709_2, .shouldPropagate)
        CVBufferSetAttachment(self, kCVImageBufferTransferFunctionKey, kCVImageBufferTransferFunction_ITU_R_709_2, .shouldPropagate)
    }
}
