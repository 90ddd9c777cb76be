import CoreMedia
import Foundation
import Pipeline

extension CNScript {
    /// Focus and subjects in one frame.
    public struct Frame: Sendable {
        /// Presentation time.
        public let time: CMTime
        /// Metadata of the frame as changed: reasons of decisions, labels, coding of the disparity, order of a rack.
        package let sample: CinematicSample
        /// Decision in effect; nil before the first.
        let decision: PlacedDecision?

        /// Disparity in focus, for the rendering of the frame; during a rack another than that of `focusDetection`.
        public var focusDisparity: Float { Float(sample.focus.focusDisparity) }

        /// Subjects that are seen.
        public var allDetections: [CNDetection] {
            let fixed = sample.focus.isFixed ? sample.focus.subject : nil
            return sample.detections.filter { $0.objectID != fixed }.map { detection($0) }
        }

        /// Subject in focus; a held distance, or what is nearest in the middle, where nobody is.
        public var focusDetection: CNDetection {
            if let point = sample.focus.fixedPoint {
                let held = decision?.disparity ?? sample.focus.focusDisparity
                var detection = CNDetection(
                    time: time, detectionType: .fixedFocus, normalizedRect: CGRect(origin: point, size: .zero), focusDisparity: Float(held))
                if case .single(let id)? = decision?.decision.focusDetectionID { detection.id = id }
                return detection
            }
            if let subject = sample.focus.subject, let seen = sample.detections.first(where: { $0.objectID == subject }) { return detection(seen) }
            var detection = CNDetection(
                time: time, detectionType: .autoFocus, normalizedRect: CGRect(x: 0.3, y: 0.3, width: 0.4, height: 0.4),
                focusDisparity: Float(sample.ambientDisparity ?? sample.focus.focusDisparity))
            detection.id = ScriptCourse.nobody
            return detection
        }

        private func detection(_ seen: Detection) -> CNDetection { CNDetection(seen, at: time, frameDisparity: sample.focus.focusDisparity) }

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

    /// All frames of the recording, those outside of `timeRange` among them: of a movie that was cut off.
    package var allFrames: [Frame] { withCourse { course in recording.times.indices.map { course.frame($0) } } }
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
