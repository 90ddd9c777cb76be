import AVFCapture
import CameraApp
import ScenarioFormat

/// App that verbs are played on: as much of it as is connected.
package struct ScriptedApp {
    private let connectedSession: AVCaptureSession?
    private let aperture: ((Double) throws -> Void)?
    private let actions: ((AppAction) throws -> Void)?
    private let faults: ((Fault) -> Void)?
    private let objects: (String) -> Int?

    /// Creates an app; a nil part is not connected, and verbs that need it fail. `objectID` is the object reported last for a subject.
    package init(
        session: AVCaptureSession?, setAperture: ((Double) throws -> Void)?, perform: ((AppAction) throws -> Void)?, play: ((Fault) -> Void)?,
        objectID: @escaping (String) -> Int?
    ) {
        connectedSession = session
        aperture = setAperture
        actions = perform
        faults = play
        objects = objectID
    }

    /// Session of the app.
    func session() throws -> AVCaptureSession {
        guard let connectedSession else { throw PlayFailure("no session of an app is connected") }
        return connectedSession
    }

    /// Input of the camera in use.
    func input() throws -> AVCaptureDeviceInput {
        guard let input = try session().cameraInput else { throw PlayFailure("the app's session has no camera") }
        return input
    }

    /// Changes the camera in use while its lock is held.
    func whileLocked(_ change: (AVCaptureDevice) throws -> Void) throws { try input().device.whileLocked(change) }

    /// Sets the simulated f-number.
    func setAperture(_ fNumber: Double) throws {
        guard let aperture else { throw PlayFailure("no app is connected") }
        try aperture(fNumber)
    }

    /// Lets the app act.
    func perform(_ action: AppAction) throws {
        guard let actions else { throw PlayFailure("no app is connected") }
        try actions(action)
    }

    /// Plays a fault around the camera.
    func play(_ fault: Fault) throws {
        guard let faults else { throw PlayFailure("only `rackfocus test` plays this fault") }
        faults(fault)
    }

    /// Object reported last for a subject, which may be gone; nil before the first.
    func objectID(_ subject: String) -> Int? { objects(subject) }
}

extension AVCaptureSession {
    /// First input of a camera; nil without one.
    package var cameraInput: AVCaptureDeviceInput? {
        inputs.lazy.compactMap { $0 as? AVCaptureDeviceInput }.first { $0.device.hasMediaType(.video) }
    }
}

/// Reason why a verb could not be played.
package struct PlayFailure: Error, CustomStringConvertible {
    /// Reason in words.
    package let description: String

    /// Creates a failure.
    package init(_ description: String) { self.description = description }
}
