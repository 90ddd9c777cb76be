import CoreMedia
import CoreVideo
import Foundation

/// Kinds of files that photos come as, by what the settings ask for.
extension AVCapturePhotoOutput {
    /// Kinds of files that a photo can come as: JPEG for codecs, TIFF never, nothing raw; empty until the output is connected.
    public var availablePhotoFileTypes: [AVFileType] { availablePhotoCodecTypes.isEmpty ? [] : [.jpg] }
    /// Kinds of files of raw photos: none.
    public var availableRawPhotoFileTypes: [AVFileType] { [] }
    /// Codecs of a kind of file: those that settings may ask for in JPEG files, which stand for HEIC here, too.
    public func supportedPhotoCodecTypes(for fileType: AVFileType) -> [AVVideoCodecType] {
        availablePhotoFileTypes.contains(fileType) ? availablePhotoCodecTypes : []
    }
    /// Pixel formats of a kind of file: none, as files here hold coded photos.
    public func supportedPhotoPixelFormatTypes(for fileType: AVFileType) -> [OSType] { [] }
    /// Raw pixel formats of a kind of file: none.
    public func supportedRawPhotoPixelFormatTypes(for fileType: AVFileType) -> [OSType] { [] }
}

extension AVFileType {
    /// JPEG picture.
    public static let jpg = AVFileType(rawValue: "public.jpeg")
    /// HEIC picture.
    public static let heic = AVFileType(rawValue: "public.heic")
    /// HEIF picture of another codec.
    public static let heif = AVFileType(rawValue: "public.heif")
    /// TIFF picture.
    public static let tif = AVFileType(rawValue: "public.tiff")
    /// Raw picture of a sensor.
    public static let dng = AVFileType(rawValue: "com.adobe.raw-image")
}
