import Bokeh
import CoreMedia
import Foundation
import Pipeline
import Vision

/// Options of a recording from a camera.
public struct RecordOptions: Sendable {
    /// Camera by identifier, path or a part of its name; nil for the only one there is.
    public var camera: String?
    /// Right eye, where `camera` is the left one; both with `calibration`.
    public var rightCamera: String?
    /// Path of the file that `rackfocus calibrate` wrote for both eyes, which it names where neither is.
    public var calibration: String?
    /// Depth camera whose view is that of `camera`; nil for that of the same hardware, where there is one.
    public var depthCamera: String?
    /// Size and rate.
    public var format = LiveFormatWish()
    /// Path of the cinematic movie, a MOV file; nil keeps none.
    public var take: String?
    /// Path of the movie with its blur baked in; nil bakes none.
    public var baked: String?
    /// Path of a V4L2 output device that gets the pictures with their blur, or `PipeWireSink.name`; nil for none.
    public var sink: String?
    /// Size of the pictures for it; nil for the camera's.
    public var sinkSize: (width: Int, height: Int)?
    /// Whether left and right of the blurred pictures are exchanged.
    public var isMirrored = false
    /// Encoder of both movies.
    public var encoder = DeliveryOptions.Encoder.software
    /// Microphone by its ALSA name, for the movies; the baked one has ambisonics in stereo. Nil for none.
    public var microphone: String?
    /// Channels of the microphone.
    public var soundLayout = Sound.Layout.stereo
    /// Path of a scenario file whose timeline is played; nil for none.
    public var script: String?
    /// Length, by the camera's times; nil until stopped.
    public var duration: CMTime?
    /// Simulated f-number; nil is the script's, else the camera's default.
    public var aperture: Double?
    /// Whether a camera that is not there, or in use, is waited for.
    public var waits = false
    /// Options of the lens, for the baked movie.
    public var lens = BokehOptions(highlights: 8)
    /// Whether the lens turns to `BokehOptions.Quality.preview` while the machine is too slow for that of `lens`.
    public var isLensGraded = true
    /// A number or a part of a name from `VulkanBokehRenderer.devices()`; nil takes the best.
    public var gpu: String?
    /// The networks that vision may use.
    public var models = VisionModels()
    /// Whether existing movies and run directories are replaced.
    public var replacesExisting = false

    /// Creates options without outputs; one of `take`, `baked` and `sink` must be set.
    public init() {}

    /// The movie that the run directory lies beside; nil where none is written.
    var main: String? { take ?? baked }
    /// Whether pictures go through the lens.
    var isDrawn: Bool { baked != nil || sink != nil }

    /// Bytes free on the disk below which a recording ends whole.
    static let leastDiskSpace: Int64 = 50_000_000
}

/// State of a recording at one moment.
public struct RecordStatus: Sendable, Equatable {
    /// Time since the first frame, seconds.
    public var time = 0.0
    /// Frames decided in the last second.
    public var framesPerSecond = 0.0
    /// Frames lost since the start: by the camera's driver.
    public var dropped = 0
    /// Subject in focus, in words; nil for none.
    public var subject: String?
    /// Whether there is too little light for cinematic capture.
    public var isDark = false
    /// Pictures left out of the baked movie or the virtual camera because the lens, or whoever takes them, was late.
    public var unbaked = 0
    /// Work left out because the machine is too slow for all of it.
    public var degradation = Degradation.none
    /// Bytes free on the disk; nil where unknown.
    public var freeSpace: Int64?

    /// Creates the state before the first frame.
    public init() {}

    /// One line for a terminal.
    public var line: String {
        let seconds = Int(time)
        var words = [String(format: "%d:%02d.%d", seconds / 60, seconds % 60, Int(time * 10) % 10), String(format: "%.1f fps", framesPerSecond)]
        words.append("\(dropped) dropped")
        words.append("focus: \(subject ?? "nobody")")
        words.append(isDark ? "TOO DARK" : "light ok")
        if degradation != .none { words.append("machine late: \(degradation.words)") }
        if unbaked > 0 { words.append("lens late: \(unbaked) left out") }
        if let freeSpace { words.append(String(format: "%.1f GB left", Double(freeSpace) / 1e9)) }
        return words.joined(separator: "  ")
    }
}

/// Result of a recording.
public struct RecordResult: Sendable {
    /// End of a recording.
    public enum End: Sendable, Equatable {
        /// As asked: the length was reached, or the caller stopped it.
        case asked
        /// Nobody watches the virtual camera any more.
        case unwatched
        /// The camera was pulled out.
        case unplugged
        /// The disk is full; the movie is whole up to there.
        case diskFull
    }

    /// Reason of the end.
    public var end: End
    /// Movies that were written.
    public var movies: [String]
    /// Run directory beside them; nil where no movie was written.
    public var runDirectory: String?
    /// Frames that were decided.
    public var frames: Int
    /// Frames in the cinematic movie; 0 where none was written.
    public var takenFrames: Int
    /// Pictures in the baked movie, or handed to the virtual camera.
    public var bakedFrames: Int
    /// Length by the camera's times, seconds.
    public var duration: Double
    /// Frames that the camera's driver lost.
    public var lost: Int
    /// Pictures left out of the baked movie or the virtual camera.
    public var leftOut: Int
    /// Frames at each step of degradation that was in force.
    public var degradation: [(Degradation, Int)]
    /// Losses and other things to know, ready to print.
    public var remarks: [String]
    /// Frames the lens failed on, which are sharp where they are drawn; nil without any.
    public var lensFailure: LensFailure?
    /// The script's expectations that did not hold, ready to print.
    public var failures: [String]
    /// Wall time of each stage of the pipeline.
    public var timings: [Timings.Stage]

    /// Result of a job that was stopped before its camera was opened.
    static var empty: RecordResult {
        RecordResult(
            end: .asked, movies: [], runDirectory: nil, frames: 0, takenFrames: 0, bakedFrames: 0, duration: 0, lost: 0, leftOut: 0, degradation: [],
            remarks: [], lensFailure: nil, failures: [], timings: [])
    }
}
