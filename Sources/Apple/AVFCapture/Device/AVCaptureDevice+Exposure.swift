import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Mode of exposure: held, automatic or set by hand.
    public enum ExposureMode: Int, Sendable {
        /// Exposure duration and ISO stay as they are.
        case locked = 0
        /// One metering, then `.locked`.
        case autoExpose = 1
        /// Metering of every frame; the default.
        case continuousAutoExposure = 2
        /// Duration and ISO as set by `setExposureModeCustom(duration:iso:completionHandler:)`.
        case custom = 3
    }

    /// Placeholder for the exposure duration in use.
    public static let currentExposureDuration = CMTime.invalid
    /// Placeholder for the ISO in use.
    public static let currentISO = Float.greatestFiniteMagnitude
    /// Placeholder for the bias in use.
    public static let currentExposureTargetBias = Float.greatestFiniteMagnitude

    /// Mode of exposure, at first continuous; `.autoExpose` meters once and locks. Observable.
    /// Raises without the lock, and for a mode that the device lacks.
    public var exposureMode: ExposureMode {
        get { state.withLock { $0.controls.exposureMode } }
        set {
            guard requiresLock("setExposureMode:"),
                requires(isExposureModeSupported(newValue), "setExposureMode:", "isExposureModeSupported:")
            else { return }
            change { $0.controls.exposureMode = newValue == .autoExpose ? .locked : newValue }
        }
    }

    /// Whether a change of exposure is under way: never, as it is over within a frame.
    public var isAdjustingExposure: Bool { false }

    /// Point to meter (0…1, origin top left, unrotated picture), default the middle; from the next set of `exposureMode` on. Observable.
    /// Resets `exposureRectOfInterest`. Raises without the lock, and for a point outside 0…1.
    public var exposurePointOfInterest: CGPoint {
        get { state.withLock { $0.controls.exposurePoint } }
        set {
            let selector = "setExposurePointOfInterest:"
            guard requiresLock(selector), requires(isExposurePointOfInterestSupported, selector, "isExposurePointOfInterestSupported"),
                requires(newValue.isInPicture, selector, "a point within 0…1")
            else { return }
            change { ($0.controls.exposurePoint, $0.controls.exposureRect) = (newValue, nil) }
        }
    }

    /// Exposure duration of the last metered frame, or as set by hand; 1/60 s at first. Observable.
    public var exposureDuration: CMTime { state.withLock { $0.controls.exposureDuration } }
    /// ISO sensitivity of the last metered frame, or as set by hand; 100 at first. Observable.
    public var iso: Float { state.withLock { $0.controls.iso } }
    /// Bias of automatic exposure in EV; positive is brighter. Observable.
    public var exposureTargetBias: Float { state.withLock { $0.controls.bias } }
    /// Least bias in EV: -8; 0 of a camera whose exposure cannot be biased.
    public var minExposureTargetBias: Float { profile.hardware.biasesExposure ? -8 : 0 }
    /// Greatest bias in EV: 8; 0 of a camera whose exposure cannot be biased.
    public var maxExposureTargetBias: Float { profile.hardware.biasesExposure ? 8 : 0 }

    /// Sets exposure by hand; `currentExposureDuration` and `currentISO` keep the value in use.
    /// The handler gets the time of the session's clock. Raises without the lock, on a virtual camera, and outside of the format's ranges.
    public func setExposureModeCustom(duration: CMTime, iso: Float, completionHandler handler: ((CMTime) -> Void)? = nil) {
        setExposure(
            lensAperture: Self.currentLensAperture, duration: duration, iso: iso, "setExposureModeCustomWithDuration:ISO:completionHandler:", handler)
    }

    /// Sets exposure by hand in the name of a selector of the app's.
    func setExposure(lensAperture: Float, duration: CMTime, iso: Float, _ selector: String, _ handler: ((CMTime) -> Void)?) {
        guard requiresLock(selector), requires(isExposureModeSupported(.custom), selector, "isExposureModeSupported:"),
            requires(
                lensAperture != Self.autoLensAperture && duration != Self.autoExposureDuration && iso != Self.autoISO, selector,
                "activeFormat.supportsExposureModeCustomWithLensAperture:duration:ISO:")
        else { return }
        let format = activeFormat
        if lensAperture != Self.currentLensAperture {
            guard requires(lensAperture, in: format.minLensAperture...format.maxLensAperture, selector) else { return }
        }
        if duration.isValid {
            guard requires(duration, in: format.minExposureDuration...format.maxExposureDuration, selector) else { return }
        }
        if iso != Self.currentISO {
            guard requires(iso, in: format.minISO...format.maxISO, selector) else { return }
        }
        change { state in
            state.controls.exposureMode = .custom
            if duration.isValid { state.controls.exposureDuration = duration }
            if iso != Self.currentISO { state.controls.iso = iso }
        }
        finish(handler)
    }

    /// Brightens (positive) or darkens automatic exposure, in EV.
    /// The handler gets the time of the session's clock. Raises without the lock, and outside of the device's range.
    public func setExposureTargetBias(_ bias: Float, completionHandler handler: ((CMTime) -> Void)? = nil) {
        let selector = "setExposureTargetBias:completionHandler:"
        guard requiresLock(selector) else { return }
        if bias != Self.currentExposureTargetBias {
            guard requires(bias, in: minExposureTargetBias...maxExposureTargetBias, selector) else { return }
            change { $0.controls.bias = bias }
        }
        finish(handler)
    }
}

extension AVCaptureDevice.Format {
    /// Least ISO sensitivity: 25.
    public var minISO: Float { 25 }
    /// Greatest ISO sensitivity: 3200.
    public var maxISO: Float { 3200 }
    /// Shortest exposure: 1/20000 s.
    public var minExposureDuration: CMTime { CMTime(value: 1, timescale: 20_000) }
    /// Longest exposure: a frame at the slowest rate; a second for formats without rates.
    public var maxExposureDuration: CMTime { videoSupportedFrameRateRanges.first?.maxFrameDuration ?? CMTime(value: 1, timescale: 1) }
}
