import CoreMedia
import CoreVideo
import Focus
import Foundation
import Pipeline
import Synchronization

/// What stands behind the mirror: the cameras there are and the adapters that serve them.
///
/// With `CameraProfile`, `CaptureConditions`, the feed and the observer the one public thing in this module without an Apple counterpart. An app installs
/// one at start; a test binds a scoped one, which is read once when a device, session, output or layer is made.
public struct CaptureEnvironment: Sendable {
    public var cameras: [CameraProfile]
    /// Opens a camera when a session starts running with it. The profile's `formats` holds only the format that the session committed;
    /// pictures of another size are cut to its shape and scaled. A source that is an `AdjustableSource` hears of exposure, white balance,
    /// torch and flash.
    public var open: @Sendable (CameraProfile) throws -> CameraFeed
    /// Renders the simulated aperture; without it cinematic capture is not supported.
    public var renderer: (any BokehRenderer)?
    public var tuning: FocusTuning
    /// Where focus is to be when the future is known; who is in focus is decided as ever. Nil: focus follows its decisions.
    public var focusPlan: FocusPlan?
    public var observer: (any CaptureObserver)?
    public var timings: Timings
    /// Sees breaches of Apple's contract made outside any scope; nil ends the program, as on Apple's systems.
    public var onViolation: (@Sendable (Violation) -> Void)?
    /// Hears of calls without effect that Apple leaves undefined; nil writes them to standard error.
    public var onDiagnostic: (@Sendable (String) -> Void)?
    /// What drives the frames, and on which threads.
    public var clock = Clock.virtual
    /// Opens the file of a recording; nothing may be under the URL yet. Nil: no recording can be made.
    public var openMovie: (@Sendable (URL, MovieDescription) throws -> any MovieWriter)?
    /// What `openMovie` can write, the usual one first.
    public var movieCodecs: [MovieDescription.Codec] = [.h264]
    /// Makes the file of a photo from its `420v` picture. Nil: photos are pixel buffers alone.
    public var encodePhoto: (@Sendable (CVPixelBuffer, PhotoDescription) throws -> Data)?
    /// The date of a moment of a session. The default counts from the start of 2001, so that a scripted run is the same whenever it runs.
    public var date: @Sendable (CMTime) -> Date = { Date(timeIntervalSinceReferenceDate: $0.seconds) }
    /// Bytes free where a file is to go; nil when nobody knows.
    public var freeDiskSpace: @Sendable (URL) -> Int64? = { url in
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: url.deletingLastPathComponent().path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }
    /// How long the app's video delegate takes over the frame of a time, by the clock of the frames: a slow client that is the same
    /// on every machine. Nil: no time at all, so that no frame is ever late.
    public var videoClientTime: (@Sendable (CMTime) -> CMTime)?
    /// Opens a microphone when a session starts running with it; as it is, every microphone stands in a silent room.
    public var openMicrophone: @Sendable (CameraProfile) throws -> any SoundSource = { _ in Silence() }
    /// How long the app's audio delegate takes over the sound of a time, by the clock of the frames. Nil: no time at all.
    public var audioClientTime: (@Sendable (CMTime) -> CMTime)?
    /// Pictures of a video data output that the app may hold at a time; frames beyond are dropped. Nil: as many as it likes.
    public var videoBufferLimit: Int?
    /// Permissions, plugs, heat and interruptions, for a test to play.
    public let conditions = CaptureConditions()
    /// The cameras made so far, so that asking twice gives the same object.
    private(set) var devices = DeviceRegistry()

    public init(
        cameras: [CameraProfile], renderer: (any BokehRenderer)?, tuning: FocusTuning = FocusTuning(),
        observer: (any CaptureObserver)? = nil, timings: Timings = Timings(), open: @escaping @Sendable (CameraProfile) throws -> CameraFeed
    ) {
        self.cameras = cameras
        self.open = open
        self.renderer = renderer
        self.tuning = tuning
        self.observer = observer
        self.timings = timings
    }

    /// The environment of a test's scope.
    @TaskLocal public static var scoped: CaptureEnvironment?
    private static let installed = Mutex<CaptureEnvironment?>(nil)

    /// Binds the app's environment.
    public static func install(_ environment: CaptureEnvironment) { _ = exchange(environment) }

    /// Binds another environment, or none, and returns the one before.
    package static func exchange(_ environment: CaptureEnvironment?) -> CaptureEnvironment? {
        installed.withLock { installed in
            defer { installed = environment }
            return installed
        }
    }

    /// The scoped environment, else the installed one, else one without cameras.
    package static var current: CaptureEnvironment {
        scoped ?? installed.withLock { $0 } ?? CaptureEnvironment(cameras: [], renderer: nil) { throw CameraMissing(camera: $0.uniqueID) }
    }
}

extension CaptureEnvironment {
    /// Virtual time is that of the frames, and a frame waits until the delegates have the one ahead. Wall time passes by itself.
    public enum Clock: Sendable {
        /// As fast as the machine goes. Rendering runs beside: only metadata delegates and the observer are in step with the frames.
        case virtual
        /// No frame is looked at before the one ahead was delivered everywhere, so that what a video delegate asks takes effect on the next.
        case lockStep
        /// In lock step without threads: starting a session reads, decides and delivers frame after frame on the calling thread, each
        /// delegate on its queue, and returns when the source is over; so it must not start on a delegate's queue. For runs of logic alone.
        case inline
        /// One frame after the other as the stepper says, in lock step.
        case stepped(FrameStepper)
        /// A frame comes when its time has come, and nobody waits for a delegate: who is slow loses frames.
        case wall
    }

    var isInline: Bool { if case .inline = clock { true } else { false } }
    /// Whether one thread does everything.
    var isInStep: Bool {
        switch clock {
        case .lockStep, .inline, .stepped: true
        case .virtual, .wall: false
        }
    }
    var isWallClock: Bool { if case .wall = clock { true } else { false } }
    var stepper: FrameStepper? { if case .stepped(let stepper) = clock { stepper } else { nil } }

    /// For a device to hold, which the registry holds.
    var withoutDevices: CaptureEnvironment {
        var copy = self
        copy.devices = DeviceRegistry()
        return copy
    }
}

struct CameraMissing: Error {
    let camera: String
}

/// One open camera: where its frames come from and who looks at them.
public struct CameraFeed: Sendable {
    public var source: any FrameSource
    public var detector: any SubjectDetector
    /// Needed when the frames do not bring their disparity.
    public var estimator: (any DisparityEstimator)?

    public init(source: any FrameSource, detector: any SubjectDetector, estimator: (any DisparityEstimator)? = nil) {
        self.source = source
        self.detector = detector
        self.estimator = estimator
    }
}

/// Sees the capture from inside: scripted fingers move here, traces are written here. Called in frame order, one call at a time.
public protocol CaptureObserver: AnyObject, Sendable {
    /// A frame has arrived and nothing has looked at it yet: what happens before its time happens now.
    func willProcess(_ frame: Frame)
    /// The frame's story is settled.
    func didDecide(_ record: FrameRecord)
    /// The lens failed; the frame is delivered sharp. Called beside the other two, in frame order.
    func didPassThrough(_ frame: Frame, because error: any Error)
}

extension CaptureObserver {
    public func didPassThrough(_ frame: Frame, because error: any Error) {}
}

/// What one frame's metadata, blur and trace line agree on.
public struct FrameRecord: Sendable {
    public var frame: Frame
    /// As delivered: objects under their session-wide IDs, in delivery order.
    public var detections: [Detection]
    public var state: FocusState
    /// The decisions taken in this frame, most often none.
    public var decisions: [FocusDecision]
    /// The decisions a reader would expect and that were not taken, in the frame in which their reason began to hold.
    public var withheld: [WithheldDecision]
    /// Simulated f-number; nil while cinematic capture is off.
    public var fNumber: Double?
    public var notEnoughLight: Bool

    public init(
        frame: Frame, detections: [Detection], state: FocusState, decisions: [FocusDecision], withheld: [WithheldDecision] = [],
        fNumber: Double?, notEnoughLight: Bool
    ) {
        self.frame = frame
        self.detections = detections
        self.state = state
        self.decisions = decisions
        self.withheld = withheld
        self.fNumber = fNumber
        self.notEnoughLight = notEnoughLight
    }
}
