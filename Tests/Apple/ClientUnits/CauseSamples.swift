import AVFoundation
import CoreMedia

// Cause 3: metadata items, sample buffers and format descriptions, as writers and streamers handle them.

public enum Samples {
    /// Items that an app puts into its movies.
    public static func items(title: String, model: String) -> [AVMetadataItem] {
        let name = AVMutableMetadataItem()
        name.keySpace = .common
        name.key = AVMetadataKey.commonKeyTitle as (NSCopying & NSObjectProtocol)?
        name.value = title as NSString
        let camera = AVMutableMetadataItem()
        camera.keySpace = AVMetadataKeySpace.quickTimeMetadata
        camera.key = AVMetadataKey.quickTimeMetadataKeyModel as NSString
        camera.value = model as NSString
        camera.locale = Locale(identifier: "en")
        camera.extraAttributes = [.info: "camera"]
        return [name, camera]
    }

    /// Codec of a track, as a player shows it.
    public static func codec(of description: CMFormatDescription) -> String {
        switch description.mediaSubType {
        case .h264: "H.264"
        case .hevc: "HEVC"
        case .mpeg4AAC: "AAC"
        case .opus: "Opus"
        default: description.mediaSubType.rawValue == kCMVideoCodecType_AppleProRes422 ? "ProRes 422" : "other"
        }
    }

    /// Primaries of a track; nil where none are told.
    public static func primaries(of description: CMFormatDescription) -> String? {
        guard let extensions = CMFormatDescriptionGetExtensions(description) as? [String: Any] else { return nil }
        return extensions[kCMFormatDescriptionExtension_ColorPrimaries as String] as? String
    }

    /// Marks of a sample that are copied with it, and whether a picture can be decoded by itself.
    public static func marks(of sample: CMSampleBuffer) -> (names: [String], isKey: Bool) {
        let mode = kCMAttachmentMode_ShouldPropagate
        let all = CMCopyDictionaryOfAttachments(allocator: kCFAllocatorDefault, target: sample, attachmentMode: mode) as? [String: Any]
        let arrays = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) as? [[CFString: Any]]
        let depends = arrays?.first?[kCMSampleAttachmentKey_NotSync] as? Bool ?? false
        return ((all ?? [:]).keys.sorted(), !depends)
    }

    /// A sample of a picture made by the app itself.
    public static func sample(of buffer: CVPixelBuffer, at time: CMTime) -> CMSampleBuffer? {
        var description: CMVideoFormatDescription?
        CMVideoFormatDescriptionCreateForImageBuffer(allocator: kCFAllocatorDefault, imageBuffer: buffer, formatDescriptionOut: &description)
        guard let description else { return nil }
        var timing = CMSampleTimingInfo(duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: time, decodeTimeStamp: .invalid)
        var sample: CMSampleBuffer?
        CMSampleBufferCreateReadyWithImageBuffer(
            allocator: kCFAllocatorDefault, imageBuffer: buffer, formatDescription: description, sampleTiming: &timing, sampleBufferOut: &sample)
        return sample
    }

    /// Track in which an app keeps its own numbers.
    public static let noTrack: CMPersistentTrackID = kCMPersistentTrackID_Invalid

    /// Buffers of one size, whose attributes come as dictionaries of Foundation.
    public static func buffers(_ attributes: NSDictionary) -> CVPixelBufferPool? {
        var pool: CVPixelBufferPool?
        let options: NSDictionary = [kCVPixelBufferPoolMinimumBufferCountKey as NSString: 2]
        CVPixelBufferPoolCreate(nil, options, attributes, &pool)
        return pool
    }
}
