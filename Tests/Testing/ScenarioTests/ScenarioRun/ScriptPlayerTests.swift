import CoreMedia
import Foundation
import Pipeline
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioRun

@Suite("Scripted touches")
struct ScriptPlayerTests {
    @Test("a release at 299, 300 or 301 ms keeps its place between the frames", arguments: [299, 300, 301])
    func exactTimes(milliseconds: Int) throws {
        let recorder = Recorder()
        let fingers = ScriptPlayer(try small("  - 1s: {press: {view: [0.5, 0.25], for: \(milliseconds)ms}}"))
        fingers.connect(recorder.connections())
        for index in 30...40 { _ = fingers.advance(to: frame(index)) }
        var expected = ["passed 1000", "down 50,25 1000"] + (30...38).map { "passed \($0 * 1000 / 30)" }
        // frame 39 is at 1300 ms: a release at 301 ms belongs to the next one
        let release = ["passed \(1000 + milliseconds)", "up 50,25 \(1000 + milliseconds)"]
        expected += milliseconds <= 300 ? release + ["passed 1300", "passed 1333"] : ["passed 1300"] + release + ["passed 1333"]
        #expect(recorder.log == expected)
    }

    @Test("a subject is touched where it was seen in the frame before, or in this one at its very time")
    func subjects() throws {
        let recorder = Recorder()
        let fingers = ScriptPlayer(try small("  - 15ms: {tap: maya}\n  - 0.2s: {tap: {on: maya, offset: [0, 1]}}"))
        fingers.connect(recorder.connections())
        for index in 0...10 {
            #expect(fingers.advance(to: frame(index, truth: [subject("maya", 1, x: Double(index) / 16, disparity: 1)])).allSatisfy { !$0.isFailure })
        }
        let touches = recorder.log.filter { $0.hasPrefix("down") }
        #expect(touches == ["down 12,50 15", "down 37,75 200"])
    }

    @Test(
        "spaces lead to layer points",
        arguments: [("view: [0.5, 0.25]", "50,25"), ("pt: [7, 9]", "7,9"), ("meta: [0.25, 0.5]", "25,50"), ("px: [8, 4]", "50,25")])
    func spaces(place: String, expected: String) throws {
        let recorder = Recorder()
        let fingers = ScriptPlayer(try small("  - 0.1s: {tap: {\(place)}}"))
        fingers.connect(recorder.connections())
        _ = fingers.advance(to: frame(10))
        #expect(recorder.log == ["passed 100", "down \(expected) 100", "passed 200", "up \(expected) 200", "passed 333"])
    }

    @Test("a subject that is off screen or absent is a failed event with its place")
    func offScreen() throws {
        let recorder = Recorder()
        let fingers = ScriptPlayer(try small("  - 0.1s: {tap: maya}\n  - 0.5s: {tap: cat}"))
        fingers.connect(recorder.connections())
        let actions = fingers.advance(to: frame(20, truth: [subject("maya", 1, x: -0.5, disparity: 1)]))
        #expect(
            actions.map(\.outcome) == [
                .failed("maya is off screen at 0.100 s, at [-38, 50] pt of a 100x100 view"), .failed("cat is not to be seen at 0.500 s"),
            ])
        #expect(actions.map(\.location.description) == ["small.yaml:8:12", "small.yaml:9:12"])
        #expect(!recorder.log.contains { $0.hasPrefix("down") || $0.hasPrefix("up") })
    }

    @Test("the aperture and a dragging finger act in order")
    func order() throws {
        let recorder = Recorder()
        let script =
            "  - 0.1s: {touch: [{down: {view: [0, 0]}}, {wait: 20ms}, {move: {view: [1, 1]}}, {wait: 20ms}, up]}\n  - 0.13s: {set: {aperture: f/4}}"
        let fingers = ScriptPlayer(try small(script))
        fingers.connect(recorder.connections())
        for index in 0...5 { _ = fingers.advance(to: frame(index)) }
        #expect(
            recorder.log.filter { !$0.hasPrefix("passed") } == ["down 0,0 100", "move 100,100 120", "aperture 4.0", "up 100,100 140"])
        #expect(fingers.remaining.isEmpty)
    }
}

extension ScriptedAction {
    fileprivate var isFailure: Bool { if case .failed = outcome { true } else { false } }
}
