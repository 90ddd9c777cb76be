import RackfocusKit

/// `rackfocus bench lens`: our lens beside every other one installed.
struct BenchCommand: Command {
    static let help = Help(
        name: "bench",
        summary: "Time the lens beside other programs on the same frames, and score pictures against the truth.",
        usage: "bench lens [--truth] [options]",
        discussion: """
            Six painted scenes go through our lens, ffmpeg's varblur, GEGL's lens-blur and ImageMagick's blur; what is not installed is named.
            `core ms` is processor time a frame over all cores, `ratio` a program's against ours. Movie programs are timed over frames alone,
            programs of stills over one call with its files. --truth adds PSNR, PSNR near depth edges (dB) and SSIM of 8-bit sRGB pictures
            against a thin lens summed over its aperture in linear light; at 1920x1080 that takes minutes a scene.
            """,
        options: [
            .init("--truth", meaning: "compute the truth and score the pictures"),
            .init("--samples", value: "N", meaning: "points of the aperture for --truth; default 1024"),
            .init("--size", value: "WxH", meaning: "size of the frames, even; default 1920x1080"),
            .init("--frames", value: "N", meaning: "frames timed; default 10"),
            .init("--scene", value: "NAME", meaning: "only scenes whose name contains NAME"),
            .init("--gpu", value: "DEVICE", meaning: "number or part of a name from `rackfocus devices`"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus bench lens --truth --size 960x540")

    private let bench: LensBench

    init(_ arguments: inout Arguments) throws {
        let what = try arguments.positional("what to bench (lens)")
        guard what == "lens" else { throw UsageError("there is no bench \"\(what)\"; there is: lens") }
        try arguments.finish()
        var options = LensBench.Options()
        if let size = arguments.value("--size") { (options.width, options.height) = try Self.size(size) }
        options.frames = try Self.count(arguments, "--frames") ?? options.frames
        let samples = try Self.count(arguments, "--samples")
        options.samples = arguments.flag("--truth") ? samples ?? 1024 : 0
        options.scene = arguments.value("--scene")
        options.gpu = arguments.value("--gpu")
        bench = LensBench(options)
    }

    func run() throws { try bench.run { print($0) } }

    private static func size(_ text: String) throws -> (Int, Int) {
        let parts = text.split(separator: "x").map { Int($0) ?? 0 }
        guard parts.count == 2, parts.allSatisfy({ (16...8192).contains($0) && $0 % 2 == 0 }) else {
            throw UsageError("--size is an even width and height from 16 to 8192 like 1920x1080, not \"\(text)\"")
        }
        return (parts[0], parts[1])
    }

    private static func count(_ arguments: Arguments, _ name: String) throws -> Int? {
        guard let text = arguments.value(name) else { return nil }
        guard let count = Int(text), count > 0 else { throw UsageError("\(name) is a whole number from 1, not \"\(text)\"") }
        return count
    }
}
