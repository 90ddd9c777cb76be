import Foundation
import Synchronization

/// Receiver of the Camera Control overlay's coming and going, called on the queue it was set with.
public protocol AVCaptureSessionControlsDelegate: NSObjectProtocol {
    /// Called when the user begins to press the button.
    func sessionControlsDidBecomeActive(_ session: AVCaptureSession)
    /// Called before the overlay appears, after the controls became active.
    func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession)
    /// Called before the overlay disappears.
    func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession)
    /// Called when the user lets the button go, after the overlay.
    func sessionControlsDidBecomeInactive(_ session: AVCaptureSession)
}

extension AVCaptureSession {
    struct Controls: @unchecked Sendable {
        var all: [AVCaptureControl] = []
        weak var delegate: (any AVCaptureSessionControlsDelegate)?
        var queue: DispatchQueue?
    }

    /// Whether the phone has a Camera Control button.
    public var supportsControls: Bool { environment.cameras.contains { $0.hardware.hasCameraControl } }
    /// Greatest number of controls in a session: 4.
    public var maxControlsCount: Int { 4 }
    /// Controls of the session, in the order they were added.
    public var controls: [AVCaptureControl] { state.withLock { $0.controls.all } }

    /// Whether the phone has the button, the control is in no session, and there is room for it.
    public func canAddControl(_ control: AVCaptureControl) -> Bool { refusal(of: control) == nil }

    /// Adds a control; raises where `canAddControl(_:)` is false.
    public func addControl(_ control: AVCaptureControl) {
        if let refusal = refusal(of: control) { return environment.raise(.invalidArgument, "-[AVCaptureSession addControl:]", refusal) }
        control.session = self
        state.withLock { $0.controls.all.append(control) }
    }

    /// Removes a control; does nothing with one that is not in this session.
    public func removeControl(_ control: AVCaptureControl) {
        guard control.session === self else { return }
        control.session = nil
        state.withLock { $0.controls.all.removeAll { $0 === control } }
    }

    private func refusal(of control: AVCaptureControl) -> String? {
        if !supportsControls { return "Controls are not supported - use supportsControls" }
        if control.session === self { return "An AVCaptureControl instance may not be added more than once to a session" }
        if control.session != nil { return "An AVCaptureControl instance may not be added to more than one session" }
        return controls.count < maxControlsCount ? nil : "Can't add more than maxControlsCount controls"
    }

    /// Sets the receiver of the overlay's events and its queue; raises for a delegate without a queue.
    public func setControlsDelegate(_ controlsDelegate: (any AVCaptureSessionControlsDelegate)?, queue controlsDelegateCallbackQueue: DispatchQueue?)
    {
        guard environment.allows(controlsDelegate, on: controlsDelegateCallbackQueue, "-[AVCaptureSession setControlsDelegate:queue:]") else {
            return
        }
        state.withLock { ($0.controls.delegate, $0.controls.queue) = (controlsDelegate, controlsDelegateCallbackQueue) }
    }

    /// Receiver of the overlay's events, held weakly; nil without one.
    public var controlsDelegate: (any AVCaptureSessionControlsDelegate)? { state.withLock { $0.controls }.delegate }
    /// Queue that the controls' delegate is called on; nil without one.
    public var controlsDelegateCallbackQueue: DispatchQueue? { state.withLock { $0.controls.queue } }
}

extension CaptureConditions {
    /// Half-presses the Camera Control button, or lets it go: delegates of running sessions with controls are called.
    public func setControlsActive(_ isActive: Bool) {
        for session in sessions where session.isRunning && !session.controls.isEmpty {
            let controls = session.state.withLock { $0.controls }
            guard let delegate = controls.delegate, let queue = controls.queue else { continue }
            nonisolated(unsafe) let receiver = delegate
            queue.async {
                if isActive {
                    receiver.sessionControlsDidBecomeActive(session)
                    receiver.sessionControlsWillEnterFullscreenAppearance(session)
                } else {
                    receiver.sessionControlsWillExitFullscreenAppearance(session)
                    receiver.sessionControlsDidBecomeInactive(session)
                }
            }
        }
    }

    /// Moves a control as the user would: a slider to its nearest value, a picker to an index. Disabled controls stay.
    public func move(_ control: AVCaptureControl, to value: Double) {
        guard control.isEnabled, control.session != nil, value.isFinite else { return }
        switch control {
        case let slider as AVCaptureSlider: slider.userMoved(to: Float(value))
        case let picker as AVCaptureIndexPicker: Int(exactly: value).map(picker.userChose)
        case let zoom as AVCaptureSystemZoomSlider: zoom.userMoved(to: value)
        case let bias as AVCaptureSystemExposureBiasSlider: bias.userMoved(to: Float(value))
        default: break
        }
    }
}
