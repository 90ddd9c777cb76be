import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    public enum ExposureMode: Int, Sendable {
        case locked = 0
        case autoExpose = 1
        case continuousAutoExposure = 2
        case custom = 3
    }

    /// Stands for the exposure duration at hand.
    public static let currentExposureDuration = CMTime.invalid
    /// Stands for the sensitivity at hand.
    public static let currentISO = Float.greatestFiniteMagnitude
    /// Stands for the bias at hand.
    public static let currentExposureTargetBias = Float.greatestFiniteMagnitude

    /// A virtual camera has no custom exposure.
    public func isExposureModeSupported(_ exposureMode: ExposureMode) -> Bool {
        hasMediaType(.video) && (exposureMode != .custom || !isVirtualDevice)
    }

    /// How light is measured; `.autoExpose` measures once and locks. Observable.
    public var exposureMode: ExposureMode {
        get { state.withLock { $0.controls.exposureMode } }
        set {
            guard requiresLock("setExposureMode:"),
                requires(isExposureModeSupported(newValue), "setExposureMode:", "isExposureModeSupported:")
            else { return }
            change { $0.controls.exposureMode = newValue == .autoExpose ? .locked : newValue }
        }
    }

    public var isExposurePointOfInterestSupported: Bool { hasMediaType(.video) }
    public var isAdjustingExposure: Bool { false }

    /// Where to measure (0…1, origin top left, unrotated picture), from the next set of `exposureMode` on. Observable.
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

    /// Observable.
    public var exposureDuration: CMTime { state.withLock { $0.controls.exposureDuration } }
    /// Observable.
    public var iso: Float { state.withLock { $0.controls.iso } }
    /// EV. Observable.
    public var exposureTargetBias: Float { state.withLock { $0.controls.bias } }
    public var minExposureTargetBias: Float { -8 }
    public var maxExposureTargetBias: Float { 8 }

    /// Exposes by hand; `currentExposureDuration` and `currentISO` keep what is.
    public func setExposureModeCustom(duration: CMTime, iso: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil) {
        let selector = "setExposureModeCustomWithDuration:ISO:completionHandler:"
        guard requiresLock(selector), requires(isExposureModeSupported(.custom), selector, "isExposureModeSupported:") else { return }
        let format = activeFormat
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

    /// Brightens or darkens automatic exposure, in EV.
    public func setExposureTargetBias(_ bias: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil) {
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
    public var minISO: Float { 25 }
    public var maxISO: Float { 3200 }
    public var minExposureDuration: CMTime { CMTime(value: 1, timescale: 20_000) }
    /// A frame at the slowest rate, at most a second.
    public var maxExposureDuration: CMTime { videoSupportedFrameRateRanges.first?.maxFrameDuration ?? CMTime(value: 1, timescale: 1) }
}
