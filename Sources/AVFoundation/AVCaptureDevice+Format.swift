import CoreMedia
import Foundation

/// Frame rates from slow to fast, and the exact times of one frame.
public final class AVFrameRateRange: NSObject, Sendable {
    public let minFrameRate: Double
    public let maxFrameRate: Double
    /// Of the fastest rate.
    public let minFrameDuration: CMTime
    /// Of the slowest rate.
    public let maxFrameDuration: CMTime

    init(minFrameRate: Double, maxFrameRate: Double) {
        self.minFrameRate = minFrameRate
        self.maxFrameRate = maxFrameRate
        minFrameDuration = Self.duration(of: maxFrameRate)
        maxFrameDuration = Self.duration(of: minFrameRate)
    }

    func contains(_ duration: CMTime) -> Bool { minFrameDuration <= duration && duration <= maxFrameDuration }

    /// 1/n for whole rates, 1001/1000n for the rates of television, else to the microsecond.
    private static func duration(of rate: Double) -> CMTime {
        if rate == rate.rounded() { return CMTime(value: 1, timescale: CMTimeScale(rate)) }
        let television = rate * 1001 / 1000
        if abs(television - television.rounded()) < 1e-3 { return CMTime(value: 1001, timescale: CMTimeScale(television.rounded()) * 1000) }
        return CMTime(value: CMTimeValue((1_000_000 / rate).rounded()), timescale: 1_000_000)
    }
}

extension AVCaptureDevice {
    /// One way a camera can deliver pictures.
    public final class Format: NSObject, Sendable {
        let profile: CameraProfile.Format
        public let mediaType: AVMediaType
        private let cinematic: CameraProfile.Cinematic?
        private let canFocus: Bool
        public let formatDescription: CMFormatDescription
        public let videoSupportedFrameRateRanges: [AVFrameRateRange]
        /// Nil when the format has no cinematic capture.
        public let videoFrameRateRangeForCinematicVideo: AVFrameRateRange?
        /// What `activeDepthDataFormat` can be while this format is active, the default first; empty without depth.
        public let supportedDepthDataFormats: [Format]

        init(_ profile: CameraProfile.Format, canRenderAperture: Bool, canFocus: Bool) {
            self.canFocus = canFocus
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
            canFocus = false
            cinematic = nil
            formatDescription = CMFormatDescription(
                mediaType: .depth, mediaSubType: CMFormatDescription.MediaSubType(string: pixelFormat).rawValue, width: width, height: height)
            videoSupportedFrameRateRanges = [AVFrameRateRange(minFrameRate: picture.minFrameRate, maxFrameRate: picture.maxFrameRate)]
            videoFrameRateRangeForCinematicVideo = nil
            supportedDepthDataFormats = []
        }

        /// The one format of a microphone.
        static let sound = Format(sound: ())

        private init(sound: Void) {
            profile = CameraProfile.Format(
                width: 0, height: 0, pixelFormat: "lpcm", frameRates: 0...0, fieldOfView: 0, maxZoom: 1, cinematic: nil)
            mediaType = .audio
            canFocus = false
            cinematic = nil
            supportedDepthDataFormats = []
            formatDescription = CMFormatDescription(
                mediaType: .audio, mediaSubType: CMFormatDescription.MediaSubType(string: "lpcm").rawValue, width: 0, height: 0)
            videoSupportedFrameRateRanges = []
            videoFrameRateRangeForCinematicVideo = nil
        }

        /// Horizontal degrees; 0 is unknown.
        public var videoFieldOfView: Float { Float(profile.fieldOfView) }
        public var videoMaxZoomFactor: CGFloat { profile.maxZoom }
        public var videoZoomFactorUpscaleThreshold: CGFloat { 1 }
        public var isVideoBinned: Bool { false }
        public var isMultiCamSupported: Bool { false }
        /// None: every output takes every format.
        public var unsupportedCaptureOutputClasses: [AnyClass] { [] }
        public var autoFocusSystem: AutoFocusSystem { canFocus ? .phaseDetection : .none }

        public var isCinematicVideoCaptureSupported: Bool { cinematic != nil }
        /// f-number; 0 where there is no simulated aperture.
        public var defaultSimulatedAperture: Float { Float(cinematic?.defaultAperture ?? 0) }
        public var minSimulatedAperture: Float { Float(cinematic?.minAperture ?? 0) }
        public var maxSimulatedAperture: Float { Float(cinematic?.maxAperture ?? 0) }
        /// 1 without cinematic capture.
        public var videoMinZoomFactorForCinematicVideo: CGFloat { cinematic?.minZoom ?? 1 }
        public var videoMaxZoomFactorForCinematicVideo: CGFloat { cinematic?.maxZoom ?? 1 }

        public override var description: String {
            "\(profile.width)x\(profile.height) \(profile.pixelFormat) \(profile.minFrameRate)-\(profile.maxFrameRate) fps"
        }
    }
}
