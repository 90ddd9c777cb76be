import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Wishes for one photo; good for one capture, since their number is used up then.
open class AVCapturePhotoSettings: NSObject, @unchecked Sendable {
    /// Number of the settings, unique in the process; from 1.
    public let uniqueID: Int64
    /// Pixel format by `kCVPixelBufferPixelFormatTypeKey`, or codec by `AVVideoCodecKey`; nil for JPEG.
    public let format: [String: Any]?
    /// Raw pixel format that was asked for; 0 for none. No camera here has one, so that a capture raises.
    public let rawPhotoPixelFormatType: OSType
    let wishes = Mutex(Wishes())
    private static let lastID = Mutex<Int64>(0)

    struct Wishes: @unchecked Sendable {
        var flashMode = AVCaptureDevice.FlashMode.off
        var quality = AVCapturePhotoOutput.QualityPrioritization.balanced
        /// 0 × 0: as the output has it.
        var dimensions = PictureSize(width: 0, height: 0)
        /// Texts and numbers only.
        var preview: [String: Any]?
        var wantsDepth = false
        var features = Features()
    }

    init(_ format: [String: Any]?, raw: OSType = 0) {
        self.format = format
        rawPhotoPixelFormatType = raw
        uniqueID = Self.lastID.withLock { last in
            last += 1
            return last
        }
    }

    /// Makes wishes for a JPEG file, or for a `420v` buffer where the environment makes no files.
    public convenience override init() { self.init(nil) }
    /// Makes wishes for a pixel format or a codec; checked by the capture.
    public convenience init(format: [String: Any]?) { self.init(format) }
    /// Makes a copy of the wishes under a number of its own.
    public convenience init(from photoSettings: AVCapturePhotoSettings) {
        self.init(photoSettings.format, raw: photoSettings.rawPhotoPixelFormatType)
        let copied = photoSettings.current
        wishes.withLock { $0 = copied }
    }

    var current: Wishes { wishes.withLock { $0 } }

    /// Use of the flash; default `.off`. A capture raises for one that is not in `supportedFlashModes`.
    open var flashMode: AVCaptureDevice.FlashMode {
        get { current.flashMode }
        set { wishes.withLock { $0.flashMode = newValue } }
    }

    /// Whether the photo brings `depthData`; default false, allowed only where the output has depth delivery enabled.
    open var isDepthDataDeliveryEnabled: Bool {
        get { current.wantsDepth }
        set { wishes.withLock { $0.wantsDepth = newValue } }
    }

    /// Weight of quality against speed; default `.balanced`, not above the output's `maxPhotoQualityPrioritization`.
    open var photoQualityPrioritization: AVCapturePhotoOutput.QualityPrioritization {
        get { current.quality }
        set { wishes.withLock { $0.quality = newValue } }
    }
}

extension AVCapturePhotoSettings {
    /// Greatest size of the photo in pixels; 0 × 0 (default) leaves it to the output.
    public var maxPhotoDimensions: CMVideoDimensions {
        get { CMVideoDimensions(width: Int32(current.dimensions.width), height: Int32(current.dimensions.height)) }
        set { wishes.withLock { $0.dimensions = PictureSize(newValue) } }
    }

    /// Pixel formats that a preview can have, the default first.
    public var availablePreviewPhotoPixelFormatTypes: [OSType] {
        [
            kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_32BGRA,
        ]
    }

    /// Wish for a small picture beside the photo: its pixel format, and the width and height in pixels to fit into. Nil for none.
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

    /// Pixel format that was asked for; 0 for what is no number.
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
    /// Use of the flash.
    public enum FlashMode: Int, Sendable {
        /// The flash does not fire; the default.
        case off = 0
        /// The flash fires.
        case on = 1
        /// The flash fires in the dark.
        case auto = 2
    }
}
