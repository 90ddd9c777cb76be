import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// What one photo is to be; good for one capture, since its number is used up then.
public final class AVCapturePhotoSettings: NSObject, @unchecked Sendable {
    /// Never the same twice.
    public let uniqueID: Int64
    /// Asks for a pixel format by `kCVPixelBufferPixelFormatTypeKey`, or for a codec by `AVVideoCodecKey`; nil for JPEG.
    public let format: [String: Any]?
    fileprivate let wishes = Mutex(Wishes())
    private static let lastID = Mutex<Int64>(0)

    struct Wishes: @unchecked Sendable {
        var flashMode = AVCaptureDevice.FlashMode.off
        var quality = AVCapturePhotoOutput.QualityPrioritization.balanced
        /// None: as the output has it.
        var dimensions = PictureSize(width: 0, height: 0)
        /// Texts and numbers.
        var preview: [String: Any]?
        var wantsDepth = false
    }

    private init(_ format: [String: Any]?) {
        self.format = format
        uniqueID = Self.lastID.withLock { last in
            last += 1
            return last
        }
    }

    public convenience override init() { self.init(nil) }
    public convenience init(format: [String: Any]?) { self.init(format) }
    /// The same wishes under a number of their own.
    public convenience init(from photoSettings: AVCapturePhotoSettings) {
        self.init(photoSettings.format)
        let copied = photoSettings.current
        wishes.withLock { $0 = copied }
    }

    var current: Wishes { wishes.withLock { $0 } }

    public var flashMode: AVCaptureDevice.FlashMode {
        get { current.flashMode }
        set { wishes.withLock { $0.flashMode = newValue } }
    }

    /// Asks for `AVCapturePhoto.depthData`; only where the output has depth delivery enabled.
    public var isDepthDataDeliveryEnabled: Bool {
        get { current.wantsDepth }
        set { wishes.withLock { $0.wantsDepth = newValue } }
    }

    public var photoQualityPrioritization: AVCapturePhotoOutput.QualityPrioritization {
        get { current.quality }
        set { wishes.withLock { $0.quality = newValue } }
    }
}

extension AVCapturePhotoSettings {
    /// The most pixels of the photo; zero, which it is at first, leaves it to the output.
    public var maxPhotoDimensions: CMVideoDimensions {
        get { CMVideoDimensions(width: Int32(current.dimensions.width), height: Int32(current.dimensions.height)) }
        set { wishes.withLock { $0.dimensions = PictureSize(newValue) } }
    }

    public var availablePreviewPhotoPixelFormatTypes: [OSType] {
        [
            kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_32BGRA,
        ]
    }

    /// Asks for a small picture beside the photo: its pixel format, and the width and height it is to fit into.
    public var previewPhotoFormat: [String: Any]? {
        get { wishes.withLock { $0 }.preview }
        set {
            let boxed = Wishes(preview: newValue)
            wishes.withLock { $0.preview = boxed.preview }
        }
    }

    var codec: AVVideoCodecType? {
        (format?[AVVideoCodecKey] as? AVVideoCodecType) ?? (format?[AVVideoCodecKey] as? String).map(AVVideoCodecType.init(rawValue:))
    }

    /// Zero for what is no number.
    var pixelFormat: OSType? { format?[kCVPixelBufferPixelFormatTypeKey as String].map { OSType(truncatingIfNeeded: Self.number($0)) } }

    var preview: AVCapturePhotoOutput.Preview? {
        guard let wish = previewPhotoFormat else { return nil }
        let (width, height) = (wish[kCVPixelBufferWidthKey as String].map(Self.number), wish[kCVPixelBufferHeightKey as String].map(Self.number))
        let format = wish[kCVPixelBufferPixelFormatTypeKey as String].map { OSType(truncatingIfNeeded: Self.number($0)) }
        return AVCapturePhotoOutput.Preview(
            pixelFormat: format ?? kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
            bounds: width == nil && height == nil ? nil : PictureSize(width: width ?? .max, height: height ?? .max))
    }

    private static func number(_ value: Any) -> Int {
        (value as? OSType).map(Int.init) ?? (value as? Int) ?? (value as? NSNumber)?.intValue ?? 0
    }
}

extension AVCaptureDevice {
    public enum FlashMode: Int, Sendable {
        case off = 0
        case on = 1
        case auto = 2
    }
}
