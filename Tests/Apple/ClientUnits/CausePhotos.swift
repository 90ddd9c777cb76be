import AVFoundation

// Cause 3: features of a photo output, asked for before they are used.

/// Photo button of an app that takes what the phone has.
public final class PhotoButton: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
    public let output = AVCapturePhotoOutput()
    public private(set) var images: [CGImage] = []
    public private(set) var sizes: [Int] = []
    public private(set) var isDone = false

    public override init() {}

    /// Switches on every feature that is supported.
    public func prepare() {
        output.isLivePhotoCaptureEnabled = output.isLivePhotoCaptureSupported
        output.isResponsiveCaptureEnabled = output.isResponsiveCaptureSupported
        output.isFastCapturePrioritizationEnabled = output.isFastCapturePrioritizationSupported
        output.isAutoDeferredPhotoDeliveryEnabled = output.isAutoDeferredPhotoDeliverySupported
        output.isAppleProRAWEnabled = output.isAppleProRAWSupported
        output.isZeroShutterLagEnabled = output.isZeroShutterLagSupported
        output.maxPhotoQualityPrioritization = .quality
    }

    public func press(liveTo url: URL? = nil) {
        var settings = AVCapturePhotoSettings()
        if output.availablePhotoCodecTypes.contains(.jpeg) { settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]) }
        if let format = settings.availablePreviewPhotoPixelFormatTypes.first {
            settings.previewPhotoFormat = [kCVPixelBufferPixelFormatTypeKey as String: format]
        }
        if output.isLivePhotoCaptureEnabled { settings.livePhotoMovieFileURL = url }
        output.capturePhoto(with: settings, delegate: self)
    }

    public func pressBracket() {
        let steps = [-1, 0, 1].map { AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0) }
        guard steps.count <= output.maxBracketedCapturePhotoCount else { return }
        let settings = AVCapturePhotoBracketSettings(
            rawPixelFormatType: 0, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg], bracketedSettings: steps)
        output.capturePhoto(with: settings, delegate: self)
    }

    public func photoOutput(_ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?) {
        guard error == nil, let data = photo.fileDataRepresentation(), let image = photo.cgImageRepresentation() else { return }
        images.append(image)
        sizes.append(data.count)
    }

    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCapturingDeferredPhotoProxy deferredPhotoProxy: AVCaptureDeferredPhotoProxy?, error: (any Error)?
    ) { if let data = deferredPhotoProxy?.fileDataRepresentation() { sizes.append(data.count) } }

    public func photoOutput(
        _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
    ) { isDone = resolvedSettings.livePhotoMovieDimensions.width == 0 && error == nil }
}
