import AVFoundation
import CoreMedia

// Cause 2: Core Foundation's texts, Booleans and dictionaries as classes, as streamers and converters hand them over.

public enum References {
    /// Marks a sample to be shown as soon as it comes, by references as in C.
    public static func showAtOnce(_ sample: CMSampleBuffer) {
        guard let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true), CFArrayGetCount(attachments) > 0 else {
            return
        }
        let dictionary = unsafeBitCast(CFArrayGetValueAtIndex(attachments, 0), to: CFMutableDictionary.self)
        CFDictionarySetValue(
            dictionary, Unmanaged.passUnretained(kCMSampleAttachmentKey_DisplayImmediately).toOpaque(),
            Unmanaged.passUnretained(kCFBooleanTrue).toOpaque())
    }

    /// The same with Foundation's classes.
    public static func hide(_ sample: CMSampleBuffer) {
        let attachments = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true) as NSArray?
        let first = attachments?.firstObject as? NSMutableDictionary
        first?[kCMSampleAttachmentKey_DoNotDisplay as NSString] = true as NSNumber
    }

    /// Buffer that Core Graphics could draw into.
    public static func buffer(width: Int, height: Int) -> CVPixelBuffer? {
        let attributes: [CFString: Any] = [
            kCVPixelBufferCGImageCompatibilityKey: kCFBooleanTrue!, kCVPixelBufferIOSurfacePropertiesKey: [:] as CFDictionary,
        ]
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreate(
            kCFAllocatorDefault, width, height, kCVPixelFormatType_32BGRA, attributes as CFDictionary, &buffer)
        return status == kCVReturnSuccess ? buffer : nil
    }

    /// Buffer over an app's own bytes, which are freed with it.
    public static func buffer(over bytes: UnsafeMutableRawPointer, width: Int, height: Int) -> CVPixelBuffer? {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreateWithBytes(
            nil, width, height, kCVPixelFormatType_32BGRA, bytes, width * 4,
            { _, bytes in bytes.map { UnsafeMutableRawPointer(mutating: $0) }?.deallocate() },
            nil, nil, &buffer)
        return buffer
    }

    /// Light of the scene, as the attachments of a sample tell it.
    public static func brightness(of sample: CMSampleBuffer) -> Double? {
        let all = CMCopyDictionaryOfAttachments(allocator: nil, target: sample, attachmentMode: kCMAttachmentMode_ShouldPropagate)
        let copy = CFDictionaryCreateMutableCopy(nil, 0, all)
        let exif = copy?["{Exif}" as NSString] as? NSDictionary
        return exif?["BrightnessValue"] as? Double
    }

    /// Primaries of pictures, as a format tells them.
    public static func primaries(of format: CMFormatDescription) -> String? {
        format.extensions[.colorPrimaries]?.propertyListRepresentation as? String
    }
}
