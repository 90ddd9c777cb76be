import AVFoundation
import Foundation
import Pipeline

/// Scripted calls of the focus API, and calls that break Apple's contract.
extension CinematicCamera: CallTarget {
    /// Tracks an object by its ID.
    public func focus(objectID: Int, mode: FocusMode) {
        whileLocked { $0.setCinematicVideoTrackingFocus(detectedObjectID: objectID, focusMode: .init(mode)) }
    }

    /// Tracks the object at a point, 0…1 of the unrotated picture.
    public func focus(at point: CGPoint, mode: FocusMode) {
        whileLocked { $0.setCinematicVideoTrackingFocus(at: point, focusMode: .init(mode)) }
    }

    /// Fixes focus at the distance seen at a point, 0…1 of the unrotated picture.
    public func fixFocus(at point: CGPoint, mode: FocusMode) {
        whileLocked { $0.setCinematicVideoFixedFocus(at: point, focusMode: .init(mode)) }
    }

    /// Names of the exceptions that a call raises; the call has no effect.
    public func exceptions(of call: RaisingCall) -> [String] {
        let violations = CaptureEnvironment.violations {
            switch call {
            case .aperture(let fNumber): input.simulatedAperture = Float(fNumber)
            case .zoom(let factor): whileLocked { $0.videoZoomFactor = CGFloat(factor) }
            case .api(let call, isLocked: true): whileLocked { Self.make(call, of: $0) }
            case .api(let call, isLocked: false): Self.make(call, of: device)
            case .commit: session.commitConfiguration()
            }
        }
        return violations.map(\.name.rawValue)
    }

    private static func make(_ call: APICall, of device: AVCaptureDevice) {
        let mode = AVCaptureDevice.CinematicVideoFocusMode(call.mode)
        switch call.kind {
        case .trackSubject: break
        case .trackObject(let id): device.setCinematicVideoTrackingFocus(detectedObjectID: id, focusMode: mode)
        case .trackPoint(let point): device.setCinematicVideoTrackingFocus(at: point, focusMode: mode)
        case .fixPoint(let point): device.setCinematicVideoFixedFocus(at: point, focusMode: mode)
        }
    }

    func whileLocked(_ change: (AVCaptureDevice) -> Void) {
        do {
            try device.lockForConfiguration()
            defer { device.unlockForConfiguration() }
            change(device)
        } catch {
            // Another owner holds the camera: the call has no effect, as on a phone.
        }
    }
}

extension AVCaptureDevice.CinematicVideoFocusMode {
    fileprivate init(_ mode: FocusMode) {
        switch mode {
        case .none: self = .none
        case .strong: self = .strong
        case .weak: self = .weak
        }
    }
}
