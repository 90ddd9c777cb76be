import CoreMedia
import Foundation

extension CNScript {
    /// Focus and subjects in one frame.
    public struct Frame: Sendable {
        /// Presentation time.
        public let time: CMTime
        /// Disparity in focus, for the rendering of the frame; during a rack another than that of `focusDetection`.
        public let focusDisparity: Float
        /// Subject in focus; a held distance, or what is nearest in the middle, where nobody is.
        public let focusDetection: CNDetection
        /// Subjects that are seen.
        public let allDetections: [CNDetection]

        /// Returns the detection of a subject; nil where it is not seen.
        public func detection(for detectionID: CNDetectionID) -> CNDetection? {
            allDetections.first { $0.detectionID == detectionID } ?? (focusDetection.detectionID == detectionID ? focusDetection : nil)
        }

        /// Returns the best detection of a group to focus on: face before head before body; nil where none is seen.
        public func bestDetection(for detectionGroupID: CNDetectionGroupID) -> CNDetection? {
            allDetections.filter { $0.detectionGroupID == detectionGroupID }.min { $0.rank < $1.rank }
        }
    }

    /// Returns the frame nearest to a time within a tolerance; nil where there is none.
    public func frame(at time: CMTime, tolerance: CMTime) -> Frame? {
        recording.frame(at: time, tolerance: tolerance).map { index in withCourse { $0.frame(index) } }
    }

    /// Returns the frames in a time range.
    public func frames(in timeRange: CMTimeRange) -> [Frame] {
        let indices = recording.times.indices.filter { timeRange.containsTime(recording.times[$0]) }
        return withCourse { course in indices.map { course.frame($0) } }
    }
}

extension CNDetection {
    /// Rank within a group, the best first.
    fileprivate var rank: Int {
        switch detectionType {
        case .humanFace, .catHead, .dogHead: 0
        case .humanHead: 1
        default: 2
        }
    }
}
