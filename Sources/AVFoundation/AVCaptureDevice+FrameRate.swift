import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice.Format {
    /// Where there is a range of rates to choose from.
    public var isAutoVideoFrameRateSupported: Bool { mediaType == .video && profile.minFrameRate < profile.maxFrameRate }

    public enum AutoFocusSystem: Int, Sendable {
        case none = 0
        case contrastDetection = 1
        case phaseDetection = 2
    }
}

extension AVCaptureDevice {
    /// Lets the light choose the rate: 24 frames a second, where the format goes so low, when there is not enough of it. A new format turns
    /// it off. Observable.
    public var isAutoVideoFrameRateEnabled: Bool {
        get { state.withLock { $0.controls.isAutoFrameRate } }
        set {
            let selector = "setAutoVideoFrameRateEnabled:"
            guard requiresLock(selector),
                requires(activeFormat.isAutoVideoFrameRateSupported || !newValue, selector, "activeFormat.isAutoVideoFrameRateSupported")
            else { return }
            guard !newValue || state.withLock({ $0.controls.lockedFrameDuration }) == nil else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureDevice \(selector)]", "Not supported while the frame duration is locked")
            }
            change { $0.controls.isAutoFrameRate = newValue }
        }
    }

    /// The longest that automatic exposure may take; `.invalid` resets it to the format's. Observable.
    public var activeMaxExposureDuration: CMTime {
        get { state.withLock { $0.controls.maxExposure ?? $0.activeFormat.maxExposureDuration } }
        set {
            let selector = "setActiveMaxExposureDuration:"
            guard requiresLock(selector) else { return }
            guard newValue.isValid else { return _ = change { $0.controls.maxExposure = nil } }
            let format = activeFormat
            guard requires(newValue, in: format.minExposureDuration...format.maxExposureDuration, selector) else { return }
            change { $0.controls.maxExposure = newValue }
        }
    }

    /// Of a virtual camera the one that sees, by the zoom; nil until a session runs with it, and for a camera that is one.
    public var activePrimaryConstituent: AVCaptureDevice? {
        guard isVirtualDevice, state.withLock({ $0.session })?.isRunning == true else { return nil }
        let constituents = constituentDevices
        let passed = profile.hardware.switchOverZoomFactors.count { $0 <= Double(videoZoomFactor) }
        return constituents.indices.contains(passed) ? constituents[passed] : constituents.last
    }

    /// From zoom factors to those a camera app shows, where the wide camera is 1.
    public var displayVideoZoomFactorMultiplier: CGFloat {
        guard deviceType != .builtInUltraWideCamera else { return 0.5 }
        let startsUltraWide = constituentDevices.first?.deviceType == .builtInUltraWideCamera
        return startsUltraWide ? 1 / CGFloat(profile.hardware.switchOverZoomFactors.first ?? 1) : 1
    }
}

extension AVCaptureDevice {
    /// How long a frame lasts as the camera is set; a source with fewer frames gives all it has. `override` stands for the fastest rate.
    func deliveredFrameDuration(isDark: Bool, override: CMTime? = nil) -> CMTime {
        state.withLock { state in
            let fastest = override ?? state.fastest
            guard state.controls.isAutoFrameRate, isDark else { return fastest }
            return max(fastest, min(state.slowest, Self.darkFrameDuration))
        }
    }

    private static let darkFrameDuration = CMTime(value: 1, timescale: 24)
}

extension AVCaptureDeviceInput {
    /// The device's, unless the input overrides its fastest rate.
    func deliveredFrameDuration(isDark: Bool) -> CMTime {
        let override = videoMinFrameDurationOverride
        return device.deliveredFrameDuration(isDark: isDark, override: override.isValid ? override : nil)
    }

    public var isLockedVideoFrameDurationSupported: Bool { device.hasMediaType(.video) }

    /// An exact time of one frame; `.invalid` frees it, and so does a new format.
    public var activeLockedVideoFrameDuration: CMTime {
        get { device.state.withLock { $0.controls.lockedFrameDuration } ?? .invalid }
        set {
            let selector = "-[AVCaptureDeviceInput setActiveLockedVideoFrameDuration:]"
            guard newValue.isValid else { return _ = device.change { $0.controls.lockedFrameDuration = nil } }
            guard isLockedVideoFrameDurationSupported, !device.isAutoVideoFrameRateEnabled,
                device.activeFormat.videoSupportedFrameRateRanges.contains(where: { $0.contains(newValue) })
            else {
                return environment.raise(
                    .invalidArgument, selector,
                    "Not supported - use isLockedVideoFrameDurationSupported, a duration of the activeFormat, and no automatic frame rate")
            }
            device.change { state in
                state.controls.lockedFrameDuration = newValue
                (state.minFrameDuration, state.maxFrameDuration) = (newValue, newValue)
            }
        }
    }
}
