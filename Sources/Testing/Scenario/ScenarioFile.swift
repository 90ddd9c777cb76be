import CoreMedia
import Focus
import Foundation
import Pipeline
import Stage
import Support

/// Scenario: one hand-written text file with a world, a camera, touches, and the expectations on them.
///
/// This module reads the file strictly (`ScenarioError` names file, line and column), turns it into a `World` for the stage, plays its touches
/// (`ScriptedFingers`), observes a capture (`ScenarioRun`) and leaves a trace and a drawing of it. It renders nothing, opens no file but the scenario
/// and those it names, and reads no clock: time comes with the frames.
///
///     let scenario = try ScenarioFile.load(path: "cat.yaml")
///     let run = ScenarioRun(scenario)
///     // open a session over StageSource(scenario.world()) with `run` as its observer, then
///     run.connect(FingerConnections(target: recogniser, layer: preview) { input.simulatedAperture = Float($0) })
///     let failures = run.finish()
public struct ScenarioFile: Sendable {
    /// Path of the file, for messages and relative paths.
    public var path: String
    /// Name of the scenario.
    public var name: String
    /// Description in a sentence; empty without one.
    public var about = ""
    /// Tags for filters.
    public var tags: [String] = []
    /// Footage or synthetic clip that is filmed.
    public var clip: Clip
    /// Phone and camera that film it.
    public var device = Device()
    /// Preview layer that receives the touches.
    public var view = PreviewView()
    /// Illuminance at the start, lux.
    public var light = 180.0
    /// Numbers of the focus engine.
    public var tuning = FocusTuning()
    /// Timing of racks: live or look-ahead.
    public var mode = Mode.live
    /// Surroundings of the subjects.
    public var backdrop = Backdrop()
    /// Subjects of a synthetic clip, in file order.
    public var subjects: [SubjectSpec] = []
    /// Events in time order; those of one time in file order.
    public var timeline: [TimelineEvent] = []
    /// Known failures, which fail no run.
    public var issues: [KnownIssue] = []
    /// Whether the trace must be bit for bit the one kept beside the file.
    public var hasGoldenTrace = false
    /// Outputs of the app's session.
    public var outputs: [Output] = [.metadata, .preview]
    /// Whether the file says so itself.
    var hasSession = false
    /// Frames whose pictures are kept and compared in rendered runs; nil without.
    public var goldenFrames: GoldenFrames?
    /// Point of the file's `matrix`, like `gravity=fit,rotation=90deg`; empty without one.
    public var variant = ""
    /// SHA-256 of the file's bytes (with a matrix or included files, of theirs too), lower-case hexadecimal.
    public var digest = ""
    /// Paths of the file itself and of what it includes.
    package var texts: [String] = []
    /// The text, for errors found after reading.
    var source = SourceText(file: "", text: "")

    /// Every file that reading and running it opens, as paths or patterns.
    package var files: [String] {
        let sidecar: [String] = if case .recorded(let path) = clip.detections { [path] } else { [] }
        return texts + clip.source.files + sidecar + subjects.compactMap(\.recording)
    }

    /// Timing of racks.
    public enum Mode: String, Sendable, CaseIterable {
        /// Live: a rack begins when it is decided, as in a camera.
        case live
        /// Look-ahead: a rack ends then, as in a movie whose focus is set after the shoot; the decisions are the same.
        case post
    }

    /// Copy of the scenario in another mode, under another digest.
    public func inMode(_ mode: Mode) -> ScenarioFile {
        guard mode != self.mode else { return self }
        var scenario = self
        scenario.mode = mode
        scenario.digest = SHA256.hexadecimal(Array("\(digest) \(mode)".utf8))
        return scenario
    }

    /// Output of a session; metadata and the preview are always there.
    public enum Output: String, Sendable, CaseIterable { case movie, metadata, preview, video, photo }

    /// Golden pictures; times in nanoseconds.
    public struct GoldenFrames: Sendable, Equatable {
        /// Times of the frames, nanoseconds.
        public var times: [Int64] = []
        /// Place of each in the file, in the order of `times`.
        public var locations: [FileLocation] = []
        /// Least SSIM against the golden, 0…1; nil is not checked.
        public var leastSSIM: Double?
        /// Least PSNR against the golden, dB; nil is not checked.
        public var leastPSNR: Double?
        /// Whether each device keeps a golden of its own as well, which is met bit for bit.
        public var isExactByDevice = false
    }

    /// Clip to film: source, size, rate and length.
    public struct Clip: Sendable, Equatable {
        /// Source of the pictures.
        public var source: ClipSource
        /// Size in pixels, both even; nil for footage, which has its own.
        public var size: (width: Int, height: Int)? { dimensions.map { ($0.width, $0.height) } }
        var dimensions: Dimensions?
        /// Frame duration; nil for footage with a rate of its own.
        public var frameDuration: CMTime?
        /// Duration of a frame to which footage is brought, by dropping and repeating frames; nil leaves every frame its own time.
        public var constantRate: CMTime?
        /// Length in nanoseconds; nil is all of the footage.
        public var length: Int64?
        /// Seed of the synthetic world's randomness.
        public var seed: UInt64 = 1
        /// Source of detections.
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

        /// Number of frames before `length`; nil when length or rate is not known beforehand.
        public var frameCount: Int? {
            guard let length else { return nil }
            return Timebase(frameDuration: frameDuration).frameCount(before: length)
        }
    }

    /// Source of detections.
    public enum Detections: Sendable, Equatable {
        /// Ground truth of the stage.
        case truth
        /// Detectors on the pixels.
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

    /// Preview layer that receives the touches.
    public struct PreviewView: Sendable, Equatable {
        /// Video gravity, after Apple's `AVLayerVideoGravity`: `resizeAspectFill`, `resizeAspect`, `resize`.
        public enum Gravity: String, Sendable, CaseIterable { case fill, fit, resize }

        /// Size in points.
        public var size = CGSize(width: 960, height: 540)
        /// Fit of the picture into the layer.
        public var gravity = Gravity.fit
        /// Degrees clockwise, a multiple of 90.
        public var rotation = 0
        /// Nil is as the camera does by itself: a front camera mirrors its preview.
        public var isMirrored: Bool?
    }
}

/// Source of a clip's pictures; paths are as the tool opens them (relative ones already joined to the scenario's folder).
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
    /// Video without depth, which is estimated from single pictures.
    case plain(String)

    /// Half of a frame that holds the left picture of a pair.
    public enum PackedLayout: Sendable, Equatable {
        case leftHalf
        case topHalf
    }

    /// Whether the stage renders the pictures.
    public var isSynthetic: Bool { self == .synthetic }

    /// Paths or patterns of the footage.
    var files: [String] {
        switch self {
        case .synthetic: []
        case .video(let video, let disparity, _): [video, disparity]
        case .stereo(let left, let right, _, _): [left, right]
        case .calibrated(let left, let right, let calibration): [left, right, calibration]
        case .packed(let path, _), .plain(let path): [path]
        case .depth(let video, let depth): [video, depth]
        }
    }
}

/// Subject as the file declares it.
public struct SubjectSpec: Sendable, Equatable {
    /// Name, unique in the file.
    public var name: String
    /// Extent of its box.
    public var kind: Subject.Kind
    /// Box (0…1 of the picture) and distance (metres) at the start.
    public var placement: Placement
    /// Yaw in degrees, as `Subject.yaw`.
    public var facing = 0.0
    /// Time of arrival, nanoseconds; nil is from the start.
    public var enters: Int64?
    /// Time of departure, nanoseconds; nil is never.
    public var exits: Int64?
    /// Words that pick its looks; nil derives them from seed and name.
    public var texture: String?
    /// Voice; nil is silent.
    public var voice: Voice?
    /// Path of the file that its voice was read from.
    package var recording: String?
    /// Place in the scenario file, for messages.
    public var location: FileLocation
}
