import Foundation
import RackfocusKit
import ScenarioResults
import Support

/// Runs single scenarios of a test run in this process, and leaves the results of each in its directory.
struct ScenarioJob {
    private let options: TestRun.Options
    private let reader: TestPlan.Reader
    private let lens: LensOnDemand

    init(_ options: TestRun.Options) throws {
        self.options = options
        reader = TestPlan.Reader(try options.reading)
        lens = LensOnDemand(gpu: options.gpu)
    }

    /// Runs one, unless its result is there and to be kept. Throws what keeps the results from being written, and nothing else.
    func run(_ item: TestPlan.Item) throws {
        let start = ContinuousClock.now
        let scenario = reader.scenario(of: item).map { scenario in options.mode.map(scenario.inMode) ?? scenario }
        if options.resumes, case .success(let scenario) = scenario, try isKept(item, scenario) { return }
        let done = done(item, scenario)
        let output = try OutputDirectory(path: options.directory(item), replacingExisting: true, isFlushed: false)
        for file in done.files { try output.write(file.data, to: file.name) }
        try output.write(done.result.json, to: "result.json")
        if !options.tracesOnly {
            let elapsed = (ContinuousClock.now - start).components
            let seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
            let by = done.device.map { ",\"device\":\"\($0)\"" } ?? ""
            let text = "{\"seconds\":\(seconds),\"frames\":\(done.result.frames)\(by)}\n"
            try output.write(Array(text.utf8), to: "perf.json", isReproducible: false)
        }
        try output.commit()
    }

    /// Whether a run before left the result of this very scenario, and everything that belongs to it.
    private func isKept(_ item: TestPlan.Item, _ scenario: ScenarioFile) throws -> Bool {
        let directory = options.directory(item)
        guard let manifest = try OutputManifest(in: directory), try manifest.deviations(in: directory).isEmpty,
            let old = try TestResult.read(directory + "/result.json")
        else { return false }
        return old.id == item.id && old.inputs == scenario.digest && old.engine == TraceWriter.engineVersion
            && old.checkedPictures == looksAtPictures(of: scenario)
    }

    /// Whether frames of a scenario are rendered and checked.
    private func looksAtPictures(of scenario: ScenarioFile) -> Bool { options.renders && !scenario.pictureTimes.isEmpty }

    private typealias Done = (result: TestResult, files: [(name: String, data: Data)], device: String?)

    /// A scenario that cannot be read, started or drawn has failed; why is in its result.
    private func done(_ item: TestPlan.Item, _ scenario: Result<ScenarioFile, ScenarioError>) -> Done {
        switch scenario {
        case .failure(let error): return (TestResult(item, error), [], nil)
        case .success(let scenario):
            do { return try played(item, scenario) } catch let error as ScenarioError {
                return (TestResult(item, error), [], nil)
            } catch {
                return (TestResult(item, scenario, Verdict(error), "\(error)"), [], nil)
            }
        }
    }

    private func played(_ item: TestPlan.Item, _ scenario: ScenarioFile) throws -> Done {
        let isStrict = ProcessInfo.processInfo.environment["CI"] == "true"
        var pictures: PixelChecks?
        var device: String?
        if looksAtPictures(of: scenario) {
            let lens = try lens.get()
            device = lens.device.name
            let name = "\(lens.device.name) \(lens.device.driverVersion)"
            pictures = PixelChecks(
                scenario, feed: try scenario.recordedFootage(), lens: lens, device: name, blesses: options.blesses, isStrict: isStrict)
        }
        let runner = try ScenarioRunner(scenario, feed: scenario.recordedFootage(), tracesOnly: options.tracesOnly, pictures: pictures)
        var outcome = try runner.run(timeLimit: options.timeLimit)
        if options.mode == nil, options.phone == nil {
            try GoldenTrace(of: scenario)?.check(&outcome, blesses: options.blesses, isStrict: isStrict)
        }
        let files = outcome.files + outcome.failureFiles(command: options.command(repeating: item))
        return (TestResult(item, scenario, outcome, checkedPictures: pictures != nil), files, device)
    }
}

extension Verdict {
    /// Failure of the scenario that an error ended.
    init(_ error: any Error) {
        self =
            switch error {
            case is ScenarioRunner.NeedsPixels: .deviceMissing
            case is CinematicCamera.SetUpError: .scenarioWrong
            // A golden that cannot be written.
            case is OutputError: .failed
            default: Verdict(rawValue: Int(ExitCode(error).rawValue)) ?? .internal
            }
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
