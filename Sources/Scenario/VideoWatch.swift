import AVFoundation
import CoreMedia
import Foundation
import Optics
import Pipeline

/// Watches that each picture the app gets is of a frame of the trace and tells the same: where focus is, what is there, how light it is.
struct VideoWatch: Sendable {
    private let isOn: Bool
    /// Whether objects come with their pictures; not where metadata is late by the script's will.
    private let comparesObjects: Bool
    /// The frames that may still be on their way, the oldest first.
    private var decided: [Glance] = []
    /// What the lens was set to for the newest picture.
    private var circle: CircleOfConfusion?
    /// More than are ever between decision and delivery.
    private static let depth = 8

    /// What of a frame its picture is held against.
    private struct Glance: Sendable {
        var time: CMTime
        /// Nil while cinematic capture is off: then the picture is sharp.
        var focus: Double?
        var notEnoughLight: Bool
    }

    init(_ scenario: ScenarioFile) {
        isOn = scenario.connected.contains(.video)
        comparesObjects = !scenario.timeline.contains { if case .fault(.lateMetadata) = $0.action { true } else { false } }
    }

    mutating func observe(_ record: FrameRecord) {
        guard isOn else { return }
        let focus = record.fNumber == nil ? nil : record.state.focusDisparity
        decided.append(Glance(time: record.frame.presentationTime, focus: focus, notEnoughLight: record.notEnoughLight))
        if decided.count > Self.depth { decided.removeFirst() }
    }

    /// The lens is about to make the next picture.
    mutating func observe(_ circle: CircleOfConfusion) { self.circle = circle }

    /// What the picture tells that the trace does not, in words.
    mutating func observe(_ shot: CinematicCamera.Shot) -> [String] {
        let time = shot.sampleBuffer.presentationTimeStamp
        defer { circle = nil }
        guard let index = decided.firstIndex(where: { $0.time == time }) else {
            return ["the app got a picture of \(TimelineClock.seconds(time.nanoseconds)), which is no frame of the trace or came twice"]
        }
        let frame = decided[index]
        decided.removeFirst(index + 1)
        var broken: [String] = []
        if circle?.focusDisparity != frame.focus {
            func words(_ focus: Double?) -> String { focus.map { "\($0) 1/m" } ?? "no blur" }
            broken.append("the picture has focus at \(words(circle?.focusDisparity)), the trace at \(words(frame.focus))")
        }
        if shot.statuses.contains(.notEnoughLight) != frame.notEnoughLight { broken.append("the app heard of another light than the trace tells") }
        if comparesObjects, shot.objects.contains(where: { $0.time != time }) { broken.append("the picture came with objects of another frame") }
        return broken
    }
}
