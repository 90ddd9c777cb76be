import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice.Format {
    /// Whether the rate can follow the light: true where the format has a range of rates.
    public var isAutoVideoFrameRateSupported: Bool { mediaType == .video && profile.minFrameRate < profile.maxFrameRate }

    /// Way in which a format focuses.
    public enum AutoFocusSystem: Int, Sendable {
        /// Focus is fixed.
        case none = 0
        /// Search for the greatest contrast.
        case contrastDetection = 1
        /// Comparison of two halves of the lens.
        case phaseDetection = 2
    }
}

extension AVCaptureDevice {
    /// Whether the rate follows the light: 24 frames per second, where the format goes so low, in the dark. Default false. Observable.
    /// A new format turns it off. Raises without the lock or support, and while the frame duration is locked.
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

    /// Longest duration of automatic exposure; `.invalid` resets it to the format's. Observable.
    /// Raises without the lock, and outside of the format's exposure durations.
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

    /// Camera of a virtual one that delivers at this zoom; nil until a session runs with it, and for a physical camera.
    public var activePrimaryConstituent: AVCaptureDevice? {
        guard isVirtualDevice, state.withLock({ $0.session })?.isRunning == true else { return nil }
        let constituents = constituentDevices
        let passed = profile.hardware.switchOverZoomFactors.count { $0 <= Double(videoZoomFactor) }
        return constituents.indices.contains(passed) ? constituents[passed] : constituents.last
    }

    /// Factor from `videoZoomFactor` to the number that a camera app shows, in which the wide camera is 1.
    public var displayVideoZoomFactorMultiplier: CGFloat {
        guard deviceType != .builtInUltraWideCamera else { return 0.5 }
        let startsUltraWide = constituentDevices.first?.deviceType == .builtInUltraWideCamera
        return startsUltraWide ? 1 / CGFloat(profile.hardware.switchOverZoomFactors.first ?? 1) : 1
    }
}

extension AVCaptureDevice {
    /// Duration of a frame as the camera is set; a source with fewer frames gives all it has. `override` replaces the fastest rate.
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
    /// Duration of a frame as the device is set, unless the input overrides its fastest rate.
    func deliveredFrameDuration(isDark: Bool) -> CMTime {
        let override = videoMinFrameDurationOverride
        return device.deliveredFrameDuration(isDark: isDark, override: override.isValid ? override : nil)
    }

    /// Whether the frame duration can be locked; true for every camera.
    public var isLockedVideoFrameDurationSupported: Bool { device.hasMediaType(.video) }

    /// Exact duration of every frame; `.invalid` (default) frees it, and so does a new format.
    /// Raises outside of the format's rates, and while the rate is automatic.
    public var activeLockedVideoFrameDuration: CMTime {
        get { device.state.withLock { $0.controls.lockedFrameDuration } ?? .invalid }
        set {
            let selector = "-[AVCaptureDeviceInput setActiveLockedVideoFrameDuration:]"
            guard newValue.isValid else {
                return _ = device.change { state in
                    guard state.controls.lockedFrameDuration != nil else { return }
                    state.controls.lockedFrameDuration = nil
                    state.freeFrameDurations()
                }
            }
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
