import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Limits on what settings may ask for.
extension AVCapturePhotoOutput {
    /// Highest quality that settings may ask for; default `.balanced`, in a session of several cameras `.speed`.
    public var maxPhotoQualityPrioritization: QualityPrioritization {
        get { state.withLock { $0.maxQuality } ?? (session is AVCaptureMultiCamSession ? .speed : .balanced) }
        set { state.withLock { $0.maxQuality = newValue } }
    }

    /// Largest photo that settings may ask for, in pixels; default the largest of the active format. Raises for a size that it lacks.
    public var maxPhotoDimensions: CMVideoDimensions {
        get {
            let supported = supportedDimensions
            let chosen = state.withLock { $0.maxDimensions }.flatMap { chosen in supported.first { PictureSize($0) == chosen } }
            return chosen ?? supported.last ?? CMVideoDimensions()
        }
        set {
            guard supportedDimensions.contains(where: { PictureSize($0) == PictureSize(newValue) }) else {
                return environment.raise(
                    .invalidArgument, "-[AVCapturePhotoOutput setMaxPhotoDimensions:]",
                    "maxPhotoDimensions must match one of the dimensions in the activeFormat's supportedMaxPhotoDimensions")
            }
            state.withLock { $0.maxDimensions = PictureSize(newValue) }
        }
    }

    /// Flash modes that settings may ask for; only off where the camera has no flash.
    ///
    /// The flash lights what a stage shows; footage keeps the light it was filmed in.
    public var supportedFlashModes: [AVCaptureDevice.FlashMode] { device?.hasFlash == true ? [.off, .on, .auto] : [.off] }

    var device: AVCaptureDevice? { connections.lazy.flatMap(\.inputPorts).compactMap { ($0.input as? AVCaptureDeviceInput)?.device }.first }

    /// Whether the flash is to fire for a request; automatically in the dark, and never for a bracket.
    func flashes(for request: Request, isDark: Bool) -> Bool {
        request.bracket == nil && (request.flash == .on || request.flash == .auto && isDark)
    }

    /// Whether the flash fires in the source's next frame: once for every request that needs it.
    func takeFlash() -> Bool {
        guard let device, device.isFlashAvailable else { return false }
        let isDark = device.isDark
        return state.withLock { state in
            var fires = false
            for index in state.waiting.indices where !state.waiting[index].isFlashing && flashes(for: state.waiting[index], isDark: isDark) {
                state.waiting[index].isFlashing = true
                fires = true
            }
            return fires
        }
    }

    /// Pixel formats that settings may ask for; empty until the output is connected.
    public var availablePhotoPixelFormatTypes: [OSType] { connections.isEmpty ? [] : PictureConverter.formats }
    /// Codecs that settings may ask for, those of the environment where it makes files; empty until the output is connected.
    public var availablePhotoCodecTypes: [AVVideoCodecType] { connections.isEmpty || environment.encodePhoto == nil ? [] : environment.photoCodecs }
    /// Raw formats that settings may ask for: none.
    public var availableRawPhotoPixelFormatTypes: [OSType] { [] }

    private var supportedDimensions: [CMVideoDimensions] {
        device?.activeFormat.supportedMaxPhotoDimensions ?? []
    }

    /// Reason why a capture with these settings raises; nil when it does not.
    func refusal(of settings: AVCapturePhotoSettings) -> String? {
        if !connections.contains(where: \.isOpen) { return "No active and enabled video connection" }
        if state.withLock({ $0.usedIDs.contains(settings.uniqueID) }) { return "Settings may not be re-used" }
        if !supportedFlashModes.contains(settings.flashMode) { return "flashMode must be set to a value present in the supportedFlashModes array" }
        if settings.photoQualityPrioritization.rawValue > maxPhotoQualityPrioritization.rawValue {
            return "settings.photoQualityPrioritization must not exceed maxPhotoQualityPrioritization"
        }
        if settings.isDepthDataDeliveryEnabled, !isDepthDataDeliveryEnabled {
            return "settings.depthDataDeliveryEnabled may not be YES when output.depthDataDeliveryEnabled is NO"
        }
        if settings.isHighResolutionPhotoEnabled, !isHighResolutionCaptureEnabled {
            return "settings.highResolutionPhotoEnabled may not be YES when output.highResolutionCaptureEnabled is NO"
        }
        if let feature = settings.missingFeature { return "settings.\(feature) asks for what the output does not support" }
        if let refusal = livePhotoRefusal(of: settings) { return refusal }
        if settings.rawPhotoPixelFormatType != 0 {
            return "settings.rawPhotoPixelFormatType must be one of availableRawPhotoPixelFormatTypes, of which there are none"
        }
        if let refusal = refusal(of: PictureSize(settings.maxPhotoDimensions)) ?? bracketRefusal(of: settings) { return refusal }
        if let preview = settings.preview, !settings.availablePreviewPhotoPixelFormatTypes.contains(preview.pixelFormat) {
            return "previewPhotoFormat must use one of availablePreviewPhotoPixelFormatTypes"
        }
        if let codec = settings.codec {
            return availablePhotoCodecTypes.contains(codec) ? nil : "\(codec.rawValue) is not in availablePhotoCodecTypes"
        }
        guard let format = pixelFormat(of: settings) else { return nil }
        return availablePhotoPixelFormatTypes.contains(format) ? nil : "the pixel format must be one of availablePhotoPixelFormatTypes"
    }

    private func refusal(of wish: PictureSize) -> String? {
        guard wish != PictureSize(width: 0, height: 0) else { return nil }
        if !supportedDimensions.contains(where: { PictureSize($0) == wish }) {
            return "settings.maxPhotoDimensions must match one of the dimensions in the activeFormat's supportedMaxPhotoDimensions"
        }
        let most = PictureSize(maxPhotoDimensions)
        return wish.width <= most.width && wish.height <= most.height ? nil : "settings.maxPhotoDimensions must not exceed maxPhotoDimensions"
    }

    /// Format of the pixel buffer; nil for a JPEG file, which settings without a format mean wherever files are made.
    func pixelFormat(of settings: AVCapturePhotoSettings) -> OSType? {
        if let format = settings.pixelFormat { return format }
        return settings.codec == nil && availablePhotoCodecTypes.isEmpty ? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange : nil
    }
}

extension AVCaptureDevice.Format {
    /// Sizes that photos can have, in pixels: the format's own; none for sound and depth.
    public var supportedMaxPhotoDimensions: [CMVideoDimensions] { mediaType == .video ? [formatDescription.dimensions] : [] }
    /// Greatest size of a photo in pixels, by its older name.
    @available(*, deprecated, message: "Use supportedMaxPhotoDimensions instead.")
    public var highResolutionStillImageDimensions: CMVideoDimensions { supportedMaxPhotoDimensions.last ?? CMVideoDimensions() }
}

extension PictureSize {
    init(_ dimensions: CMVideoDimensions) { self.init(width: Int(dimensions.width), height: Int(dimensions.height)) }
}
