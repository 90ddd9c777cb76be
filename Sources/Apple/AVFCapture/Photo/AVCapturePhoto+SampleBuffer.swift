import CoreMedia
import Foundation

extension AVCapturePhoto {
    /// The photo as older code takes it: its pixel buffer, or the bytes of its JPEG file; nil where the capture failed or no file could be made.
    var sampleBuffer: CMSampleBuffer? {
        let timing = CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: timestamp, decodeTimeStamp: .invalid)
        if let pixelBuffer {
            return CMSampleBuffer(imageBuffer: pixelBuffer, formatDescription: CMFormatDescription(of: pixelBuffer), timing: timing)
        }
        guard let file = fileDataRepresentation(), let bytes = try? CMBlockBuffer(length: file.count) else { return nil }
        try? bytes.replaceDataBytes(with: file)
        let size = resolvedSettings.photoDimensions
        let format = CMFormatDescription(
            mediaType: .video, mediaSubType: kCMVideoCodecType_JPEG, width: Int(size.width), height: Int(size.height))
        return CMSampleBuffer(dataBuffer: bytes, formatDescription: format, numSamples: 1, timing: timing)
    }

    /// Returns the JPEG file that a sample buffer holds; raises for another content, and returns nil where that is recorded.
    static func file(in sample: CMSampleBuffer, asked selector: String) -> Data? {
        guard sample.formatDescription?.mediaSubType == .jpeg, let file = try? sample.dataBuffer?.dataBytes() else {
            CaptureEnvironment.current.raise(.invalidArgument, selector, "Not a jpeg sample buffer")
            return nil
        }
        return file
    }
}

extension AVCapturePhotoOutput {
    /// Returns the JPEG file in a sample buffer of a photo; the preview is left out. Raises for another content.
    @available(*, deprecated, message: "Use -[AVCapturePhoto fileDataRepresentation] instead.")
    public class func jpegPhotoDataRepresentation(
        forJPEGSampleBuffer JPEGSampleBuffer: CMSampleBuffer, previewPhotoSampleBuffer: CMSampleBuffer?
    ) -> Data? {
        AVCapturePhoto.file(
            in: JPEGSampleBuffer, asked: "+[AVCapturePhotoOutput JPEGPhotoDataRepresentationForJPEGSampleBuffer:previewPhotoSampleBuffer:]")
    }
}
