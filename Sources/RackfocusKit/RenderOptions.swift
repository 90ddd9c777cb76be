import Bokeh
import Pipeline
import Scenario
import Vision

/// How a movie is rendered.
public struct RenderOptions: Sendable {
    /// Path of the movie; the run directory lies beside it.
    public var output: String
    public var overlay = false
    public var replacesExisting = false
    /// A number or a part of a name from `VulkanBokehRenderer.devices()`; nil takes the best.
    public var gpu: String?
    /// Simulated f-number; nil is the scenario's, else the camera's default.
    public var aperture: Double?
    /// Whether racks begin or end with their decisions; nil is as the scenario says.
    public var mode: ScenarioFile.Mode?
    /// How the lens draws.
    public var lens = BokehOptions(highlights: 8)
    /// Whether the lens books the time of its steps and of its passes on the device.
    public var isTimed = false
    /// Nil is the scenario's own.
    public var detections: ScenarioFile.Detections?
    /// The networks that vision may use.
    public var models = VisionModels()

    public init(output: String) { self.output = output }
}

/// What a render left.
public struct RenderResult: Sendable {
    public var movie: String
    public var runDirectory: String
    public var frames: Int
    /// The scenario's expectations that did not hold, ready to print.
    public var failures: [String]
    /// Frames the lens failed on and that went into the movie sharp, and why the first did.
    public var passThroughs: (count: Int, first: String)
    public var timings: [Timings.Stage]
}
