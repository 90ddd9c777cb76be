import Foundation
import Stage

extension Voice {
    /// Timbre of a voice; a subject has one of them.
    private static let makers = ["tone", "noise", "wav"]

    /// Reads a subject's `sound`, like `{tone: 440Hz, level: -12dB}`.
    init(_ node: Node, _ timebase: Timebase) throws(ScenarioError) {
        let fields = try Fields(node, of: "a sound", Format.sound)
        let given = Self.makers.filter { fields[$0] != nil }
        guard let maker = given.first else {
            throw node.error("a sound needs its voice", suggestion: "write one of tone: 440Hz, noise: white, wav: hello.wav")
        }
        if let second = given.dropFirst().first, let other = fields[second] {
            throw other.error("a sound has one voice, `\(maker)` or `\(second)`, not both")
        }
        let level = try fields.read("level") { node throws(ScenarioError) in try node.decibels("the level", in: -100...20) }
        let starts = try fields.read("starts") { node throws(ScenarioError) in try timebase.duration(node, "starts") } ?? 0
        let stops = try fields.read("stops") { node throws(ScenarioError) in try timebase.duration(node, "stops") } ?? Int64.max
        if stops <= starts, let node = fields["stops"] { throw node.error("a sound stops after it starts") }
        let timbre = try Self.timbre(maker, try fields.required(maker))
        let isRecording = if case .recording = timbre { true } else { false }
        self.init(timbre, level: level ?? (isRecording ? 0 : -20), span: starts..<stops)
    }

    private static func timbre(_ maker: String, _ node: Node) throws(ScenarioError) -> Timbre {
        switch maker {
        case "tone":
            return .tone(try node.positive("the tone", units: [("Hz", 1), ("kHz", 1000)], in: Limits.hertz, example: "440Hz"))
        case "noise": return try node.choice("a noise", [("white", .whiteNoise), ("pink", .pinkNoise)])
        default:
            let path = try node.existingPath()
            do { return .recording(try WaveFile.samples(path: path)) } catch { throw node.error(error.description) }
        }
    }
}

extension Node {
    /// Decibels within limits.
    func decibels(_ what: String, in range: ClosedRange<Double>) throws(ScenarioError) -> Double {
        let value = try quantity(what, units: [("dB", 1)], example: "-12dB")
        guard range.contains(value) else {
            throw error("\(what) lies between \(String(plain: range.lowerBound))dB and \(String(plain: range.upperBound))dB, not at `\(raw)`")
        }
        return value
    }
}
