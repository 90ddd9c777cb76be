import AVFoundation
import Bokeh
import CoreMedia
import Media
import Pipeline
import ScenarioFormat
import Vision

/// Options of a render.
public struct RenderOptions: Sendable {
    /// Path of the movie, or the pattern of a picture sequence; the run directory lies beside it.
    public var output: String
    /// Path of the cinematic movie that is kept, a MOV file: in place of the baked one where it is `output`, else beside it; nil keeps none.
    public var cinematic: String?
    /// Coding and quality of the movie, and the part of the footage.
    public var delivery = DeliveryOptions()
    /// The one frame to render, as a picture; nil renders all.
    public var frame: FootageSpan.Point?
    /// Whether it is a draft: analysed like the movie, but small, and drawn and coded quickly.
    public var isDraft = false
    /// Words of the command, kept in the run directory; nil where there was none.
    public var arguments: [String]?
    /// Whether focus rectangles and a status line are drawn over the picture.
    public var overlay = false
    /// Whether an existing movie and run directory are replaced.
    public var replacesExisting = false
    /// A number or a part of a name from `VulkanBokehRenderer.devices()`; nil takes the best.
    public var gpu: String?
    /// Simulated f-number; nil is the scenario's, else the camera's default.
    public var aperture: Double?
    /// Whether racks begin or end with their decisions; nil is as the scenario says.
    public var mode: ScenarioFile.Mode?
    /// Orders of focus and aperture beside those of the scenario.
    public var orders: [ReadingOptions.TimelineOrder] = []
    /// Length of automatic racks, nanoseconds; nil is the scenario's.
    public var rack: Int64?
    /// Curve of automatic racks; nil is the scenario's.
    public var rackEase: Ease?
    /// The phone that films; nil is the scenario's own.
    public var phone: CameraProfile.Phone?
    /// Options of the lens.
    public var lens = BokehOptions(highlights: 8)
    /// Whether the lens books the time of its steps and of its passes on the device, and the run directory gets `perf.json`.
    public var isTimed = false
    /// Duration of a frame to which footage is brought; nil leaves every frame its own time.
    public var frameDuration: CMTime?
    /// Source of detections; nil is the scenario's own.
    public var detections: ScenarioFile.Detections?
    /// Most bytes of disparity that are kept for a later render of the same footage; 0 keeps and uses none.
    public var keptBytes = 10_000_000_000
    /// Folders whose files the scenario may name besides its own.
    public var allowed: [String] = []
    /// The networks that vision may use.
    public var models = VisionModels()

    /// Creates options for a movie at `output`.
    public init(output: String) { self.output = output }
}

/// Result of a render.
public struct RenderResult: Sendable {
    /// Path of the movie.
    public var movie: String
    /// Path of the run directory beside it; nil for a single frame.
    public var runDirectory: String?
    /// Number of frames written.
    public var frames: Int
    /// The scenario's expectations that did not hold, ready to print.
    public var failures: [String]
    /// Frames the lens failed on and that went into the movie sharp; nil without any.
    public var lensFailure: LensFailure?
    /// Frames of the footage that are not in the movie, or in it more than once, and why; limits of the disparity measured; ready to print.
    public var remarks: [String]
    /// Why frames from some on are without the user's filter; nil where all have it, or none is asked for.
    public var filterFailure: BokehError?
    /// Disparity and detections that were kept or used again, in words; nil without any.
    public var analysis: String?
    /// Reason why none were kept though they should have been, in words.
    public var keepingFailure: String?
    /// Wall time of each stage of the pipeline.
    public var timings: [Timings.Stage]
}
