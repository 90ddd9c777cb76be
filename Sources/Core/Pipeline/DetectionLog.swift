import Foundation
import Support

/// Sidecar of detections, frame by frame, as `rackfocus detect` and `render` write it and a scenario takes it back.
///
/// As a file it is JSON Lines: the header, then one line a frame. Numbers keep all their bits, so a replay is exact.
///
///     {"format":1,"frameDuration":[1,30],"height":540,"source":"bedroom.mp4","width":960}
///     {"detections":[{"box":[0.1,0.2,0.05,0.1],"confidence":0.9,"group":1,"id":1,"kind":"face","yaw":0}],"frame":0,"shot":0,"time":0}
///
/// Any key of a frame or a detection but these may be absent: `frame`, `time`, `detections`; `id`, `kind`, `box`, `confidence`.
public struct DetectionLog: Sendable, Equatable {
    /// First line of the file: source, picture size and frame rate.
    public struct Header: Sendable, Equatable, Codable {
        /// Version of the format; 1 is the only one known.
        public var format = 1
        /// Name of the file that was looked at, or of the scenario.
        public var source: String
        /// Width in pixels; of pictures that differ in size, the first one's.
        public var width: Int
        /// Height in pixels, likewise.
        public var height: Int
        /// Duration of a frame in seconds, as numerator and denominator: `[1, 30]`.
        public var frameDuration: [Int]

        /// Name of the scenario that a camera was filmed by; nil where no camera was.
        public var scenario: String?
        /// Simulated f-number of that take; nil where none was asked for.
        public var fNumber: Double?
        /// Whether a cinematic movie was recorded of that take, during which the app may not do everything; nil where no camera was.
        public var isRecording: Bool?

        /// Creates a header of format 1.
        public init(source: String, width: Int, height: Int, frameDuration: [Int]) {
            (self.source, self.width, self.height, self.frameDuration) = (source, width, height, frameDuration)
        }
    }

    /// Detections of one frame; on one line of the file.
    public struct Entry: Sendable, Equatable {
        /// Index of the frame, 0 for the first of the source.
        public var frame: Int
        /// Presentation time in nanoseconds, increasing from entry to entry.
        public var time: Int64
        /// Detected objects, in the order the detector gave them.
        public var detections: [Detection]
        /// Number of the shot of edited footage, from 0; nil where no cuts were looked for.
        public var shot: Int?
        /// Spread of the frame's disparity; nil where none was known.
        public var disparity: DisparityStatistics?
        /// Queries of single points in this frame, with their answers.
        public var taps: [Tap] = []
        /// File of this frame's picture, when every frame is a still picture of its own; nil for video.
        public var picture: String?
        /// Width and height of that picture in pixels; nil for video.
        public var size: [Int]?

        /// Inputs of the frame's decisions besides its detections; nil in a log of detections alone.
        public var capture: Capture?

        /// Creates an entry without taps and without a picture of its own.
        public init(frame: Int, time: Int64, detections: [Detection], disparity: DisparityStatistics? = nil, shot: Int? = nil) {
            (self.frame, self.time, self.detections, self.disparity, self.shot) = (frame, time, detections, disparity, shot)
        }
    }

    /// Inputs of a frame's decisions besides its detections: with both, the decisions can be taken again.
    public struct Capture: Sendable, Equatable, Codable {
        /// Light on the scene, lux; nil where it was not judged.
        public var light: Double?
        /// Ambient disparity, 1/m: focus rests on it while nothing is in focus; nil where there was none.
        public var ambient: Double?
        /// True where disparities are 1/m for certain; else nil.
        public var isMetric: Bool?
        /// Requests of the app that took effect in the frame; nil without any.
        public var calls: [FocusCall]?
        /// Disparity at the points of those requests; nil without any.
        public var points: [Point]?
        /// Work left out; nil where nothing was.
        public var degradation: Degradation?
        /// True of a last frame that the capture ended in before it was decided; else nil.
        public var isUndecided: Bool?

        /// Disparity at a point.
        public struct Point: Sendable, Equatable, Codable {
            /// Point of the unrotated picture, 0…1, origin top left.
            public var at: CGPoint
            /// Disparity there, 1/m.
            public var disparity: Double

            /// Creates a point with its disparity.
            public init(at: CGPoint, disparity: Double) { (self.at, self.disparity) = (at, disparity) }
        }

        /// Creates inputs of a decided frame; nothing is left out.
        public init(light: Double? = nil, ambient: Double? = nil) { (self.light, self.ambient) = (light, ambient) }
    }

    /// Query of the salient object at a point, and the answer.
    public struct Tap: Sendable, Equatable {
        /// Point asked about, 0…1 of the unrotated picture, origin top left.
        public var point: CGPoint
        /// Object found there; nil when nothing stood out.
        public var found: Detection?

        /// Creates a query with its answer.
        public init(point: CGPoint, found: Detection?) { (self.point, self.found) = (point, found) }
    }

    /// Source, size and rate of all entries.
    public var header: Header
    /// One entry a frame, in order of time.
    public var entries: [Entry]

    /// Creates a log, empty unless entries are given.
    public init(header: Header, entries: [Entry] = []) { (self.header, self.entries) = (header, entries) }
}

/// Unusable sidecar of detections: its path, the line at fault and the reason.
public struct DetectionLogError: Error, Sendable, Equatable, CustomStringConvertible {
    /// File as the caller named it.
    public var path: String
    /// Line at fault, counted from 1; nil when the fault is in no single line.
    public var line: Int?
    /// Fault in words, to be read after the path.
    public var reason: String

    /// Creates an error about a file, or about one line of it.
    public init(path: String, line: Int? = nil, reason: String) {
        (self.path, self.line) = (path, line)
        self.reason = reason.excerpt()
    }

    /// `path:line: reason`.
    public var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(reason)" }
}
