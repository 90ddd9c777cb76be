import CoreVideo
import Foundation
import Synchronization

/// Returns the sample's attachments of one mode, by key; nil without any. The allocator is ignored.
public func CMCopyDictionaryOfAttachments(allocator: CFAllocator?, target: CMSampleBuffer, attachmentMode: CMAttachmentMode) -> CFDictionary? {
    let attachments = target.attachments(attachmentMode)
    return attachments.isEmpty ? nil : attachments as CFDictionary
}

/// Attaches every value of a dictionary to the sample, in place of what was there under its key.
public func CMSetAttachments(_ target: CMSampleBuffer, attachments: CFDictionary, attachmentMode: CMAttachmentMode) {
    for (key, value) in attachments.named { CMSetAttachment(target, key: key as CFString, value: value, attachmentMode: attachmentMode) }
}

/// Removes the attachment under `key`; does nothing without one.
public func CMRemoveAttachment(_ target: CMSampleBuffer, key: CFString) { target.attached.withLock { $0[key as String] = nil } }

/// Removes the attachments of both modes.
public func CMRemoveAllAttachments(_ target: CMSampleBuffer) { target.attached.withLock { $0.removeAll() } }

/// Copies the attachments of `source` that propagate into `destination`, over those of the same key.
public func CMPropagateAttachments(_ source: CMSampleBuffer, destination: CMSampleBuffer) {
    let propagated = source.attached.withLock { $0.filter { $0.value.mode == kCMAttachmentMode_ShouldPropagate } }
    destination.attached.withLock { $0.merge(propagated) { _, new in new } }
}

/// Returns the attachments of the single samples, a dictionary for all of them; nil without any, unless they are to be made.
///
/// The dictionary is an `NSMutableDictionary`, and the sample's own: what is set in it the sample has.
public func CMSampleBufferGetSampleAttachmentsArray(_ sbuf: CMSampleBuffer, createIfNecessary: Bool) -> CFArray? {
    sbuf.perSample.withLock { createIfNecessary ? $0.make() : $0 }.dictionary.map { DictionaryArray([$0]) }
}

extension CMSampleBuffer {
    func attachments(_ mode: CMAttachmentMode) -> [String: Any] {
        attached.withLock { $0.filter { $0.value.mode == mode }.mapValues(\.value) }
    }

    /// Attachments of the sample by key; reads and writes reach the buffer itself.
    public var attachments: CMAttachmentBearerAttachments { CMAttachmentBearerAttachments(sample: self) }

    /// Copies the attachments that propagate into `destination`, over those of the same key.
    public func propagateAttachments(to destination: CMSampleBuffer) { CMPropagateAttachments(self, destination: destination) }
}

/// Attachments of one sample buffer; not a copy.
public struct CMAttachmentBearerAttachments: Sendable {
    let sample: CMSampleBuffer

    /// Value of an attachment with its mode.
    public enum Value {
        /// Value that is copied to samples made from this one.
        case shouldPropagate(CFTypeRef)
        /// Value that stays with its sample.
        case shouldNotPropagate(CFTypeRef)

        /// Value without its mode.
        public var value: CFTypeRef {
            switch self {
            case .shouldPropagate(let value), .shouldNotPropagate(let value): value
            }
        }
    }

    /// Name of an attachment.
    public struct Key: RawRepresentable, Hashable, Sendable {
        /// Name as the C constants have it.
        public nonisolated(unsafe) let rawValue: CFString
        /// Makes a key from its name; any name is accepted.
        public init(rawValue: CFString) { self.rawValue = rawValue }
        /// Reason of a drop.
        public static let droppedFrameReason = Key(rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReason)
        /// Details beside the reason of a drop.
        public static let droppedFrameReasonInfo = Key(rawValue: kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo)
        /// Bytes of a `matrix_float3x3`: focal lengths and principal point in pixels.
        public static let cameraIntrinsicMatrix = Key(rawValue: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix)
    }

    /// Attachment under `key`, nil without one; a set nil removes it.
    public subscript(key: Key) -> Value? {
        get {
            var mode = kCMAttachmentMode_ShouldNotPropagate
            guard let value = CMGetAttachment(sample, key: key.rawValue, attachmentModeOut: &mode) else { return nil }
            return mode == kCMAttachmentMode_ShouldPropagate ? .shouldPropagate(value) : .shouldNotPropagate(value)
        }
        nonmutating set {
            let mode = if case .shouldPropagate = newValue { kCMAttachmentMode_ShouldPropagate } else { kCMAttachmentMode_ShouldNotPropagate }
            CMSetAttachment(sample, key: key.rawValue, value: newValue?.value, attachmentMode: mode)
        }
    }

    /// Attachments that are copied to samples made from this one.
    public var propagated: [String: Any] { sample.attachments(kCMAttachmentMode_ShouldPropagate) }
    /// Attachments that stay with their sample.
    public var nonPropagated: [String: Any] { sample.attachments(kCMAttachmentMode_ShouldNotPropagate) }
    /// Removes the attachments of both modes.
    public func removeAll() { CMRemoveAllAttachments(sample) }
}
