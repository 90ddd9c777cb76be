import AVFCapture
import CoreMedia
import Pipeline

extension FrameRecord {
    /// Presentation time, nanoseconds.
    package var time: Int64 { frame.presentationTime.nanoseconds }

    /// Whether an object stands for the fixed focus.
    package func isFixedFocus(_ detection: Detection) -> Bool { state.isFixed && detection.objectID == state.subject }

    /// The object in focus, when it is seen in this frame.
    package var focused: Detection? { state.subject.flatMap { id in detections.first { $0.objectID == id } } }
}
