import CoreMedia
import Focus
import Foundation
import Pipeline
import Stage
import Support

/// Scenario: one hand-written text file with a world, a camera, touches, and the expectations on them.
///
/// This module reads the file strictly (`ScenarioError` names file, line and column) and turns it into a `World` for the stage. It opens no file
/// but the scenario and those it names. `ScenarioRun` plays it on a camera app; `RunReport` keeps what a run leaves.
///
///     let scenario = try ScenarioFile.load(path: "cat.yaml")
///     let source = StageSource(world: try scenario.world())
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

    /// Files that it may name.
    package var scope: FileScope { source.scope }

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
        /// Part of the footage that is filmed; times count from its first frame.
        public var span = FootageSpan()
        /// Whether footage in HLG or PQ is brought to the range of ordinary video, BT.709.
        public var isToneMapped = false
        /// Length in nanoseconds; nil is all of the footage.
        public var length: Int64?
        /// Seed of the synthetic world's randomness, any number.
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
            case .video(_, let disparity, let range): range != nil || ClipSource.holdsFloats(disparity)
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

        /// Word of the trace's header.
        package var name: String {
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
