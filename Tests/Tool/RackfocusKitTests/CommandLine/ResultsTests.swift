import Foundation
import TestSupport
import Testing

@Suite("Results of test runs are whole, and nobody else's files are lost")
struct ResultsTests {
    private static let scenario = """
        scenario: A tap
        clip: {source: synthetic, size: 160x90, fps: 30, length: 0.2s, seed: 3}
        subjects:
          maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}

        """
    private static let files = ["a.yaml", "b.yaml", "c.yaml"]

    private func folder() throws -> Scratch {
        let scratch = try Scratch()
        for (seed, name) in Self.files.enumerated() { _ = try scratch.write(Self.scenario.replacing("seed: 3", with: "seed: \(seed)"), to: name) }
        return scratch
    }

    /// Three shards of three scenarios: `p1`, `p2`, `p3`.
    private func shards() throws -> Scratch {
        let scratch = try folder()
        for index in 1...3 {
            let run = try ToolRun(["test"] + Self.files + ["-o", "p\(index)", "--shard", "\(index)/3"], directory: scratch.url)
            #expect(run.exitCode == 0, "\(run.errors)")
        }
        return scratch
    }

    private func text(_ scratch: Scratch, _ name: String) throws -> String { try String(contentsOfFile: scratch(name), encoding: .utf8) }

    private func remove(_ scratch: Scratch, _ name: String) throws { try FileManager.default.removeItem(atPath: scratch(name)) }

    @Test("shards that are not one whole run are named, and not merged")
    func merge() throws {
        let scratch = try shards()
        func refused(_ parts: [String], _ message: String, _ place: SourceLocation = #_sourceLocation) throws {
            let run = try ToolRun(["merge"] + parts + ["-o", "all"], directory: scratch.url)
            #expect(run.exitCode == 66 && run.errors.contains(message), "\(run.errors)", sourceLocation: place)
            #expect(!FileManager.default.fileExists(atPath: scratch("all")), sourceLocation: place)
        }
        try refused(["p1", "p3"], "    shard 2/3 is missing: b.yaml\n")
        try refused(["p1", "p2", "p3", "p2"], "    p2: is shard 2/3, and so is p2\n")
        try refused(["p1", "p2", "p3", "none"], "    none: is not there\n")
        try FileManager.default.createDirectory(atPath: scratch("none"), withIntermediateDirectories: true)
        try refused(["p1", "p2", "p3", "none"], "    none: is no result of `rackfocus test`: it has no manifest.json\n")
        _ = try ToolRun(["test", "a.yaml", "c.yaml", "-o", "other", "--shard", "2/3"], directory: scratch.url)
        try refused(["p1", "other", "p3"], "    other: had other scenarios to run than p1: c.yaml instead of b.yaml\n")

        let result = try text(scratch, "p2/b.yaml/result.json")
        _ = try scratch.write(result.replacing("\"passed\"", with: "\"failed\"") + " ", to: "p2/b.yaml/result.json")
        try refused(["p1", "p2", "p3"], "    p2/b.yaml/result.json was changed\n")
        try remove(scratch, "p2/b.yaml/result.json")
        try refused(["p1", "p2", "p3"], "    p2/b.yaml/result.json is missing\n")
        _ = try scratch.write(result, to: "p2/b.yaml/result.json")
        let trace = try text(scratch, "p2/b.yaml/trace.jsonl")
        _ = try scratch.write(String(trace.dropLast(40)), to: "p2/b.yaml/trace.jsonl")
        try refused(["p1", "p2", "p3"], "    p2/b.yaml/trace.jsonl was cut short\n")
        _ = try scratch.write(trace, to: "p2/b.yaml/trace.jsonl")
        _ = try scratch.write("mine", to: "p3/c.yaml/notes.txt")
        try refused(["p1", "p2", "p3"], "    p3/c.yaml/notes.txt is not listed\n")
        try remove(scratch, "p3/c.yaml/notes.txt")
        let report = try text(scratch, "p3/summary.json")
        try remove(scratch, "p3/summary.json")
        try refused(["p1", "p2", "p3"], "    p3/summary.json is missing\n")
        _ = try scratch.write(report, to: "p3/summary.json")
        #expect(try ToolRun(["merge", "p1", "p2", "p3", "-o", "all"], directory: scratch.url).exitCode == 0)
        #expect(try ToolRun(["merge", "p1", "p2", "p3", "-o", "all", "--force"], directory: scratch.url).exitCode == 0, "ours, unchanged")
    }

    @Test("a merged run lists its files as one run does")
    func manifest() throws {
        let scratch = try shards()
        #expect(try ToolRun(["test"] + Self.files + ["-o", "whole"], directory: scratch.url).exitCode == 0)
        #expect(try ToolRun(["merge", "p3", "p1", "p2", "-o", "all"], directory: scratch.url).exitCode == 0)
        for name in ["manifest.json", "summary.json", "junit.xml", "b.yaml/manifest.json", "b.yaml/result.json"] {
            #expect(try text(scratch, "all/\(name)") == text(scratch, "whole/\(name)"), "\(name)")
        }
    }

    @Test("--force keeps and names what no manifest lists, and what was changed since")
    func foreign() throws {
        let scratch = try shards()
        try FileManager.default.createDirectory(atPath: scratch("mine/a.yaml"), withIntermediateDirectories: true)
        _ = try scratch.write("precious", to: "mine/a.yaml/notes.txt")
        let merged = try ToolRun(["merge", "p1", "p2", "p3", "-o", "mine", "--force"], directory: scratch.url)
        #expect(merged.exitCode == 73, "\(merged.errors)")
        #expect(merged.errors.contains("mine: cannot replace") && merged.errors.contains("a.yaml/notes.txt"), "\(merged.errors)")
        let inTheWay = try ToolRun(["test", "a.yaml", "-o", "mine", "--force"], directory: scratch.url)
        #expect(inTheWay.exitCode == 73 && inTheWay.errors.contains(": a.yaml;"), "\(inTheWay.errors)")
        let beside = try ToolRun(["test", "b.yaml", "-o", "mine", "--force"], directory: scratch.url)
        #expect(beside.exitCode == 0 && beside.errors == "rackfocus: note: kept in mine, as no run left it: a.yaml\n", "\(beside.errors)")
        #expect(try text(scratch, "mine/a.yaml/notes.txt") == "precious")

        for name in ["mine/b.yaml/trace.jsonl", "mine/summary.json"] {
            let old = try text(scratch, name)
            _ = try scratch.write(old + "a remark", to: name)
            let changed = try ToolRun(["test", "b.yaml", "-o", "mine", "--force"], directory: scratch.url)
            #expect(changed.exitCode == 73 && changed.errors.contains(name.dropFirst("mine/".count)), "\(changed.errors)")
            #expect(try text(scratch, name) == old + "a remark")
            _ = try scratch.write(old, to: name)
        }
        #expect(try ToolRun(["test", "b.yaml", "-o", "mine", "--force"], directory: scratch.url).exitCode == 0)
    }

    @Test("a folder of scenarios is no place for their results' names")
    func ownFolder() throws {
        let scratch = try folder()
        let run = try ToolRun(["test", "a.yaml", "-o", ".", "--force"], directory: scratch.url)
        #expect(run.exitCode == 73 && run.errors.contains("a.yaml, an input of this command"), "\(run.errors)")
        #expect(try text(scratch, "a.yaml").hasPrefix("scenario: A tap"))
        let fresh = try ToolRun(["test", scratch("a.yaml"), "-o", "."], directory: scratch.url)
        #expect(fresh.exitCode == 73, "not without --force, either")
        #expect(try scratch.names == Self.files)
    }

    @Test("no command replaces its own input", arguments: ["in.png", "symbolic.png", "hard.png"])
    func inputs(output: String) throws {
        let scratch = try Scratch()
        let bytes = "not a picture, but an input"
        let input = try scratch.write(bytes, to: "in.png")
        try FileManager.default.createSymbolicLink(atPath: scratch("symbolic.png"), withDestinationPath: "in.png")
        try FileManager.default.linkItem(atPath: input, toPath: scratch("hard.png"))
        for name in ["movie.mov", "rig.json", "log.jsonl"] {
            try FileManager.default.linkItem(atPath: input, toPath: scratch(name))
        }
        let commands = [
            ["bokeh", "in.png", "--disparity", "in.png", "--focus-disparity", "0.5", "--blur-scale", "9", "-o", output],
            ["recover", "in.png", "-o", "movie.mov"],
            ["calibrate", "--left", "in.png", "--right", "in.png", "--board", "9x6", "--square", "25mm", "-o", "rig.json"],
            ["detect", "in.png", "--stills", "-o", "log.jsonl"],
        ]
        for command in commands {
            let run = try ToolRun(command + ["--force"], directory: scratch.url)
            #expect(run.exitCode == 73 && run.errors.contains("an input of this command"), "\(command): \(run.errors)")
        }
        #expect(try text(scratch, "in.png") == bytes && text(scratch, output) == bytes)
    }

    @Test("render replaces neither its movie nor the detections it plays")
    func render() throws {
        let scratch = try folder()
        #expect(try ToolRun(["render", "a.yaml", "-o", "a.mp4"], directory: scratch.url).exitCode == 0)
        let movie = try Data(contentsOf: scratch.url.appending(path: "a.mp4"))
        try FileManager.default.linkItem(atPath: scratch("a.mp4"), toPath: scratch("b.mp4"))
        for words in [["--video", "a.mp4", "-o", "b.mp4"], ["--video", "b.mp4", "--detections", "a.run/detections.jsonl", "-o", "a.mp4"]] {
            let run = try ToolRun(["render"] + words + ["--force"], directory: scratch.url)
            #expect(run.exitCode == 73 && run.errors.contains("an input of this command"), "\(run.errors)")
        }
        try FileManager.default.removeItem(atPath: scratch("b.mp4"))
        try FileManager.default.copyItem(atPath: scratch("a.mp4"), toPath: scratch("c.mp4"))
        let sidecar = try ToolRun(
            ["render", "--video", "c.mp4", "--detections", "a.run/detections.jsonl", "-o", "a.mp4", "--force"], directory: scratch.url)
        #expect(sidecar.exitCode == 73 && sidecar.errors.contains("a.run/detections.jsonl, an input"), "\(sidecar.errors)")
        #expect(try Data(contentsOf: scratch.url.appending(path: "a.mp4")) == movie)
    }
}
