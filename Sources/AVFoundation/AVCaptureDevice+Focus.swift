import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// What the app set by hand, and what came of what it left to the camera.
    struct Controls: Sendable {
        var focusPoint = CGPoint(x: 0.5, y: 0.5)
        var lensPosition: Float = 1
        /// By hand.
        var isLensPlaced = false
        var isSmoothFocus = false
        var focusRange = AutoFocusRangeRestriction.none
        var exposureMode = ExposureMode.continuousAutoExposure
        var exposurePoint = CGPoint(x: 0.5, y: 0.5)
        var exposureDuration = CMTime(value: 1, timescale: 60)
        var iso: Float = 100
        var bias: Float = 0
        var offset: Float = 0
        /// A frame has told what exposure it had.
        var isMetered = false
        var whiteBalanceMode = WhiteBalanceMode.continuousAutoWhiteBalance
        var gains = WhiteBalanceGains(redGain: 1, greenGain: 1, blueGain: 1)
        /// 0 is dark.
        var torchLevel: Float = 0
        var isTorchAuto = false
        var ramp: Ramp?
        var watchesSubjectArea = false
        /// Nil: the usual one around the point.
        var focusRect: CGRect?
        var exposureRect: CGRect?
        var faceFocus = FaceDriven()
        var faceExposure = FaceDriven()
        var colorSpace = AVCaptureColorSpace.sRGB
        var adjustsHDR = true
        var isAutoFrameRate = false
        var lockedFrameDuration: CMTime?
        var maxExposure: CMTime?
    }

    public enum AutoFocusRangeRestriction: Int, Sendable {
        case none = 0
        case near = 1
        case far = 2
    }

    /// Stands for the lens position at hand.
    public static let currentLensPosition = Float.greatestFiniteMagnitude

    /// Whether the device has the thing a setter sets; raises when not.
    func requires(_ isSupported: Bool, _ selector: String, _ ask: String) -> Bool {
        if isSupported { return true }
        environment.raise(.invalidArgument, "-[AVCaptureDevice \(selector)]", "Not supported - use \(ask)")
        return false
    }

    func requires<Value: Comparable & Sendable>(_ value: Value, in range: ClosedRange<Value>, _ selector: String) -> Bool {
        if range.contains(value) { return true }
        environment.raise(
            .range, "-[AVCaptureDevice \(selector)]", "\(value) is out of range [\(range.lowerBound), \(range.upperBound)]")
        return false
    }

    /// Tells the app that a setting holds, with the time of the first frame that has it.
    func finish(_ handler: (@Sendable (CMTime) -> Void)?) {
        guard let handler else { return }
        let time = state.withLock { $0.session }?.synchronizationClock?.time ?? .zero
        Self.completions.async { handler(time) }
    }

    private static let completions = DispatchQueue(label: "com.rackfocus.device.completions")

    /// A camera of fixed focus has no focus mode.
    public func isFocusModeSupported(_ focusMode: FocusMode) -> Bool { hasMediaType(.video) && !profile.hardware.isFixedFocus }

    /// How the real lens focuses; out of bounds while cinematic capture is enabled. `.autoFocus` scans once and locks. Observable.
    public var focusMode: FocusMode {
        get { state.withLock { $0.focusMode } }
        set {
            guard requiresLock("setFocusMode:"), requiresFreeFocus("setFocusMode:"),
                requires(isFocusModeSupported(newValue), "setFocusMode:", "isFocusModeSupported:")
            else { return }
            change { state in
                state.focusMode = newValue == .autoFocus ? .locked : newValue
                if newValue != .locked { state.controls.isLensPlaced = false }
            }
        }
    }

    private func requiresFreeFocus(_ selector: String) -> Bool {
        if !state.withLock({ $0.isCinematic }) { return true }
        environment.raise(.invalidArgument, "-[AVCaptureDevice \(selector)]", "Not supported while cinematic video capture is enabled")
        return false
    }

    public var isFocusPointOfInterestSupported: Bool { isFocusModeSupported(.autoFocus) }

    /// Where to focus (0…1, origin top left, unrotated picture), from the next set of `focusMode` on. Observable.
    public var focusPointOfInterest: CGPoint {
        get { state.withLock { $0.controls.focusPoint } }
        set {
            let selector = "setFocusPointOfInterest:"
            guard requiresLock(selector), requires(isFocusPointOfInterestSupported, selector, "isFocusPointOfInterestSupported"),
                requires(newValue.isInPicture, selector, "a point within 0…1")
            else { return }
            change { ($0.controls.focusPoint, $0.controls.focusRect) = (newValue, nil) }
        }
    }

    /// A scan is over before the setter returns.
    public var isAdjustingFocus: Bool { false }
    /// 0 nearest, 1 farthest. Observable.
    public var lensPosition: Float { state.withLock { $0.controls.lensPosition } }
    public var isLockingFocusWithCustomLensPositionSupported: Bool { isFocusModeSupported(.locked) && !isVirtualDevice }

    /// Moves the lens and holds it: nearer and farther things blur, as far as a phone's own lens blurs. A virtual camera takes only `currentLensPosition`.
    public func setFocusModeLocked(lensPosition: Float, completionHandler handler: (@Sendable (CMTime) -> Void)? = nil) {
        let selector = "setFocusModeLockedWithLensPosition:completionHandler:"
        guard requiresLock(selector), requiresFreeFocus(selector), requires(isFocusModeSupported(.locked), selector, "isFocusModeSupported:")
        else { return }
        if lensPosition != Self.currentLensPosition {
            guard requires(isLockingFocusWithCustomLensPositionSupported, selector, "isLockingFocusWithCustomLensPositionSupported"),
                requires(lensPosition, in: 0...1, selector)
            else { return }
        }
        change { state in
            state.focusMode = .locked
            if lensPosition != Self.currentLensPosition { (state.controls.lensPosition, state.controls.isLensPlaced) = (lensPosition, true) }
        }
        finish(handler)
    }

    public var isSmoothAutoFocusSupported: Bool { isFocusModeSupported(.autoFocus) }

    public var isSmoothAutoFocusEnabled: Bool {
        get { state.withLock { $0.controls.isSmoothFocus } }
        set {
            let selector = "setSmoothAutoFocusEnabled:"
            guard requiresLock(selector), requires(isSmoothAutoFocusSupported || !newValue, selector, "isSmoothAutoFocusSupported") else { return }
            change { $0.controls.isSmoothFocus = newValue }
        }
    }

    public var isAutoFocusRangeRestrictionSupported: Bool { isFocusModeSupported(.autoFocus) }

    public var autoFocusRangeRestriction: AutoFocusRangeRestriction {
        get { state.withLock { $0.controls.focusRange } }
        set {
            let selector = "setAutoFocusRangeRestriction:"
            guard requiresLock(selector),
                requires(isAutoFocusRangeRestrictionSupported || newValue == .none, selector, "isAutoFocusRangeRestrictionSupported")
            else { return }
            change { $0.controls.focusRange = newValue }
        }
    }
}

extension CGPoint {
    var isInPicture: Bool { (0...1).contains(x) && (0...1).contains(y) }
}
