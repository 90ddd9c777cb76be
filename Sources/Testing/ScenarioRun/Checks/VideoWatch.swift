import AVFCapture
import CameraApp
import CoreMedia
import Foundation
import Optics
import Pipeline
import RunReport
import ScenarioFormat

/// Checks that each picture the app gets belongs to a frame of the trace and agrees with it: focus, objects, light.
struct VideoWatch: Sendable {
    private let isOn: Bool
    /// Time from which on objects and light come with their pictures, ns; later than the start where metadata is late by the script's will.
    private let metadataStart: Int64
    /// The frames that may still be on their way, the oldest first.
    private var decided: [Glance] = []
    /// Focus of the lens for the pictures since the last delivered one, the oldest first.
    private var drawn: [Double] = []
    /// More than are ever between decision and delivery.
    private static let depth = 8

    /// Part of a frame that its picture is compared with.
    private struct Glance: Sendable {
        var time: CMTime
        /// Nil while cinematic capture is off: then the picture is sharp.
        var focus: Double?
        var notEnoughLight: Bool
    }

    init(_ scenario: ScenarioFile) {
        isOn = scenario.connected.contains(.video)
        metadataStart = scenario.metadataDelayEnd ?? .min
    }

    mutating func observe(_ record: FrameRecord) {
        guard isOn else { return }
        let focus = record.fNumber == nil ? nil : record.state.focusDisparity
        decided.append(Glance(time: record.frame.presentationTime, focus: focus, notEnoughLight: record.notEnoughLight))
        if decided.count > Self.depth { decided.removeFirst() }
    }

    /// The lens begins the next picture, maybe before the one ahead is with the app.
    mutating func observe(_ circle: CircleOfConfusion) {
        guard isOn else { return }
        drawn.append(circle.focusDisparity)
        if drawn.count > Self.depth { drawn.removeFirst() }
    }

    /// Differences between picture and trace, in words.
    mutating func observe(_ shot: CinematicCamera.Shot) -> [String] {
        let time = shot.sampleBuffer.presentationTimeStamp
        guard let index = decided.firstIndex(where: { $0.time == time }) else {
            return ["the app got a picture of \(TimelineClock.seconds(time.nanoseconds)), which is no frame of the trace or came twice"]
        }
        let frame = decided[index]
        decided.removeFirst(index + 1)
        var broken: [String] = []
        if let focus = frame.focus {
            if let index = drawn.firstIndex(of: focus) {
                drawn.removeFirst(index + 1)
            } else {
                let others = drawn.isEmpty ? "none was" : "the last were at \(drawn.map { "\($0)" }.joined(separator: ", "))"
                broken.append("no picture was drawn with the trace's focus at \(focus) 1/m, \(others)")
                drawn = []
            }
        }
        guard time.nanoseconds >= metadataStart else { return broken }
        // Once metadata was late, none without objects tells its time.
        let isOwn = metadataStart == .min || !shot.objects.isEmpty
        if isOwn, shot.statuses.contains(.notEnoughLight) != frame.notEnoughLight {
            broken.append("the app heard of another light than the trace tells")
        }
        if shot.objects.contains(where: { $0.time != time }) { broken.append("the picture came with objects of another frame") }
        return broken
    }
}
