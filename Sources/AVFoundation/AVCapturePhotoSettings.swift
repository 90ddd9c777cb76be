import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// What one photo is to be; good for one capture, since its number is used up then.
public final class AVCapturePhotoSettings: NSObject, @unchecked Sendable {
    /// Never the same twice.
    public let uniqueID: Int64
    /// Asks for a pixel format by `kCVPixelBufferPixelFormatTypeKey`, or for a codec by `AVVideoCodecKey`; nil for the camera's own.
    public let format: [String: Any]?
    private let wishes = Mutex(Wishes())
    private static let lastID = Mutex<Int64>(0)

    struct Wishes: Sendable {
        var flashMode = AVCaptureDevice.FlashMode.off
        var quality = AVCapturePhotoOutput.QualityPrioritization.balanced
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

    public var photoQualityPrioritization: AVCapturePhotoOutput.QualityPrioritization {
        get { current.quality }
        set { wishes.withLock { $0.quality = newValue } }
    }
}

extension AVCaptureDevice {
    public enum FlashMode: Int, Sendable {
        case off = 0
        case on = 1
        case auto = 2
    }
}

/// What a capture's settings came to.
public final class AVCaptureResolvedPhotoSettings: NSObject, Sendable {
    /// The number of the settings it was asked with.
    public let uniqueID: Int64
    /// Pixels of the photo, as the connection turns it.
    public let photoDimensions: CMVideoDimensions
    public let expectedPhotoCount = 1
    public let isFlashEnabled = false

    init(uniqueID: Int64, photoDimensions: CMVideoDimensions) {
        self.uniqueID = uniqueID
        self.photoDimensions = photoDimensions
    }
}

/// One photo, with the simulated aperture rendered where cinematic capture is enabled.
public final class AVCapturePhoto: NSObject, Sendable {
    /// Of the frame it was taken from, on the session's clock.
    public let timestamp: CMTime
    /// Nil where the capture failed.
    public let pixelBuffer: CVPixelBuffer?
    public let resolvedSettings: AVCaptureResolvedPhotoSettings
    /// 1 for the first and only.
    public let photoCount = 1
    public let isRawPhoto = false

    init(timestamp: CMTime, pixelBuffer: CVPixelBuffer?, resolvedSettings: AVCaptureResolvedPhotoSettings) {
        self.timestamp = timestamp
        self.pixelBuffer = pixelBuffer
        self.resolvedSettings = resolvedSettings
    }
}
