import AVFoundation

// Cause: names that come with AVFoundation on a phone, without an import of their own module.

/// Scanner's model, published to a view.
public final class ScannerModel: NSObject, ObservableObject {
    @Published public private(set) var isScanning = false
    @Published public private(set) var code: String?
    public let session: AVCaptureSession
    public let device: (any MTLDevice)? = MTLCreateSystemDefaultDevice()
    private var subscriptions: Set<AnyCancellable> = []

    public init(session: AVCaptureSession) {
        self.session = session
        super.init()
        let center = NotificationCenter.default
        Publishers.Merge3(
            center.publisher(for: .AVCaptureSessionDidStartRunning, object: session).map { _ in true },
            center.publisher(for: .AVCaptureSessionDidStopRunning, object: session).map { _ in false },
            center.publisher(for: .AVCaptureSessionWasInterrupted, object: session).map { _ in false }
        )
        .removeDuplicates()
        .sink { [weak self] in self?.isScanning = $0 }
        .store(in: &subscriptions)
    }

    public func take(_ code: String) {
        self.code = code
        AudioServicesPlaySystemSound(SystemSoundID(kSystemSoundID_Vibrate))
        AudioServicesPlaySystemSound(1108)
    }

    /// Way in which the photo is turned, and its exposure time, from the properties of its file.
    public static func facts(of photo: AVCapturePhoto) -> (orientation: CGImagePropertyOrientation?, exposure: Double?) {
        let number = (photo.metadata[String(kCGImagePropertyOrientation)] as? NSNumber)?.uint32Value
        let exif = photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any]
        return (number.flatMap(CGImagePropertyOrientation.init), exif?[kCGImagePropertyExifExposureTime as String] as? Double)
    }

    /// Formats and kinds of files by the names that older code uses.
    public static func names(of settings: AVCapturePhotoSettings) -> (preview: [NSNumber], file: AVFileType?, raw: AVFileType?) {
        (settings.__availablePreviewPhotoPixelFormatTypes, settings.processedFileType, settings.rawFileType)
    }
}
