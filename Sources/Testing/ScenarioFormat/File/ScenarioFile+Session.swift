import Foundation

extension ScenarioFile {
    /// `{outputs: [movie, metadata, preview]}`.
    static func outputs(_ node: Node) throws(ScenarioError) -> [Output] {
        let fields = try Fields(node, of: "session", Format.session)
        var outputs: [Output] = []
        for item in try fields.required("outputs", "what the session delivers to").list(of: "outputs") {
            let output = try item.choice("an output", Output.self)
            if outputs.contains(output) { throw item.error("`\(output.rawValue)` is there twice", suggestion: "keep one") }
            outputs.append(output)
        }
        for needed in [Output.metadata, .preview] where !outputs.contains(needed) {
            throw node.error("a scenario's session has `\(needed.rawValue)`: fingers and expectations need it", suggestion: "add it")
        }
        return outputs
    }

    /// Outputs of the app: those written down, else those that the timeline needs.
    package var connected: [Output] {
        var outputs = outputs
        for case let verb as any PlayedVerb in timeline.map(\.verb) {
            if let output = verb.command.output, !outputs.contains(output) { outputs.append(output) }
        }
        return outputs
    }
}

extension ScenarioFile.GoldenFrames {
    /// `{at: [0.5s, 10s], min: {ssim: 0.985, psnr: 30}, exact: true}`.
    init(_ node: Node, _ timebase: Timebase, _ clip: ScenarioFile.Clip) throws(ScenarioError) {
        let fields = try Fields(node, of: "frames", Format.goldenFrames)
        for item in try fields.required("at", "which frames").list(of: "at") {
            let time = try timebase.duration(item, "the time of a frame")
            if let length = clip.length, time >= length {
                throw item.error("\(TimelineClock.seconds(time)) is not in the clip, which ends at \(TimelineClock.seconds(length))")
            }
            times.append(time)
            locations.append(item.location)
        }
        let least = try Fields(try fields.required("min", "how alike they must be"), of: "min", Format.likeness)
        leastSSIM = try least.read("ssim") { node throws(ScenarioError) in
            let value = try node.number("ssim")
            guard (0...1).contains(value) else { throw node.error("ssim goes from 0 to 1") }
            return value
        }
        leastPSNR = try least.read("psnr") { node throws(ScenarioError) in try node.number("psnr") }
        guard leastSSIM != nil || leastPSNR != nil else { throw fields.node.error("`min` needs ssim, psnr or both") }
        isExactByDevice = try fields.read("exact") { node throws(ScenarioError) in try node.bool("exact") } ?? false
    }
}
