import AVFoundation
import CoreMedia
import Focus
import Foundation
import Optics
import Pipeline
import Stage
import Testing

@testable import AVFCapture
@testable import CameraApp
@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

@Suite("Invariants watched in every run")
struct InvariantWatchTests {
    private let face = CGRect(x: 0.3, y: 0.3, width: 0.1, height: 0.2)

    private func record(
        _ index: Int, focus: Double, rack: Rack? = nil, id: Int = 1, mode: FocusMode = .weak, label: String? = "maya", isThere: Bool = true
    ) -> FrameRecord {
        let seen = Detection(objectID: id, kind: .face, bounds: face, disparity: 1, label: label)
        return FrameRecord(
            frame: frame(index, truth: isThere ? [seen] : [], lux: 100), detections: isThere ? [seen] : [],
            state: FocusState(focusDisparity: focus, subject: isThere ? id : nil, mode: isThere ? mode : .none, rack: rack), decisions: [],
            fNumber: 2.8,
            notEnoughLight: false)
    }

    private func broken(_ records: [FrameRecord]) -> [String] {
        var watch = RackWatch(FocusTuning(), mayPassOver: false)
        return records.flatMap { record in
            watch.observe(record, isNext: record.frame.index > 0)
        }
    }

    @Test("focus does not leap, and a rack explains its own speed only")
    func speed() {
        #expect(broken([record(0, focus: 1), record(1, focus: 1.01)]) == [])
        #expect(
            broken([record(0, focus: 1), record(1, focus: 1.2)]) == ["focus moved at 6.0 1/m per second, and nothing explains more than 0.5"])
        let rack = Rack(start: 0, duration: 500_000_000, from: 1, to: 0.5)
        #expect(broken([record(0, focus: 1), record(1, focus: 0.95, rack: rack)]) == [])
        #expect(broken([record(0, focus: 1), record(1, focus: 0.9, rack: rack)]).first?.hasPrefix("focus moved at -3.0 1/m per second") == true)
    }

    @Test("a picture tells what the trace tells of its frame")
    func pictures() throws {
        let scenario = try small("  - 0.1s: {tap: maya}", sections: "session: {outputs: [metadata, preview, video]}\n")
        var watch = VideoWatch(scenario)
        func shot(_ index: Int, focus: Double?, statuses: Set<AVCaptureSceneMonitoringStatus> = []) -> [String] {
            if let focus { watch.observe(CircleOfConfusion(focusDisparity: focus, diameterPerDisparity: 20)) }
            let (image, time) = (frame(index).image, CMTime(value: Int64(index), timescale: 30))
            let sample = CMSampleBuffer(
                imageBuffer: image, formatDescription: CMFormatDescription(of: image),
                timing: CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid))
            return watch.observe(CinematicCamera.Shot(sampleBuffer: sample, objects: [], statuses: statuses, simulatedAperture: 2.8))
        }
        for index in 0..<6 { watch.observe(record(index, focus: 1)) }
        #expect(shot(0, focus: 1) == [])
        #expect(shot(2, focus: 1) == [], "a frame may be dropped")
        #expect(shot(2, focus: nil) == ["the app got a picture of 0.067 s, which is no frame of the trace or came twice"])
        #expect(shot(3, focus: 0.9) == ["no picture was drawn with the trace's focus at 1.0 1/m, the last were at 0.9"])
        #expect(shot(4, focus: nil) == ["no picture was drawn with the trace's focus at 1.0 1/m, none was"])
        #expect(shot(5, focus: 1, statuses: [.notEnoughLight]) == ["the app heard of another light than the trace tells"])
    }

    @Test("a rack does not run past its aim")
    func overshoot() {
        let rack = Rack(start: 0, duration: 2_000_000_000, from: 0.6, to: 0.5)
        let way = [0.6, 0.59, 0.575, 0.56, 0.545, 0.53, 0.515, 0.5, 0.49, 0.485, 0.47]
        let before = record(0, focus: 0.6, id: 7, isThere: false)
        let found = broken([before] + way.enumerated().map { record($0.offset + 1, focus: $0.element, rack: rack, id: 7, isThere: false) })
        #expect(found == ["a rack from 0.6 to 0.5 1/m ran past its aim by 0.01 1/m"])
    }

    @Test("who was gone has a new number")
    func identity() throws {
        let scenario = try ScenarioFile.parse("scenario: I\nclip: {source: synthetic, length: 2s}", path: "i.yaml")
        var watch = IdentityWatch(scenario)
        #expect(watch.observe(record(0, focus: 1)) == [])
        for index in 1...20 { #expect(watch.observe(record(index, focus: 1, isThere: false)) == []) }
        #expect(watch.observe(record(21, focus: 1)) == ["maya was gone and is object 1 again, not a new one"])
        var other = IdentityWatch(scenario)
        _ = other.observe(record(0, focus: 1))
        for index in 1...20 { _ = other.observe(record(index, focus: 1, isThere: false)) }
        #expect(other.observe(record(21, focus: 1, id: 2)) == [])
        // Frames 1 to 16 were dropped: for all that is known maya was away for three of them.
        var stuttering = IdentityWatch(scenario)
        _ = stuttering.observe(record(0, focus: 1))
        for index in 17...19 { _ = stuttering.observe(record(index, focus: 1, isThere: false)) }
        #expect(stuttering.observe(record(20, focus: 1)) == [])
    }

    @Test("the app hears what the trace tells, and of one object in focus")
    func metadata() throws {
        let scenario = try ScenarioFile.parse("scenario: M\nclip: {source: synthetic, length: 2s}", path: "m.yaml")
        func object(_ id: Int, _ mode: AVCaptureDevice.CinematicVideoFocusMode, at time: CMTime = .zero) -> AVMetadataObject {
            var content = AVMetadataObject.Content(.face, bounds: face, time: time, duration: CMTime(value: 1, timescale: 30))
            (content.objectID, content.focusMode) = (id, mode)
            return .make(content, AVMetadataObject.Shared(.current))
        }
        func found(_ reported: [AVMetadataObject]) -> [String] {
            var watch = MetadataWatch(scenario)
            _ = watch.observe(record(0, focus: 1), reported: [])
            return watch.observe(record(1, focus: 1), reported: reported)
        }
        #expect(found([object(1, .weak)]) == [])
        #expect(found([]) == ["the app did not hear of object 1"])
        #expect(found([object(1, .strong)]) == ["the app heard something else of object 1 than the trace tells"])
        #expect(found([object(1, .weak, at: CMTime(value: 1, timescale: 30))]).count == 1)
        #expect(found([object(1, .weak), object(2, .weak)]).first == "objects [1, 2] report a focus mode in one callback")
    }
}
