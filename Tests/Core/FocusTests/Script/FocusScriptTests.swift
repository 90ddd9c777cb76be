import CoreMedia
import Focus
import Foundation
import Optics
import Pipeline
import Testing

/// Take of 90 frames at 30 frames/s: Maya (object 1 and her body 2) at 1 m, Tom (3, gone after frame 59) at 4 m. Focus is on Maya, from a tap in frame
/// 30 on Tom, and on Maya again from frame 60.
private struct Take {
    static let times = (0..<90).map { Int64($0) * 33_333_333 }

    static var samples: [CinematicSample] {
        (0..<90).map { index in
            var sample = CinematicSample(
                lens: Lens(focalLength: 50, fNumber: 2), sensorWidth: 1920, disparity: DisparityCoding(scale: 0x1p-16, isMetric: true),
                focus: index < 30 || index >= 60
                    ? FocusState(focusDisparity: 1, subject: 1, mode: .weak) : FocusState(focusDisparity: 0.25, subject: 3, mode: .strong))
            sample.detections = [
                Detection(
                    objectID: 1, groupID: 1, kind: .face, bounds: CGRect(x: 0.1, y: 0.2, width: 0.1, height: 0.2), disparity: 1, label: "maya"),
                Detection(objectID: 2, groupID: 1, kind: .humanBody, bounds: CGRect(x: 0.05, y: 0.2, width: 0.2, height: 0.7), disparity: 1),
            ]
            if index < 60 {
                sample.detections.append(
                    Detection(objectID: 3, kind: .face, bounds: CGRect(x: 0.7, y: 0.2, width: 0.1, height: 0.2), disparity: 0.25, label: "tom"))
            }
            let time = times[index]
            switch index {
            case 0: sample.decisions = [FocusDecision(time: time, subject: 1, mode: .weak, isUserDecision: false, why: .entered, disparity: 1)]
            case 30:
                sample.decisions = [FocusDecision(time: time, subject: 3, mode: .strong, isUserDecision: true, why: .tapUnfocused, disparity: 0.25)]
            case 60: sample.decisions = [FocusDecision(time: time, subject: 1, mode: .weak, isUserDecision: false, why: .exited, disparity: 1)]
            default: break
            }
            return sample
        }
    }

    static func script(_ edits: FocusEdit...) throws -> FocusScript {
        var script = FocusScript(times: times, samples: samples, frameDuration: CMTime(value: 1, timescale: 30))
        for edit in edits { try script.apply(edit) }
        return script
    }

    /// Runs of frames with one subject: `1 0-29`.
    static func subjects(_ samples: [CinematicSample]) -> [String] {
        var runs: [(Int?, Int, Int)] = []
        for (index, sample) in samples.enumerated() {
            if let last = runs.last, last.0 == sample.focus.subject {
                runs[runs.count - 1].2 = index
            } else {
                runs.append((sample.focus.subject, index, index))
            }
        }
        return runs.map { "\($0.0.map(String.init) ?? "-") \($0.1)-\($0.2)" }
    }
}

@Suite("Focus script")
struct FocusScriptTests {
    @Test("without edits, and after a reset, is the recording bit for bit")
    func nothing() throws {
        #expect(try Take.script().samples == Take.samples)
        #expect(
            try Take.script(.focus(.init(.subject("tom")), at: .frame(10)), .aperture(.init(to: 8), at: .frame(0)), .reset).samples == Take.samples)
    }

    @Test(
        "lays the user's decisions over the base: weak until the next decision, strong until the subject is gone",
        arguments: [
            (FocusEdit.focus(.init(.subject("maya"), mode: .weak), at: .frame(40)), ["1 0-29", "3 30-39", "1 40-89"]),
            (.focus(.init(.subject("tom"), mode: .weak), at: .frame(10)), ["1 0-9", "3 10-59", "1 60-89"]),
            (.focus(.init(.subject("maya")), at: .frame(45)), ["1 0-29", "3 30-44", "1 45-89"]),
            (.remove(at: .frame(30)), ["1 0-89"]), (.automatic, ["1 0-89"]),
            (.move(from: .frame(30), to: .frame(15)), ["1 0-14", "3 15-59", "1 60-89"]),
            (.focus(.init(.distance(2)), at: .frame(70)), ["1 0-29", "3 30-59", "1 60-69", "4 70-89"]),
        ])
    func layers(edit: FocusEdit, expected: [String]) throws {
        #expect(try Take.subjects(Take.script(edit).samples) == expected)
    }

    @Test("timecodes are counted from that of the first frame, else from 00:00:00:00")
    func timecode() throws {
        let duration = CMTime(value: 1, timescale: 30)
        let times = (0..<90).map { CMTime(value: $0, timescale: 30).nanoseconds }
        func frame(_ text: String, from begin: String?) throws -> Int {
            let script = FocusScript(times: times, samples: Take.samples, frameDuration: duration, timecode: begin.flatMap(Timecode.init))
            return try script.frame(at: .timecode(#require(Timecode(text))))
        }
        #expect(try frame("00:00:02:10", from: nil) == 70 && frame("01:00:02:10", from: "01:00:00:20") == 50)
        let early = #expect(throws: FocusScriptError.self) { try frame("00:00:02:10", from: "01:00:00:20") }
        #expect(early?.description == "00:00:02:10 is outside of the movie, which begins at 01:00:00:20 and is 3.000 s long")
    }

    @Test("a rack begins before its decision and ends there")
    func early() throws {
        let samples = try Take.script(.focus(.init(.subject("maya")), at: .frame(45))).samples
        let start = try #require(samples.indices.first { $0 > 30 && samples[$0].focus.focusDisparity > 0.26 })
        #expect(start < 45 && samples[44].focus.rack != nil && samples[44].focus.subject == 3)
        #expect(abs(samples[46].focus.focusDisparity - 1) < 0.01)
        #expect(samples[45].decisions.map(\.why) == [.ordered] && samples[45].decisions.allSatisfy(\.isUserDecision))
    }

    @Test(
        "each of the user's decisions is sharp at its time, however close the next one is: edited, recorded or automatic",
        arguments: [
            [FocusEdit.automatic, .focus(.init(.distance(2)), at: .frame(40)), .focus(.init(.subject("maya")), at: .frame(43))],
            [.focus(.init(.distance(2)), at: .frame(27))], [.focus(.init(.subject("maya")), at: .frame(33))],
            [.automatic, .focus(.init(.distance(2), mode: .weak), at: .frame(57)), .focus(.init(.subject("tom"), mode: .weak), at: .frame(59))],
        ])
    func close(edits: [FocusEdit]) throws {
        var script = try Take.script()
        for edit in edits { try script.apply(edit) }
        var taken = 0
        for (frame, sample) in script.samples.enumerated() {
            for decision in sample.decisions where decision.isUserDecision {
                #expect(abs(sample.focus.focusDisparity - decision.disparity) < 1e-6, "frame \(frame)")
                taken += 1
            }
        }
        #expect(taken == 2)
    }

    @Test("a strong decision ends with its subject, and the base resumes")
    func resume() throws {
        let samples = try Take.script(.automatic, .focus(.init(.subject("tom")), at: .frame(40))).samples
        #expect(Take.subjects(samples) == ["1 0-39", "3 40-59", "1 60-89"])
        #expect(samples[60].decisions.map(\.why) == [.exited] || samples[60].decisions.map(\.why) == [.lost])
    }

    @Test("a strong decision ahead of the first recorded one holds against it")
    func first() throws {
        var samples = Take.samples
        samples[8].decisions = samples[0].decisions
        samples[8].decisions[0].time = Take.times[8]
        for index in 0..<8 {
            samples[index] = CinematicSample(
                lens: samples[8].lens, sensorWidth: 1920, disparity: samples[8].disparity, focus: FocusState(focusDisparity: 1))
        }
        samples[0].decisions = []
        var script = FocusScript(times: Take.times, samples: samples, frameDuration: CMTime(value: 1, timescale: 30))
        try script.apply(.focus(.init(.distance(2)), at: .frame(0)))
        let edited = script.samples
        #expect(edited[..<30].allSatisfy { $0.focus.isFixed && $0.focus.focusDisparity < 0.6 } && edited[40].focus.subject == 3)
    }

    @Test("a held distance has a salient object that stands for it, and a fixed subject its own distance")
    func fixed() throws {
        let samples = try Take.script(.focus(.init(.distance(2)), at: .frame(70)), .focus(.init(.subject("tom"), mode: .fixed), at: .frame(5)))
            .samples
        #expect(samples[80].focus.focusDisparity == 0.5 && samples[80].focus.fixedPoint == CGPoint(x: 0.5, y: 0.5))
        #expect(samples[80].detections.contains { $0.objectID == samples[80].focus.subject && $0.kind == .salientObject })
        let point = try #require(samples[20].focus.fixedPoint)
        #expect(samples[20].focus.focusDisparity == 0.25 && abs(point.x - 0.75) < 1e-9 && abs(point.y - 0.3) < 1e-9)
    }

    @Test("a thing that was tracked is an object of its own")
    func track() throws {
        let boxes = (20..<28).map { FocusEdit.TrackedBox(frame: $0, bounds: CGRect(x: 0.4, y: 0.4, width: 0.1, height: 0.1), disparity: 2) }
        let samples = try Take.script(.focus(.init(.point(CGPoint(x: 0.45, y: 0.45)), found: .track(boxes)), at: .frame(20))).samples
        #expect(Take.subjects(samples) == ["1 0-19", "4 20-27", "1 28-29", "3 30-59", "1 60-89"])
        #expect(abs(samples[20].focus.focusDisparity - 2) < 0.05)
    }

    @Test("aperture pulls change the blur evenly, and focus not at all")
    func aperture() throws {
        let samples = try Take.script(
            .aperture(.init(to: 4, over: 1_000_000_000, ease: .linear), at: .frame(30)), .aperture(.init(to: 16), at: .frame(80))
        ).samples
        #expect(samples[29].lens.fNumber == 2 && samples[61].lens.fNumber == 4 && samples[80].lens.fNumber == 16)
        #expect(abs(1 / samples[45].lens.fNumber - 0.375) < 0.001)
        #expect(zip(samples, Take.samples).allSatisfy { $0.focus == $1.focus && $0.decisions == $1.decisions })
    }

    @Test("refuses what is not there, and is then as before")
    func refusals() throws {
        var script = try Take.script()
        let cases: [(FocusEdit, String)] = [
            (.focus(.init(.subject("mya")), at: .frame(0)), "there is no `mya` in this movie; there are maya, humanBody 2, tom"),
            (.focus(.init(.subject("tmo")), at: .frame(0)), "there is no `tmo` in this movie; there are tom, maya, humanBody 2"),
            (.focus(.init(.subject("tom")), at: .frame(70)), "tom is not in the picture at 2.333 s, only from 0.000 s to 1.967 s"),
            (.focus(.init(.subject("tom")), at: .frame(90)), "90f is outside of the movie, which is 3.000 s long"),
            (.aperture(.init(to: 2), at: .time(CMTime(value: 3, timescale: 1))), "3.0s is outside of the movie, which is 3.000 s long"),
            (.remove(at: .frame(31)), "there is no decision of the user at 1.033 s; those there are: 1.000 s. An automatic one"),
            (.focus(.init(.point(.zero)), at: .frame(3)), "nobody has looked yet"),
        ]
        for (edit, reason) in cases {
            let error = #expect(throws: FocusScriptError.self) { try script.apply(edit) }
            #expect(error?.description.hasPrefix(reason) == true, "\(error?.description ?? "")")
        }
        #expect(script.samples == Take.samples)
    }
}
