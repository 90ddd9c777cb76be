import AVFCapture
import Foundation

/// Tap and long press, as in Apple's interaction model: a tap on a box is weak, on the weak one strong; a tap elsewhere tracks the object there; a
/// long press fixes the distance.
extension CinematicCamera {
    /// Begins a touch at a layer point; `time` in nanoseconds.
    public func touchDown(at point: CGPoint, time: Int64) { withGesture { $0.down(at: point, time: time) } }
    /// Moves the touch to a layer point.
    public func touchMoved(to point: CGPoint, time: Int64) { withGesture { $0.moved(to: point) } }
    /// Ends the touch, which may be a tap.
    public func touchUp(at point: CGPoint, time: Int64) { act(on: withGesture { $0.up(time: time) }) }
    /// Advances time, in which a touch may become a long press.
    public func timePassed(to time: Int64) { act(on: withGesture { $0.timePassed(to: time) }) }

    private func act(on gesture: TapOrPress.Gesture?) {
        switch gesture {
        case .tap(let point): tap(at: devicePoint(point))
        case .longPress(let point):
            device.whileLocked { $0.setCinematicVideoFixedFocus(at: devicePoint(point), focusMode: .strong) }
        case nil: break
        }
    }

    private func devicePoint(_ layerPoint: CGPoint) -> CGPoint { previewLayer.captureDevicePointConverted(fromLayerPoint: layerPoint) }

    private func tap(at point: CGPoint) {
        device.whileLocked { device in
            if let object = tappable.first(where: { $0.bounds.contains(point) }) {
                let mode: AVCaptureDevice.CinematicVideoFocusMode = object.cinematicVideoFocusMode == .weak ? .strong : .weak
                device.setCinematicVideoTrackingFocus(detectedObjectID: object.objectID, focusMode: mode)
            } else {
                device.setCinematicVideoTrackingFocus(at: point, focusMode: .weak)
            }
        }
    }
}

extension AVCaptureDevice {
    /// Changes the device while its lock is held; without effect where another owner holds it, as on a phone.
    public func whileLocked<Failure: Error>(_ change: (AVCaptureDevice) throws(Failure) -> Void) throws(Failure) {
        do { try lockForConfiguration() } catch { return }
        defer { unlockForConfiguration() }
        try change(self)
    }
}
