import Foundation
import Media
import RackfocusKit
import Support

/// `rackfocus bokeh`: one picture and its depth through the lens.
struct BokehCommand: Command {
    static let help = Help(
        name: "bokeh",
        summary: "Render the simulated aperture over one picture with its depth.",
        usage: "bokeh IMAGE [--disparity MAP.png | --depth MAP.png] FOCUS BLUR -o OUT.png [options]",
        discussion: """
            IMAGE is any picture, or a phone's portrait as HEIC, which brings its depth. 16 bits a sample come out as 16 bits, EXR as the light it holds.
            PQ and HLG (PNG with its chunk cICP, HEIC) stay so as PNG, and are linear light in their own primaries as EXR,
            which names them. A gain map (Ultra HDR, Apple's) is left out, and a note says so.
            MAP.png of --disparity is 16-bit (or 8-bit) grey, 0…1 over its full range, nearer is brighter, same aspect as IMAGE; OpenEXR and PFM hold
            numbers as they are, disparity in 1/m, depth in metres.
            FOCUS is one of --focus-at, --focus and --focus-disparity; BLUR is --aperture, where depth is metric, or --blur-scale: the circle of
            confusion then has the diameter S · |D − disparity| in pixels.
            """,
        options: [
            .init("--disparity", value: "MAP.png", meaning: "disparity of IMAGE; floats (.exr, .pfm) are 1/m"),
            .init("--disparity-range", value: "FAR,NEAR", meaning: "disparities of its darkest and brightest code, 1/m; without it 0…1, relative"),
            .init("--depth", value: "MAP.png", meaning: "16-bit depth of IMAGE in millimetres, or floats in metres (.exr, .pfm), 0 where unknown"),
            .init("--focus-at", value: "X,Y", meaning: "what lies at this pixel is sharp"),
            .init("--focus", value: "2.3m", meaning: "what is so far away is sharp, where depth is metric"),
            .init("--focus-disparity", value: "D", meaning: "what has this disparity is sharp"),
            .init("--aperture", value: "N", meaning: "simulated f-number, where depth is metric"),
            .init("--focal-length", value: "MM", meaning: "of the simulated lens, 35 mm equivalent, 8 to 1000; default 50"),
            .init("--blur-scale", value: "S", meaning: "diameter in pixels per unit of disparity, ≥ 0"),
            .init("--output", "-o", value: "OUT.png", meaning: "where the picture goes: .png, .tiff, .exr"),
        ] + Arguments.lensOptions(highlights: 0) + [
            .init("--force", meaning: "replace an existing picture"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus bokeh portrait.heic --focus-at 1512,1400 --aperture 1.8 -o shallow.png")

    private let still: StillJob
    private let saysFocus: Bool

    init(_ arguments: inout Arguments) throws {
        let image = try arguments.positional("IMAGE")
        try arguments.finish()
        let focus = try Self.focus(arguments)
        if case .pixel = focus { saysFocus = true } else { saysFocus = false }
        still = StillJob(
            image: image, depth: try Self.depth(arguments), focus: focus, blur: try Self.blur(arguments),
            lens: try arguments.lens(highlights: 0), output: try arguments.output(as: Arguments.pictureFormats),
            gpu: arguments.value("--gpu"), replacesExisting: arguments.flag("--force"))
    }

    var inputs: [String] { still.inputs }
    var outputs: [String] { [still.output] }

    func run() throws {
        let (disparity, isMetric, remarks) = try still.run()
        for remark in remarks { StandardError.print("rackfocus: note: \(remark.printable)") }
        guard saysFocus else { return }
        StandardOutput.print(
            isMetric && disparity > 0
                ? String(format: "focus at %.3f 1/m, %.2f m", disparity, 1 / disparity) : String(format: "focus at disparity %.4f", disparity))
    }

    private static func depth(_ arguments: Arguments) throws -> StillJob.Depth {
        let (disparity, depth) = (arguments.value("--disparity"), arguments.value("--depth"))
        let range = try pair("--disparity-range", arguments)
        if disparity != nil, depth != nil { throw UsageError("--disparity and --depth are two depths of one picture: give one") }
        if range != nil, disparity == nil { throw UsageError("--disparity-range goes with --disparity") }
        if let range, !(range.0 >= 0 && range.1 > range.0) {
            throw UsageError("--disparity-range is FAR,NEAR with 0 ≤ FAR < NEAR, not \(range.0),\(range.1)")
        }
        if let disparity { return .disparity(disparity, range: range.map { $0.0...$0.1 }) }
        return depth.map(StillJob.Depth.depth) ?? .own
    }

    private static func focus(_ arguments: Arguments) throws -> StillJob.Focus {
        let names = ["--focus-at", "--focus", "--focus-disparity"]
        guard names.count(where: { arguments.value($0) != nil }) == 1 else {
            throw UsageError("give one of --focus-at X,Y, --focus 2.3m and --focus-disparity D")
        }
        if let at = try pair("--focus-at", arguments) {
            guard at.0 >= 0, at.1 >= 0, at.0 == at.0.rounded(), at.1 == at.1.rounded(), max(at.0, at.1) < 1e6 else {
                throw UsageError("--focus-at is a pixel X,Y, not \(arguments.value("--focus-at") ?? "")")
            }
            return .pixel(x: Int(at.0), y: Int(at.1))
        }
        if let text = arguments.value("--focus") {
            guard text.hasSuffix("m"), let metres = Double(text.dropLast()), metres > 0, metres.isFinite else {
                throw UsageError("--focus is a distance as 2.3m, not \"\(text)\"")
            }
            return .distance(metres)
        }
        return .disparity(try arguments.number("--focus-disparity") ?? 0)
    }

    private static func blur(_ arguments: Arguments) throws -> StillJob.Blur {
        let (scale, aperture) = (try arguments.number("--blur-scale"), try arguments.number("--aperture"))
        let focalLength = try arguments.number("--focal-length")
        guard (scale == nil) != (aperture == nil) else { throw UsageError("give one of --aperture N and --blur-scale S") }
        if let scale {
            guard scale >= 0 else { throw UsageError("--blur-scale is a diameter per unit of disparity, not \(scale)") }
            if focalLength != nil { throw UsageError("--focal-length goes with --aperture") }
            return .perDisparity(scale)
        }
        guard let aperture, aperture >= 0.5, aperture <= 64 else { throw UsageError("--aperture goes from 0.5 to 64, not to \(aperture ?? 0)") }
        guard (8...1000).contains(focalLength ?? 50) else { throw UsageError("--focal-length goes from 8 to 1000, not to \(focalLength ?? 0)") }
        return .aperture(aperture, focalLength: focalLength ?? 50)
    }

    private static func pair(_ name: String, _ arguments: Arguments) throws -> (Double, Double)? {
        guard let text = arguments.value(name) else { return nil }
        let numbers = text.split(separator: ",").map { Double($0) }
        guard numbers.count == 2, let first = numbers[0], let second = numbers[1], first.isFinite, second.isFinite else {
            throw UsageError("\(name) is two numbers with a comma between, not \"\(text)\"")
        }
        return (first, second)
    }
}
