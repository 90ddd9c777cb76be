import Foundation
import RackfocusKit

/// One run of scenarios in this process, or in workers of its own.
struct TestRun {
    struct Options {
        var paths: [String] = []
        var output = "rackfocus-test"
        var filter: String?
        var jobs = 1
        var timeLimit = 120.0
        var resumes = false
        var blesses = false
        var verifies = false
        /// Looks at pixels, too: the frames that goldens and expectations of blur name.
        var renders = false
        /// Which Vulkan device renders, as `--gpu`.
        var gpu: String?
        /// Whether earlier results in `output` may go.
        var replaces = false
        /// In place of the scenarios' own.
        var mode: ScenarioFile.Mode?
        /// Leaves traces and results, nothing else.
        var tracesOnly = false
        var shard: TestPlan.Shard?
        /// Set in a worker: its part, and no report.
        var worker: TestPlan.Shard?
    }

    let plan: TestPlan
    private let options: Options
    private let lens: LensOnDemand

    init(_ options: Options) throws {
        self.options = options
        lens = LensOnDemand(gpu: options.gpu)
        for path in options.paths where !FileManager.default.fileExists(atPath: path) { _ = try ScenarioFile.loadAll(path: path) }
        var plan = try TestPlan(paths: options.paths)
        if let filter = options.filter { plan.filter(filter) }
        guard !plan.items.isEmpty else {
            throw UsageError("no scenario in \(options.paths.joined(separator: ", "))" + (options.filter.map { " matches \"\($0)\"" } ?? ""))
        }
        if let shard = options.shard { plan.take(shard) }
        self.plan = plan
    }

    /// Runs, prints one line a scenario, writes the reports; the worst verdict.
    func run() throws -> Verdict {
        if let worker = options.worker {
            var part = plan
            part.take(worker)
            for item in part.items { _ = try result(of: item) }
            return .passed
        }
        try begin()
        var results = try options.jobs > 1 ? inWorkers() : perform(plan.items)
        if options.verifies { try ReproCheck(options, plan).settle(&results) }
        return try report(results)
    }

    /// Makes room for the results. Those of a run before go only where that was asked for, other files never.
    func begin() throws {
        let directory = try EarlierResults(in: options.output)
        if !options.resumes {
            guard options.replaces || directory.isEmpty else { throw OutputError(code: .exists, path: options.output, action: "create") }
            try directory.remove()
        }
        try FileManager.default.createDirectory(atPath: options.output, withIntermediateDirectories: true)
        OutputDirectory.removeOrphans(in: options.output)
        for sweep in plan.sweeps { print("\(sweep.path): a matrix of \(sweep.count) scenarios") }
    }

    /// Runs some of the plan here, one after the other.
    func perform(_ items: [TestPlan.Item]) throws -> [TestResult] { try items.map(announced) }

    /// Writes the reports of all and says how it went; the worst verdict.
    func report(_ results: [TestResult]) throws -> Verdict {
        let report = TestReport(results)
        for file in try report.files() { try write(file.data, to: file.name) }
        let passed = results.filter { $0.verdict == .passed }.count
        print("\(passed) of \(results.count) passed; results in \(options.output)")
        return report.verdict
    }

    private func announced(_ item: TestPlan.Item) throws -> TestResult {
        let result = try result(of: item)
        print(result.text)
        return result
    }

    private func directory(_ item: TestPlan.Item) -> String { "\(options.output)/\(item.slug)" }

    /// Runs one scenario, or takes the result it left before.
    private func result(of item: TestPlan.Item) throws -> TestResult {
        let asked = item.scenario.map { scenario in options.mode.map(scenario.inMode) ?? scenario }
        if options.resumes, let old = TestResult.read(directory(item) + "/result.json"), old.id == item.id,
            let scenario = try? asked.get(), old.inputs == scenario.digest, old.engine == TraceWriter.engineVersion
        {
            return old
        }
        let start = ContinuousClock.now
        var files: [(name: String, data: Data)] = []
        var result: TestResult
        var device: String?
        switch asked {
        case .failure(let error):
            result = TestResult(item, error)
        case .success(let scenario):
            do {
                let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"
                var pictures: PixelChecks?
                if options.renders, !scenario.pictureTimes.isEmpty {
                    let lens = try lens.get()
                    device = lens.device.name
                    let feed = try scenario.recordedFootage()
                    let name = "\(lens.device.name) \(lens.device.driverVersion)"
                    pictures = PixelChecks(
                        scenario, feed: feed, lens: lens, device: name, blesses: options.blesses, isStrict: isStrict)
                }
                let runner = try ScenarioRunner(
                    scenario, feed: scenario.recordedFootage(), tracesOnly: options.tracesOnly, pictures: pictures)
                var outcome = try runner.run(timeLimit: options.timeLimit)
                if options.mode == nil { try GoldenTrace(of: scenario)?.settle(&outcome, blesses: options.blesses, isStrict: isStrict) }
                files = outcome.files + outcome.failureFiles(command: command(repeating: item))
                result = TestResult(item, scenario, outcome)
            } catch let error as ScenarioRunner.NeedsPixels {
                result = TestResult(item, .deviceMissing, error.description)
            } catch let error as BokehError {
                result = TestResult(item, .deviceMissing, error.description)
            } catch let error as CinematicCamera.SetUpError {
                result = TestResult(item, .scenarioWrong, error.description)
            }
        }
        let output = try OutputDirectory(path: directory(item), replacingExisting: true, isFlushed: false)
        for file in files { try output.write(file.data, to: file.name) }
        try output.write(result.json, to: "result.json")
        if !options.tracesOnly {
            let elapsed = (ContinuousClock.now - start).components
            let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
            let by = device.map { ",\"device\":\"\($0)\"" } ?? ""
            try output.write("{\"seconds\":\(seconds),\"frames\":\(result.frames)\(by)}\n", to: "perf.json")
        }
        try output.commit()
        return result
    }

    /// Starts the workers and reads what they left; a scenario that left nothing took its worker down.
    private func inWorkers() throws -> [TestResult] {
        if !options.resumes {
            // What stayed would be taken for what a worker left.
            for item in plan.items where FileManager.default.fileExists(atPath: directory(item)) {
                try FileManager.default.removeItem(atPath: directory(item))
            }
        }
        let count = min(options.jobs, max(plan.items.count, 1))
        let workers = try (1...count).map { index in
            try ToolProcess(["--worker", "\(index)/\(count)", "--output", options.output] + arguments)
        }
        for worker in workers { worker.wait() }
        return plan.items.map { item in
            let result =
                TestResult.read(directory(item) + "/result.json")
                ?? TestResult(item, .internal, "no result: its worker ended early; run it alone with --filter '\(item.id)'")
            print(result.text)
            return result
        }
    }

    /// One line of shell that runs a scenario alone.
    private func command(repeating item: TestPlan.Item) -> String {
        let filter = item.variant.isEmpty ? [] : ["--filter", "'\(item.id)'"]
        return (["rackfocus", "test", "'\(item.path)'"] + filter + (options.renders ? ["--render"] : [])).joined(separator: " ")
    }

    /// What makes another process run the same plan.
    var arguments: [String] {
        var words = ["--timeout", String(Int(options.timeLimit)), "--shard", options.shard.map { "\($0.index)/\($0.count)" } ?? "1/1"]
        if let filter = options.filter { words += ["--filter", filter] }
        if options.resumes { words.append("--resume") }
        if options.blesses { words.append("--bless") }
        if let mode = options.mode { words += ["--mode", mode.rawValue] }
        if options.tracesOnly { words.append("--traces-only") }
        if options.renders { words.append("--render") }
        if let gpu = options.gpu { words += ["--gpu", gpu] }
        return words + options.paths
    }

    private func write(_ data: Data, to name: String) throws {
        let file = try OutputFile(path: "\(options.output)/\(name)", replacingExisting: true)
        try file.write(data)
        try file.commit()
    }
}

/// The lens of a run, opened when the first picture is wanted.
private final class LensOnDemand {
    private let gpu: String?
    private var lens: VulkanBokehRenderer?

    init(gpu: String?) { self.gpu = gpu }

    /// Throws `BokehError` when there is no device.
    func get() throws -> VulkanBokehRenderer {
        let lens = try lens ?? VulkanBokehRenderer(gpu: GPUChoice(gpu))
        self.lens = lens
        return lens
    }
}

/// The tool's own `test`, in another process.
struct ToolProcess {
    private let process = Process()

    init(_ arguments: [String], environment: [String: String] = [:], isQuiet: Bool = false) throws {
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["test"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if isQuiet { process.standardOutput = FileHandle.nullDevice }
        try process.run()
    }

    func wait() { process.waitUntilExit() }
}
