import Foundation
import TestSupport
import Testing

@Suite("rackfocus test")
struct TestCommandTests {
    private static let passing = """
        scenario: A tap
        tags: [quick]
        matrix: {who: [maya, ben], for: [200ms, 400ms]}
        clip: {source: synthetic, size: 160x90, fps: 30, length: 1s, seed: 3}
        subjects:
          maya: {kind: face, box: [0.30, 0.25, 0.13, 0.30], depth: 1.5m}
          ben: {kind: face, box: [0.62, 0.30, 0.09, 0.20], depth: 2.6m}
        timeline:
          - 0.2s: {press: {on: "${who}", for: "${for}"}}
          - end: {expect: {focus: "${who}"}}
        """
    private static let simple = passing.replacing("matrix: {who: [maya, ben], for: [200ms, 400ms]}\n", with: "").replacing("${who}", with: "ben")
        .replacing("${for}", with: "100ms")

    private func folder() throws -> Scratch {
        let scratch = try Scratch()
        _ = try scratch.write(Self.passing.replacing("{expect: {focus: \"${who}\"}}", with: "{never: {focus: none, since: 0.1s}}"), to: "swept.yaml")
        _ = try scratch.write(Self.simple, to: "simple.yaml")
        _ = try scratch.write(Self.simple.replacing("seed: 3", with: "seed: 4"), to: "other.yaml")
        return scratch
    }

    private func read(_ scratch: Scratch, _ name: String) throws -> String { try String(contentsOfFile: scratch(name), encoding: .utf8) }

    @Test("n shards merged are one run, byte for byte, in workers or not")
    func merge() throws {
        let scratch = try folder()
        let files = ["swept.yaml", "simple.yaml", "other.yaml"]
        let whole = try ToolRun(["test"] + files + ["-o", "whole"], directory: scratch.url)
        #expect(whole.exitCode == 0, "\(whole.output)\(whole.errors)")
        #expect(whole.output.contains("swept.yaml: a matrix of 4 scenarios") && whole.output.contains("6 of 6 passed"))
        for shard in 1...3 {
            let part = try ToolRun(
                ["test"] + files + ["-o", "part-\(shard)", "--jobs", "2"],
                environment: ["TEST_SHARD_INDEX": "\(shard - 1)", "TEST_TOTAL_SHARDS": "3"],
                directory: scratch.url)
            #expect(part.exitCode == 0 && part.output.contains("2 of 2 passed"), "\(part.output)\(part.errors)")
        }
        let merged = try ToolRun(["merge", "part-1", "part-2", "part-3", "-o", "merged"], directory: scratch.url)
        #expect(merged.exitCode == 0, "\(merged.errors)")
        for name in ["summary.json", "junit.xml", "simple.yaml/trace.jsonl", "simple.yaml/result.json", "simple.yaml/focus.svg"] {
            #expect(try read(scratch, "merged/\(name)") == read(scratch, "whole/\(name)"), "\(name)")
        }
    }

    @Test("says what failed, where, and ends with the worst code")
    func failing() throws {
        let scratch = try folder()
        _ = try scratch.write(Self.simple.replacing("focus: \"ben\"", with: "focus: maya"), to: "wrong.yaml")
        let failed = try ToolRun(["test", "simple.yaml", "wrong.yaml", "-o", "out"], directory: scratch.url)
        #expect(failed.exitCode == 1)
        #expect(
            failed.output.contains("FAILED  wrong.yaml  A tap\n    wrong.yaml:9:11: expected focus maya, but at 0.967 s focus was on ben"),
            "\(failed.output)")
        #expect(try read(scratch, "out/junit.xml").contains("<failure type=\"FAILED\" message=\"wrong.yaml:9:11: expected focus maya"))
        _ = try scratch.write(Self.simple.replacing("timeline", with: "timelime"), to: "typo.yaml")
        let worse = try ToolRun(["test", "wrong.yaml", "typo.yaml", "-o", "out", "--force"], directory: scratch.url)
        #expect(worse.exitCode == 2 && worse.output.contains("did you mean `timeline`?"), "\(worse.output)")
        #expect(try ToolRun(["test", "simple.yaml", "--filter", "nobody"], directory: scratch.url).exitCode == 64)
    }

    @Test("lists, filters and resumes")
    func resume() throws {
        let scratch = try folder()
        let list = try ToolRun(["test", ".", "--list", "--filter", "who=ben"], directory: scratch.url)
        let entries = try #require(try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
        #expect(entries.compactMap { $0["id"] as? String } == ["./swept.yaml[who=ben,for=200ms]", "./swept.yaml[who=ben,for=400ms]"])
        #expect(try ToolRun(["test", "simple.yaml", "-o", "out"], directory: scratch.url).exitCode == 0)
        let (trace, times) = (try read(scratch, "out/simple.yaml/trace.jsonl"), try read(scratch, "out/simple.yaml/perf.json"))
        #expect(try ToolRun(["test", "simple.yaml", "-o", "out", "--resume"], directory: scratch.url).exitCode == 0)
        #expect(try read(scratch, "out/simple.yaml/perf.json") == times, "the old result was kept")
        _ = try scratch.write("", to: "out/simple.yaml/trace.jsonl")
        #expect(try ToolRun(["test", "simple.yaml", "-o", "out", "--resume"], directory: scratch.url).exitCode == 0)
        #expect(try read(scratch, "out/simple.yaml/trace.jsonl") == trace, "an emptied trace is no result")
        let other = try ToolRun(["test", "simple.yaml", "-o", "out", "--resume", "--shard", "1/2"], directory: scratch.url)
        #expect(other.exitCode == 64 && other.errors.contains("out holds part 1/1 of a run, and this is part 1/2: go on with --shard 1/1"))
    }

    @Test("takes no results in its folder for scenarios", arguments: ["rackfocus-test", "results"])
    func ownResults(output: String) throws {
        let scratch = try Scratch()
        _ = try scratch.write(Self.simple, to: "simple.yaml")
        for _ in 1...2 {
            let run = try ToolRun(["test", ".", "-o", output, "--force"], directory: scratch.url)
            #expect(run.exitCode == 0 && run.output.hasSuffix("1 of 1 passed; results in \(output)\n"), "\(run.output)\(run.errors)")
        }
    }

    @Test("keeps goldens: written once, compared, blessed")
    func goldens() throws {
        let scratch = try folder()
        let golden = Self.simple + "\ngoldens: {trace: exact}\n"
        _ = try scratch.write(golden, to: "golden.yaml")
        let strict = try ToolRun(["test", "golden.yaml", "-o", "out", "--force"], environment: ["CI": "true"], directory: scratch.url)
        #expect(strict.exitCode == 4)
        let free = ["CI": "false"]
        #expect(
            try ToolRun(["test", "golden.yaml", "-o", "out", "--force"], environment: free, directory: scratch.url).output.contains("golden written"))
        #expect(try ToolRun(["test", "golden.yaml", "-o", "out", "--force"], environment: ["CI": "true"], directory: scratch.url).exitCode == 0)
        _ = try scratch.write(golden.replacing("2.6m", with: "2.7m"), to: "golden.yaml")
        let changed = try ToolRun(["test", "golden.yaml", "-o", "out", "--force"], environment: free, directory: scratch.url)
        #expect(changed.exitCode == 1 && changed.output.contains("the trace differs from"), "\(changed.output)")
        #expect(try ToolRun(["test", "golden.yaml", "-o", "out", "--force", "--bless"], environment: free, directory: scratch.url).exitCode == 0)
        #expect(try ToolRun(["test", "golden.yaml", "-o", "out", "--force"], environment: free, directory: scratch.url).exitCode == 0)
    }

    @Test("earlier results go only when that is asked for, and other files never")
    func earlierResults() throws {
        let scratch = try folder()
        #expect(try ToolRun(["test", "simple.yaml", "other.yaml", "-o", "out"], directory: scratch.url).exitCode == 0)
        _ = try scratch.write("mine", to: "out/notes.txt")
        let refused = try ToolRun(["test", "simple.yaml", "-o", "out"], directory: scratch.url)
        #expect(refused.exitCode == 73 && refused.errors.contains("out") && refused.errors.contains("--force"), "\(refused.errors)")
        #expect(FileManager.default.fileExists(atPath: scratch("out/other.yaml/trace.jsonl")))
        #expect(try ToolRun(["test", "simple.yaml", "-o", "out", "--force"], directory: scratch.url).exitCode == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch("out")).sorted() == [
                "junit.xml", "manifest.json", "notes.txt", "simple.yaml", "summary.json",
            ])
        // The default directory is the tool's own.
        for _ in 0..<2 { #expect(try ToolRun(["test", "simple.yaml"], directory: scratch.url).exitCode == 0) }
    }

    @Test("leaves what helps to understand a failure")
    func failureFiles() throws {
        let scratch = try folder()
        _ = try scratch.write(Self.simple.replacing("focus: \"ben\"", with: "focus: maya"), to: "wrong.yaml")
        #expect(try ToolRun(["test", "simple.yaml", "wrong.yaml", "-o", "out"], directory: scratch.url).exitCode == 1)
        let report = try read(scratch, "out/wrong.yaml/diff/failures.txt")
        #expect(report.hasPrefix("wrong.yaml:9:11: expected focus maya, but at 0.967 s focus was on ben"), "\(report)")
        #expect(report.contains("    {\"t\":966666666,\"expect\":false,\"line\":9}"), "\(report)")
        #expect(try read(scratch, "out/wrong.yaml/diff/reproduce.sh") == "rackfocus test 'wrong.yaml'\n")
        #expect(!FileManager.default.fileExists(atPath: scratch("out/simple.yaml/diff")))
    }

    @Test("watches: runs again what changed, and ends when it is interrupted")
    func watch() throws {
        let scratch = try folder()
        try FileManager.default.removeItem(atPath: scratch("swept.yaml"))
        let watched = try WatchedTool(["test", "simple.yaml", "other.yaml", "-o", "out", "--watch"], directory: scratch.url)
        defer { watched.interrupt() }
        #expect(try watched.read(until: "^C ends").contains("2 of 2 passed"))
        // In one step: a file that is written in two is run twice.
        let changed = Self.simple.replacing("focus: \"ben\"", with: "focus: maya")
        try changed.write(toFile: scratch("other.yaml"), atomically: true, encoding: .utf8)
        let again = try watched.read(until: "^C ends")
        #expect(again.contains("other.yaml changed") && again.contains("FAILED  other.yaml") && again.contains("1 of 2 passed"), "\(again)")
        #expect(!again.contains("ok  simple.yaml"), "only what changed runs again: \(again)")
        try "light: 90lx\n".write(toFile: scratch("_part.yaml"), atomically: true, encoding: .utf8)
        #expect(try watched.read(until: "^C ends").contains("ok  simple.yaml"), "a fragment may concern all")
        watched.interrupt()
        #expect(watched.endedBySignal == SIGINT)
    }

    @Test("repeats itself in other processes, with other hash seeds and other machine code")
    func repro() throws {
        let scratch = try folder()
        let run = try ToolRun(["test", "swept.yaml", "simple.yaml", "-o", "out", "--verify-repro"], directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
    }
}
