import CameraApp

/// App that verbs are played on: what is connected of it.
package struct ScriptedApp {
    private let connected: CinematicCamera?
    private let aperture: ((Double) throws -> Void)?
    private let faults: ((Fault) -> Void)?
    private let objects: (String) -> Int?

    /// Creates an app; a nil part is not connected, and verbs that need it fail. `objectID` is the object reported last for a subject.
    package init(
        camera: CinematicCamera?, setAperture: ((Double) throws -> Void)?, play: ((Fault) -> Void)?, objectID: @escaping (String) -> Int?
    ) {
        connected = camera
        aperture = setAperture
        faults = play
        objects = objectID
    }

    /// Camera app; throws where an app is only touched.
    package func camera() throws -> CinematicCamera {
        guard let connected else { throw PlayFailure.noCamera }
        return connected
    }

    /// Sets the simulated f-number.
    package func setAperture(_ fNumber: Double) throws {
        guard let aperture else { throw PlayFailure("no app is connected") }
        try aperture(fNumber)
    }

    /// Plays a fault around the camera.
    package func play(_ fault: Fault) throws {
        guard let faults else { throw PlayFailure("only `rackfocus test` plays this fault") }
        faults(fault)
    }

    /// Object reported last for a subject, which may be gone; nil before the first.
    package func objectID(_ subject: String) -> Int? { objects(subject) }
}

/// Reason why a verb could not be played.
package struct PlayFailure: Error, CustomStringConvertible {
    /// Reason in words.
    package let description: String

    /// Failure of every verb that tells a camera app to act, where the app is only touched.
    package static let noCamera = PlayFailure(
        """
        this line tells the tool's own camera app to act, and `touch(on:tap:longPress:)` connects gestures alone: leave such lines (`record`, \
        `photo`, `switchCamera`, …) out of the file, and make the call on your app in the test, after `await phone.step(frames:)` up to its time; \
        `phone.play()` then plays the rest. Further such lines are not listed
        """)

    /// Creates a failure.
    package init(_ description: String) { self.description = description }
}
