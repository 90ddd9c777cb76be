import CoreMedia
import Foundation
import Synchronization

/// Connects inputs to outputs and runs them.
///
///     stopped ──startRunning──► starting ──camera opened──► running ──stopRunning, end of the source, error──► stopped
///        ▲                         │
///        └──camera did not open────┘     runtime error posted
///     running ──interrupted──► stopped ──interruption ended──► running, unless the app called stopRunning meanwhile
///
/// A change of the graph is committed at once, or with the outermost `commitConfiguration`.
public class AVCaptureSession: NSObject, _KeyValueObservable, @unchecked Sendable {
    let environment: CaptureEnvironment
    public let _observers = _KeyValueObservers()
    let state: Mutex<State>
    let identities = IdentityCounters()
    let clock = VirtualClock()

    enum Phase: Sendable {
        case stopped, starting, running
    }

    struct State: Sendable {
        var inputs: [AVCaptureInput] = []
        var outputs: [AVCaptureOutput] = []
        var layers: [PreviewSlot] = []
        var connections: [AVCaptureConnection] = []
        /// What frames flow through: the graph as of the last commit.
        var committed: [AVCaptureConnection] = []
        var preset = Preset.high
        /// The preset still has to choose a format.
        var presetIsDue = false
        var configurations = 0
        var phase = Phase.stopped
        var pipeline: (any SessionPipeline)?
        /// What the session listens to while it runs.
        var microphone: Microphone?
        var isInterrupted = false
        /// Runs again when the interruption ends.
        var resumes = false
        /// What ran when the interruption came.
        var suspended: (any SessionPipeline)?
        /// Of the last run, which must be over before the next begins.
        var lastThreads: PipelineThreads?
        var isMultitasking = false
        var options = Options()
        var controls = Controls()
        var deferred = DeferredStart()
    }

    /// A preview layer that shows this session.
    struct PreviewSlot: Sendable {
        weak var layer: AVCaptureVideoPreviewLayer?
        var connects: Bool
    }

    public override init() {
        environment = .current
        state = Mutex(State())
        super.init()
        environment.conditions.add(self)
    }

    deinit {
        state.withLock { $0.pipeline }?.stop()
        endCaptures(error: AVError(.sessionWasInterrupted))
    }

    public var inputs: [AVCaptureInput] { state.withLock { $0.inputs } }
    public var outputs: [AVCaptureOutput] { state.withLock { $0.outputs } }
    /// The ways from inputs to outputs and preview layers that are still there.
    public var connections: [AVCaptureConnection] { state.withLock { $0.connections }.filter { !$0.isDangling } }
    /// Observable.
    public var isRunning: Bool { state.withLock { $0.phase == .running } }
    /// The clock of all time stamps: it shows the time of the frame at hand.
    public var synchronizationClock: CMClock? { clock.clock }

    public struct Preset: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let photo = Preset(rawValue: "AVCaptureSessionPresetPhoto")
        public static let high = Preset(rawValue: "AVCaptureSessionPresetHigh")
        public static let medium = Preset(rawValue: "AVCaptureSessionPresetMedium")
        public static let low = Preset(rawValue: "AVCaptureSessionPresetLow")
        public static let cif352x288 = Preset(rawValue: "AVCaptureSessionPreset352x288")
        public static let vga640x480 = Preset(rawValue: "AVCaptureSessionPreset640x480")
        public static let iFrame960x540 = Preset(rawValue: "AVCaptureSessionPresetiFrame960x540")
        public static let iFrame1280x720 = Preset(rawValue: "AVCaptureSessionPresetiFrame1280x720")
        public static let hd1280x720 = Preset(rawValue: "AVCaptureSessionPreset1280x720")
        public static let hd1920x1080 = Preset(rawValue: "AVCaptureSessionPreset1920x1080")
        public static let hd4K3840x2160 = Preset(rawValue: "AVCaptureSessionPreset3840x2160")
        public static let inputPriority = Preset(rawValue: "AVCaptureSessionPresetInputPriority")

        /// The picture size the preset stands for; nil for those that leave it open.
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
