import Foundation

/// What was detected in a run, frame by frame: the sidecar that `rackfocus detect` and `render` write and that a scenario takes back.
///
/// As a file it is JSON Lines: the header, then one line a frame. Numbers keep all their bits, so a replay is exact.
///
///     {"format":1,"frameDuration":[1,30],"height":540,"source":"bedroom.mp4","width":960}
///     {"detections":[{"box":[0.1,0.2,0.05,0.1],"confidence":0.9,"group":1,"id":1,"kind":"face","yaw":0}],"frame":0,"time":0}
public struct DetectionLog: Sendable, Equatable {
    public struct Header: Sendable, Equatable, Codable {
        public var format = 1
        /// What was looked at, for people.
        public var source: String
        /// Pixels of a frame; of pictures that differ, the first one's.
        public var width: Int
        public var height: Int
        /// Numerator and denominator of a frame's seconds.
        public var frameDuration: [Int]

        public init(source: String, width: Int, height: Int, frameDuration: [Int]) {
            (self.source, self.width, self.height, self.frameDuration) = (source, width, height, frameDuration)
        }
    }

    public struct Entry: Sendable, Equatable {
        /// 0 for the first frame of the source.
        public var frame: Int
        /// Nanoseconds of presentation time.
        public var time: Int64
        public var detections: [Detection]
        /// Nil where no disparity was known.
        public var disparity: DisparityStatistics?
        /// What was asked about points of this frame.
        public var taps: [Tap] = []
        /// The file and its size in pixels, when every frame is a still picture of its own.
        public var picture: String?
        public var size: [Int]?

        public init(frame: Int, time: Int64, detections: [Detection], disparity: DisparityStatistics? = nil) {
            (self.frame, self.time, self.detections, self.disparity) = (frame, time, detections, disparity)
        }
    }

    /// A point that was asked for its object, and the answer.
    public struct Tap: Sendable, Equatable {
        public var point: CGPoint
        public var found: Detection?

        public init(point: CGPoint, found: Detection?) { (self.point, self.found) = (point, found) }
    }

    public var header: Header
    public var entries: [Entry]

    public init(header: Header, entries: [Entry] = []) { (self.header, self.entries) = (header, entries) }
}

/// A file of detections that cannot be used: which, where, and what is wrong with it.
public struct DetectionLogError: Error, Sendable, Equatable, CustomStringConvertible {
    public var path: String
    /// 1-based; nil when it is not about one line.
    public var line: Int?
    public var reason: String

    public init(path: String, line: Int? = nil, reason: String) { (self.path, self.line, self.reason) = (path, line, reason) }

    public var description: String { "\(path)\(line.map { ":\($0)" } ?? ""): \(reason)" }
}
