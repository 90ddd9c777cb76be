import Foundation
import RackfocusKit
import ScenarioResults
import Support

/// One run of scenarios, each in a worker process, so that the reports tell of every one whatever becomes of another.
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
        /// Vulkan device that renders, as `--gpu`.
        var gpu: String?
        /// Whether earlier results in `output` may go.
        var replaces = false
        /// In place of the scenarios' own.
        var mode: ScenarioFile.Mode?
        /// In place of the scenarios' own: a name, or the path of a profile.
        var phone: String?
        /// Folders whose files scenarios may name besides their own.
        var allowed: [String] = []
        /// Leaves traces and results, nothing else.
        var tracesOnly = false
        var shard: TestPlan.Shard?

        /// Inputs of every scenario from the command line. Throws what is wrong with a phone's profile.
        var reading: ReadingOptions {
            get throws { ReadingOptions(phone: try phone.map(CameraProfile.Phone.init(argument:)), folders: allowed) }
        }

        /// Folder for the results of a scenario.
        func directory(_ item: TestPlan.Item) -> String { "\(output)/\(item.slug)" }

        /// One line of shell that runs a scenario alone.
        func command(repeating item: TestPlan.Item) -> String {
            let filter = item.variant.isEmpty ? [] : ["--filter", "'\(item.id)'"]
            return (["rackfocus", "test", "'\(item.path)'"] + filter + (renders ? ["--render"] : [])).joined(separator: " ")
        }

        /// Words for a worker beside its scenarios.
        var workerArguments: [String] {
            var words = ["--output", output, "--timeout", String(Int(timeLimit))]
            if resumes { words.append("--resume") }
            if blesses { words.append("--bless") }
            if let mode { words += ["--mode", mode.rawValue] }
            if let phone { words += ["--phone", phone] }
            if !allowed.isEmpty { words += ["--allow", allowed.joined(separator: ":")] }
            if tracesOnly { words.append("--traces-only") }
            if renders { words.append("--render") }
            if let gpu { words += ["--gpu", gpu] }
            return words
        }

        /// Words that make another process run the same scenarios.
        var arguments: [String] {
            workerArguments + ["--shard", (shard ?? .all).description] + (filter.map { ["--filter", $0] } ?? []) + paths
        }
    }

    let plan: TestPlan
    private let manifest: ResultsManifest
    private let options: Options

    init(_ options: Options) throws {
        self.options = options
        for path in options.paths where !FileManager.default.fileExists(atPath: path) { _ = try ScenarioFile.loadAll(path: path) }
        var plan = try TestPlan(paths: options.paths, options.reading)
        if let filter = options.filter { plan.filter(filter) }
        guard !plan.items.isEmpty else {
            throw UsageError("no scenario in \(options.paths.joined(separator: ", "))" + (options.filter.map { " matches \"\($0)\"" } ?? ""))
        }
        manifest = ResultsManifest(plan: plan.items.map(ResultsManifest.Scenario.init), shard: options.shard)
        if let shard = options.shard { plan.take(shard) }
        self.plan = plan
    }

    /// Runs, prints one line a scenario, writes the reports; the worst verdict.
    func run() throws -> Verdict {
        let lock = try begin()
        return try withExtendedLifetime(lock) {
            var results = try perform(plan.items)
            if options.verifies {
                for result in try ReproCheck(options).failures(of: results) {
                    try leave(result, beside: try files(of: result))
                    StandardOutput.print(result.text)
                    results = results.map { $0.id == result.id ? result : $0 }
                }
            }
            return try report(results)
        }
    }

    /// Files that the run writes into its directory.
    private var outputNames: [String] { plan.items.map(\.slug) + TestReport.names + [OutputManifest.name] }

    /// Everything it may replace, for the check against its inputs.
    var outputs: [String] { outputNames.map { "\(options.output)/\($0)" } }

    /// Makes room for the results. Those of a run before go only where that was asked for, other files never. Nobody else writes there while
    /// the lock lasts.
    func begin() throws -> DirectoryLock {
        try OutputDirectory.create(options.output)
        let lock = try DirectoryLock(options.output)
        let earlier = try EarlierResults(in: options.output)
        guard options.replaces || options.resumes || earlier.isEmpty else { throw OutputError(code: .exists, path: options.output, action: "create") }
        if options.resumes, !options.replaces, let shard = earlier.shard, shard != options.shard ?? .all {
            throw UsageError(
                "\(options.output) holds part \(shard) of a run, and this is part \(options.shard ?? .all): go on with --shard \(shard), "
                    + "or do without its results by --force")
        }
        let others = try earlier.makeRoom(for: Set(outputNames), resuming: options.resumes)
        if !others.isEmpty {
            StandardError.print("rackfocus: note: kept in \(options.output), as no run left it: \(OutputError.few(others))")
        }
        try write(manifest.json, to: OutputManifest.name)
        OutputDirectory.removeOrphans(in: options.output)
        for sweep in plan.sweeps {
            let part = options.shard == nil ? "a matrix of \(sweep.count.counted("scenario"))" : "\(sweep.count.counted("scenario")) of a matrix"
            StandardOutput.print("\(sweep.path): \(part)")
        }
        return lock
    }

    /// Runs some of the plan, and prints how each came out.
    func perform(_ items: [TestPlan.Item]) throws -> [TestResult] {
        var results: [TestResult] = []
        let pool = WorkerPool(arguments: options.workerArguments, count: options.jobs, timeLimit: options.timeLimit)
        try pool.run(items) { item, ending in
            let result = try result(of: item, ending)
            StandardOutput.print(result.text)
            results.append(result)
        }
        return results
    }

    /// Result that a worker left of a scenario; one that left nothing has failed.
    private func result(of item: TestPlan.Item, _ ending: WorkerPool.Ending) throws -> TestResult {
        var failure: TestResult
        switch ending {
        case .done:
            let result = try TestResult.read(options.directory(item) + "/result.json")
            if let result, result.id == item.id { return result }
            failure = TestResult(item, nil, .internal, "its worker left no result")
        case .crashed(let what): failure = TestResult(item, nil, .internal, what)
        case .late: failure = TestResult(item, nil, .timedOut, "it was not over after \(Int(options.timeLimit)) s, and was ended")
        case .stopped(let code, let message): throw WorkerStopped(code: code, description: message)
        }
        failure.notes.append("to run it alone: \(options.command(repeating: item))")
        OutputDirectory.removeOrphans(in: options.output)
        try leave(failure, beside: [])
        return failure
    }

    /// Writes a result in place of what its scenario left, with other files.
    private func leave(_ result: TestResult, beside files: [(name: String, data: Data)]) throws {
        let output = try OutputDirectory(path: "\(options.output)/\(result.slug)", replacingExisting: true, isFlushed: false)
        for file in files { try output.write(file.data, to: file.name, isReproducible: file.name != "perf.json") }
        try output.write(result.json, to: "result.json")
        try output.commit()
    }

    /// Files that a scenario left beside its result.
    private func files(of result: TestResult) throws -> [(name: String, data: Data)] {
        let directory = "\(options.output)/\(result.slug)"
        let names = (try OutputManifest(in: directory)?.files ?? [:]).keys.filter { $0 != "result.json" }.sorted()
        return try names.map { ($0, try FileContents.read("\(directory)/\($0)")) }
    }

    /// Writes the reports of all and says how it went; the worst verdict.
    func report(_ results: [TestResult]) throws -> Verdict {
        let report = TestReport(results)
        let files = try report.files()
        var manifest = manifest
        for file in files { manifest.list(file.name, file.data) }
        try manifest.listScenarios(in: options.output)
        // The manifest first: a report that it does not list would be nobody's.
        try write(manifest.json, to: OutputManifest.name)
        for file in files { try write(file.data, to: file.name) }
        StandardOutput.print("\(report.passed) of \(results.count) passed; results in \(options.output)")
        return report.verdict
    }

    private func write(_ data: Data, to name: String) throws {
        let file = try OutputFile(path: "\(options.output)/\(name)", replacingExisting: true)
        try file.write(data)
        try file.commit()
    }
}

/// A run that could not go on, as its results cannot be written.
struct WorkerStopped: Error, CustomStringConvertible {
    let code: ExitCode
    let description: String
}
