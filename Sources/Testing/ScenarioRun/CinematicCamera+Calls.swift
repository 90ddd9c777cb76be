import AVFoundation
import CameraApp
import Foundation
import Pipeline
import ScenarioFormat

extension CinematicCamera: TouchTarget {}

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

    /// Makes a call; throws when the app lacks the output or camera it needs.
    public func perform(_ call: CameraCall) throws {
        switch call {
        case .record(.start): try startRecording()
        case .record(.stop): try recorder().stopRecording()
        case .record(.pause): try recorder().pauseRecording()
        case .record(.resume): try recorder().resumeRecording()
        case .photo: try takePhoto()
        case .session(.start): session.startRunning()
        case .session(.stop): session.stopRunning()
        case .session(.begin): session.beginConfiguration()
        case .session(.commit): session.commitConfiguration()
        case .switchCamera(let camera): try switchCamera(to: camera.deviceType)
        case .zoom(let factor): whileLocked { $0.videoZoomFactor = CGFloat(factor) }
        case .stabilization(let mode): try setStabilization(.init(mode))
        }
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
}

extension Set<CinematicCamera.Output> {
    /// Outputs that a scenario's session names, without metadata and preview, which are always there.
    package init(_ outputs: [ScenarioFile.Output]) {
        self.init(
            outputs.compactMap { output in
                switch output {
                case .video: .video
                case .movie: .movie
                case .photo: .photo
                case .metadata, .preview: nil
                }
            })
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

extension AVCaptureVideoStabilizationMode {
    fileprivate init(_ mode: CameraCall.Stabilization) {
        switch mode {
        case .off: self = .off
        case .standard: self = .standard
        case .cinematic: self = .cinematic
        case .cinematicExtended: self = .cinematicExtended
        case .cinematicExtendedEnhanced: self = .cinematicExtendedEnhanced
        case .auto: self = .auto
        }
    }
}
