import Foundation
import Pipeline
import RunReport
import Support

/// Plan of a test run, written as it begins, and the files it left, added as it ends: `manifest.json` of its results.
///
/// `files` lists the reports and the manifest of each scenario's directory, which lists what is in that (`OutputManifest`).
package struct ResultsManifest: Codable, Sendable, Equatable {
    /// One scenario and its directory among the results.
    package struct Scenario: Codable, Sendable, Equatable {
        package let id: String
        package let directory: String

        package init(_ item: TestPlan.Item) { (id, directory) = (item.id, item.slug) }

        /// Whether the directory is one name.
        fileprivate var isInside: Bool { !directory.isEmpty && !directory.contains("/") && ![".", ".."].contains(directory) }
    }

    package var format = 1
    package var engine = TraceWriter.engineVersion
    /// The part of the plan that was run.
    package let shard: TestPlan.Shard
    /// All scenarios, of every shard.
    package let plan: [Scenario]
    /// Empty until the run is over.
    package private(set) var files: [String: OutputManifest.File] = [:]

    package init(plan: [Scenario], shard: TestPlan.Shard?) {
        self.plan = plan
        self.shard = shard ?? .all
    }

    /// The manifest in a directory; nil when there is none, or something else under its name.
    package init?(in directory: String) throws(InputError) {
        guard let data = try FileContents.readIfThere("\(directory)/\(OutputManifest.name)") else { return nil }
        self.init(data)
    }

    /// The manifest in the bytes of a file; nil when they are none, or name a directory that would lie outside the results.
    package init?(_ data: Data) {
        guard let read = try? JSONDecoder().decode(Self.self, from: data), read.format == 1, read.plan.allSatisfy({ $0.isInside }) else { return nil }
        self = read
    }

    /// The scenarios of this shard.
    package var scenarios: [Scenario] { shard.part(of: plan) }

    /// Lists a file of the results.
    package mutating func list(_ name: String, _ data: Data) { files[name] = OutputManifest.File(Array(data)) }

    /// Lists the manifests of the scenarios, as far as they lie in the results.
    package mutating func listScenarios(in directory: String) throws(InputError) {
        for scenario in scenarios {
            let name = "\(scenario.directory)/\(OutputManifest.name)"
            files[name] = try FileContents.readIfThere("\(directory)/\(name)").map { OutputManifest.File(Array($0)) }
        }
    }

    package var json: Data { get throws { try JSONEncoder.readable.encode(self) } }
}

extension TestPlan.Shard: Codable, CustomStringConvertible {
    /// A run that is not split.
    package static var all: Self { Self(unchecked: 1, of: 1) }

    /// Every `count`-th element.
    package func part<Element>(of elements: [Element]) -> [Element] {
        elements.enumerated().filter { $0.offset % count == index - 1 }.map(\.element)
    }

    /// As `--shard` takes it: `2/8`.
    public var description: String { "\(index)/\(count)" }

    /// Reads `2/8`.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let shard = Self(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "`\(text)` is no shard"))
        }
        self = shard
    }

    /// Writes `2/8`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
