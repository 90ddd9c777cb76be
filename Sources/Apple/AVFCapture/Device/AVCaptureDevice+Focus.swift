import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Settings made by the app, and the results of those left to the camera.
    struct Controls: Sendable {
        var focusPoint = CGPoint(x: 0.5, y: 0.5)
        var lensPosition: Float = 1
        /// Whether `lensPosition` was set by hand.
        var isLensPlaced = false
        var isSmoothFocus = false
        var flashMode = FlashMode.off
        var focusRange = AutoFocusRangeRestriction.none
        var exposureMode = ExposureMode.continuousAutoExposure
        var exposurePoint = CGPoint(x: 0.5, y: 0.5)
        var exposureDuration = CMTime(value: 1, timescale: 60)
        var iso: Float = 100
        var bias: Float = 0
        var offset: Float = 0
        /// Whether a frame has reported its exposure.
        var isMetered = false
        var whiteBalanceMode = WhiteBalanceMode.continuousAutoWhiteBalance
        var gains = WhiteBalanceGains(redGain: 1, greenGain: 1, blueGain: 1)
        /// Level of the torch; 0 is dark.
        var torchLevel: Float = 0
        var isTorchAuto = false
        var ramp: Ramp?
        var watchesSubjectArea = false
        /// Nil: the default rectangle around the point.
        var focusRect: CGRect?
        var exposureRect: CGRect?
        var faceFocus = FaceDriven()
        var faceExposure = FaceDriven()
        var colorSpace = AVCaptureColorSpace.sRGB
        var adjustsHDR = true
        var isAutoFrameRate = false
        var lockedFrameDuration: CMTime?
        var maxExposure: CMTime?
        var apertureRate: Float = 0
        var choosesSignals = true
    }

    /// Range of distances that automatic focus searches.
    public enum AutoFocusRangeRestriction: Int, Sendable {
        /// All distances.
        case none = 0
        /// Near things only.
        case near = 1
        /// Far things only.
        case far = 2
    }

    /// Placeholder for the lens position in use; a virtual camera takes no other.
    public static let currentLensPosition = Float.greatestFiniteMagnitude

    /// Whether the device supports a setter's value; raises when not.
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

    /// Calls the handler of a setting that holds, with the time of the frame at hand; 0 outside of a session.
    func finish(_ handler: ((CMTime) -> Void)?) {
        guard let handler else { return }
        let time = state.withLock { $0.session }?.synchronizationClock?.time ?? .zero
        let completion = Completion(call: handler)
        Self.completions.async { completion.call(time) }
    }

    private static let completions = DispatchQueue(label: "com.rackfocus.device.completions")

    /// Whether the lens can be moved.
    var canFocus: Bool { hasMediaType(.video) && !profile.hardware.isFixedFocus }

    /// Focus mode of the physical lens; raises while cinematic capture is enabled. `.autoFocus` scans once and locks. Observable.
    /// Raises without the lock, too, and for a mode that is not supported.
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

    /// Point to focus on (0…1, origin top left, unrotated picture), default the middle; from the next set of `focusMode` on. Observable.
    /// Resets `focusRectOfInterest`. Raises without the lock, and for a point outside 0…1.
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

    /// Whether a focus scan is under way: never, as it is over before the setter returns.
    public var isAdjustingFocus: Bool { false }
    /// Position of the lens, 0…1: 0 nearest, 1 farthest (default). Observable.
    public var lensPosition: Float { state.withLock { $0.controls.lensPosition } }
    /// Whether the lens can be placed by hand; false for virtual cameras and fixed focus.
    public var isLockingFocusWithCustomLensPositionSupported: Bool { canFocus && !isVirtualDevice }

    /// Moves the lens and holds it: nearer and farther things blur, as far as a phone's own lens blurs.
    /// A virtual camera takes only `currentLensPosition`. The handler gets the time of the session's clock.
    /// Raises without the lock, outside of 0…1, and while cinematic capture is enabled.
    public func setFocusModeLocked(lensPosition: Float, completionHandler handler: ((CMTime) -> Void)? = nil) {
        let selector = "setFocusModeLockedWithLensPosition:completionHandler:"
        guard requiresLock(selector), requiresFreeFocus(selector), requires(canFocus, selector, "isFocusModeSupported:")
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

    /// Whether focus can be set to move slowly; false for a camera of fixed focus.
    public var isSmoothAutoFocusSupported: Bool { isFocusModeSupported(.autoFocus) }

    /// Whether automatic focus moves slowly; default false, kept without effect. Raises without the lock or support.
    public var isSmoothAutoFocusEnabled: Bool {
        get { state.withLock { $0.controls.isSmoothFocus } }
        set {
            let selector = "setSmoothAutoFocusEnabled:"
            guard requiresLock(selector), requires(isSmoothAutoFocusSupported || !newValue, selector, "isSmoothAutoFocusSupported") else { return }
            change { $0.controls.isSmoothFocus = newValue }
        }
    }

    /// Whether the search can be restricted to near or far things; false for a camera of fixed focus.
    public var isAutoFocusRangeRestrictionSupported: Bool { isFocusModeSupported(.autoFocus) }

    /// Range of distances that automatic focus searches; default `.none`, kept without effect. Raises without the lock or support.
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

/// Handler that is called once, elsewhere: Apple's interface does not ask that it be Sendable.
private struct Completion: @unchecked Sendable {
    let call: (CMTime) -> Void
}
