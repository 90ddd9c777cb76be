import AVFCapture
import Foundation
import Pipeline
import RunReport
import ScenarioFormat
import Support
import Synchronization

/// Plan of a test run: its scenarios, each under a stable ID (path, then the point of its matrix in brackets).
public struct TestPlan: Sendable {
    /// One scenario of the plan: a file, or a point of its matrix.
    public struct Item: Codable, Sendable {
        /// Stable ID: path, then the point of the matrix in brackets.
        public let id: String
        /// Path of the scenario's file.
        public let path: String
        /// Name of its directory among the results.
        public let slug: String
        /// Point of the file's matrix; empty without one.
        public let variant: String
        /// The point's number; nil without a matrix.
        let point: Int?
        /// Reason why the file is not read: a link of a folder that leads out of it; nil where it is.
        let refusal: String?
    }

    /// Reads the scenarios of items, anew each time; of the matrix read last it keeps the tree.
    public final class Reader: Sendable {
        private let last = Mutex<(path: String, sweep: ScenarioFile.Sweep)?>(nil)
        private let options: ReadingOptions

        /// Creates a reader.
        public init(_ options: ReadingOptions = ReadingOptions()) { self.options = options }

        /// The scenario, or what is wrong with its file.
        public func scenario(of item: Item) -> Result<ScenarioFile, ScenarioError> {
            do throws(ScenarioError) {
                if let refusal = item.refusal { throw ScenarioError(file: item.path, message: refusal) }
                guard let point = item.point else {
                    return .success(try ScenarioFile.load(path: item.path, options))
                }
                guard let sweep = try sweep(item.path), sweep.variant(point) == item.variant else {
                    throw ScenarioError(file: item.path, message: "its matrix was changed since the run began")
                }
                return .success(try sweep.scenario(point))
            } catch {
                return .failure(error)
            }
        }

        /// The matrix of a file; nil without one.
        fileprivate func sweep(_ path: String) throws(ScenarioError) -> ScenarioFile.Sweep? {
            if let kept = last.withLock({ $0?.path == path ? $0?.sweep : nil }) { return kept }
            let sweep = try ScenarioFile.Sweep(try ScenarioFile.text(path), path: path, options)
            if let sweep { last.withLock { $0 = (path, sweep) } }
            return sweep
        }
    }

    /// Shard: one part of a plan of several, counted from 1.
    public struct Shard: Sendable, Equatable {
        /// Number of the shard, 1…count.
        public let index: Int
        /// Number of shards.
        public let count: Int

        init(unchecked index: Int, of count: Int) { (self.index, self.count) = (index, count) }

        /// Creates a shard; nil unless 1 ≤ index ≤ count.
        public init?(index: Int, count: Int) {
            guard count >= 1, (1...count).contains(index) else { return nil }
            (self.index, self.count) = (index, count)
        }

        /// Reads `2/8`; nil for any other text.
        public init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
            self.init(index: index, count: count)
        }

        /// Slurm array whose tasks are not evenly numbered, as one that does some parts again: what their numbers stand for is not known.
        public struct UnevenArray: Error, CustomStringConvertible {
            let task: Int
            let count: Int

            /// The task, and what to do.
            public var description: String {
                "task \(task) is of a Slurm array of \(count) that has gaps, so it is not known which part it does: say so, as in --shard 5/64"
            }
        }

        /// Reads the shard from the variables of a Slurm array, a Kubernetes Indexed Job (with `JOB_COMPLETIONS` set) or a Bazel-like runner; nil
        /// outside them.
        public init?(environment: [String: String]) throws(UnevenArray) {
            func number(_ name: String) -> Int? { environment[name].flatMap { Int32($0) }.map(Int.init) }
            if let task = number("SLURM_ARRAY_TASK_ID"), let count = number("SLURM_ARRAY_TASK_COUNT") {
                let (first, step) = (number("SLURM_ARRAY_TASK_MIN") ?? 0, max(number("SLURM_ARRAY_TASK_STEP") ?? 1, 1))
                let last = number("SLURM_ARRAY_TASK_MAX") ?? (first + (count - 1) * step)
                guard (first...max(first, last)).contains(task), (task - first) % step == 0, last - first == (count - 1) * step else {
                    throw UnevenArray(task: task, count: count)
                }
                self.init(index: (task - first) / step + 1, count: count)
            } else if let index = number("JOB_COMPLETION_INDEX"), let count = number("JOB_COMPLETIONS") {
                self.init(index: index + 1, count: count)
            } else if let index = number("TEST_SHARD_INDEX"), let count = number("TEST_TOTAL_SHARDS") {
                self.init(index: index + 1, count: count)
            } else {
                return nil
            }
        }
    }

    /// Scenarios in order of their paths and points.
    public private(set) var items: [Item] = []
    private let reader: Reader

    /// Plans the scenarios of files and folders; of a folder every `.yaml` or `.json` that does not begin with `_` (an included file), but for folders of
    /// results in it (`OutputManifest`).
    ///
    /// Of a file no more is read than whether it has a matrix: its errors come out when its scenario is read.
    public init(paths: [String], _ options: ReadingOptions = ReadingOptions()) throws {
        reader = Reader(options)
        var slugs = Slugs(Set(TestReport.names + [OutputManifest.name]))
        for (file, refusal) in try paths.flatMap({ try Self.files($0, allowing: options.folders) }) {
            guard refusal == nil, let sweep = try? reader.sweep(file) else {
                items.append(Item(id: file, path: file, slug: slugs.take(file), variant: "", point: nil, refusal: refusal))
                continue
            }
            for (index, variant) in sweep.variants.enumerated() {
                let id = "\(file)[\(variant)]"
                items.append(Item(id: id, path: file, slug: slugs.take(id), variant: variant, point: index, refusal: nil))
            }
        }
    }

    /// Keeps scenarios with `text` in their ID, name or tags.
    public mutating func filter(_ text: String) {
        items.removeAll { item in
            if item.id.localizedCaseInsensitiveContains(text) { return false }
            guard case .success(let scenario) = reader.scenario(of: item) else { return true }
            return !([scenario.name] + scenario.tags).contains { $0.localizedCaseInsensitiveContains(text) }
        }
    }

    /// Keeps every `count`-th scenario.
    public mutating func take(_ shard: Shard) { items = shard.part(of: items) }

    /// Number of points of each swept file, in order.
    public var sweeps: [(path: String, count: Int)] {
        var sweeps: [(path: String, count: Int)] = []
        for item in items where !item.variant.isEmpty {
            if sweeps.last?.path == item.path { sweeps[sweeps.count - 1].count += 1 } else { sweeps.append((item.path, 1)) }
        }
        return sweeps
    }

    /// A JSON list, one scenario a line.
    public var json: String {
        let lines = items.map { item in
            var line = JSONLine()
            line.add("id", item.id)
            line.add("file", item.path)
            switch reader.scenario(of: item) {
            case .success(let scenario):
                line.add("name", scenario.name)
                line.add("tags", scenario.tags)
                line.add("frames", scenario.clip.frameCount)
                line.add("inputs", scenario.digest)
            case .failure(let error): line.add("error", error.description)
            }
            return line.text
        }
        return lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: ",\n"))\n]"
    }

    /// The scenarios at a path, each with the reason why it is not to be read: a link in a folder that leads out of it.
    private static func files(_ path: String, allowing folders: [String]) throws -> [(path: String, refusal: String?)] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { return [(path, nil)] }
        let scenarios = try DirectoryListing.files(below: path, except: OutputManifest.isThere).filter { entry in
            let isScenario = entry.name.hasSuffix(".yaml") || entry.name.hasSuffix(".json")
            return isScenario && !entry.name.split(separator: "/").contains { $0.hasPrefix("_") || $0.hasPrefix(".") || $0 == "goldens" }
        }
        if let foreign = scenarios.first(where: { !$0.isUTF8 }) {
            throw InputError(path: "\(path)/\(foreign.name)", reason: "its name is not UTF-8; rename it")
        }
        let scope = FileScope([path] + folders)
        return scenarios.map(\.name).sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }.map { ($0, scope.refusal(of: $0)) }
    }

    /// Names of directories, each given once.
    private struct Slugs {
        private var taken: Set<String>
        /// Of each name that was wanted more than once, the number to go on with.
        private var next: [String: Int] = [:]

        init(_ taken: Set<String>) { self.taken = taken }

        mutating func take(_ id: String) -> String {
            let plain = String(id.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._=,-".contains($0)) ? $0 : $0 == "/" ? "+" : "_" })
            var slug = plain.hasPrefix(".") ? "_" + plain : plain
            while !taken.insert(slug).inserted {
                let number = next[plain, default: 2]
                next[plain] = number + 1
                slug = "\(plain)~\(number)"
            }
            return slug
        }
    }
}
