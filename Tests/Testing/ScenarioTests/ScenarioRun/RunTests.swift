import AVFoundation
import CoreMedia
import Foundation
import Pipeline
import Support
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

@Suite("A run of a scenario")
struct RunTests {
    /// Maya in focus, the cat behind; at frame 15 focus racks to the cat for six frames.
    private func record(_ index: Int, labelled: Bool = true) -> FrameRecord {
        let truth = [subject("maya", 101, x: 0.25, disparity: 1), subject("cat", 102, x: 0.625, disparity: 0.5)]
        let seen = [(1, truth[0]), (2, truth[1])].map { id, known in
            Detection(
                objectID: id, kind: .face, bounds: labelled ? known.bounds : known.bounds.offsetBy(dx: 0.03, dy: 0.02), yaw: 10,
                disparity: known.disparity, label: labelled ? known.label : nil)
        }
        let racking = (15..<21).contains(index)
        let progress = min(max(Double(index - 15) / 6, 0), 1)
        let start = Int64(500_000_000)
        let state = FocusState(
            focusDisparity: 1 - 0.5 * progress, subject: index < 15 ? 1 : 2, mode: .weak,
            rack: racking ? Rack(start: start, duration: 200_000_000, from: 1, to: 0.5) : nil)
        var decisions: [FocusDecision] = []
        if index == 0 { decisions = [FocusDecision(time: 0, subject: 1, mode: .weak, isUserDecision: false, why: .entered, disparity: 1)] }
        if index == 15 {
            decisions = [FocusDecision(time: start, subject: 2, mode: .weak, isUserDecision: true, why: .tapUnfocused, disparity: 0.5)]
        }
        return FrameRecord(
            frame: frame(index, truth: truth, lux: index < 40 ? 180 : 5), detections: seen, state: state, decisions: decisions, fNumber: 2.8,
            notEnoughLight: index >= 45)
    }

    private func perform(_ timeline: String, frames: Int = 60, labelled: Bool = true) throws -> (ScenarioObserver, [RunFailure]) {
        let run = ScenarioObserver(try small(timeline))
        run.connect(Recorder().connections())
        for index in 0..<frames {
            let record = record(index, labelled: labelled)
            run.willProcess(record.frame)
            run.didDecide(record)
        }
        return (run, run.finish())
    }

    private func file(_ name: String, of run: ScenarioObserver) throws -> String {
        String(decoding: try #require(run.files().first { $0.name == name }).data, as: UTF8.self)
    }

    @Test("the trace is these bytes")
    func trace() throws {
        let (run, failures) = try perform("  - 0.1s: {tap: cat}\n  - 0.3s: {mark: here, expect: {focus: maya}}", frames: 16)
        #expect(failures.isEmpty)
        let object = { (id: Int, name: String, x: Int, disparity: Int) in
            #"{"id":\#(id),"group":-1,"kind":"face","label":"\#(name)","box":[\#(x),16384,16384,32768],"yaw":655360,"disparity":\#(disparity)}"#
        }
        let objects = "[\(object(1, "maya", 16384, 65536)),\(object(2, "cat", 40960, 32768))]"
        let first = #"{"t":0,"why":"entered","subject":1,"label":"maya","mode":"weak","user":false,"fixed":false,"disparity":65536}"#
        let second = #"{"t":500000000,"why":"tapUnfocused","subject":2,"label":"cat","mode":"weak","user":true,"fixed":false,"disparity":32768}"#
        let digest = run.scenario.digest
        let expected = """
            {"format":1,"scenario":"Small","seed":1,"engine":"1","inputs":"sha256:\(digest)","detections":"truth"}
            {"t":0,"frame":0,"focus":65536,"subject":1,"label":"maya","mode":"weak","fixed":false,"rack":false,"aperture":280,"status":[],"decisions":[\(first)],"objects":\(objects)}
            {"t":33333333,"frame":1,"focus":65536,"subject":1,"label":"maya","mode":"weak","fixed":false,"rack":false,"aperture":280,"status":[],"decisions":[],"objects":\(objects)}
            {"t":100000000,"event":"tap cat","touch":"down","at":[49152,32768],"line":8}
            {"t":200000000,"event":"tap cat","touch":"up","at":[49152,32768],"line":8}
            {"t":300000000,"event":"mark here","line":9}
            {"t":300000000,"expect":true,"line":9}
            {"t":500000000,"frame":15,"focus":65536,"subject":2,"label":"cat","mode":"weak","fixed":false,"rack":{"start":500000000,"duration":200000000,"from":65536,"to":32768},"aperture":280,"status":[],"decisions":[\(second)],"objects":\(objects)}

            """
        #expect(try file("trace.jsonl", of: run) == expected)
        #expect(try file("trace.jsonl.sha256", of: run) == "\(SHA256.hexadecimal(Array(expected.utf8)))  trace.jsonl\n")
        let decided = """
            {"format":1,
            "detections":[
            {"id":1,"label":"maya","kind":"face","group":-1,"from":0,"to":500000000},
            {"id":2,"label":"cat","kind":"face","group":-1,"from":0,"to":500000000}
            ],
            "base":[
            \(first)
            ],
            "user":[
            \(second)
            ],
            "transitions":[
            {"start":500000000,"duration":200000000,"from":65536,"to":32768}
            ]}

            """
        #expect(try file("decisions.json", of: run) == decided)
    }

    @Test("the decisions tell each stay of an object apart")
    func stays() throws {
        let run = ScenarioObserver(try small("  - 0.1s: {mark: here}"))
        for index in 0..<6 {
            var record = record(index)
            if (2...3).contains(index) { record.detections.removeFirst() }
            run.didDecide(record)
        }
        struct File: Decodable {
            struct Stay: Decodable { let id: Int, from: Int64, to: Int64 }
            let detections: [Stay]
        }
        let times = (0..<6).map { self.record($0).time }
        let stays = try JSONDecoder().decode(File.self, from: Data(try file("decisions.json", of: run).utf8)).detections
        #expect(stays.map(\.id) == [1, 2, 1])
        #expect(stays.map { [$0.from, $0.to] } == [[times[0], times[1]], [times[0], times[5]], [times[4], times[5]]])
    }

    @Test("the same run leaves the same bytes, however far ahead frames arrive")
    func reproducible() throws {
        let timeline = "  - 0.1s: {tap: cat}\n  - 0.6s: {tap: maya}\n  - 1s: {expect: {focus: cat}}"
        let (one, _) = try perform(timeline)
        let two = ScenarioObserver(try small(timeline))
        two.connect(Recorder().connections())
        for index in 0..<62 {
            if index < 60 { two.willProcess(record(index).frame) }
            if index >= 2 { two.didDecide(record(index - 2)) }
        }
        _ = two.finish()
        #expect(one.files().map(\.data) == two.files().map(\.data))
    }

    @Test("detections without a name get the one of the subject they lie on")
    func labels() throws {
        let (run, failures) = try perform("  - 0.4s: {expect: {focus: maya, mode: weak, settled: true}}", labelled: false)
        #expect(failures.isEmpty)
        #expect(try file("trace.jsonl", of: run).contains(#""subject":1,"label":"maya""#))
    }

    @Test(
        "what comes true is not reported",
        arguments: [
            "0.1s: {expect: {focus: maya, mode: weak, settled: true, racking: false, fixed: false, aperture: f/2.8, status: []}}",
            "0.1s: {expect: {focus: cat, within: 0.4s}}", "0.1s: {expect: {distance: 2m ±1%, within: 0.6s}}",
            "0.1s: {expect: {focus: {kind: face, near: maya}}}", "0.1s: {expect: {focus: {near: {meta: [0.3, 0.5]}}}}",
            "0.5s: {expect: {racking: true, settled: false}}", "1.2s: {expect: {status: [notEnoughLight], within: 300ms}}",
            "0.1s: {hold: {focus: maya, until: 0.5s}}", "0.6s: {hold: {focus: cat, until: end}}", "0.5s: {hold: {racking: true, for: 200ms}}",
            "0.5s: {never: {focus: cat, since: 0s}}", "0.6s: {never: {focus: maya, until: end}}", "end: {never: {mode: strong, since: 0s}}",
            "0.1s: {expect: {disparity: 1, objects: 2, rect: {maya: dashed, cat: white}, why: entered}}",
            "0.7s: {expect: {disparity: 0.5 ±0.01, objects: [cat, maya], rect: {cat: dashed}, why: tapUnfocused}}",
            "end: {expect: {focus: cat, status: [notEnoughLight]}}", "0.49s: {expect: {focus: cat, within: 1ms}}",
        ])
    func holds(event: String) throws {
        #expect(try perform("  - \(event)").1 == [])
    }

    @Test(
        "what does not says what was there, since when and why",
        arguments: [
            (
                "1s: {expect: {focus: maya, mode: strong}}",
                "expected focus maya, mode strong, but at 1.000 s focus was on cat, weak, since 0.500 s, at 2.0 m, f/2.8; "
                    + "last decision: tapUnfocused (cat) at 0.500 s"
            ),
            (
                "0.1s: {expect: {focus: cat, within: 0.3s}}",
                "expected focus cat within 0.300 s of 0.100 s, but at 0.400 s focus was on maya, weak, since 0.000 s, at 1.0 m, f/2.8; "
                    + "last decision: entered (maya) at 0.000 s"
            ),
            (
                "0.3s: {hold: {focus: maya, until: 1s}}",
                "expected focus maya from 0.300 s to 1.000 s, but at 0.500 s focus was on cat, weak, since 0.500 s, racking, at 1.0 m, f/2.8; "
                    + "last decision: tapUnfocused (cat) at 0.500 s"
            ),
            (
                "1s: {never: {racking: true, since: 0.1s}}",
                "expected never racking true from 0.100 s to 1.000 s, but at 0.500 s focus was on cat, weak, since 0.500 s, racking, at 1.0 m, f/2.8; "
                    + "last decision: tapUnfocused (cat) at 0.500 s"
            ),
            (
                "0.2s: {expect: {disparity: 0.5, objects: [cat], rect: {maya: solid}, why: api}}",
                "expected disparity 0.5 ±0.025, objects [cat], rect maya: solid, why api, but at 0.200 s focus was on maya, weak, since 0.000 s, "
                    + "at 1.0 m, f/2.8; last decision: entered (maya) at 0.000 s"
            ),
            (
                "end: {expect: {status: [], fixed: true}}",
                "expected fixed true, status [], but at 1.967 s focus was on cat, weak, since 0.500 s, at 2.0 m, f/2.8, notEnoughLight; "
                    + "last decision: tapUnfocused (cat) at 0.500 s"
            ),
        ])
    func fails(event: String, message: String) throws {
        let failures = try perform("  - \(event)").1
        #expect(failures.map(\.message) == [message])
        #expect(failures.first?.location.line == 8)
    }

    @Test("a finger that is still down is named as a hint")
    func fingerHint() throws {
        let failures = try perform("  - 0.2s: {press: {on: maya, for: 400ms}}\n  - 0.4s: {expect: {mode: strong}}").1
        #expect(failures.first?.message.hasSuffix("; the finger of `press maya`, down since 0.200 s, was still down") == true)
    }

    @Test("what the clip was too short for has failed")
    func tooShort() throws {
        let failures = try perform("  - 0.5s: {tap: maya}\n  - 1s: {expect: {focus: maya}}", frames: 10).1
        #expect(
            failures.map(\.description) == [
                "small.yaml:9:10: the clip ended at 0.300 s, before 1.000 s", "small.yaml:8:12: the clip ended before `tap maya` was over",
            ])
    }

    @Test("the drawing names subjects, decisions and light")
    func drawing() throws {
        let (run, _) = try perform("  - 0.1s: {tap: cat}\n  - 0.6s: {expect: {focus: maya}}")
        let svg = try file("focus.svg", of: run)
        for text in ["maya: entered", "cat: tapUnfocused", "notEnoughLight", "tap cat", ">cat · weak<", "distance"] {
            #expect(svg.contains(text), "\(text)")
        }
        #expect(NestingCheck(svg).isWellFormed)
    }

    @Test("no line is drawn over the time in which the session stood still")
    func stoppedDrawing() throws {
        let run = ScenarioObserver(try small("  - 0.1s: {tap: maya}"))
        for index in [0, 1, 2, 40, 41, 42] {
            if index == 40 { run.noteRestart() }
            run.didDecide(record(index))
        }
        let svg = try file("focus.svg", of: run)
        let focus = try #require(svg.split(separator: "\n").first { $0.contains("stroke=\"#111\" stroke-width=\"3\" stroke-linejoin") })
        let path = try #require(focus.split(separator: "\"").dropFirst().first)
        #expect(path.split(separator: "M").count == 2, "\(path)")
        #expect(svg.split(separator: "stroke-dasharray=\"7 3\"/>").count - 1 >= 4, "each of two subjects has a line before and one after")
    }
}

/// Whether every element that opens closes again.
private struct NestingCheck {
    let isWellFormed: Bool

    init(_ text: String) {
        var (open, isFine): ([Substring], Bool) = ([], true)
        for part in text.split(separator: "<").dropFirst(text.hasPrefix("<") ? 0 : 1) {
            guard let close = part.firstIndex(of: ">") else {
                isFine = false
                continue
            }
            let tag = part[..<close]
            if tag.hasPrefix("/") {
                isFine = isFine && open.popLast() == tag.dropFirst()
            } else if !tag.hasSuffix("/") {
                open.append(tag.prefix { $0 != " " })
            }
        }
        isWellFormed = isFine && open.isEmpty
    }
}
