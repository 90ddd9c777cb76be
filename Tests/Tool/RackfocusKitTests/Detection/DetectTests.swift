import Foundation
import Pipeline
import RackfocusKit
import TestSupport
import Testing

@Suite("Detections as files: detect, evaluate, models, and scenarios that take them back")
struct DetectTests {
    private static let scenario = """
        scenario: A tap
        clip: {source: synthetic, size: 320x180, fps: 30, length: 0.7s, seed: 3DETECTIONS}
        subjects:
          maya: {kind: face, box: [0.2, 0.2, 0.15, 0.35], depth: 1.5m}
          ben: {kind: face, box: [0.6, 0.2, 0.15, 0.35], depth: 1.2m}
        timeline:
          - 0.3s: {tap: maya}
        """

    @Test("what a render saw is played again to the same trace, by render and, logic only, by test")
    func replay() throws {
        let scratch = try Scratch()
        _ = try scratch.write(Self.scenario.replacing("DETECTIONS", with: ", detections: vision"), to: "seen.yaml")
        _ = try scratch.write(Self.scenario.replacing("DETECTIONS", with: ", detections: a.run/detections.jsonl"), to: "again.yaml")
        let first = try ToolRun(["render", "seen.yaml", "-o", "a.mp4"], directory: scratch.url)
        #expect(first.exitCode == 0, "\(first.errors)")
        let second = try ToolRun(["render", "again.yaml", "-o", "b.mp4"], directory: scratch.url)
        #expect(second.exitCode == 0, "\(second.errors)")
        #expect(try ToolRun(["test", "again.yaml", "-o", "out"], directory: scratch.url).exitCode == 0)
        func trace(_ path: String) throws -> [Substring] {
            try String(contentsOfFile: scratch(path), encoding: .utf8).split(separator: "\n").dropFirst().map { $0 }
        }
        let seen = try trace("a.run/trace.jsonl")
        #expect(seen.count > 5 && seen.contains { $0.contains("\"kind\":\"face\"") })
        #expect(try trace("b.run/trace.jsonl") == seen)
        #expect(try trace("out/again.yaml/trace.jsonl") == seen)
        #expect(
            try DetectionLog(path: scratch("b.run/detections.jsonl")).entries
                == DetectionLog(path: scratch("a.run/detections.jsonl")).entries)

        let detected = try ToolRun(["detect", "a.mp4", "-o", "d.jsonl", "--overlay", "o.mp4", "--timings"], directory: scratch.url)
        #expect(
            detected.exitCode == 0 && detected.output.contains("21 frames, in d.jsonl") && detected.output.contains("p95 of a frame is "),
            "\(detected.errors)")
        #expect(try DetectionLog(path: scratch("d.jsonl")).entries.count == 21)
        let start = ContinuousClock.now
        let live = try ToolRun(["detect", "a.mp4", "-o", "l.jsonl", "--live", "--timings"], directory: scratch.url)
        #expect(live.exitCode == 0 && live.output.contains(" ms from when it is due to its result, the footage leaves 33.3 ms"), "\(live.errors)")
        #expect(ContinuousClock.now - start > .seconds(20.0 / 30), "frames came before their time")
        #expect(try DetectionLog(path: scratch("l.jsonl")).entries.count == 21)
        let scored = try ToolRun(["evaluate", "--truth", "a.run/detections.jsonl", "--detections", "d.jsonl"], directory: scratch.url)
        #expect(scored.exitCode == 0 && scored.output.contains("\nface "), "\(scored.errors)")
    }

    @Test("detections of a video name it: a scenario needs nothing else, in `test` and in `render`")
    func sourceOfDetections() throws {
        let scratch = try Scratch()
        _ = try scratch.write(Self.scenario.replacing("DETECTIONS", with: ""), to: "stage.yaml")
        #expect(try ToolRun(["render", "stage.yaml", "-o", "party.mp4"], directory: scratch.url).exitCode == 0)
        #expect(try ToolRun(["detect", "party.mp4", "-o", "party.jsonl"], directory: scratch.url).exitCode == 0)
        let replay = "scenario: Party\nclip: {detections: party.jsonl}\ntimeline:\n  - 0.6s: {expect: {mode: weak}}\n"
        _ = try scratch.write(replay, to: "party.yaml")
        let tested = try ToolRun(["test", "party.yaml", "-o", "out"], directory: scratch.url)
        #expect(tested.exitCode == 0, "\(tested.output)\(tested.errors)")
        let rendered = try ToolRun(["render", "party.yaml", "-o", "focus.mp4"], directory: scratch.url)
        #expect(rendered.exitCode == 0, "\(rendered.errors)")
        let traces = try ["out/party.yaml/trace.jsonl", "focus.run/trace.jsonl"].map { path in
            try String(contentsOfFile: scratch(path), encoding: .utf8).split(separator: "\n").dropFirst().joined()
        }
        #expect(traces[0] == traces[1] && traces[0].contains("\"kind\":\"face\""))

        try FileManager.default.moveItem(atPath: scratch("party.mp4"), toPath: scratch("elsewhere.mp4"))
        let lost = try ToolRun(["test", "party.yaml", "-o", "out", "--force"], directory: scratch.url)
        let reason = "party.yaml:2:20: the pictures of these detections are not known: there is no party.mp4 beside"
        #expect(lost.exitCode != 0 && lost.output.contains(reason), "\(lost.output)")
    }

    @Test(
        "answers bad input with one error",
        arguments: [
            (["detect", "none.mp4", "-o", "a.jsonl"], 66, "none.mp4"), (["detect", "none.mp4", "-o", "a.json"], 64, "name it with .jsonl"),
            (["detect", "x.txt", "-o", "a.jsonl", "--face-model", "x.txt"], 66, "opening the face model x.txt: this is no model"),
            (["detect", "x.txt", "-o", "a.jsonl", "--object-model", "y.onnx"], 66, "opening the object model y.onnx: there is no such file"),
            (["detect", "x.txt", "-o", "a.jsonl", "--object-model", "x.weights"], 66, "the .cfg that belongs to it is not beside it"),
            (["detect", "x", "-o", "a.jsonl", "--stills", "--overlay", "a.mp4"], 64, "--overlay goes with footage"),
            (["detect", "x", "-o", "a.jsonl", "--stills", "--live"], 64, "--live goes with footage"),
            (["evaluate", "--truth", "x.txt", "--detections", "x.txt"], 66, "x.txt:1: this is not the header"),
            (["evaluate", "--truth", "x.txt"], 64, "--detections is missing"),
            (["render", "x.txt", "-o", "a.mp4", "--detections", "guess"], 64, "--detections is truth, vision or a file that ends in .jsonl"),
        ])
    func badInput(arguments: [String], code: Int32, message: String) throws {
        let scratch = try Scratch()
        _ = try scratch.write("no model, no truth\n", to: "x.txt")
        let run = try ToolRun(arguments, directory: scratch.url)
        #expect(run.exitCode == code && run.errors.contains(message), "\(run.errors)")
        #expect(try scratch.names == ["x.txt"])
    }

    @Test("lists the models, where they go, and what lies there instead of them")
    func models() throws {
        let scratch = try Scratch()
        let folder = scratch.url.appending(path: "rackfocus/models")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("abc".utf8).write(to: folder.appending(path: "FastestDet.onnx"))
        let run = try ToolRun(["models"], environment: ["XDG_DATA_HOME": scratch.url.path])
        #expect(run.exitCode == 0 && run.output.contains("models go to \(folder.path)"))
        #expect(run.output.contains("face_detection_yunet_2022mar.onnx    not there"))
        #expect(run.output.contains("its sha256 is another one: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(ModelLibrary(folder: folder.path).installed(.object) == folder.path + "/FastestDet.onnx")
        #expect(ModelLibrary(folder: folder.path).installed(.face) == nil)
    }
}
