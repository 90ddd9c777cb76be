import CoreMedia
import CoreVideo
import Focus
import Foundation
import Pipeline
import Synchronization

/// Backing of the capture API: the cameras there are and the adapters that serve them.
///
/// With `CameraProfile`, `CaptureConditions`, the feed and the observer the one public thing in this module without an Apple counterpart. An app installs
/// one at start; a test binds a scoped one, which is read once when a device, session, output or layer is made.
public struct CaptureEnvironment: Sendable {
    /// Cameras and microphones that can be found, in the order of discovery.
    public var cameras: [CameraProfile]
    /// Opens a camera when a session starts running with it. The profile's `formats` holds only the format that the session committed;
    /// pictures of another size are cropped to its shape and scaled. A source that is an `AdjustableSource` is set to the app's exposure,
    /// white balance, torch and flash.
    public var open: @Sendable (CameraProfile) throws -> CameraFeed
    /// Renderer of the simulated aperture; nil: cinematic capture is not supported.
    public var renderer: (any BokehRenderer)?
    /// Parameters of the focus engine and the light monitor.
    public var tuning: FocusTuning
    /// Focus distances for a future that is known; the subject in focus is decided as ever. Nil: focus follows its decisions.
    public var focusPlan: FocusPlan?
    /// Receiver of frames and decisions; nil for none.
    public var observer: (any CaptureObserver)?
    /// Durations of the pipeline's stages, added up.
    public var timings: Timings
    /// Receives breaches of Apple's contract made outside any scope; nil ends the program, as on Apple's systems.
    public var onViolation: (@Sendable (Violation) -> Void)?
    /// Receives calls without effect that Apple leaves undefined, as text; nil writes them to standard error.
    public var onDiagnostic: (@Sendable (String) -> Void)?
    /// Driver of the frames, and the threads they are processed on.
    public var clock = Clock.virtual
    /// Time on the clock of all sessions, at which their next frame begins; nil: each session that has run knows its own.
    package var time: (@Sendable () -> CMTime)?
    /// Opens the file of a recording; nothing may be under the URL yet. Nil: no recording can be made.
    public var openMovie: (@Sendable (URL, MovieDescription) throws -> any MovieWriter)?
    /// Opens the file of an asset for reading. Nil: no asset can be read.
    public var openAsset: (@Sendable (URL) throws -> any MovieFile)?
    /// Opens a detector for pictures of an asset, as of an object tracker. Nil: none can be tracked.
    public var openDetector: (@Sendable () throws -> any SubjectDetector)?
    /// Opens a renderer for a first look at an asset's frames, faster than `renderer`. Nil: that is `renderer`, too.
    public var openPreviewLens: (@Sendable () throws -> any BokehRenderer)?
    /// Codecs that `openMovie` can write, the default first.
    public var movieCodecs: [MovieDescription.Codec] = [.h264]
    /// Queue of the delegates of photos and recordings, for which an app names none.
    public var delegateQueue = DispatchQueue(label: "rackfocus delegates")
    /// Rotation with which the connection of a preview layer begins, in clockwise degrees: 90 for a phone held upright. External cameras begin at 0.
    public var previewAngle: CGFloat = 0
    /// Makes the file of a photo from its `420v` picture. Nil: photos are pixel buffers alone.
    public var encodePhoto: (@Sendable (CVPixelBuffer, PhotoDescription) throws -> Data)?
    /// Codecs that photos may be asked for where `encodePhoto` makes files, the default first.
    public var photoCodecs: [AVVideoCodecType] = [.jpeg]
    /// Maps a moment of a session to a date. The default counts from the start of 2001, so that a scripted run is the same whenever it runs.
    public var date: @Sendable (CMTime) -> Date = { Date(timeIntervalSinceReferenceDate: $0.seconds) }
    /// Returns the bytes free on the volume of a file; nil where they are not known.
    public var freeDiskSpace: @Sendable (URL) -> Int64? = { url in
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: url.deletingLastPathComponent().path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
    }
    /// Time that the app's video delegate takes over the frame of a time, by the clock of the frames: a slow client that is the same
    /// on every machine. Nil: no time at all, so that no frame is ever late.
    public var videoClientTime: (@Sendable (CMTime) -> CMTime)?
    /// Opens a microphone when a session starts running with it; by default every microphone stands in a silent room.
    public var openMicrophone: @Sendable (CameraProfile) throws -> any SoundSource = { _ in Silence() }
    /// Time that the app's audio delegate takes over the sound of a time, by the clock of the frames. Nil: no time at all.
    public var audioClientTime: (@Sendable (CMTime) -> CMTime)?
    /// Number of pictures of a video data output that the app may hold at a time; frames beyond are dropped. Nil: no limit.
    public var videoBufferLimit: Int?
    /// Whether `isCinematicVideoCaptureSupported` answers for commits alone, as one phone was measured to do; else a batch answers, too, until the
    /// session first runs.
    public var asksCommitsAlone = false
    /// Whether outputs can deliver a proxy in place of a photo.
    public var defersPhotos = false
    /// Whether the lens draws a frame; others pass sharp. Nil: it draws all.
    package var isDrawn: (@Sendable (Frame) -> Bool)?
    /// Receiver of each frame as a cinematic movie keeps it, on the session's time, ahead of its picture; nil: nobody asks.
    package var onCinematicFrame: (@Sendable (Frame, CinematicFrame) -> Void)?
    /// Receiver of the inputs of each frame's decisions, ahead of the observer's `didDecide`; nil: nobody asks.
    package var onFrameInputs: (@Sendable (DetectionLog.Entry) -> Void)?
    /// Requests for focus that take effect in the frame of a time, in place of the app's: those of a capture that is played again. Nil: the app's.
    package var focusCalls: (@Sendable (CMTime) -> [FocusCall])?
    /// Least that a capture under the wall clock leaves out, late or not, on a machine that is known to be too slow for more; by default nothing.
    package var leastDegradation = Degradation.none
    /// Most that a capture under the wall clock leaves out when the machine is late, by steps; by default nothing.
    package var mostDegradation = Degradation.none
    /// Permissions, plugs, heat and interruptions, for a test to play.
    public let conditions = CaptureConditions()
    /// Scope of other modules, bound where this environment was read; nil for none.
    private var companions: CompanionScopes.Scope?
    /// Devices made so far, so that asking twice gives the same object.
    private(set) var devices = DeviceRegistry()

    /// Makes an environment with silent microphones, a virtual clock, and no movie or photo files.
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
        Self.leadsCompanions
    }

    private static let leadsCompanions: Void = CompanionScopes.lead { callersScope }

    /// Scope of work that a test's app schedules here; nil where no environment is scoped.
    static var callersScope: CompanionScopes.Scope? {
        guard scoped != nil, let environment = bound else { return nil }
        return { environment.enter($0) }
    }

    /// Environment of a test's scope; nil outside of one.
    @TaskLocal public static var scoped: CaptureEnvironment?
    private static let installed = Mutex<CaptureEnvironment?>(nil)

    /// Binds the app's environment, for objects made from now on.
    public static func install(_ environment: CaptureEnvironment) { _ = exchange(environment) }

    /// Binds another environment, or none, and returns the one before.
    package static func exchange(_ environment: CaptureEnvironment?) -> CaptureEnvironment? {
        installed.withLock { installed in
            defer { installed = environment }
            return installed
        }
    }

    /// The scoped environment, else the installed one, else one without cameras, of which standard error is told once.
    package static var current: CaptureEnvironment {
        if let bound { return bound }
        let unbound = CaptureEnvironment(cameras: [], renderer: nil) { throw CameraMissing(camera: $0.uniqueID) }
        if StrayLookups.report() {
            unbound.diagnose(
                "no cameras are bound here, so none is found: look for one within `withTestPhone { … }` of CaptureTesting, or, in a program that films, "
                    + "after `CaptureEnvironment.install(.cameras(renderer: …))` of RackfocusKit")
        }
        return unbound
    }

    /// The scoped environment, else the installed one; nil without either.
    package static var bound: CaptureEnvironment? { (scoped ?? installed.withLock { $0 })?.withCompanions }

    /// Copy that takes what other modules have bound here along.
    private var withCompanions: CaptureEnvironment {
        guard let companions = CompanionScopes.captured() else { return self }
        var copy = self
        copy.companions = companions
        return copy
    }

    /// Runs a body on an app's or a session's own thread as in the task that this environment was read in.
    package func enter(_ body: () -> Void) {
        Self.$scoped.withValue(self) { if let companions { companions(body) } else { body() } }
    }

    /// Calls a delegate for which the app names no queue.
    package func callDelegate(_ body: @escaping @Sendable () -> Void) { delegateQueue.async { enter(body) } }
}

extension CaptureEnvironment {
    /// Clock of the frames. Virtual time is that of the frames, and a frame waits until the delegates have the one ahead; wall time passes.
    public enum Clock: Sendable {
        /// As fast as the machine goes. Rendering runs beside: only metadata delegates and the observer are in step with the frames.
        case virtual
        /// No frame is processed before the one ahead was delivered everywhere, so that what a video delegate asks takes effect on the next.
        case lockStep
        /// In lock step without threads: starting a session reads, decides and delivers frame after frame on the calling thread, each
        /// delegate on its queue, and returns when the source is over; so it must not start on a delegate's queue. For runs of logic alone.
        case inline
        /// One frame after the other as the stepper hands them out, in lock step.
        case stepped(FrameStepper)
        /// A frame comes when its time has come, and nobody waits for a delegate: a slow one loses frames.
        case wall
    }

    var isInline: Bool { if case .inline = clock { true } else { false } }
    /// Whether one thread runs all stages.
    var isInStep: Bool {
        switch clock {
        case .lockStep, .inline, .stepped: true
        case .virtual, .wall: false
        }
    }
    package var isWallClock: Bool { if case .wall = clock { true } else { false } }
    var stepper: FrameStepper? { if case .stepped(let stepper) = clock { stepper } else { nil } }

    /// Copy for a device to hold, without the registry that holds the device.
    package var withoutDevices: CaptureEnvironment {
        var copy = self
        copy.devices = DeviceRegistry()
        return copy
    }
}

struct CameraMissing: Error {
    let camera: String
}

/// One open camera: the source of its frames, and what finds subjects and disparity in them.
public struct CameraFeed: Sendable {
    /// Source of the frames.
    public var source: any FrameSource
    /// Detector of subjects in the frames.
    public var detector: any SubjectDetector
    /// Needed when the frames do not bring their disparity.
    package private(set) var depth: Depth?
    /// Enlarges maps for the lens and for whoever keeps them; nil where they are as large as they get. Subjects and focus are measured on maps as they come.
    public var upsampler: (any DisparityUpsampler)?

    /// Source of disparity for frames that bring none.
    package enum Depth: Sendable {
        /// Before anything is detected; the detector is shown the map.
        case measured(any DisparityEstimator)
        /// From what was detected; the detector is shown no map.
        case estimated(any MonocularEstimator)
    }

    /// Makes a feed of a source, a detector and, for frames without disparity, an estimator; the lens reads its maps as `upsampler` enlarges them.
    public init(
        source: any FrameSource, detector: any SubjectDetector, estimator: (any DisparityEstimator)? = nil, upsampler: (any DisparityUpsampler)? = nil
    ) {
        self.source = source
        self.detector = detector
        self.upsampler = upsampler
        depth = estimator.map(Depth.measured)
    }

    /// A feed with other estimators in place of its own.
    package func replacingDepth(
        measured: (any DisparityEstimator) -> any DisparityEstimator, estimated: (any MonocularEstimator) -> any MonocularEstimator
    ) -> CameraFeed {
        var feed = self
        switch depth {
        case nil: break
        case .measured(let estimator): feed.depth = .measured(measured(estimator))
        case .estimated(let estimator): feed.depth = .estimated(estimated(estimator))
        }
        return feed
    }

    /// Limits of the disparity measured so far, a line for each; empty where none was met.
    public var disparityRemarks: [String] {
        if case .measured(let estimator) = depth { estimator.remarks } else { [] }
    }

    /// A camera whose frames tell no distance.
    public init(source: any FrameSource, detector: any SubjectDetector, monocular: any MonocularEstimator) {
        self.source = source
        self.detector = detector
        depth = .estimated(monocular)
    }
}

/// Receiver of a capture's frames and decisions: scripted taps act here, traces are written here. Called in frame order, one at a time.
public protocol CaptureObserver: AnyObject, Sendable {
    /// Called when a frame has arrived and nothing has processed it: events before its time take effect now.
    func willProcess(_ frame: Frame)
    /// Called when a frame's focus state is decided, before metadata delegates.
    func didDecide(_ record: FrameRecord)
    /// Called when the lens failed; the frame is delivered sharp. Runs beside the other two calls, in frame order.
    func didPassThrough(_ frame: Frame, because error: any Error)
}

extension CaptureObserver {
    /// Does nothing, for observers without this method.
    public func didPassThrough(_ frame: Frame, because error: any Error) {}
}

/// Decision on one frame, on which its metadata, blur and trace line agree.
public struct FrameRecord: Sendable {
    /// Frame as the camera delivers it: cropped to the format and the zoom, sharp.
    public var frame: Frame
    /// Objects as delivered: under their session-wide IDs, in delivery order.
    public var detections: [Detection]
    /// State of focus in the frame.
    public var state: FocusState
    /// Disparity that focus rests on while nothing is in focus, 1/m: the nearest surface about the middle; nil when unknown.
    public var ambientDisparity: Double?
    /// Decisions taken in this frame, most often none.
    public var decisions: [FocusDecision]
    /// Decisions that a reader would expect and that were not taken, in the frame in which their reason began to hold.
    public var withheld: [WithheldDecision]
    /// Simulated f-number; nil while cinematic capture is off.
    public var fNumber: Double?
    /// Whether there is too little light for cinematic capture; false while that is off.
    public var notEnoughLight: Bool

    /// Makes a record from its parts.
    public init(
        frame: Frame, detections: [Detection], state: FocusState, decisions: [FocusDecision], withheld: [WithheldDecision] = [],
        ambientDisparity: Double? = nil, fNumber: Double?, notEnoughLight: Bool
    ) {
        self.frame = frame
        self.detections = detections
        self.state = state
        self.ambientDisparity = ambientDisparity
        self.decisions = decisions
        self.withheld = withheld
        self.fNumber = fNumber
        self.notEnoughLight = notEnoughLight
    }
}
