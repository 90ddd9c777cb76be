import RackfocusKit

/// Options of the lens, shared by `render` and `bokeh`.
extension Arguments {
    static func lensOptions(highlights: Int) -> [Help.Option] {
        [
            .init("--highlights", value: "G", meaning: "how far clipped lights are lifted before the blur, 0 to 16; default \(highlights)"),
            .init("--blades", value: "N", meaning: "blades of the iris, which make discs polygons, 3 to 16; default round"),
            .init("--cats-eye", value: "C", meaning: "how much discs narrow towards the corners, 0 to 1; default 0"),
            .init("--vignetting", value: "MM", meaning: "darken corners as a lens of 8 to 1000 mm (35 mm equivalent) does, by cos⁴; default none"),
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
                throw UsageError("\(name) goes from \(Int(range.lowerBound)) to \(Int(range.upperBound)), not to \(number)")
            }
            return number
        }
        let blades = try bounded("--blades", 3...16) ?? 0
        guard blades == blades.rounded() else { throw UsageError("--blades is a whole number, not \(blades)") }
        var options = BokehOptions(
            highlights: try bounded("--highlights", 0...16) ?? highlights, blades: Int(blades), catsEye: try bounded("--cats-eye", 0...1) ?? 0,
            vignetting: try bounded("--vignetting", 8...1000), shader: try value("--shader").map { try UserShader(path: $0) })
        options.quality = try quality() ?? options.quality
        return options
    }

    /// Size of the lens's layers; nil where nothing is said.
    func quality() throws -> BokehOptions.Quality? {
        guard let text = value("--lens-quality") else { return nil }
        guard let quality = BokehOptions.Quality(rawValue: text) else { throw UsageError("--lens-quality is preview or full, not \"\(text)\"") }
        return quality
    }
}
