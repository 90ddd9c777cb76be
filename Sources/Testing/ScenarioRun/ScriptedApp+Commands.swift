import AVFCapture
import CameraApp
import Foundation
import Pipeline
import ScenarioFormat

extension ScriptedApp {
    /// Carries a command out, one over a time at once; throws the reason why it cannot be.
    package func play(_ command: AppCommand) throws {
        switch command {
        case .mark: break
        case .act(let action): try perform(action)
        case .session(let step): play(step, of: try session())
        case .set(let control): try set(control)
        case .torch(let setting): try whileLocked { try $0.light(setting) }
        case .pullAperture(let fNumber, _): try setAperture(fNumber)
        case .order(let place, let mode, let course): try order(place, mode, course)
        case .call(let call): try make(call)
        case .violate(let violation, let name): try provoke(violation, raising: name)
        // Those in the feed happen there.
        case .fault(let fault): if !fault.isInFeed { try play(fault) }
        }
    }

    /// Begins a pull of the aperture; returns what carries it to a progress of 0…1, the last time to 1.
    func beginPull(to fNumber: Double, _ ease: Ease) throws -> @Sendable (ScriptedApp, Double) throws -> Void {
        // The reciprocal of the f-number follows the curve, so that the blur, which is proportional to it, grows evenly.
        let (start, target) = (1 / Double(try input().simulatedAperture), 1 / fNumber)
        return { app, progress in try app.setAperture(progress < 1 ? 1 / (start + (target - start) * ease(progress)) : fNumber) }
    }

    private func play(_ step: AppCommand.SessionStep, of session: AVCaptureSession) {
        switch step {
        case .start: session.startRunning()
        case .stop: session.stopRunning()
        case .begin: session.beginConfiguration()
        case .commit: session.commitConfiguration()
        }
    }

    private func set(_ control: AppCommand.Control) throws {
        switch control {
        case .aperture(let fNumber): try setAperture(fNumber)
        case .zoom(let factor): try whileLocked { $0.videoZoomFactor = CGFloat(factor) }
        case .stabilization(let mode):
            let output = try session().outputs.lazy.compactMap { $0 as? AVCaptureMovieFileOutput }.first
            guard let connection = output?.connection(with: .video) else {
                throw PlayFailure("no connection of the app can stabilize: it takes a movie output")
            }
            connection.preferredVideoStabilizationMode = AVCaptureVideoStabilizationMode(mode)
        }
    }

    private func order(_ place: AppCommand.FocusPlace, _ mode: FocusOrder.Mode?, _ course: RackCourse) throws {
        let device = try input().device
        let target: FocusOrder.Target
        switch place {
        case .subject(let name):
            guard let id = objectID(name) else { throw PlayFailure("\(name) has not been seen yet, so there is nobody to focus on") }
            target = .object(id)
        case .point(let point): target = .point(point)
        case .pixel(let pixel):
            let size = device.activeFormat.formatDescription.dimensions
            target = .point(CGPoint(x: min(pixel.x / Double(size.width), 1), y: min(pixel.y / Double(size.height), 1)))
        case .distance(let metres): target = .distance(metres)
        }
        device.whileLocked { $0.order(FocusOrder(target, mode: mode, course: course)) }
    }

    private func make(_ call: APICall) throws {
        var call = call
        if case .trackSubject(let name) = call.target {
            guard let id = objectID(name) else { throw PlayFailure("\(name) has not been reported yet, so there is no object ID to pass") }
            call.target = .trackObject(id)
        }
        try whileLocked { $0.make(call) }
    }

    private func provoke(_ violation: AppCommand.Violation, raising name: String) throws {
        let (session, input) = (try session(), try input())
        let violations = CaptureEnvironment.violations {
            switch violation {
            case .aperture(let fNumber): input.simulatedAperture = Float(fNumber)
            case .zoom(let factor): input.device.whileLocked { $0.videoZoomFactor = CGFloat(factor) }
            case .api(let call, isLocked: true): input.device.whileLocked { $0.make(call) }
            case .api(let call, isLocked: false): input.device.make(call)
            case .start:
                session.beginConfiguration()
                session.startRunning()
                session.commitConfiguration()
            }
        }
        let raised = violations.map(\.name.rawValue)
        guard raised != [name] else { return }
        throw PlayFailure("expected \(name), but \(raised.isEmpty ? "nothing" : raised.joined(separator: ", ")) was raised")
    }
}

extension AVCaptureDevice {
    fileprivate func light(_ setting: AppCommand.Torch) throws {
        guard hasTorch else { throw PlayFailure("this camera has no torch") }
        switch setting {
        case .mode(.on): torchMode = .on
        case .mode(.off): torchMode = .off
        case .mode(.auto): torchMode = .auto
        case .level(let level):
            // `on` stays set and lights again once the camera has cooled; a level must be lit now.
            guard isTorchAvailable else { throw PlayFailure("the torch cannot be lit at a level while the camera is this hot") }
            try setTorchModeOn(level: level)
        }
    }

    /// Makes the call; one that names a subject does nothing.
    fileprivate func make(_ call: APICall) {
        let mode = CinematicVideoFocusMode(call.mode)
        switch call.target {
        case .trackSubject: break
        case .trackObject(let id): setCinematicVideoTrackingFocus(detectedObjectID: id, focusMode: mode)
        case .trackPoint(let point): setCinematicVideoTrackingFocus(at: point, focusMode: mode)
        case .fixPoint(let point): setCinematicVideoFixedFocus(at: point, focusMode: mode)
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

extension AVCaptureVideoStabilizationMode {
    fileprivate init(_ mode: AppCommand.Stabilization) {
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
