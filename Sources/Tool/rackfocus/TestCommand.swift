import Foundation
import RackfocusKit
import ScenarioResults
import Support

/// `rackfocus test`: runs scenarios, logic only, and says which hold.
struct TestCommand: Command {
    static let help = Help(
        name: "test",
        summary: "Run scenarios, logic only, and check what they expect.",
        usage: "test [PATH…] [options]",
        discussion: """
            PATH is a scenario or a folder of them; without any it is Scenarios. The stage's truth stands in for eyes and nothing is
            rendered, so neither OpenCV nor Vulkan is needed; --render renders the frames that goldens and expectations of blur name.
            Each scenario leaves trace.jsonl, focus.svg, focus.csv, decisions.json, result.json and perf.json in its own directory, and
            in its diff/ what failed; the run leaves summary.json, junit.xml and manifest.json, which lists the plan and every file with its
            SHA-256. Only what a manifest lists, unchanged since, is ever replaced. The exit code is the worst of all.
            """,
        options: [
            .init("--output", "-o", value: "DIR", meaning: "where the results go, new or empty; default rackfocus-test, which each run replaces"),
            .init("--force", meaning: "replace the results that are in --output"),
            .init("--filter", value: "TEXT", meaning: "only scenarios with TEXT in path, name or a tag"),
            .init("--jobs", "-j", value: "N", meaning: "how many scenarios run at a time, each in a process; default 1"),
            .init("--list", meaning: "print the scenarios as JSON and run nothing"),
            .init("--shard", value: "I/N", meaning: "only part I of N; default from SLURM_ARRAY_TASK_ID and the like"),
            .init("--resume", meaning: "keep results that are there already for the same scenario text"),
            .init("--render", meaning: "look at pixels, too: render the frames that goldens and blur name, and no others"),
            .init("--gpu", value: "GPU", meaning: "which device renders: its index or a part of its name, see rackfocus devices"),
            .init("--bless", meaning: "take what this run gave as goldens and show what changed; pictures with --render"),
            .init("--verify-repro", meaning: "run everything twice more, otherwise, and compare the traces"),
            .init("--watch", meaning: "go on: run again what changes, until ^C"),
            .init("--mode", value: "MODE", meaning: "live or post, whatever the scenarios say; goldens are left alone (see rackfocus diff)"),
            Arguments.phoneOption,
            Arguments.allowOption,
            .init("--traces-only", meaning: "leave traces and results alone, for sweeps by the thousand"),
            .init("--timeout", value: "S", meaning: "seconds one scenario may take, reading and drawing included; default 120"),
            .init("--worker", meaning: "run the scenarios that standard input names, without a report (what this command starts)"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus test Scenarios --jobs 4")

    private enum Action {
        case list(TestPlan)
        case watch(WatchLoop)
        case run(TestRun)
        case work(TestWorker)
    }

    private let action: Action

    init(_ arguments: inout Arguments) throws {
        var options = TestRun.Options()
        while let path = arguments.optionalPositional() { options.paths.append(path) }
        if options.paths.isEmpty { options.paths = ["Scenarios"] }
        options.output = arguments.value("--output") ?? options.output
        options.replaces = arguments.flag("--force") || arguments.value("--output") == nil
        options.renders = arguments.flag("--render")
        options.gpu = arguments.value("--gpu")
        options.filter = arguments.value("--filter")
        options.jobs = try Self.whole(arguments, "--jobs") ?? 1
        options.timeLimit = Double(try Self.whole(arguments, "--timeout") ?? 120)
        options.mode = try arguments.mode()
        options.phone = arguments.value("--phone")
        options.allowed = arguments.allowed
        options.resumes = arguments.flag("--resume")
        options.blesses = arguments.flag("--bless")
        options.tracesOnly = arguments.flag("--traces-only")
        options.verifies = arguments.flag("--verify-repro")
        options.shard = try Self.shard(arguments, "--shard")
        let (lists, watches) = (arguments.flag("--list"), arguments.flag("--watch"))
        if watches, options.verifies || lists { throw UsageError("--watch goes with neither --list nor --verify-repro") }
        if arguments.flag("--worker") {
            action = .work(try TestWorker(options))
        } else if watches {
            action = .watch(WatchLoop(options))
        } else {
            let testRun = try TestRun(options)
            action = lists ? .list(testRun.plan) : .run(testRun)
        }
    }

    var inputs: [String] { if case .run(let testRun) = action { testRun.plan.items.map(\.path) } else { [] } }
    var outputs: [String] { if case .run(let testRun) = action { testRun.outputs } else { [] } }

    func run() throws {
        switch action {
        case .list(let plan): StandardOutput.print(plan.json)
        case .watch(let watch): try watch.run()
        case .work(let worker): try worker.run()
        case .run(let testRun):
            let verdict = try testRun.run()
            if verdict != .passed { throw TestsFailed(verdict: verdict) }
        }
    }

    private static func whole(_ arguments: Arguments, _ name: String) throws -> Int? {
        guard let text = arguments.value(name) else { return nil }
        guard let number = Int(text), (1...100_000).contains(number) else { throw UsageError("\(name) takes a whole number from 1, not \"\(text)\"") }
        return number
    }

    private static func shard(_ arguments: Arguments, _ name: String) throws -> TestPlan.Shard? {
        guard let text = arguments.value(name) else {
            do throws(TestPlan.Shard.UnevenArray) {
                return try TestPlan.Shard(environment: ProcessInfo.processInfo.environment)
            } catch { throw UsageError("\(error)") }
        }
        guard let shard = TestPlan.Shard(text) else { throw UsageError("\(name) is I/N with 1 ≤ I ≤ N, like 2/8, not \"\(text)\"") }
        return shard
    }
}

/// A run in which not everything passed; all has been said by then.
struct TestsFailed: Error {
    let verdict: Verdict
}
