import Foundation
import Synchronization

/// Hears whether the Camera Control's overlay is up.
public protocol AVCaptureSessionControlsDelegate: NSObjectProtocol {
    func sessionControlsDidBecomeActive(_ session: AVCaptureSession)
    func sessionControlsWillEnterFullscreenAppearance(_ session: AVCaptureSession)
    func sessionControlsWillExitFullscreenAppearance(_ session: AVCaptureSession)
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
    public var maxControlsCount: Int { 4 }
    public var controls: [AVCaptureControl] { state.withLock { $0.controls.all } }

    public func canAddControl(_ control: AVCaptureControl) -> Bool { refusal(of: control) == nil }

    public func addControl(_ control: AVCaptureControl) {
        if let refusal = refusal(of: control) { return environment.raise(.invalidArgument, "-[AVCaptureSession addControl:]", refusal) }
        control.session = self
        state.withLock { $0.controls.all.append(control) }
    }

    /// Nothing happens when it is not here.
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

    public func setControlsDelegate(_ controlsDelegate: (any AVCaptureSessionControlsDelegate)?, queue controlsDelegateCallbackQueue: DispatchQueue?)
    {
        guard environment.allows(controlsDelegate, on: controlsDelegateCallbackQueue, "-[AVCaptureSession setControlsDelegate:queue:]") else {
            return
        }
        state.withLock { ($0.controls.delegate, $0.controls.queue) = (controlsDelegate, controlsDelegateCallbackQueue) }
    }

    public var controlsDelegate: (any AVCaptureSessionControlsDelegate)? { state.withLock { $0.controls }.delegate }
    public var controlsDelegateCallbackQueue: DispatchQueue? { state.withLock { $0.controls.queue } }
}

extension CaptureConditions {
    /// Presses the Camera Control button half, or lets it go: sessions that run with controls hear it.
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

    /// The user's thumb on a control: a slider goes to the nearest value it has, a picker to an index. Disabled ones stay.
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
