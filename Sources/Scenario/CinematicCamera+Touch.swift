import AVFoundation
import Foundation

/// Tap and long press, as Apple's interaction model has them: a tap on a box is weak, on the weak one strong; a tap elsewhere
/// follows what is there; a long press fixes the distance.
extension CinematicCamera: TouchTarget {
    public func touchDown(at point: CGPoint, time: Int64) { withGesture { $0.down(at: point, time: time) } }
    public func touchMoved(to point: CGPoint, time: Int64) { withGesture { $0.moved(to: point) } }
    public func touchUp(at point: CGPoint, time: Int64) { act(on: withGesture { $0.up(time: time) }) }
    public func timePassed(to time: Int64) { act(on: withGesture { $0.timePassed(to: time) }) }

    private func act(on gesture: TapOrPress.Gesture?) {
        switch gesture {
        case .tap(let point): tap(at: devicePoint(point))
        case .longPress(let point):
            configure { $0.setCinematicVideoFixedFocus(at: devicePoint(point), focusMode: .strong) }
        case nil: break
        }
    }

    private func devicePoint(_ layerPoint: CGPoint) -> CGPoint { previewLayer.captureDevicePointConverted(fromLayerPoint: layerPoint) }

    private func tap(at point: CGPoint) {
        configure { device in
            if let object = tappable.first(where: { $0.bounds.contains(point) }) {
                let mode: AVCaptureDevice.CinematicVideoFocusMode = object.cinematicVideoFocusMode == .weak ? .strong : .weak
                device.setCinematicVideoTrackingFocus(detectedObjectID: object.objectID, focusMode: mode)
            } else {
                device.setCinematicVideoTrackingFocus(at: point, focusMode: .weak)
            }
        }
    }

    private func configure(_ change: (AVCaptureDevice) -> Void) {
        do {
            try device.lockForConfiguration()
            defer { device.unlockForConfiguration() }
            change(device)
        } catch {
            // Another owner holds the camera: the finger had no effect, as on a phone.
        }
    }
}
