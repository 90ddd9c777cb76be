import Foundation

/// Included files: sections that several scenarios share.
extension Node {
    /// Joins the sections of `include`d files to the scenario, and returns their texts. The scenario's own entries go first; a section that both have
    /// as a mapping is joined key by key.
    func withIncludes(
        from path: String, _ read: (String) throws(ScenarioError) -> String
    ) throws(ScenarioError) -> (root: Node, texts: String) {
        guard case .mapping(let all) = content, let include = all.first(where: { $0.key.raw == "include" }) else { return (self, "") }
        var (entries, texts) = (all.filter { $0.key.raw != "include" }, "")
        let names = include.value.isSequence ? try include.value.list(of: "include") : [include.value]
        for name in names {
            let written = Self.joined(path, try name.text("a file to include"))
            let text: String
            do throws(ScenarioError) { text = try read(written) } catch { throw name.error("\(error.file): \(error.message)") }
            let source = SourceText(file: written, text: text)
            guard source.isScenario, case .mapping(let more) = try Node.parse(text, file: written, scope: self.source.scope).content else {
                throw name.error("\(written) is no fragment: it holds sections, like `subjects: …`")
            }
            texts += text
            for entry in more { try Self.add(entry, to: &entries) }
        }
        return (Node(source: source, mark: mark, content: .mapping(entries)), texts)
    }

    private static func add(_ entry: Entry, to entries: inout [Entry]) throws(ScenarioError) {
        guard !["scenario", "format", "include", "matrix", "timeline", "goldens"].contains(entry.key.raw) else {
            throw entry.key.error("a fragment has no `\(entry.key.raw)`", suggestion: "leave it to the scenario that includes this")
        }
        guard let index = entries.firstIndex(where: { $0.key.raw == entry.key.raw }) else { return entries.append(entry) }
        guard case .mapping(let own) = entries[index].value.content, case .mapping(let other) = entry.value.content else { return }
        let names = Set(own.map(\.key.raw))
        let added = other.filter { !names.contains($0.key.raw) }
        let value = entries[index].value
        entries[index].value = Node(source: value.source, mark: value.mark, content: .mapping(own + added))
    }

    /// Beside `path`, spelled as it is.
    private static func joined(_ path: String, _ name: String) -> String {
        guard !name.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { return name }
        return path[...slash] + name
    }
}
