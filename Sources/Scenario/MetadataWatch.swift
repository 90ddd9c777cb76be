import AVFoundation
import Foundation
import Pipeline

/// Watches that what the app is told of a frame is what the trace tells of it: the same objects, one of them in focus at most.
struct MetadataWatch: Sendable {
    /// Nil where metadata is late by the script's will.
    private let isOn: Bool
    private var previous: FrameRecord?

    init(_ scenario: ScenarioFile) {
        isOn = !scenario.timeline.contains { if case .fault(.lateMetadata) = $0.action { true } else { false } }
    }

    mutating func restart() { previous = nil }

    /// `told` is what the app has heard last, which is of the frame before; nil where nobody knows.
    mutating func observe(_ record: FrameRecord, told: [AVMetadataObject]?) -> [String] {
        defer { previous = record }
        guard isOn, let told, let previous else { return [] }
        var broken: [String] = []
        let focused = told.filter { $0.cinematicVideoFocusMode != .none }
        if focused.count > 1 { broken.append("objects \(focused.map(\.objectID)) report a focus mode in one callback") }
        for object in told {
            guard let detection = previous.detections.first(where: { $0.objectID == object.objectID }) else {
                broken.append("the app heard of object \(object.objectID), and the trace does not know it")
                continue
            }
            let mode = previous.state.subject == detection.objectID ? previous.state.mode : .none
            let isSame = object.cinematicVideoFocusMode.rawValue == mode.rawValue && object.bounds == detection.bounds
            if !isSame || object.time != previous.frame.presentationTime {
                broken.append("the app heard something else of object \(object.objectID) than the trace tells")
            }
        }
        let picture = CGRect(x: 0, y: 0, width: 1, height: 1)
        for detection in previous.detections where detection.bounds.intersects(picture) {
            if !told.contains(where: { $0.objectID == detection.objectID }) { broken.append("the app did not hear of object \(detection.objectID)") }
        }
        return broken
    }
}
