import CameraProfiles
import CoreMedia
import Focus
import Foundation
import Pipeline
import Stage
import Support

extension ScenarioFile {
    /// Reads a scenario from a file.
    public static func load(path: String, _ options: ReadingOptions = ReadingOptions()) throws(ScenarioError) -> ScenarioFile {
        try parse(try text(path), path: path, options)
    }

    /// Reads every scenario of a file: one, or as many as its `matrix` has points, in the order of its values.
    public static func loadAll(path: String, _ options: ReadingOptions = ReadingOptions()) throws(ScenarioError) -> [ScenarioFile] {
        try parseAll(try text(path), path: path, options)
    }

    /// Reads every scenario of a text, as `loadAll`.
    public static func parseAll(
        _ text: String, path: String, _ options: ReadingOptions = ReadingOptions()
    ) throws(ScenarioError) -> [ScenarioFile] {
        let root = try Node.parse(text, file: path, scope: FileScope(ofScenario: path, allowing: options.folders))
        guard let sweep = try Sweep(root, of: text, path: path, options) else { return [try parse(root, SHA256(text), path: path, options)] }
        var scenarios: [ScenarioFile] = []
        for index in sweep.variants.indices { scenarios.append(try sweep.scenario(index)) }
        return scenarios
    }

    /// A file with a `matrix`: as many scenarios as that has points, each read when it is asked for.
    package struct Sweep: Sendable {
        private let root: Node
        private let sections: [Matrix.Section]
        private let points: [Matrix.Point]
        /// Of the file's text, to go on with.
        private let digest: SHA256
        private let path: String
        private let options: ReadingOptions

        /// Nil for a text without a matrix.
        package init?(_ text: String, path: String, _ options: ReadingOptions) throws(ScenarioError) {
            let root = try Node.parse(text, file: path, scope: FileScope(ofScenario: path, allowing: options.folders))
            try self.init(root, of: text, path: path, options)
        }

        fileprivate init?(_ root: Node, of text: String, path: String, _ options: ReadingOptions) throws(ScenarioError) {
            guard case .mapping(let entries) = root.content, let matrix = entries.first(where: { $0.key.raw == "matrix" }) else { return nil }
            points = try Matrix(matrix.value, in: root).points
            sections = entries.filter { $0.key.raw != "matrix" }.map(Matrix.Section.init)
            self.root = root
            self.path = path
            self.options = options
            digest = SHA256(text)
        }

        /// Points of the matrix, in the order of the values.
        package var variants: [String] { points.map(\.name) }

        /// The name of one point; nil when there are not so many.
        package func variant(_ index: Int) -> String? { points.indices.contains(index) ? points[index].name : nil }

        package func scenario(_ index: Int) throws(ScenarioError) -> ScenarioFile {
            let point = points[index]
            let digest = digest.adding(Array(point.name.utf8))
            var scenario = try parse(try point.applied(to: root, sections), digest, path: path, options)
            scenario.variant = point.name
            return scenario
        }
    }

    /// The text of a file; of one that has no end, like a device, only so much is read that it is refused.
    package static func text(_ path: String) throws(ScenarioError) -> String {
        let data: Data
        do throws(InputError) { data = try FileContents.read(path, atMost: Limits.bytes) } catch {
            throw ScenarioError(file: path, message: error.reason)
        }
        guard let text = String(bytes: data, encoding: .utf8) else {
            throw ScenarioError(file: path, message: "this is not a text in UTF-8, as scenarios are; footage goes to `rackfocus render --video`")
        }
        return text
    }

    /// Reads a scenario from text; `path` names it in messages and is where its relative paths start.
    public static func parse(
        _ text: String, path: String, _ options: ReadingOptions = ReadingOptions()
    ) throws(ScenarioError) -> ScenarioFile {
        let node = try Node.parse(text, file: path, scope: FileScope(ofScenario: path, allowing: options.folders))
        return try parse(node, SHA256(text), path: path, options)
    }

    private static func parse(
        _ own: Node, _ digest: SHA256, path: String, _ options: ReadingOptions
    ) throws(ScenarioError) -> ScenarioFile {
        var texts = [path]
        let (root, fragments) = try own.withIncludes(from: path) { path throws(ScenarioError) in
            if FileManager.default.fileExists(atPath: path), let reason = own.source.scope.refusal(of: path) {
                throw ScenarioError(file: path, message: reason)
            }
            texts.append(path)
            return try Self.text(path)
        }
        if case .mapping(let entries) = root.content, let matrix = entries.first(where: { $0.key.raw == "matrix" }) {
            throw matrix.key.error("a file with a `matrix` is many scenarios, and here one is wanted", suggestion: options.matrixAdvice)
        }
        var faults = Faults()
        let fields = try Fields(root, of: "a scenario", Format.scenario, &faults)
        _ = try fields.read("format") { node throws(ScenarioError) in try node.choice("a format this version reads", [("1", 1)]) }
        let name = try fields.read("scenario") { node throws(ScenarioError) in try node.text("the scenario's name", atMost: Limits.name) }
        // A key that was misspelt is not missing, too.
        let isMisspelt = faults.error != nil
        if options.source == nil, name == nil, !isMisspelt {
            faults.add(fields.node.error("a scenario needs its name", suggestion: "start with `scenario: its name`"))
        }
        let clip: Clip
        do throws(ScenarioError) { clip = try Clip(fields["clip"], of: fields.node, source: options.source, format: try fields.format()) } catch {
            guard fields["clip"] == nil else { throw faults.with(error) }
            if !isMisspelt { faults.add(error) }
            clip = .standIn
        }
        var scenario = ScenarioFile(path: path, name: name ?? fileName(path), clip: clip)
        (scenario.source, scenario.texts) = (fields.node.source, texts)
        scenario.device = Device(phone: options.phone)
        // Of footage the future is known; a world is watched as a camera would.
        scenario.mode = options.source == nil ? .live : .post
        try scenario.read(fields, options, &faults)
        let inputs = fragments + (scenario.device.phone?.text ?? "") + options.orders.map { "\n\($0.verb) \($0.text)" }.joined()
        scenario.digest = digest.adding(Array(inputs.utf8) + (try clip.sidecar(named: fields))).hexadecimal
        if clip.source.isSynthetic { _ = try scenario.world() }
        return scenario
    }

    private static func fileName(_ path: String) -> String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

    func error(at location: FileLocation, _ message: String) -> ScenarioError {
        source.error(at: Mark(line: location.line, column: location.column), message)
    }

    /// Reads every section but the clip; throws all faults at once.
    private mutating func read(_ fields: Fields, _ options: ReadingOptions, _ faults: inout Faults) throws(ScenarioError) {
        let timebase = Timebase(clip, options)
        faults.attempt { () throws(ScenarioError) in try readDescription(fields) }
        faults.attempt { () throws(ScenarioError) in try readDevice(fields) }
        faults.attempt { () throws(ScenarioError) in
            if let chosen = try fields.read("mode", { node throws(ScenarioError) in try node.choice("a mode", Mode.self) }) { mode = chosen }
        }
        faults.attempt { () throws(ScenarioError) in view = try fields.read("view", PreviewView.init) ?? PreviewView() }
        faults.attempt { () throws(ScenarioError) in
            if let node = fields["session"] { (outputs, hasSession) = (try Self.outputs(node), true) }
        }
        faults.attempt { () throws(ScenarioError) in try readGoldens(fields, timebase) }
        faults.attempt { () throws(ScenarioError) in if let node = fields["tuning"] { try readTuning(node, timebase) } }
        readWorld(fields, timebase, &faults)
        if let node = fields["timeline"] {
            var reader = TimelineReader(scenario: self, clock: TimelineClock(timebase))
            timeline = reader.read(node, &faults)
        }
        if let error = faults.error { throw error }
        for order in options.orders { timeline += try TimelineReader.events(of: order, in: self, timebase) }
        if !options.orders.isEmpty {
            timeline = timeline.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        }
    }

    private mutating func readDescription(_ fields: Fields) throws(ScenarioError) {
        about = try fields.read("about") { node throws(ScenarioError) in try node.text("about") } ?? ""
        for tag in try fields.read("tags", { node throws(ScenarioError) in try node.list(of: "tags") }) ?? [] { tags.append(try tag.text("a tag")) }
        for item in try fields.read("issues", { node throws(ScenarioError) in try node.list(of: "issues") }) ?? [] {
            issues.append(try KnownIssue(item))
        }
    }

    private mutating func readDevice(_ fields: Fields) throws(ScenarioError) {
        guard let node = fields["device"] else { return }
        device = try Device(node, phone: device.phone)
        let fNumber = try node.entries(of: "device").first { $0.key.raw == "aperture" }?.value
        if let fNumber { device.aperture = try aperture(fNumber) }
    }

    private mutating func readGoldens(_ fields: Fields, _ timebase: Timebase) throws(ScenarioError) {
        guard let node = fields["goldens"] else { return }
        let goldens = try Fields(node, of: "goldens", Format.goldens)
        let isExact = try goldens.read("trace") { node throws(ScenarioError) in
            try node.choice("how a trace is compared", [("exact", true)])
        }
        hasGoldenTrace = isExact ?? false
        let clip = clip
        goldenFrames = try goldens.read("frames") { node throws(ScenarioError) in try GoldenFrames(node, timebase, clip) }
        if goldens.keys.isEmpty { throw node.error("`goldens` keeps nothing", suggestion: "write {trace: exact}") }
    }

    /// Reads light, surroundings and subjects; a subject that cannot be read keeps its name, so that the timeline may use it.
    private mutating func readWorld(_ fields: Fields, _ timebase: Timebase, _ faults: inout Faults) {
        for key in ["light", "environment", "subjects"] where !clip.source.isSynthetic {
            if let node = fields[key] { faults.add(node.error("`\(key)` describes a synthetic world; footage brings its own")) }
        }
        guard clip.source.isSynthetic else { return }
        faults.attempt { () throws(ScenarioError) in
            if let lux = try fields.read("light", { node throws(ScenarioError) in try node.lux("light") }) { light = lux }
        }
        faults.attempt { () throws(ScenarioError) in if let node = fields["environment"] { backdrop = try Backdrop(node) } }
        guard let node = fields["subjects"] else { return }
        var entries: [Node.Entry] = []
        faults.attempt { () throws(ScenarioError) in
            entries = try node.entries(of: "subjects")
            guard entries.count <= Limits.subjects else {
                let count = entries.count
                entries = []
                throw node.error("\(count) subjects are too many; \(Limits.subjects) are the most")
            }
        }
        for entry in entries {
            faults.attempt { () throws(ScenarioError) in
                do throws(ScenarioError) { subjects.append(try SubjectSpec(entry, in: self, timebase)) } catch {
                    subjects.append(SubjectSpec(unreadable: entry))
                    throw error
                }
            }
        }
    }
}

extension Fields {
    /// The camera's format by name, `device: {format: 4K}`: the size of its pictures.
    fileprivate func format() throws(ScenarioError) -> ScenarioFile.Clip.Dimensions? {
        guard let device = self["device"], let node = try device.entries(of: "device").first(where: { $0.key.raw == "format" })?.value else {
            return nil
        }
        return try node.choice("a format of the camera", ScenarioFile.Device.formats)
    }
}

extension ScenarioFile.PreviewView {
    init(_ node: Node) throws(ScenarioError) {
        let fields = try Fields(node, of: "view", Format.view)
        if let points = try fields.read("size", { node throws(ScenarioError) in try node.size("the view's size in points", in: 1...10_000) }) {
            size = CGSize(width: points.width, height: points.height)
        }
        gravity = try fields.read("gravity") { node throws(ScenarioError) in try node.choice("a gravity", Gravity.self) } ?? gravity
        if let rotation = fields["rotation"] {
            let degrees = try rotation.degrees("the rotation")
            guard let quarter = [0.0, 90, 180, 270].first(where: { $0 == degrees }) else {
                throw rotation.error("the rotation is 0deg, 90deg, 180deg or 270deg, not `\(rotation.raw)`")
            }
            self.rotation = Int(quarter)
        }
        isMirrored = try fields.read("mirrored") { node throws(ScenarioError) in try node.bool("mirrored") }
    }
}
