import Foundation
import Pipeline
import Support

/// A cartesian sweep: names with their values, each point of which is one scenario. `${name}` in a value of the file stands for it.
struct Matrix {
    /// One value for each name.
    struct Point {
        var values: [(name: String, value: String)] = []

        var name: String { values.map { "\($0.name)=\($0.value)" }.joined(separator: ",") }

        /// The tree with every `${name}` filled in; `sections` that name nothing are the same at every point.
        func applied(to root: Node, _ sections: [Section]) throws(ScenarioError) -> Node {
            var filled: [Node.Entry] = []
            for section in sections {
                let entry = section.entry
                filled.append(section.varies ? Node.Entry(key: try fill(entry.key), value: try fill(entry.value)) : entry)
            }
            return Node(source: root.source, mark: root.mark, content: .mapping(filled))
        }

        private func fill(_ node: Node) throws(ScenarioError) -> Node {
            switch node.content {
            case .scalar(let text, let isPlain):
                return Node(source: node.source, mark: node.mark, content: .scalar(try fill(text, of: node), isPlain: isPlain))
            case .sequence(let items):
                var filled: [Node] = []
                for item in items { filled.append(try fill(item)) }
                return Node(source: node.source, mark: node.mark, content: .sequence(filled))
            case .mapping(let entries):
                var filled: [Node.Entry] = []
                for entry in entries { filled.append(Node.Entry(key: try fill(entry.key), value: try fill(entry.value))) }
                return Node(source: node.source, mark: node.mark, content: .mapping(filled))
            }
        }

        private func fill(_ text: String, of node: Node) throws(ScenarioError) -> String {
            var (result, rest) = ("", text[...])
            while let start = rest.firstRange(of: "${") {
                guard let end = rest[start.upperBound...].firstIndex(of: "}") else { throw node.error("`${` has no `}`") }
                let name = String(rest[start.upperBound..<end])
                guard let value = values.first(where: { $0.name == name })?.value else {
                    let names = values.map(\.name)
                    throw node.error(
                        "the matrix has no `\(name)`",
                        suggestion: Suggestion.didYouMean(name, among: names) ?? "it has \(names.joined(separator: ", "))")
                }
                result += rest[..<start.lowerBound] + value
                rest = rest[rest.index(after: end)...]
            }
            return result + rest
        }
    }

    /// One key of the file with what is under it.
    struct Section {
        let entry: Node.Entry
        /// Whether it names a value.
        let varies: Bool

        init(_ entry: Node.Entry) { (self.entry, varies) = (entry, entry.key.mentions("${") || entry.value.mentions("${")) }
    }

    /// In the order of the values, the last name fastest.
    let points: [Point]
    private static let most = 100_000

    init(_ node: Node, in root: Node) throws(ScenarioError) {
        var points = [Point()]
        let axes = try node.entries(of: "matrix")
        guard !axes.isEmpty else { throw node.error("the matrix is empty", suggestion: "write {gravity: [fill, fit]}") }
        for axis in axes {
            guard TimelineClock.isName(axis.key.raw) else { throw axis.key.error("`\(axis.key.raw)` is no name for the matrix") }
            guard root.mentions("${\(axis.key.raw)}") else {
                throw axis.key.error("nothing uses `\(axis.key.raw)`", suggestion: "write ${\(axis.key.raw)} where its value belongs")
            }
            let values = try axis.value.list(of: "the values of `\(axis.key.raw)`")
            guard !values.isEmpty else { throw axis.value.error("`\(axis.key.raw)` has no value") }
            guard points.count * values.count <= Self.most else { throw node.error("the matrix has more than \(Self.most) points") }
            var next: [Point] = []
            for point in points {
                for value in values {
                    next.append(Point(values: point.values + [(axis.key.raw, try value.text("a value of `\(axis.key.raw)`"))]))
                }
            }
            points = next
        }
        self.points = points
    }
}

extension Node {
    fileprivate func mentions(_ text: String) -> Bool {
        switch content {
        case .scalar(let own, _): own.contains(text)
        case .sequence(let items): items.contains { $0.mentions(text) }
        case .mapping(let entries): entries.contains { $0.key.mentions(text) || $0.value.mentions(text) }
        }
    }
}
