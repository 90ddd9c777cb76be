import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDeviceInput {
    struct Options: Sendable {
        var unifiesExposure = false
        var minFrameDuration = CMTime.invalid
        var removesWind: Bool?
        var zoomsAudio: Bool?
    }

    /// Kept as it was set; exposure follows no preset here.
    public var unifiedAutoExposureDefaultsEnabled: Bool {
        get { options.withLock { $0.unifiesExposure } }
        set { options.withLock { $0.unifiesExposure = newValue } }
    }

    /// In place of the device's fastest rate, `.invalid` for none; raises beyond the format's ranges.
    public var videoMinFrameDurationOverride: CMTime {
        get { options.withLock { $0.minFrameDuration } }
        set {
            guard !newValue.isValid || device.activeFormat.videoSupportedFrameRateRanges.contains(where: { $0.contains(newValue) }) else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDeviceInput setVideoMinFrameDurationOverride:]",
                    "The passed frame duration is not supported - use device.activeFormat.videoSupportedFrameRateRanges")
            }
            options.withLock { $0.minFrameDuration = newValue }
        }
    }

    // MARK: sound

    /// A microphone with a multichannel mode chosen.
    public var isWindNoiseRemovalSupported: Bool { multichannelAudioMode != .none }
    public var isAudioZoomSupported: Bool { multichannelAudioMode != .none }

    /// At first true where it is supported; there is no wind to remove. Raises where it is not supported.
    public var isWindNoiseRemovalEnabled: Bool {
        get { options.withLock { $0.removesWind } ?? isWindNoiseRemovalSupported }
        set {
            guard isWindNoiseRemovalSupported || !newValue else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDeviceInput setWindNoiseRemovalEnabled:]", "Not supported - use isWindNoiseRemovalSupported")
            }
            options.withLock { $0.removesWind = newValue }
        }
    }

    /// At first true where it is supported; sound does not follow the zoom. Raises where it is not supported.
    public var isAudioZoomEnabled: Bool {
        get { options.withLock { $0.zoomsAudio } ?? isAudioZoomSupported }
        set {
            guard isAudioZoomSupported || !newValue else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDeviceInput setAudioZoomEnabled:]", "Not supported - use isAudioZoomSupported")
            }
            options.withLock { $0.zoomsAudio = newValue }
        }
    }
}
