import Pipeline
import Scenario

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
    /// How far clipped highlights are lifted before the blur, as `BokehOptions.highlights`.
    public var highlights = 8.0
    /// Nil is the scenario's own.
    public var detections: ScenarioFile.Detections?

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

    /// Stage, frames, milliseconds a frame and share of all booked time.
    public var timingsTable: String {
        let total = timings.map(\.seconds).reduce(0, +)
        return timings.map { stage in
            let name = stage.name.padding(toLength: 10, withPad: " ", startingAt: 0)
            return String(
                format: "  %@ %6d × %8.2f ms  %4.1f %%", name, stage.count, stage.seconds / Double(max(stage.count, 1)) * 1000,
                stage.seconds / max(total, 1e-9) * 100)
        }.joined(separator: "\n")
    }
}
