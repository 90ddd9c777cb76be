import CoreMedia
import CoreVideo
import Foundation

/// Range of frame rates, and the exact durations of a frame at its ends.
public final class AVFrameRateRange: NSObject, Sendable {
    /// Slowest rate in frames per second.
    public let minFrameRate: Double
    /// Fastest rate in frames per second.
    public let maxFrameRate: Double
    /// Duration of a frame at the fastest rate.
    public let minFrameDuration: CMTime
    /// Duration of a frame at the slowest rate.
    public let maxFrameDuration: CMTime

    init(minFrameRate: Double, maxFrameRate: Double) {
        self.minFrameRate = minFrameRate
        self.maxFrameRate = maxFrameRate
        minFrameDuration = Self.duration(of: maxFrameRate)
        maxFrameDuration = Self.duration(of: minFrameRate)
    }

    func contains(_ duration: CMTime) -> Bool { minFrameDuration <= duration && duration <= maxFrameDuration }

    /// Frame duration of a rate: 1/n s for whole rates, 1001/1000n s for those of television, else to the microsecond.
    private static func duration(of rate: Double) -> CMTime {
        if rate == rate.rounded() { return CMTime(value: 1, timescale: CMTimeScale(rate)) }
        let television = rate * 1001 / 1000
        if abs(television - television.rounded()) < 1e-3 { return CMTime(value: 1001, timescale: CMTimeScale(television.rounded()) * 1000) }
        return CMTime(value: CMTimeValue((1_000_000 / rate).rounded()), timescale: 1_000_000)
    }
}

extension AVCaptureDevice {
    /// Mode of a device: picture size, pixel format, frame rates, and its part in depth and cinematic capture.
    public final class Format: _SendableObject, @unchecked Sendable {
        let profile: CameraProfile.Format
        /// Kind of media: `.video`, `.audio` or `.depthData`.
        public let mediaType: AVMediaType
        private let cinematic: CameraProfile.Cinematic?
        private let canFocus: Bool
        /// Whether the camera can run beside another.
        let hasMultiCam: Bool
        /// Pixel format and size in pixels; sample format for a microphone.
        public let formatDescription: CMFormatDescription
        /// Frame rates that the source can deliver: one range, none for a microphone.
        public let videoSupportedFrameRateRanges: [AVFrameRateRange]
        /// Frame rates while cinematic capture is enabled; nil when the format has none.
        public let videoFrameRateRangeForCinematicVideo: AVFrameRateRange?
        /// Formats that `activeDepthDataFormat` can have while this one is active, the default first; empty without depth.
        public let supportedDepthDataFormats: [Format]

        init(_ profile: CameraProfile.Format, canRenderAperture: Bool, canFocus: Bool, hasMultiCam: Bool = false) {
            (self.canFocus, self.hasMultiCam) = (canFocus, hasMultiCam)
            self.profile = profile
            mediaType = .video
            cinematic = canRenderAperture ? profile.cinematic : nil
            formatDescription = CMFormatDescription(
                mediaType: .video, mediaSubType: CMFormatDescription.MediaSubType(string: profile.pixelFormat).rawValue, width: profile.width,
                height: profile.height)
            videoSupportedFrameRateRanges = [AVFrameRateRange(minFrameRate: profile.minFrameRate, maxFrameRate: profile.maxFrameRate)]
            videoFrameRateRangeForCinematicVideo = cinematic.map {
                AVFrameRateRange(minFrameRate: $0.minFrameRate, maxFrameRate: $0.maxFrameRate)
            }
            supportedDepthDataFormats = profile.depthWidths.filter { $0 <= profile.width }.flatMap { width in
                ["hdis", "fdis", "hdep", "fdep"].map { Format(depthWidth: width, pixelFormat: $0, beside: profile) }
            }
        }

        private init(depthWidth width: Int, pixelFormat: String, beside picture: CameraProfile.Format) {
            let height = max((width * picture.height / picture.width + 1) & ~1, 2)
            profile = CameraProfile.Format(
                width: width, height: height, pixelFormat: pixelFormat, frameRates: picture.minFrameRate...picture.maxFrameRate,
                fieldOfView: picture.fieldOfView, maxZoom: 1, cinematic: nil)
            mediaType = .depthData
            (canFocus, hasMultiCam) = (false, false)
            cinematic = nil
            formatDescription = CMFormatDescription(
                mediaType: .depth, mediaSubType: CMFormatDescription.MediaSubType(string: pixelFormat).rawValue, width: width, height: height)
            videoSupportedFrameRateRanges = [AVFrameRateRange(minFrameRate: picture.minFrameRate, maxFrameRate: picture.maxFrameRate)]
            videoFrameRateRangeForCinematicVideo = nil
            supportedDepthDataFormats = []
        }

        /// The only format of a microphone: 48 kHz, mono, 16 bits.
        static let sound = Format(sound: ())

        private init(sound: Void) {
            profile = CameraProfile.Format(
                width: 0, height: 0, pixelFormat: "lpcm", frameRates: 0...0, fieldOfView: 0, maxZoom: 1, cinematic: nil)
            mediaType = .audio
            (canFocus, hasMultiCam) = (false, false)
            cinematic = nil
            supportedDepthDataFormats = []
            formatDescription = CMFormatDescription(linearPCM: 48_000, layout: kAudioChannelLayoutTag_Mono)
            videoSupportedFrameRateRanges = []
            videoFrameRateRangeForCinematicVideo = nil
        }

        /// Horizontal field of view in degrees; 0 is unknown.
        public var videoFieldOfView: Float { Float(profile.fieldOfView) }
        /// Greatest zoom factor without cinematic capture; at least 1.
        public var videoMaxZoomFactor: CGFloat { profile.maxZoom }
        /// Zoom factor above which pixels are scaled up: 1, as all zoom crops the picture.
        public var videoZoomFactorUpscaleThreshold: CGFloat { 1 }
        /// Whether pixels of the sensor are combined; never here.
        public var isVideoBinned: Bool { false }
        /// Whether a matte of people can come beside photos of the format; never here.
        public var isPortraitEffectsMatteStillImageDeliverySupported: Bool { false }
        /// Classes of outputs that do not take the format: none.
        public var unsupportedCaptureOutputClasses: [AnyClass] { [] }
        /// Way of focusing: phase detection, or none for fixed focus, sound and depth.
        public var autoFocusSystem: AutoFocusSystem { canFocus ? .phaseDetection : .none }

        /// Whether pictures of the format can be refocused; false without a renderer.
        public var isCinematicVideoCaptureSupported: Bool { cinematic != nil }
        /// Simulated aperture at first, as an f-number; 0 where there is none.
        public var defaultSimulatedAperture: Float { Float(cinematic?.defaultAperture ?? 0) }
        /// Widest simulated aperture: the smallest f-number; 0 where it cannot be set.
        public var minSimulatedAperture: Float { Float(cinematic?.minAperture ?? 0) }
        /// Narrowest simulated aperture: the largest f-number; 0 where it cannot be set.
        public var maxSimulatedAperture: Float { Float(cinematic?.maxAperture ?? 0) }
        /// Least zoom factor while cinematic capture is enabled; 1 for formats without it.
        public var videoMinZoomFactorForCinematicVideo: CGFloat { cinematic?.minZoom ?? 1 }
        /// Greatest zoom factor while cinematic capture is enabled; 1 for formats without it.
        public var videoMaxZoomFactorForCinematicVideo: CGFloat { cinematic?.maxZoom ?? 1 }

        /// Size in pixels, pixel format and frame rates as text.
        public override var description: String {
            "\(profile.width)x\(profile.height) \(profile.pixelFormat) \(profile.minFrameRate)-\(profile.maxFrameRate) fps"
        }
    }
}
