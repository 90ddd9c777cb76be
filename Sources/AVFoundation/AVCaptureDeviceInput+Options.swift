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
    public var isWindNoiseRemovalSupported: Bool { hasManyChannels }
    public var isAudioZoomSupported: Bool { hasManyChannels }

    /// At first true where it is supported; there is no wind to remove. Raises where it is not supported.
    public var isWindNoiseRemovalEnabled: Bool {
        get { options.withLock { $0.removesWind } ?? isWindNoiseRemovalSupported }
        set { setSound(newValue, "setWindNoiseRemovalEnabled:", "isWindNoiseRemovalSupported", \.removesWind) }
    }

    /// At first true where it is supported; sound does not follow the zoom. Raises where it is not supported.
    public var isAudioZoomEnabled: Bool {
        get { options.withLock { $0.zoomsAudio } ?? isAudioZoomSupported }
        set { setSound(newValue, "setAudioZoomEnabled:", "isAudioZoomSupported", \.zoomsAudio) }
    }

    private var hasManyChannels: Bool { multichannelAudioMode != .none }

    private func setSound(_ isOn: Bool, _ selector: String, _ ask: String, _ option: any WritableKeyPath<Options, Bool?> & Sendable) {
        guard hasManyChannels || !isOn else {
            return environment.raise(.invalidArgument, "-[AVCaptureDeviceInput \(selector)]", "Not supported - use \(ask)")
        }
        options.withLock { $0[keyPath: option] = isOn }
    }
}
