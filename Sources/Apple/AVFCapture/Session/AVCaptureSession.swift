import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Graph of inputs and outputs, and the state machine that runs it.
///
///     stopped ──startRunning──► starting ──camera opened──► running ──stopRunning, end of the source, error──► stopped
///        ▲                         │
///        └──camera did not open────┘     runtime error posted
///     running ──interrupted──► stopped ──interruption ended──► running, unless the app called stopRunning meanwhile
///
/// A change of the graph is committed at once, or with the outermost `commitConfiguration`.
open class AVCaptureSession: _SendableObject, _KeyValueObservable, @unchecked Sendable {
    private let binding = EnvironmentBinding()
    /// Observers of this session's properties; for `observe(_:options:changeHandler:)` only.
    public let _observers = _KeyValueObservers()
    let state: Mutex<State>
    let identities = IdentityCounters()
    let clock = VirtualClock()
    /// Turns of the cameras where frames need no step.
    let turns = FrameStepper(needsSteps: false)

    enum Phase: Sendable {
        case stopped, starting, running
    }

    struct State: Sendable {
        var inputs: [AVCaptureInput] = []
        /// Inputs that left since the last commit, until which they are as they were.
        var removedInputs: [AVCaptureDeviceInput] = []
        var outputs: [AVCaptureOutput] = []
        var layers: [PreviewSlot] = []
        var connections: [AVCaptureConnection] = []
        /// Graph that frames flow through: as of the last commit.
        var committed: [AVCaptureConnection] = []
        var preset = Preset.high
        /// Whether the preset still has to choose a format.
        var presetIsDue = false
        var configurations = 0
        /// Whether it has ever run.
        var hasRun = false
        var phase = Phase.stopped
        /// Whether something was committed while it started.
        var isOutdated = false
        /// Pipelines of the cameras in the order of the inputs, without one that of the microphone.
        var pipelines: [any SessionPipeline] = []
        /// First of them whose source has not run out: it brings the microphone's sound, and the environment's observer sees its frames.
        var leader: (any SessionPipeline)? { pipelines.first { !$0.hasEnded } }
        /// First error of a pipeline of this run.
        var failure: (any Error)?
        /// Microphone captured while the session runs.
        var microphone: Microphone?
        var isInterrupted = false
        /// Whether it runs again when the interruption ends.
        var resumes = false
        /// Pipelines that ran when the interruption came.
        var suspended: [any SessionPipeline] = []
        /// Threads of stopped pipelines, which must be over before others begin.
        var lastThreads: [PipelineThreads] = []
        /// Loop that takes the cameras' frames on the thread of its caller; nil without one.
        var loop: FrameLoop?
        var isMultitasking = false
        var options = Options()
        var controls = Controls()
        var deferred = DeferredStart()
        var listener: (@Sendable (Notification.Name) -> Void)?

        /// Goes to stopped, and hands out the pipelines, which are to be stopped.
        mutating func stop() -> [any SessionPipeline] {
            microphone = nil
            return suspend()
        }

        /// Goes to stopped with a microphone that goes on where it was, and hands out the pipelines, which are to be stopped.
        mutating func suspend() -> [any SessionPipeline] {
            phase = .stopped
            (loop, failure) = (nil, nil)
            return removePipelines { _ in true }
        }

        /// Removes and hands out pipelines, which are to be stopped.
        mutating func removePipelines(where isRemoved: (any SessionPipeline) -> Bool) -> [any SessionPipeline] {
            let removed = pipelines.filter(isRemoved)
            pipelines.removeAll(where: isRemoved)
            lastThreads.removeAll(where: \.areOver)
            lastThreads += removed.map(\.threads)
            return removed
        }
    }

    /// Preview layer that shows this session.
    struct PreviewSlot: Sendable {
        weak var layer: AVCaptureVideoPreviewLayer?
        var connects: Bool
    }

    /// Makes an empty session with the preset `.high`.
    public override init() {
        state = Mutex(State())
        super.init()
        CaptureEnvironment.bound?.conditions.add(self)
    }

    var environment: CaptureEnvironment { binding.environment { $0.conditions.add(self) } }

    deinit {
        for pipeline in state.withLock({ $0.pipelines }) { pipeline.stop() }
        endCaptures(error: AVError(.sessionWasInterrupted))
        guard state.withLock({ $0.hasRun || $0.isInterrupted }) else { return }
        let conditions = environment.conditions
        conditions.claims.remove(ObjectIdentifier(self))
        conditions.resumeWaitingSession()
    }

    // MARK: what an app's own session may override: Swift lets it override what stands in the class itself

    /// Opens a batch of changes, applied together at its commit; nests.
    open func beginConfiguration() { state.withLock { $0.configurations += 1 } }
    /// Closes a batch; the outermost close applies it. Without a batch it does nothing, which is said. Raises for outputs that the new graph does not allow.
    open func commitConfiguration() { closeBatch() }

    /// Size of picture that the session asks of its camera, default `.high`; `.inputPriority` once the app chose a format itself.
    /// Raises for a preset that a camera of the session does not support.
    open var sessionPreset: Preset {
        get { state.withLock { $0.preset } }
        set { choose(newValue) }
    }

    /// Whether every camera of the session has a format of that size.
    open func canSetSessionPreset(_ preset: Preset) -> Bool {
        if self is AVCaptureMultiCamSession { return preset == .inputPriority }
        return inputs.allSatisfy { ($0 as? AVCaptureDeviceInput)?.device.supportsSessionPreset(preset) ?? true }
    }

    /// Whether the input is in no session, and its device neither a second of its media nor without the preset.
    open func canAddInput(_ input: AVCaptureInput) -> Bool { refusal(of: input) == nil }
    /// Adds an input and connects its ports to all outputs and layers that take them; raises where it cannot be added.
    open func addInput(_ input: AVCaptureInput) { add(input, "addInput:", connects: true) }
    /// Removes an input with its connections; does nothing with one that is not in this session.
    open func removeInput(_ input: AVCaptureInput) { remove(input) }

    /// Whether the output is in no session, and none of its class in this one.
    ///
    /// Several are allowed of video data, and two of sound with first-order ambisonics.
    open func canAddOutput(_ output: AVCaptureOutput) -> Bool { refusal(of: output) == nil }
    /// Adds an output and connects it to all ports that it takes; raises where it cannot be added.
    open func addOutput(_ output: AVCaptureOutput) { add(output, "addOutput:", connects: true) }
    /// Removes an output with its connections; does nothing with one that is not in this session.
    open func removeOutput(_ output: AVCaptureOutput) { remove(output) }

    /// Starts the flow of frames; returns when they flow. A camera that cannot be opened is reported as a runtime error.
    /// Raises within a batch, and for outputs that the graph does not allow. An interrupted session starts when the interruption ends.
    open func startRunning() { start() }
    /// Stops frames; none is delivered after it returns, the ends of recordings and photos may be. Raises within a batch.
    /// May be called from a delegate.
    open func stopRunning() { stop() }

    /// Inputs in the order they were added.
    open var inputs: [AVCaptureInput] { state.withLock { $0.inputs } }
    /// Outputs in the order they were added.
    open var outputs: [AVCaptureOutput] { state.withLock { $0.outputs } }
    /// Paths from inputs to outputs and preview layers that still exist, committed or not.
    open var connections: [AVCaptureConnection] { state.withLock { $0.connections }.filter { !$0.isDangling } }
    /// Whether frames flow. Observable.
    open var isRunning: Bool { state.withLock { $0.phase == .running } }
    /// Clock of all time stamps: it shows the time of the frame at hand, and stands between frames. Never nil.
    open var synchronizationClock: CMClock? { clock.clock }

    /// Size of picture that a session asks of its camera.
    public struct Preset: RawRepresentable, Hashable, Sendable {
        /// Name of the preset, as Apple spells it.
        public let rawValue: String
        /// Makes a preset from its name; an unknown one is supported by no camera.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Largest picture.
        public static let photo = Preset(rawValue: "AVCaptureSessionPresetPhoto")
        /// First format if it has 1080p or more, else 1920 × 1080 pixels; the default.
        public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
        /// Format nearest to 480 × 360 pixels.
        public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
        /// Format nearest to 192 × 144 pixels.
        public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
        /// 352 × 288 pixels.
        public static let cif352x288 = Preset(rawValue: "AVCaptureSessionPreset352x288")
        /// 640 × 480 pixels.
        public static let vga640x480 = Preset(rawValue: "AVCaptureSessionPreset640x480")
        /// 960 × 540 pixels.
        public static let iFrame960x540 = Preset(rawValue: "AVCaptureSessionPresetiFrame960x540")
        /// 1280 × 720 pixels, as `hd1280x720`.
        public static let iFrame1280x720 = Preset(rawValue: "AVCaptureSessionPresetiFrame1280x720")
        /// 1280 × 720 pixels.
        public static let hd1280x720 = Preset(rawValue: "AVCaptureSessionPreset1280x720")
        /// 1920 × 1080 pixels.
        public static let hd1920x1080 = Preset(rawValue: "AVCaptureSessionPreset1920x1080")
        /// 3840 × 2160 pixels.
        public static let hd4K3840x2160 = Preset(rawValue: "AVCaptureSessionPreset3840x2160")
        /// Format of the app's choice, set as `activeFormat`; several cameras have no other.
        public static let inputPriority = Preset(rawValue: "AVCaptureSessionPresetInputPriority")

        /// Picture size in pixels that the preset names; nil for those that leave it open.
        var size: (width: Int, height: Int)? {
            switch self {
            case .cif352x288: (352, 288)
            case .vga640x480: (640, 480)
            case .iFrame960x540: (960, 540)
            case .hd1280x720, .iFrame1280x720: (1280, 720)
            case .hd1920x1080: (1920, 1080)
            case .hd4K3840x2160: (3840, 2160)
            default: nil
            }
        }
    }
}
