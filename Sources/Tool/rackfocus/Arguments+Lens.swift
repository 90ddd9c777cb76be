import RackfocusKit

/// Options of the lens, shared by `render` and `bokeh`.
extension Arguments {
    static func lensOptions(highlights: Int) -> [Help.Option] {
        [
            .init("--highlights", value: "G", meaning: "how far clipped lights are lifted before the blur, 0 to 16; default \(highlights)"),
            .init("--blades", value: "N", meaning: "blades of the iris, which make discs polygons, 3 to 16; default round"),
            .init("--cats-eye", value: "C", meaning: "how much discs narrow towards the corners, 0 to 1; default 0"),
            .init("--vignetting", value: "MM", meaning: "darken corners as a lens of 8 to 1000 mm (35 mm equivalent) does, by cos⁴; default none"),
            .init("--breathing", value: "MM", meaning: "grow the picture as focus comes nearer, as a lens of 8 to 1000 mm does; default none"),
            .init(
                "--axial-color", value: "D",
                meaning: "how much farther red and blue focus than green, 0 to 0.2 1/m (0.01 to 0.03 of a fast lens); default 0"),
            .init("--onion-rings", value: "A", meaning: "how much brighter and darker the rings of a disc are in turn, 0 to 1; default 0"),
            .init(
                "--grain", value: "G",
                meaning: "match gives what is blurred the source's own noise, measured in each frame; none (default) leaves it smooth"),
            .init("--lens-quality", value: "Q", meaning: "preview draws blur in layers of a quarter of the picture's size, full (default) of a half"),
            .init("--shader", value: "MY.comp", meaning: "a GLSL compute shader over the picture after the blur; Shaders/Examples has one"),
            .init("--gpu", value: "DEVICE", meaning: "number or part of a name from `rackfocus devices`"),
        ]
    }

    /// The options above but for `--gpu`; a shader is compiled here, so that its errors come first.
    func lens(highlights: Double) throws -> BokehOptions {
        func bounded(_ name: String, _ range: ClosedRange<Double>) throws -> Double? {
            guard let number = try number(name) else { return nil }
            guard range.contains(number) else {
                let (low, high) = (String(format: "%g", range.lowerBound), String(format: "%g", range.upperBound))
                throw UsageError("\(name) goes from \(low) to \(high), not to \(number)")
            }
            return number
        }
        let blades = try bounded("--blades", 3...16) ?? 0
        guard blades == blades.rounded() else { throw UsageError("--blades is a whole number, not \(blades)") }
        var options = BokehOptions(
            highlights: try bounded("--highlights", 0...16) ?? highlights, blades: Int(blades), catsEye: try bounded("--cats-eye", 0...1) ?? 0,
            vignetting: try bounded("--vignetting", 8...1000), shader: try value("--shader").map { try UserShader(path: $0) })
        options.quality = try quality() ?? options.quality
        options.onionRings = try bounded("--onion-rings", 0...1) ?? 0
        options.breathing = try bounded("--breathing", 8...1000)
        options.axialColor = try bounded("--axial-color", 0...0.2) ?? 0
        if let text = value("--grain") {
            guard let grain = BokehOptions.Grain(rawValue: text) else { throw UsageError("--grain is match or none, not \"\(text)\"") }
            options.grain = grain
        }
        return options
    }

    /// Size of the lens's layers; nil where nothing is said.
    func quality() throws -> BokehOptions.Quality? {
        guard let text = value("--lens-quality") else { return nil }
        guard let quality = BokehOptions.Quality(rawValue: text) else { throw UsageError("--lens-quality is preview or full, not \"\(text)\"") }
        return quality
    }
}
