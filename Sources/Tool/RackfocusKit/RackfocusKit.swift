/// Plugs the adapters into the roles of the capture graph: OpenCV, Vulkan and FFmpeg meet here and nowhere else.
///
/// ```swift
/// let scenario = try ScenarioFile.load(path: "demo.yaml")
/// let job = try RenderJob(scenario: "demo.yaml", footage: nil, options: RenderOptions(output: "demo.mp4"))
/// try job.run { frame in }
/// ```
///
/// | type | is |
/// |---|---|
/// | `CaptureEnvironment.scenario` | the environment in which an app sees a scenario's world or footage as its camera |
/// | `RenderJob` | runs `CinematicCamera` in that environment and writes the movie and the run directory |
/// | `CaptureEnvironment.cameras` | the environment in which an app films with the cameras of this machine |
/// | `RecordJob` | runs `CinematicCamera` with a camera and keeps a cinematic movie, a baked one, or both |
/// | `CalibrateJob` | pictures of a chessboard to a calibration file |
/// | `StillJob` | one picture and its disparity map through the lens |
/// | `Overlay` | Apple's focus rectangles and a status line, drawn over a shot |

@_exported import AVFoundation
@_exported import Bokeh
@_exported import CameraApp
@_exported import Media
@_exported import Pipeline
@_exported import RunReport
@_exported import ScenarioFormat
@_exported import ScenarioRun
@_exported import VideoDevice
@_exported import Vision
