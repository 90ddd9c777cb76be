import AVFCapture
import CoreMedia
import Foundation
import Pipeline
import RunReport
import ScenarioFormat

extension ScenarioFile {
    /// Time from which on metadata comes ahead of its picture, ns; nil where the script never delays it.
    var metadataDelayEnd: Int64? { faults.compactMap { if case .lateMetadata(_, let until) = $0 { until } else { nil } }.max() }
}

/// Checks that the metadata delivered to the app agrees with the trace: the same objects, one of them in focus at most.
struct MetadataWatch: Sendable {
    /// Nil where metadata is late by the script's will.
    private let isOn: Bool
    private var previous: Glance?

    /// Part of a frame that the app is to be notified of.
    private struct Glance: Sendable {
        var detections: [Detection]
        var subject: Int?
        var mode: FocusMode
        var time: CMTime
    }

    init(_ scenario: ScenarioFile) {
        isOn = scenario.metadataDelayEnd == nil
    }

    mutating func restart() { previous = nil }

    /// Differences for the last delivered objects, which are of the frame before; nil if unknown.
    mutating func observe(_ record: FrameRecord, reported: [AVMetadataObject]?) -> [String] {
        guard isOn, let reported else { return [] }
        defer {
            let objects = ReportedObjects(record.detections, subject: record.state.subject)
            previous = Glance(
                detections: objects.detections, subject: objects.subject, mode: record.state.mode, time: record.frame.presentationTime)
        }
        guard let previous else { return [] }
        return isAll(reported, of: previous) ? [] : differences(reported, previous)
    }

    /// Whether all objects were delivered in the order of the trace, the usual case; one at most is in focus, since the trace has one.
    private func isAll(_ reported: [AVMetadataObject], of frame: Glance) -> Bool {
        guard reported.count == frame.detections.count else { return false }
        for index in reported.indices where !agrees(reported[index], with: frame.detections[index], in: frame) { return false }
        return true
    }

    /// Whether the object says of the detection what the trace says.
    private func agrees(_ object: AVMetadataObject, with detection: Detection, in frame: Glance) -> Bool {
        let mode = frame.subject == detection.objectID ? frame.mode : .none
        return object.objectID == detection.objectID && object.cinematicVideoFocusMode.rawValue == mode.rawValue
            && object.bounds == detection.bounds && object.time == frame.time
    }

    private func differences(_ reported: [AVMetadataObject], _ previous: Glance) -> [String] {
        var broken: [String] = []
        let focused = reported.filter { $0.cinematicVideoFocusMode != .none }
        if focused.count > 1 { broken.append("objects \(focused.map(\.objectID)) report a focus mode in one callback") }
        for object in reported {
            guard let detection = previous.detections.first(where: { $0.objectID == object.objectID }) else {
                broken.append("the app heard of object \(object.objectID), and the trace does not know it")
                continue
            }
            if !agrees(object, with: detection, in: previous) {
                broken.append("the app heard something else of object \(object.objectID) than the trace tells")
            }
        }
        let picture = CGRect(x: 0, y: 0, width: 1, height: 1)
        for detection in previous.detections where detection.bounds.intersects(picture) {
            if !reported.contains(where: { $0.objectID == detection.objectID }) {
                broken.append("the app did not hear of object \(detection.objectID)")
            }
        }
        return broken
    }
}
