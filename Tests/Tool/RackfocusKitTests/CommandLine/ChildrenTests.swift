import Foundation
import TestSupport
import Testing

@Suite("What the tool starts")
struct ChildrenTests {
    /// Minutes of work.
    private static let long = """
        scenario: A long wait
        clip: {source: synthetic, size: 160x90, fps: 60, length: 7200s, seed: 3}
        subjects:
          maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}

        """
    private static let short = long.replacing("7200s", with: "0.2s")

    private func folder() throws -> Scratch {
        let scratch = try Scratch()
        for index in 0..<4 { _ = try scratch.write(Self.long.replacing("seed: 3", with: "seed: \(index)"), to: "long-\(index).yaml") }
        _ = try scratch.write(Self.short, to: "short.yaml")
        return scratch
    }

    @Test("workers end with it, whatever ends it", arguments: [SIGTERM, SIGINT, SIGHUP, SIGKILL])
    func workers(number: Int32) throws {
        let (scratch, marked) = (try folder(), Marked())
        let files = (0..<4).map { "long-\($0).yaml" }
        let tool = try WatchedTool(["test"] + files + ["-o", "out", "--jobs", "3"], environment: [marked.name: "1"], directory: scratch.url)
        _ = try marked.wait(for: 3, with: "--worker")
        tool.end(by: number)
        try marked.waitForNone()
        #expect(tool.endedBySignal == number)
        let again = try ToolRun(["test", "short.yaml", "-o", "out", "--force"], directory: scratch.url)
        #expect(again.exitCode == 0, "\(again.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch("out")).sorted()
        #expect(left == ["junit.xml", "manifest.json", "short.yaml", "summary.json"])
    }

    @Test("runs of --verify-repro and their workers end with it", arguments: [SIGTERM, SIGKILL])
    func repro(number: Int32) throws {
        let (scratch, marked) = (try folder(), Marked())
        _ = try scratch.write(Self.long.replacing("7200s", with: "600s"), to: "middle.yaml")
        let tool = try WatchedTool(
            ["test", "middle.yaml", "-o", "out", "--verify-repro"], environment: [marked.name: "1"], directory: scratch.url)
        _ = try marked.wait(for: 1, with: "rackfocus-repro-")
        tool.end(by: number)
        try marked.waitForNone()
    }

    @Test("a shader compiler and what that has started end with it", arguments: [SIGTERM, SIGINT, SIGHUP, SIGKILL])
    func compiler(number: Int32) throws {
        let (scratch, marked) = (try folder(), Marked())
        let script = try scratch.write("#!/bin/sh\nsleep 1000\nexit 1\n", to: "glslc.sh")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        _ = try scratch.write("void main() {}\n", to: "filter.comp")
        let tool = try WatchedTool(
            ["render", "short.yaml", "-o", "a.mp4", "--shader", "filter.comp"], environment: [marked.name: "1", "GLSLC": script],
            directory: scratch.url)
        _ = try marked.wait(for: 1, with: "sleep 1000")
        tool.end(by: number)
        try marked.waitForNone()
    }

    @Test("one run at a time owns a results folder")
    func lock() throws {
        let (scratch, marked) = (try folder(), Marked())
        let tool = try WatchedTool(["test", "long-1.yaml", "-o", "out"], environment: [marked.name: "1"], directory: scratch.url)
        _ = try marked.wait(for: 1, with: "--worker")
        let second = try ToolRun(["test", "short.yaml", "-o", "out", "--force"], directory: scratch.url)
        #expect(second.exitCode == 73)
        #expect(second.errors.contains("out: cannot write to it: process \(tool.identifier) on "), "\(second.errors)")
        tool.end(by: SIGTERM)
        try marked.waitForNone()
        #expect(try ToolRun(["test", "short.yaml", "-o", "out", "--force"], directory: scratch.url).exitCode == 0)
    }

    @Test("a worker that crashes is one failed entry, and the others run")
    func crash() throws {
        let (scratch, marked) = (try folder(), Marked())
        _ = try scratch.write(Self.short, to: "last.yaml")
        let tool = try WatchedTool(
            ["test", "short.yaml", "long-1.yaml", "long-2.yaml", "last.yaml", "-o", "out", "--timeout", "1000"],
            environment: [marked.name: "1"], directory: scratch.url)
        for number in [SIGSEGV, SIGABRT] {
            _ = try tool.read(until: number == SIGSEGV ? "ok  short.yaml" : "CRASHED  long-1.yaml")
            for worker in try marked.wait(for: 1, with: "--worker") { kill(worker, number) }
        }
        let (text, exitCode) = try tool.end()
        #expect(exitCode == 70 && text.contains("2 of 4 passed"), "\(text)")
        let junit = try String(contentsOfFile: scratch("out/junit.xml"), encoding: .utf8)
        #expect(junit.contains("its process ended by signal 11 (Segmentation fault)"), "\(junit)")
        #expect(junit.contains("tests=\"4\" failures=\"2\""))
        let merged = try ToolRun(["merge", "out", "-o", "merged"], directory: scratch.url)
        #expect(merged.exitCode == 70 && merged.output.contains("2 of 4 passed"), "\(merged.errors)")
    }

    @Test("a worker that hangs is ended, and its scenario has timed out")
    func hang() throws {
        let (scratch, marked) = (try folder(), Marked())
        let tool = try WatchedTool(
            ["test", "long-1.yaml", "short.yaml", "-o", "out", "--timeout", "20"], environment: [marked.name: "1"], directory: scratch.url)
        for worker in try marked.wait(for: 1, with: "--worker") { kill(worker, SIGSTOP) }
        let (text, exitCode) = try tool.end()
        #expect(exitCode == 6 && text.contains("TIMEOUT  long-1.yaml") && text.contains("ok  short.yaml"), "\(text)")
        #expect(text.contains("it was not over after 20 s, and was ended"), "\(text)")
        try marked.waitForNone()
    }

    @Test("a scenario that cannot be read or started is one failed entry, and the others run")
    func unreadable() throws {
        let scratch = try folder()
        _ = try scratch.write("garbage", to: "log.jsonl")
        _ = try scratch.write(Self.short.replacing("seed: 3", with: "seed: 3, detections: log.jsonl"), to: "garbage.yaml")
        _ = try scratch.write("scenario: \"\\e[31mred\"\nclip: {source: \"\\e[31m\"}\n", to: "bytes.yaml")
        _ = try scratch.write(Self.short, to: "last.yaml")
        let run = try ToolRun(["test", "short.yaml", "bytes.yaml", "garbage.yaml", "last.yaml", "-o", "out"], directory: scratch.url)
        #expect(run.exitCode == 66 && run.output.contains("2 of 4 passed"), "\(run.output)\(run.errors)")
        #expect(run.output.contains("NO INPUT  garbage.yaml") && run.output.contains("log.jsonl:1: this is not the header"), "\(run.output)")
        #expect(run.output.contains("WRONG  bytes.yaml") && run.output.contains("ok  last.yaml"), "\(run.output)")
        let junit = try Data(contentsOf: scratch.url.appending(path: "out/junit.xml"))
        #expect(!junit.contains { $0 < 9 || $0 > 13 && $0 < 32 }, "XML knows no control characters")
        let summary = try String(contentsOfFile: scratch("out/summary.json"), encoding: .utf8)
        #expect(summary.contains("\"exitCode\" : 66") && summary.contains("\"id\" : \"last.yaml\""))
    }
}
