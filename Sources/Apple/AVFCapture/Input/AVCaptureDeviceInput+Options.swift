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

    /// Whether exposure has the same limits in every preset; default false, kept without effect.
    public var unifiedAutoExposureDefaultsEnabled: Bool {
        get { options.withLock { $0.unifiesExposure } }
        set { options.withLock { $0.unifiesExposure = newValue } }
    }

    /// Frame duration in place of the device's fastest rate, `.invalid` (default) for none; raises outside of the format's rates.
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

    /// Whether wind noise can be removed: for a microphone with a multichannel mode chosen.
    public var isWindNoiseRemovalSupported: Bool { hasManyChannels }
    /// Whether sound can follow the zoom: for a microphone with a multichannel mode chosen.
    public var isAudioZoomSupported: Bool { hasManyChannels }

    /// Whether wind noise is removed; true at first where it is supported, without effect. Raises where it is not.
    public var isWindNoiseRemovalEnabled: Bool {
        get { options.withLock { $0.removesWind } ?? isWindNoiseRemovalSupported }
        set { setSound(newValue, "setWindNoiseRemovalEnabled:", "isWindNoiseRemovalSupported", \.removesWind) }
    }

    /// Whether sound follows the zoom; true at first where it is supported, without effect. Raises where it is not.
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
