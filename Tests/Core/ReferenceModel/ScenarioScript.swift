import Foundation

/// A sequence of steps as a scenario's timeline. The stage's boxes are nearly the model's; its objects have numbers of their own, and a fixed
/// focus is as far as what the stage has there.
struct ScenarioScript {
    private var population: Population
    private var lines: [(frame: Int, text: String)] = []
    private var (anaYaw, benYaw) = ("camera", "camera")

    init(population: Population) { self.population = population }

    /// In order of time.
    var timeline: [String] {
        lines.enumerated().sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
            .map { "  - \($0.element.frame)f: {\($0.element.text)}" }
    }

    /// Ben is declared only where he comes in.
    var subjects: [String] {
        let ben =
            population.visits > 0
            ? ["  ben:   {kind: person, box: \(Self.box(0.7, population.benFar)), depth: \(Self.metres(population.benFar))}"] : []
        return ["  ana:   {kind: person, box: \(Self.box(0.42, population.ana)), depth: \(Self.metres(population.ana))}"] + ben
            + ["  thing: {kind: prop, box: [0.18, 0.70, 0.06, 0.10], depth: 1.25m}"]
    }

    /// Ana, when she hides, is not seen for `absence` frames.
    mutating func add(_ step: EngineComparison.Step, at frame: Int, absence: Int) {
        func write(_ text: String, after frames: Int = 0) { lines.append((frame + frames, text)) }
        // No object has a number before the first frame.
        func call(_ text: String) { lines.append((max(frame, 1), "api: {\(text)}")) }
        let wasThere = population.benIsThere
        _ = population.apply(step.event)
        switch step.event {
        case .benEnters:
            if population.visits > 1 { write(moveBen(to: 0.7)) }
            write("enter: ben")
        case .benLeaves where step.frames > 1:
            write(moveBen(to: 0.99))
            write("exit: ben", after: 1)
        case .benLeaves, .benVanishes: write("exit: ben")
        case .benComesNear, .benGoesFar: write(moveBen(to: 0.7))
        case .anaHides: write("fault: {missDetection: {subject: ana, for: \(absence)f}}")
        case .tapAna: call("trackingFocus: ana, mode: weak")
        case .tapAnaStrong: call("trackingFocus: ana, mode: strong")
        case .tapBen: call("trackingFocus: ben, mode: none")
        case .tapBenStrong: call("trackingFocus: ben, mode: strong")
        case .tapBenBody:
            let chest = 0.4 + 0.28 * (population.benIsNear ? population.benNear : population.benFar)
            call(wasThere ? "trackingFocusAt: [0.7, \(Self.plain(chest))], mode: weak" : "trackingFocus: ben, mode: weak")
        case .tapThing: call("trackingFocusAt: [0.21, 0.75], mode: weak")
        case .tapThingStrong: call("trackingFocusAt: [0.21, 0.75], mode: strong")
        case .tapNobody: call("trackingFocus: 9999, mode: strong")
        case .tapPlane: call("trackingFocusAt: [0.5, 0.5], mode: strong")
        case .pressStrong: call("fixedFocusAt: [0.5, 0.5], mode: strong")
        case .pressWeak: call("fixedFocusAt: [0.5, 0.5], mode: weak")
        case .anaLooksAway, .anaLooksBack, .anaLosesFace, .anaShowsFace, .anaReappears, .benLooksAway, .benLooksBack, .wait: break
        }
        let ana = population.anaHasFace ? population.anaIsAway ? "away" : "camera" : "180deg"
        let ben = population.benIsAway ? "away" : "camera"
        if ana != anaYaw { write("turn: {subject: ana, to: \(ana)}") }
        if ben != benYaw { write("turn: {subject: ben, to: \(ben)}") }
        (anaYaw, benYaw) = (ana, ben)
    }

    private func moveBen(to x: Double) -> String {
        let disparity = population.benIsNear ? population.benNear : population.benFar
        return "move: {subject: ben, to: \(Self.box(x, disparity)), depth: \(Self.metres(disparity))}"
    }

    /// A person's whole figure about `x`.
    private static func box(_ x: Double, _ disparity: Double) -> String {
        let side = 0.28 * disparity
        return "[\([x - side, 0.4 - 0.6 * side, 2 * side, 3.6 * side].map(plain).joined(separator: ", "))]"
    }
    private static func metres(_ disparity: Double) -> String { "\(plain(1 / disparity))m" }
    private static func plain(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
}

extension [EngineComparison.Step] {
    /// The sequence as the text of a scenario, to be looked into with the tools for scenarios.
    func scenario(_ fault: String, in comparison: EngineComparison) -> String {
        var script = ScenarioScript(population: comparison.population)
        let length = reduce(0) { $0 + $1.frames }
        var frame = 0
        for (index, step) in enumerated() {
            let isBack = self[index...].firstIndex { $0.event == .anaReappears } ?? endIndex
            script.add(step, at: frame, absence: self[index..<isBack].reduce(0) { $0 + $1.frames })
            frame += step.frames
        }
        let rate = (1_000_000_000 + comparison.frameTime / 2) / comparison.frameTime
        let timeline = script.timeline.isEmpty ? "timeline: []" : "timeline:\n" + script.timeline.joined(separator: "\n")
        return """
            scenario: Engine and model
            about: '\(fault.replacing("'", with: "''"))'
            format: 1
            clip: {source: synthetic, size: 320x180, fps: \(rate), length: \(length)f, detections: truth}
            subjects:
            \(script.subjects.joined(separator: "\n"))
            \(timeline)

            """
    }

    /// Writes that text to a new file in the folder for temporary files; returns its path.
    func writeScenario(_ fault: String, in comparison: EngineComparison) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "focus-model-\(UUID().uuidString).yaml")
        try Data(scenario(fault, in: comparison).utf8).write(to: file)
        return file.path
    }
}
