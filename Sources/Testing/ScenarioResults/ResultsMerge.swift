import Foundation
import Pipeline
import Support

/// The results of all shards of a test run, as one run would have left them.
///
/// Every file is compared with the manifests as it is copied; whatever is missing, double or altered is a problem, and with one nothing is left.
package struct ResultsMerge {
    /// Reasons why the shards do not make one run.
    package struct Problems: Error, CustomStringConvertible {
        package let all: [String]
        package var description: String { "these results do not make one whole run\n" + all.map { "    \($0)" }.joined(separator: "\n") }
    }

    private let parts: [(path: String, manifest: ResultsManifest)]
    private var problems: [String] = []

    /// Throws `Problems` when the directories are not all shards of one plan.
    package init(of paths: [String]) throws(Problems) {
        var parts: [(path: String, manifest: ResultsManifest)] = []
        for path in paths {
            do throws(InputError) {
                if let manifest = try ResultsManifest(in: path) {
                    parts.append((path, manifest))
                } else {
                    let isThere = FileManager.default.fileExists(atPath: path)
                    problems.append(
                        isThere ? "\(path): is no result of `rackfocus test`: it has no \(OutputManifest.name)" : "\(path): is not there")
                }
            } catch {
                problems.append("\(error)")
            }
        }
        self.parts = parts
        if let first = parts.first { compare(first) }
        guard problems.isEmpty else { throw Problems(all: problems) }
    }

    private mutating func compare(_ first: (path: String, manifest: ResultsManifest)) {
        let count = first.manifest.shard.count
        var owners: [Int: String] = [:]
        for (path, manifest) in parts {
            guard manifest.shard.count == count else {
                problems.append("\(path): is shard \(manifest.shard), but \(first.path) is \(first.manifest.shard)")
                continue
            }
            if manifest.engine != first.manifest.engine {
                problems.append("\(path): was run by engine \(manifest.engine), but \(first.path) by \(first.manifest.engine)")
            }
            if manifest.plan != first.manifest.plan {
                problems.append("\(path): had other scenarios to run than \(first.path): \(Self.difference(first.manifest.plan, manifest.plan))")
            }
            if let owner = owners.updateValue(path, forKey: manifest.shard.index) {
                problems.append("\(path): is shard \(manifest.shard), and so is \(owner)")
            }
        }
        for index in 1...count where owners[index] == nil {
            guard let shard = TestPlan.Shard(index: index, count: count) else { continue }
            let ids = shard.part(of: first.manifest.plan).map(\.id)
            problems.append("shard \(shard) is missing: \(ids.isEmpty ? "no scenarios" : OutputError.few(ids))")
        }
    }

    /// First difference of two plans.
    private static func difference(_ one: [ResultsManifest.Scenario], _ other: [ResultsManifest.Scenario]) -> String {
        guard let pair = zip(one, other).first(where: { $0 != $1 }) else { return "\(other.count) instead of \(one.count)" }
        return "\(pair.1.id) instead of \(pair.0.id)"
    }

    /// Copies everything and writes the reports; throws `Problems`, or `OutputError`.
    package mutating func write(to directory: OutputDirectory) throws -> TestReport {
        var results: [TestResult] = []
        for (path, manifest) in parts {
            for name in TestReport.names { checkReport(name, path, manifest) }
            for scenario in manifest.scenarios {
                if let result = try copy(scenario, path, manifest, to: directory) { results.append(result) }
            }
        }
        guard problems.isEmpty, let plan = parts.first?.manifest.plan else { throw Problems(all: problems) }
        let report = TestReport(results)
        var whole = ResultsManifest(plan: plan, shard: nil)
        for file in try report.files() {
            try directory.write(file.data, to: file.name)
            whole.list(file.name, file.data)
        }
        try whole.listScenarios(in: directory.temporaryPath)
        try directory.write(whole.json, to: OutputManifest.name)
        return report
    }

    private mutating func checkReport(_ name: String, _ path: String, _ manifest: ResultsManifest) {
        guard let listed = manifest.files[name] else {
            problems.append("\(path): its run did not end (\(name) is not listed); run it again with --resume")
            return
        }
        if let kind = OutputManifest.deviation(of: "\(path)/\(name)", from: listed) { problems.append("\(path)/\(name) \(kind.rawValue)") }
    }

    /// The result of a scenario; nil with a problem.
    private mutating func copy(
        _ scenario: ResultsManifest.Scenario, _ path: String, _ manifest: ResultsManifest, to directory: OutputDirectory
    ) throws -> TestResult? {
        let folder = "\(path)/\(scenario.directory)"
        let inner = "\(scenario.directory)/\(OutputManifest.name)"
        guard let listed = manifest.files[inner] else {
            problems.append("\(folder): the result of \(scenario.id) is missing")
            return nil
        }
        if let kind = OutputManifest.deviation(of: "\(path)/\(inner)", from: listed) {
            problems.append("\(path)/\(inner) \(kind.rawValue)")
            return nil
        }
        guard let files = try OutputManifest(in: folder) else {
            problems.append("\(path)/\(inner) cannot be read")
            return nil
        }
        let deviations = try files.deviations(in: folder)
        problems += deviations.map { "\(folder)/\($0)" }
        guard deviations.isEmpty else { return nil }
        for name in files.files.keys.sorted() + [OutputManifest.name] {
            try directory.write(FileContents.read("\(folder)/\(name)"), to: "\(scenario.directory)/\(name)")
        }
        let trace = files.files["trace.jsonl"]?.sha256 ?? ""
        guard let result = try TestResult.read("\(folder)/result.json"), result.id == scenario.id, result.trace == trace else {
            problems.append("\(folder)/result.json is not the result of \(scenario.id) and its trace")
            return nil
        }
        return result
    }
}
