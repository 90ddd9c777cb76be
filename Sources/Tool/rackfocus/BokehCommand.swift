import Foundation
import RackfocusKit

/// `rackfocus bokeh`: one picture and its disparity through the lens.
struct BokehCommand: Command {
    static let help = Help(
        name: "bokeh",
        summary: "Render the simulated aperture over one picture with a disparity map.",
        usage: "bokeh IMAGE --disparity MAP.png --focus-disparity D --blur-scale S -o OUT.png [options]",
        discussion: """
            MAP.png is 16-bit (or 8-bit) grey, 0…1 over its full range, nearer is brighter, same aspect as IMAGE. The circle of
            confusion has the diameter S · |D − disparity| in pixels.
            """,
        options: [
            .init("--disparity", value: "MAP.png", meaning: "disparity of IMAGE, 0…1"),
            .init("--focus-disparity", value: "D", meaning: "the disparity that is sharp, 0…1"),
            .init("--blur-scale", value: "S", meaning: "diameter in pixels per unit of disparity, ≥ 0"),
            .init("--output", "-o", value: "OUT.png", meaning: "where the picture goes"),
        ] + Arguments.lensOptions(highlights: 0) + [
            .init("--force", meaning: "replace an existing picture"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus bokeh portrait.png --disparity map.png --focus-disparity 0.5 --blur-scale 106 -o shallow.png")

    private let still: StillJob

    init(_ arguments: inout Arguments) throws {
        let image = try arguments.positional("IMAGE")
        try arguments.finish()
        func number(_ name: String) throws -> Double {
            guard let number = try arguments.number(name) else { throw UsageError("\(name) is missing") }
            return number
        }
        let blurScale = try number("--blur-scale")
        guard blurScale >= 0 else { throw UsageError("--blur-scale is a diameter per unit of disparity, not \(blurScale)") }
        still = StillJob(
            image: image, disparity: try arguments.required("--disparity"), focusDisparity: try number("--focus-disparity"),
            blurScale: blurScale, lens: try arguments.lens(highlights: 0), output: try arguments.output(as: "png"),
            gpu: arguments.value("--gpu"), replacesExisting: arguments.flag("--force"))
    }

    var inputs: [String] { still.inputs }
    var outputs: [String] { [still.output] }

    func run() throws { try still.run() }
}
