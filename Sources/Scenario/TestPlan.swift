import Foundation

/// Which scenarios a test run has, each under a stable id: path, then the point of its matrix in brackets.
public struct TestPlan: Sendable {
    public struct Item: Sendable {
        public let id: String
        public let path: String
        /// Name of its directory among the results.
        public let slug: String
        /// Which point of the file's matrix it is; empty without one.
        public let variant: String
        private let source: Source

        private enum Source: Sendable {
            case read(Result<ScenarioFile, ScenarioError>)
            case point(ScenarioFile.Sweep, Int)
        }

        /// The scenario, or what is wrong with its file; the points of a matrix are read anew each time.
        public var scenario: Result<ScenarioFile, ScenarioError> {
            switch source {
            case .read(let result): return result
            case .point(let sweep, let index):
                do throws(ScenarioError) { return .success(try sweep.scenario(index)) } catch { return .failure(error) }
            }
        }

        fileprivate init(_ path: String, _ scenario: Result<ScenarioFile, ScenarioError>, slug: String) {
            (id, self.path, self.slug, variant, source) = (path, path, slug, "", .read(scenario))
        }

        fileprivate init(_ path: String, _ sweep: ScenarioFile.Sweep, _ index: Int, id: String, variant: String, slug: String) {
            (self.id, self.path, self.slug, self.variant, source) = (id, path, slug, variant, .point(sweep, index))
        }
    }

    /// One part of a plan, counted from 1.
    public struct Shard: Sendable, Equatable {
        public let index: Int
        public let count: Int

        public init?(index: Int, count: Int) {
            guard count >= 1, (1...count).contains(index) else { return nil }
            (self.index, self.count) = (index, count)
        }

        /// `2/8`.
        public init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let index = parts[0], let count = parts[1] else { return nil }
            self.init(index: index, count: count)
        }

        /// What a Slurm array, a Kubernetes Indexed Job (with `JOB_COMPLETIONS` set) or a Bazel-like runner says; nil outside them.
        public init?(environment: [String: String]) {
            func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }
            if let task = number("SLURM_ARRAY_TASK_ID"), let count = number("SLURM_ARRAY_TASK_COUNT") {
                self.init(index: task - (number("SLURM_ARRAY_TASK_MIN") ?? 0) + 1, count: count)
            } else if let index = number("JOB_COMPLETION_INDEX"), let count = number("JOB_COMPLETIONS") {
                self.init(index: index + 1, count: count)
            } else if let index = number("TEST_SHARD_INDEX"), let count = number("TEST_TOTAL_SHARDS") {
                self.init(index: index + 1, count: count)
            } else {
                return nil
            }
        }
    }

    public private(set) var items: [Item] = []

    /// Files are taken as they are; in folders every `.yaml` or `.json` counts whose name does not begin with `_` (a fragment).
    public init(paths: [String]) throws {
        var slugs: Set<String> = ["summary.json", "junit.xml"]
        for file in try paths.flatMap(Self.files) {
            do throws(ScenarioError) {
                let text = try ScenarioFile.text(file)
                if let sweep = try ScenarioFile.Sweep(text, path: file) {
                    for (index, variant) in sweep.variants.enumerated() {
                        let id = "\(file)[\(variant)]"
                        items.append(Item(file, sweep, index, id: id, variant: variant, slug: Self.slug(id, &slugs)))
                    }
                } else {
                    items.append(Item(file, .success(try ScenarioFile.parse(text, path: file)), slug: Self.slug(file, &slugs)))
                }
            } catch {
                items.append(Item(file, .failure(error), slug: Self.slug(file, &slugs)))
            }
        }
    }

    /// Keeps what has `text` in its id, its name or one of its tags.
    public mutating func filter(_ text: String) {
        items.removeAll { item in
            if item.id.localizedCaseInsensitiveContains(text) { return false }
            let scenario = try? item.scenario.get()
            return !([scenario?.name ?? ""] + (scenario?.tags ?? [])).contains { $0.localizedCaseInsensitiveContains(text) }
        }
    }

    /// Keeps every `count`-th scenario.
    public mutating func take(_ shard: Shard) {
        items = items.enumerated().filter { $0.offset % shard.count == shard.index - 1 }.map(\.element)
    }

    /// How many points each swept file has, in order.
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
            switch item.scenario {
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

    private static func files(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else { return [path] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            let isScenario = name.hasSuffix(".yaml") || name.hasSuffix(".json")
            return isScenario && !name.split(separator: "/").contains { $0.hasPrefix("_") || $0.hasPrefix(".") || $0 == "goldens" }
        }
        return names.sorted().map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }

    private static func slug(_ id: String, _ taken: inout Set<String>) -> String {
        let plain = String(id.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._=,-".contains($0)) ? $0 : $0 == "/" ? "+" : "_" })
        var (slug, number) = (plain.hasPrefix(".") ? "_" + plain : plain, 2)
        while !taken.insert(slug).inserted { (slug, number) = ("\(plain)~\(number)", number + 1) }
        return slug
    }
}
