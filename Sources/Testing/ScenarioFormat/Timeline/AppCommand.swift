import Foundation
import Pipeline

/// Command of a verb to the app, its session or its camera, as data; `ScriptedApp` carries it out.
package enum AppCommand: Sendable {
    /// Nothing but a line in the trace.
    case mark
    /// Action of the app's own.
    case act(AppAction)
    case session(SessionStep)
    /// Change of one control.
    case set(Control)
    case torch(Torch)
    /// Pull of the simulated f-number, at once or over a time.
    case pullAperture(to: Double, Passage)
    /// Focus as a director orders it.
    case order(FocusPlace, mode: FocusOrder.Mode?, course: RackCourse)
    /// Call of the focus API.
    case call(APICall)
    /// Call that must raise the exception of this name and change nothing.
    case violate(Violation, raising: String)
    /// Fault around the camera or in its feed.
    case fault(Fault)

    /// Whether a session with threads of its own must not have a frame under way meanwhile: it may stop for it.
    package var isBetweenFrames: Bool {
        switch self {
        case .act, .session: true
        case .fault(let fault): !fault.isInFeed
        case .mark, .set, .torch, .pullAperture, .order, .call, .violate: false
        }
    }

    /// Output that the app's session needs for it; nil where none is.
    package var output: ScenarioFile.Output? {
        switch self {
        case .act(.takePhoto): .photo
        case .act(.startRecording), .act(.stopRecording), .act(.pauseRecording), .act(.resumeRecording), .set(.stabilization): .movie
        default: nil
        }
    }

    /// Step of a session's life or of its configuration.
    package enum SessionStep: String, Sendable, CaseIterable { case start, stop, begin, commit }

    /// Control of the app, with its new value.
    package enum Control: Sendable {
        /// Simulated f-number.
        case aperture(Double)
        /// Zoom factor.
        case zoom(Double)
        case stabilization(Stabilization)
    }

    /// Stabilization of a movie, by Apple's names.
    package enum Stabilization: String, Sendable, CaseIterable {
        case off, standard, cinematic, cinematicExtended, cinematicExtendedEnhanced, auto
    }

    /// Setting of the torch.
    package enum Torch: Sendable {
        /// Mode by Apple's names.
        package enum Mode: String, Sendable, CaseIterable { case on, off, auto }

        case mode(Mode)
        /// Brightness, above 0 and up to 1.
        case level(Float)
    }

    /// Target of an ordered focus, as it is written.
    package enum FocusPlace: Sendable {
        case subject(String)
        /// Place seen there, 0…1 of the unrotated picture.
        case point(CGPoint)
        /// The same in pixels of the picture.
        case pixel(CGPoint)
        /// Metres.
        case distance(Double)
    }

    /// Call that breaks Apple's contract.
    package enum Violation: Sendable {
        /// A simulated f-number, in range or not.
        case aperture(Double)
        /// A zoom factor, in range or not.
        case zoom(Double)
        /// A focus call; without the device's lock when `isLocked` is false.
        case api(APICall, isLocked: Bool)
        /// `startRunning` between a `beginConfiguration` and its commit.
        case start
    }
}

/// Action of the app's own that a verb asks for: which objects and delegates it uses, no one else knows.
package enum AppAction: Sendable, Equatable {
    case startRecording, stopRecording, pauseRecording, resumeRecording, takePhoto
    case switchCamera(ScenarioFile.Device.Camera)
}
