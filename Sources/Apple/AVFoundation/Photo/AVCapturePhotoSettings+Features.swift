import CoreVideo
import Foundation
import Synchronization

/// Wishes that need a feature of newer phones, or that photos made here meet anyway.
extension AVCapturePhotoSettings {
    struct Features: @unchecked Sendable {
        var livePhotoMovie: URL?
        var isHighResolution = false
        var fusesVirtualDevice = false
        var reducesRedEyes = false
        var correctsDistortion = false
        var suppressesSound = false
        /// Texts and numbers only.
        var thumbnail: [String: Any]?
    }

    /// Makes wishes for a raw photo; a capture raises, as no camera here has a raw format.
    public convenience init(rawPixelFormatType: OSType) { self.init(nil, raw: rawPixelFormatType) }
    /// Makes wishes for a raw photo and a processed one; a capture raises, as no camera here has a raw format.
    public convenience init(rawPixelFormatType: OSType, processedFormat: [String: Any]?) { self.init(processedFormat, raw: rawPixelFormatType) }

    private var features: Features {
        get { current.features }
        set {
            let boxed = newValue
            wishes.withLock { $0.features = boxed }
        }
    }

    /// File of a Live Photo's movie; default nil. A capture raises for one, as no output here takes Live Photos.
    public var livePhotoMovieFileURL: URL? {
        get { features.livePhotoMovie }
        set { features.livePhotoMovie = newValue }
    }

    /// Whether the photo may be larger than the stream; default false, allowed only where the output has it enabled.
    public var isHighResolutionPhotoEnabled: Bool {
        get { features.isHighResolution }
        set { features.isHighResolution = newValue }
    }

    /// Whether pictures of several cameras may be combined; default false, kept without effect.
    public var isAutoVirtualDeviceFusionEnabled: Bool {
        get { features.fusesVirtualDevice }
        set { features.fusesVirtualDevice = newValue }
    }

    /// Whether red eyes may be mended; default false, kept without effect.
    public var isAutoRedEyeReductionEnabled: Bool {
        get { features.reducesRedEyes }
        set { features.reducesRedEyes = newValue }
    }

    /// Whether distortion about faces may be corrected; default false, kept without effect.
    public var isAutoContentAwareDistortionCorrectionEnabled: Bool {
        get { features.correctsDistortion }
        set { features.correctsDistortion = newValue }
    }

    /// Whether the shutter is silent; default false, kept without effect, as there is no sound.
    public var isShutterSoundSuppressionEnabled: Bool {
        get { features.suppressesSound }
        set { features.suppressesSound = newValue }
    }

    /// Codecs of a small picture within the file: none.
    public var availableEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] { [] }
    /// Wish for a small picture within the file; default nil, kept without effect.
    public var embeddedThumbnailPhotoFormat: [String: Any]? {
        get { features.thumbnail }
        set { features.thumbnail = newValue }
    }
}
