import CoreMedia
import Focus
import Foundation
import Stage

/// A scenario: one text file that a person writes by hand, holding a world, a camera, fingers, and what must be true.
///
/// This module reads the file strictly (`ScenarioError` names file, line and column), turns it into a `World` for the stage,
/// plays its fingers (`ScriptedFingers`), watches a capture (`ScenarioRun`) and leaves a trace and a drawing of it. It renders
/// nothing, opens no file but the scenario and what it names, and reads no clock: time comes with the frames.
///
///     let scenario = try ScenarioFile.load(path: "cat.yaml")
///     let run = ScenarioRun(scenario)
///     // open a session over StageSource(scenario.world()) with `run` as its observer, then
///     run.connect(FingerConnections(target: recogniser, layer: preview) { input.simulatedAperture = Float($0) })
///     let failures = run.finish()
public struct ScenarioFile: Sendable {
    public var path: String
    public var name: String
    public var about = ""
    public var tags: [String] = []
    public var clip: Clip
    public var device = Device()
    public var view = PreviewView()
    /// Lux at the start.
    public var light = 180.0
    public var tuning = FocusTuning()
    public var mode = Mode.live
    public var backdrop = Backdrop()
    public var subjects: [SubjectSpec] = []
    /// In time order; events of one time in file order.
    public var timeline: [TimelineEvent] = []
    /// Known failures, which fail no run.
    public var issues: [KnownIssue] = []
    /// Whether the trace must be bit for bit the one kept beside the file.
    public var hasGoldenTrace = false
    /// What the app's session delivers to.
    public var outputs: [Output] = [.metadata, .preview]
    /// Whether the file says so itself.
    var hasSession = false
    /// Frames whose pictures are kept and compared in rendered runs; nil without.
    public var goldenFrames: GoldenFrames?
    /// Which point of the file's `matrix` this is, like `gravity=fit,rotation=90deg`; empty without one.
    public var variant = ""
    /// SHA-256 of the file's bytes (with a matrix or fragments, of theirs too), lower-case hexadecimal.
    public var digest = ""
    /// The text, for errors found after reading.
    var source = SourceText(file: "", text: "")

    /// When racks happen.
    public enum Mode: String, Sendable, CaseIterable {
        /// A rack begins when it is decided, as in a camera.
        case live
        /// It ends then, as in a movie whose focus is set after the shoot: the same decisions, made knowing the future.
        case post
    }

    /// The scenario in another mode, under another digest.
    public func inMode(_ mode: Mode) -> ScenarioFile {
        guard mode != self.mode else { return self }
        var scenario = self
        scenario.mode = mode
        scenario.digest = SHA256.hexadecimal(Array("\(digest) \(mode)".utf8))
        return scenario
    }

    /// What a session can deliver to. Metadata and the preview are always there.
    public enum Output: String, Sendable, CaseIterable { case movie, metadata, preview, video, photo }

    /// Pictures that must look as they did; times in nanoseconds.
    public struct GoldenFrames: Sendable, Equatable {
        public var times: [Int64] = []
        /// Where each is written, in the order of `times`.
        public var locations: [FileLocation] = []
        /// 0…1.
        public var leastSSIM: Double?
        /// Decibel.
        public var leastPSNR: Double?
        /// Whether each device keeps a golden of its own as well, which is met bit for bit.
        public var isExactByDevice = false
    }

    /// The picture that is filmed.
    public struct Clip: Sendable, Equatable {
        public var source: ClipSource
        /// Pixels, both even; nil for footage, which has its own.
        public var size: (width: Int, height: Int)? { dimensions.map { ($0.width, $0.height) } }
        var dimensions: Dimensions?
        /// Nil for footage that brings its own rate.
        public var frameDuration: CMTime?
        /// Nanoseconds; nil is all of the footage.
        public var length: Int64?
        public var seed: UInt64 = 1
        public var detections: Detections

        struct Dimensions: Sendable, Equatable {
            var width: Int
            var height: Int
        }

        /// Whether disparity is in 1/m, so that distances mean something.
        public var isMetric: Bool {
            switch source {
            case .synthetic: true
            case .video(_, _, let range): range != nil
            case .stereo(_, _, let baseline, _): baseline != nil
            case .calibrated, .depth: true
            case .packed, .plain: false
            }
        }

        /// How many frames come before `length`; nil when length or rate is not known beforehand.
        public var frameCount: Int? {
            guard let length else { return nil }
            return Timebase(frameDuration: frameDuration).frameCount(before: length)
        }
    }

    /// Who finds the subjects.
    public enum Detections: Sendable, Equatable {
        /// The stage, which knows.
        case truth
        /// The pixels.
        case vision
        /// A sidecar of an earlier run, by its path.
        case recorded(String)

        /// The word of the trace's header.
        var name: String {
            switch self {
            case .truth: "truth"
            case .vision: "vision"
            case .recorded: "recorded"
            }
        }
    }

    public struct Device: Sendable, Equatable {
        /// The cameras that film cinematic video.
        public enum Camera: String, Sendable, CaseIterable { case dualWide, trueDepth }

        /// The formats for cinematic video, by the sizes people call them.
        static let formats: [(name: String, value: Clip.Dimensions)] = [
            ("1080p", Clip.Dimensions(width: 1920, height: 1080)), ("4K", Clip.Dimensions(width: 3840, height: 2160)),
        ]

        /// Nil is `dualWide` for a synthetic world, a camera of its own for footage.
        public var camera: Camera?
        /// Simulated f-number at the start; nil is the camera's default.
        public var aperture: Double?
        /// Full-frame-equivalent focal length in mm; nil is the camera's.
        public var focalLength: Double?
    }

    /// The preview layer that the fingers touch.
    public struct PreviewView: Sendable, Equatable {
        public enum Gravity: String, Sendable, CaseIterable { case fill, fit, resize }

        /// Points.
        public var size = CGSize(width: 960, height: 540)
        public var gravity = Gravity.fit
        /// Degrees clockwise, a multiple of 90.
        public var rotation = 0
        /// Nil is as the camera does by itself: a front camera mirrors its preview.
        public var isMirrored: Bool?
    }
}

/// Where the pictures come from; paths are as the tool opens them (relative ones already joined to the scenario's folder).
public enum ClipSource: Sendable, Equatable {
    case synthetic
    /// A video and its recorded disparity; `range` is the disparity (1/m) at 0 and at full scale.
    case video(String, disparity: String, range: ClosedRange<Double>?)
    /// A rectified pair. `baseline` in metres and `focalLength` in pixels make its disparity metric: both or none.
    case stereo(left: String, right: String, baseline: Double?, focalLength: Double?)

    /// Two cameras as they took it, and the file `rackfocus calibrate` wrote for them.
    case calibrated(left: String, right: String, calibration: String)
    /// A rectified pair in one file.
    case packed(String, PackedLayout)
    /// A video and its 16-bit depth in millimetres, 0 where none was measured.
    case depth(String, depth: String)
    /// A video and nothing else: its depth is guessed.
    case plain(String)

    /// Where the left eye is in a file that holds both.
    public enum PackedLayout: Sendable, Equatable {
        case leftHalf
        case topHalf
    }

    public var isSynthetic: Bool { self == .synthetic }
}

/// A subject as the file declares it.
public struct SubjectSpec: Sendable, Equatable {
    public var name: String
    public var kind: Subject.Kind
    public var placement: Placement
    /// Degrees, as `Subject.yaw`.
    public var facing = 0.0
    /// Nanoseconds.
    public var enters: Int64?
    public var exits: Int64?
    public var texture: String?
    /// What it sounds like; nil is silent.
    public var voice: Voice?
    public var location: FileLocation
}
