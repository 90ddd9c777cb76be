import AVFoundation
import CoreMedia
import Focus
import Foundation
import Pipeline
import Stage
import Support
import TestSupport
import Testing

@testable import ScenarioFormat
import ScenarioRun

@Suite("Reading a scenario")
struct ReadingTests {
    let scenario: ScenarioFile
    init() throws { scenario = try ScenarioFile.parse(everything, path: "everything.yaml") }

    @Test("the sections hold what the file says")
    func sections() {
        #expect(scenario.name == "Everything")
        #expect(scenario.about == "Two lines\nof text.\n")
        #expect(scenario.tags == ["focus", "low-light"])
        #expect(scenario.clip.source == .synthetic)
        #expect(scenario.clip.size! == (640, 360))
        #expect(scenario.clip.frameDuration == CMTime(value: 1001, timescale: 30000))
        #expect(scenario.clip.frameCount == 360)
        #expect(scenario.clip.seed == 42)
        #expect(scenario.clip.detections == .vision)
        #expect(scenario.device == .init(camera: .trueDepth, aperture: 4.5, focalLength: 30))
        #expect(scenario.view == .init(size: CGSize(width: 844, height: 390), gravity: .fill, rotation: 90, isMirrored: true))
        let profile = scenario.camera(for: SourceDescription(width: 640, height: 360, frameDuration: CMTime(value: 1, timescale: 30)))
        #expect(profile.position == 2 && profile.focalLength == 30 && profile.formats.first?.width == 640)
        #expect(scenario.light == 180)
        #expect(scenario.digest == SHA256.hexadecimal(Array(everything.utf8)))
    }

    @Test("tuning reaches the focus engine's numbers by name")
    func tuning() {
        var expected = FocusTuning()
        expected.longPress = 350_000_000
        expected.faceAwayYaw = 45
        expected.rack = 600_000_000
        expected.lowLightEnter = 12
        expected.lowLightLeave = 20
        expected.lowLightEnterHold = 500_000_000
        expected.lowLightLeaveHold = 500_000_000
        #expect(scenario.tuning == expected)
    }

    @Test("lights come alone, in strings and spread over a box")
    func lights() {
        let lights = scenario.backdrop.lights
        #expect(scenario.backdrop.kind == .street)
        #expect(scenario.backdrop.wallDepth == 9)
        #expect(scenario.backdrop.table == Table(depth: 1.2, drop: 0.4))
        #expect(lights.count == 36)
        #expect(lights[0] == PointLight(position: CGPoint(x: 0.2, y: 0.1), depth: 6, red: 1, green: 128.0 / 255, blue: 0, diameter: 0.005))
        #expect(lights[3].position.x == 0.5)
        #expect(abs(lights[3].position.y - 0.25) < 1e-12)
        #expect(lights[1].green == 0.85 && lights[2].green == 1)
        for light in lights[6...] {
            #expect((0.5...0.9).contains(light.position.x) && (0.1...0.3).contains(light.position.y) && (5...9).contains(light.depth))
        }
        #expect(Set(lights[6...].map { Int($0.position.x * 1000) }).count > 25)
    }

    @Test("subjects are placed by box, or by height and depth")
    func subjects() throws {
        #expect(scenario.subjects.map(\.name) == ["maya", "cat", "tom"])
        #expect(scenario.subjects[0].placement == Placement(box: CGRect(x: 0.4, y: 0.2, width: 0.16, height: 0.26), depth: 1.4))
        #expect(scenario.subjects[0].texture == "red")
        let cat = scenario.subjects[1]
        // 0.3 m at 2 m through 30 mm on a sensor 36 mm x 20.25 mm
        #expect(abs(cat.placement.box.height - 0.3 / 2 * 30 / 20.25) < 1e-12)
        #expect(abs(cat.placement.box.midX - 0.5) < 1e-12)
        #expect(cat.enters == 3_000_000_000 && cat.exits == 11_000_000_000)
        #expect(scenario.subjects[2].facing == -30)
    }

    @Test("times are exact nanoseconds, relative to the event above or to a mark")
    func times() {
        let expected: [Int64] = [
            0, 500_000_000, 500_500_000, 1_000_000_000, 1_500_000_000, 1_500_000_000, 1_750_000_000, 2_000_000_000, 3_000_000_000,
            4_000_000_000, 5_000_000_000, 7_000_000_000, 8_000_000_000, 8_000_000_000, 9_000_000_000, 10_000_000_000, .max,
        ]
        #expect(scenario.timeline.map(\.time) == expected)
        #expect(scenario.timeline[4].location.description == "everything.yaml:30:13")
        #expect(everything.split(separator: "\n", omittingEmptySubsequences: false)[29].dropFirst(12).hasPrefix("turn: "))
    }

    @Test("touches become steps in their own spaces")
    func fingers() {
        func steps(_ index: Int) -> [TouchStep]? { (scenario.timeline[index].verb as? any GestureVerb)?.steps }
        #expect(
            steps(6) == [
                TouchStep(delay: 0, phase: .down, point: .subject("maya", offset: CGPoint(x: 0.5, y: 0.8))),
                TouchStep(delay: 100_000_000, phase: .up),
            ])
        #expect(
            steps(7) == [
                TouchStep(delay: 0, phase: .down, point: .view(CGPoint(x: 0.5, y: 0.5))), TouchStep(delay: 310_000_000, phase: .up),
            ])
        #expect(
            steps(8) == [
                TouchStep(delay: 0, phase: .down, point: .points(CGPoint(x: 10, y: 20))),
                TouchStep(delay: 50_000_000, phase: .move, point: .pixels(CGPoint(x: 320, y: 180))),
                TouchStep(delay: 100_000_000, phase: .up),
            ])
    }

    @Test("expectations hold their fields")
    func expectations() {
        let found = scenario.timeline.compactMap { ($0.verb as? any CheckVerb)?.expectation }
        #expect(found[0] == ScenarioFormat.Expectation(focus: .subject("maya"), mode: .weak, settled: true))
        #expect(
            found[1] == ScenarioFormat.Expectation(focus: .object(kind: .salientObject, near: .meta(CGPoint(x: 0.5, y: 0.5))), within: 1_000_000_000))
        let distance = ScenarioFormat.Expectation.Near(value: 0.7, tolerance: 0.7 * 0.05)
        #expect(found[2] == ScenarioFormat.Expectation(fixed: true, racking: false, distance: distance, aperture: 2, notEnoughLight: true))
        #expect(found[3] == ScenarioFormat.Expectation(focus: ScenarioFormat.Expectation.Focus.none, notEnoughLight: false))
    }

    @Test("JSON is read by the same reader")
    func json() throws {
        let text = #"{"scenario": "J", "clip": {"source": "synthetic", "length": "1s", "seed": 7}, "timeline": [{"0.5s": {"light": "3lx"}}]}"#
        let scenario = try ScenarioFile.parse(text, path: "j.json")
        #expect(scenario.clip.seed == 7 && scenario.timeline.count == 1)
    }

    @Test("a script for footage given elsewhere needs only its taps")
    func tapsOnly() throws {
        let source = ClipSource.stereo(left: "L.mp4", right: "R.mp4", baseline: nil, focalLength: nil)
        let text = "timeline:\n  - 1s: {tap: {view: [0.5, 0.5]}}\n  - end: {expect: {focus: {kind: face}}}\n"
        let scenario = try ScenarioFile.parse(text, path: "shots/taps.yaml", ReadingOptions(source: source))
        #expect(scenario.name == "taps" && scenario.clip.source == source && scenario.clip.detections == .vision)
        #expect(scenario.clip.frameDuration == nil && scenario.clip.length == nil && scenario.timeline.count == 2)
        #expect(throws: ScenarioError.self) { try scenario.world() }
    }

    @Test("paths start at the scenario's folder")
    func paths() throws {
        let folder = try Scratch()
        try folder.write("", to: "V.mp4")
        let text = "scenario: P\nclip: {source: {video: V.mp4, disparity: d/%04d.png, range: [0.1, 2]}, length: 2s}\n"
        let scenario = try ScenarioFile.load(path: folder.write(text, to: "p.yaml"))
        #expect(scenario.clip.source == .video(folder.path + "/V.mp4", disparity: folder.path + "/d/%04d.png", range: 0.1...2))
    }

    @Test("SHA-256 is the one of FIPS 180-4")
    func digest() {
        #expect(SHA256.hexadecimal(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.hexadecimal([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: 119)
        #expect(SHA256.hexadecimal(long) == "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb")
    }
}
