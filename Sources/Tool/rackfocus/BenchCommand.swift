import Benchmarks
import Foundation
import RackfocusKit
import SessionBenchmark
import Support

/// `rackfocus bench`: whole commands beside ffmpeg's, the lens beside every other one installed, the vision kernels beside the libraries they
/// replace, the capture graph alone.
struct BenchCommand: Command {
    static let help = Help(
        name: "bench",
        summary: "Time whole commands or the lens beside other programs, vision kernels beside libraries, a live camera, or the capture graph.",
        usage: "bench chain|lens|vision|live|session [options]",
        discussion: """
            `bench chain` times the commands that users run, from file to file, each by turns with ffmpeg's nearest: `render` of a scenario, of a
            pair, of a video with depth, of a plain one and of ten-bit HLG, on footage that the stage paints. `wall ms`, `core ms`:
            of a frame behind the first; `ratio`: ffmpeg's processor time over ours; `p95`: of the time from one encoded frame to the next;
            `first s`: from the start of the program to its first encoded frame, of ffmpeg to the end of a run over one, `core s` our processor time
            until then; a dash stands for what is lost in the noise of few frames. --timings adds stages, passes and how often a picture is copied
            on its way, which the program counts; --json writes all.

            `bench lens`: seven painted scenes, two of them in HDR too, go through our lens, ffmpeg's varblur, GEGL's lens-blur, Blender's Defocus and
            ImageMagick's blur; what is not installed is named.
            `core ms` is processor time a frame over all cores, `ratio` a program's against ours. Movie programs are timed over frames alone, five
            times and each time beside ours, as machines are faster now and then: what is printed are the medians of times and of ratios.
            Programs of stills are timed over one call with its files, which for GEGL and Blender is minutes at 1920x1080 and above: --peers
            leaves them out. --truth adds PSNR, PSNR near depth edges (dB) and SSIM of 8-bit sRGB pictures against a thin lens summed over its
            aperture in linear light; at 1920x1080 that takes minutes a scene.

            `bench vision` times each vision kernel of our own by turns with the function of OpenCV or dlib that it replaces, on painted pictures of
            one size, one thread each, and says how far both agree: results in common, the greatest difference, or, where they are not meant to be
            equal, the share that is right by the exact truth. `ratio` is the library's time over ours; a kernel earns its place with 1.5.

            `bench live` films a camera in memory at true speed as `record --baked` does, by default 720p30 for ten seconds: a painted street, or --footage.
            It says how many frames a second come out, what the camera lost and the lens left out, how long a picture takes from its capture to
            the end of its encoding, processor time a frame and by threads (the lens on a processor is among `rackfocus`), memory, and how many frames
            had what left out because the machine was late.

            `bench session` steps a session with video data, metadata, movie, photo and preview through virtual frames, nobody wanting pixels,
            against the stage alone, and says what memory that takes beside the program's own; then starts, changes and stops sessions
            --cycles times, and says what that leaves behind; then sleeps 100 ms over every frame by the wall clock, and says what was late.
            This program loads OpenCV, FFmpeg and Vulkan; `swift run -c release session-bench` does the same without them.
            """,
        options: [
            .init("--truth", meaning: "compute the truth and score the pictures"),
            .init("--samples", value: "N", meaning: "points of the aperture for --truth; default 1024"),
            .init("--size", value: "WxH", meaning: "size of the frames of chain, lens and vision, even; default 1920x1080, of live 1280x720"),
            .init("--frames", value: "N", meaning: "frames timed at a time; default 10, of a chain 30, of a session 1000"),
            .init("--cycles", value: "N", meaning: "of a session, start to stop; default 10000"),
            .init("--scene", value: "NAME", meaning: "only scenes, of a chain commands, whose name contains NAME"),
            .init("--map", value: "1/N", meaning: "size of the disparity map over the picture's, of the lens; default 1"),
            .init(
                "--lens-quality", value: "Q",
                meaning: "of our lens: preview or full, as `render` has it; default full, which live leaves when it is late"),
            .init("--peers", value: "NAMES", meaning: "only programs whose name contains one of these, comma between, or none; default all"),
            .init("--kernels", value: "NAMES", meaning: "of vision, only kernels whose name contains one of these, comma between; default all"),
            .init(
                "--stereo", value: "FOLDER",
                meaning: "instead of the kernels: disparity of Middlebury's pairs there (datasets.xml and its folders) beside OpenCV's SGBM with WLS"),
            .init("--seconds", value: "N", meaning: "of live, how long it films; default 10"),
            .init("--rate", value: "N", meaning: "of live, frames a second; default 30"),
            .init("--footage", value: "FILE", meaning: "of live, a video that the camera shows, to and fro, in its own size"),
            .init("--rounds", value: "N", meaning: "of chain and vision, times that both are timed by turns; default 3 and 9"),
            .init("--json", value: "FILE", meaning: "of a chain or live, all figures; an existing file is replaced"),
            .init(
                "--endurance", value: "N",
                meaning: "instead of the above: time and memory of our lens alone over N frames of the size, and of twice it"),
            .init("--steadiness", meaning: "instead of the above: how still our lens holds scenes that move, noisy disparity and ramps"),
            .init("--timings", meaning: "print the time of each step and pass of our chain or lens too"),
            .init("--gpu", value: "DEVICE", meaning: "number or part of a name from `rackfocus devices`"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: """
            rackfocus bench chain --size 1280x720 --json chain.json
              rackfocus bench lens --truth --size 960x540 --peers varblur,gegl
              rackfocus bench vision --kernels haar,semiglobal
              rackfocus bench live --size 1920x1080 --seconds 30
            """)

    private enum Bench {
        case chain(ChainBench)
        case lens(LensBench)
        case vision(VisionBench)
        case live(LiveBench)
        case session(SessionBench)
    }

    private let bench: Bench
    /// Benches by name, and the options of each.
    private static let benches: KeyValuePairs = [
        "chain": ["--size", "--frames", "--rounds", "--scene", "--gpu", "--timings", "--json"],
        "lens": [
            "--truth", "--samples", "--size", "--frames", "--scene", "--map", "--lens-quality", "--peers", "--endurance", "--steadiness", "--timings",
            "--gpu",
        ],
        "vision": ["--size", "--rounds", "--kernels", "--stereo"],
        "live": ["--size", "--seconds", "--rate", "--footage", "--lens-quality", "--gpu", "--timings", "--json"],
        "session": ["--frames", "--cycles"],
    ]

    init(_ arguments: inout Arguments) throws {
        let what = try arguments.positional("what to bench (chain, lens, vision, live or session)")
        guard let own = Self.benches.first(where: { $0.key == what })?.value else {
            throw UsageError("there is no bench \"\(what)\"; there are: \(Self.benches.map(\.key).joined(separator: ", "))")
        }
        try arguments.finish()
        for option in Self.help.options.map({ $0.names[0] }) where arguments.isGiven(option) && !own.contains(option) {
            let others = Self.benches.filter { $0.value.contains(option) }.map(\.key).joined(separator: " and ")
            throw UsageError("\(option) is an option of bench \(others), not of bench \(what)")
        }
        let frames = try Self.count(arguments, "--frames")
        if what == "session" {
            bench = .session(SessionBench(frames: frames ?? 1000, cycles: try Self.count(arguments, "--cycles") ?? 10_000))
            return
        }
        if what == "live" {
            bench = .live(LiveBench(try Self.liveOptions(arguments)))
            return
        }
        if what == "chain" {
            bench = .chain(ChainBench(try Self.chainOptions(arguments)))
            return
        }
        if what == "vision" {
            bench = .vision(VisionBench(try Self.visionOptions(arguments)))
            return
        }
        var options = LensBench.Options()
        if let size = arguments.value("--size") { (options.width, options.height) = try Self.size(size) }
        options.frames = frames ?? options.frames
        let samples = try Self.count(arguments, "--samples")
        options.samples = arguments.flag("--truth") ? samples ?? 1024 : 0
        options.scene = arguments.value("--scene")
        let scenes = LensBench.sceneNames(isStill: !arguments.flag("--steadiness"))
        try Self.checkScene(options.scene?.lowercased(), among: scenes)
        options.mapDivisor = try arguments.value("--map").map(Self.divisor) ?? options.mapDivisor
        options.gpu = arguments.value("--gpu")
        options.quality = try arguments.quality() ?? options.quality
        options.steadiness = arguments.flag("--steadiness")
        options.isTimed = arguments.flag("--timings")
        options.endurance = try Self.count(arguments, "--endurance")
        options.peers = try arguments.value("--peers").map { text in
            text == "none" ? [] : try Self.names(text, option: "--peers", known: LensBench.peerNames, also: ", and none", example: "varblur,gegl")
        }
        bench = .lens(LensBench(options))
    }

    var outputs: [String] {
        switch bench {
        case .chain(let bench): bench.outputs
        case .live(let bench): bench.outputs
        case .lens, .vision, .session: []
        }
    }

    func run() throws {
        switch bench {
        case .chain(let bench):
            let progress = ProgressLine(total: nil)
            try bench.run(progress: progress.show) { StandardOutput.print($0) }
        case .lens(let bench):
            let progress = ProgressLine(total: nil)
            try bench.run(progress: progress.show) { StandardOutput.print($0) }
        case .vision(let bench):
            let progress = ProgressLine(total: nil)
            try bench.run(progress: progress.show) { StandardOutput.print($0) }
        case .live(let bench):
            let progress = ProgressLine(total: nil)
            try bench.run(progress: progress.show) { StandardOutput.print($0) }
        case .session(let bench): try bench.run { StandardOutput.print($0) }
        }
    }

    private static func size(_ text: String) throws -> (Int, Int) {
        let parts = text.split(separator: "x").map { Int($0) ?? 0 }
        guard parts.count == 2, parts.allSatisfy({ (16...8192).contains($0) && $0 % 2 == 0 }) else {
            throw UsageError("--size is an even width and height from 16 to 8192 like 1920x1080, not \"\(text)\"")
        }
        return (parts[0], parts[1])
    }

    private static func divisor(_ text: String) throws -> Int {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let divisor = parts == ["1"] ? 1 : parts.count == 2 && parts[0] == "1" ? Int(parts[1]) : nil, (1...8).contains(divisor) else {
            throw UsageError("--map is 1, or 1/2 to 1/8, not \"\(text)\"")
        }
        return divisor
    }

    private static func chainOptions(_ arguments: Arguments) throws -> ChainBench.Options {
        var options = ChainBench.Options()
        if let size = arguments.value("--size") { (options.width, options.height) = try Self.size(size) }
        options.frames = try count(arguments, "--frames") ?? options.frames
        options.rounds = try count(arguments, "--rounds") ?? options.rounds
        options.scene = arguments.value("--scene")
        try checkScene(options.scene, among: ChainBench.commandNames)
        options.gpu = arguments.value("--gpu")
        options.isTimed = arguments.flag("--timings")
        options.json = arguments.value("--json")
        return options
    }

    private static func checkScene(_ scene: String?, among known: [String]) throws {
        guard let scene, !known.contains(where: { $0.contains(scene) }) else { return }
        throw UsageError("--scene knows no \"\(scene)\"; there are: \(known.joined(separator: ", "))")
    }

    private static func liveOptions(_ arguments: Arguments) throws -> LiveBench.Options {
        var options = LiveBench.Options()
        if let size = arguments.value("--size") { (options.width, options.height) = try Self.size(size) }
        options.rate = try count(arguments, "--rate") ?? options.rate
        guard options.rate <= 240 else { throw UsageError("--rate is 1 to 240 frames a second, not \(options.rate)") }
        options.seconds = try count(arguments, "--seconds") ?? options.seconds
        guard options.seconds <= 86_400 else { throw UsageError("--seconds is a day at most, not \(options.seconds)") }
        options.footage = arguments.value("--footage")
        options.quality = try arguments.quality()
        options.gpu = arguments.value("--gpu")
        options.json = arguments.value("--json")
        options.isTimed = arguments.flag("--timings")
        return options
    }

    private static func visionOptions(_ arguments: Arguments) throws -> VisionBench.Options {
        var options = VisionBench.Options()
        if let size = arguments.value("--size") {
            (options.width, options.height) = try Self.size(size)
            guard options.width >= 192, options.height >= 108 else { throw UsageError("--size of vision is at least 192x108, not \"\(size)\"") }
        }
        options.rounds = try count(arguments, "--rounds") ?? options.rounds
        options.stereo = arguments.value("--stereo")
        options.kernels = try arguments.value("--kernels").map {
            try names($0, option: "--kernels", known: VisionBench.kernelNames, also: "", example: "haar,semiglobal")
        }
        return options
    }

    /// Parts of known names, separated by commas.
    private static func names(_ text: String, option: String, known: [String], also: String, example: String) throws -> [String] {
        let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        for name in names where !known.contains(where: { $0.localizedCaseInsensitiveContains(name) }) {
            // Behind a comma stands what a kernel is measured in, as in `AreaReduction, luma`.
            let families = known.map { $0.prefix { $0 != "," } }
            let listed = families.indices.filter { families.firstIndex(of: families[$0]) == $0 }.map { families[$0] }.joined(separator: ", ")
            throw UsageError("\(option) knows no \"\(name)\"; there are: \(listed)\(also)")
        }
        guard !names.isEmpty else { throw UsageError("\(option) names one or more, like \(example)") }
        return names
    }

    private static func count(_ arguments: Arguments, _ name: String) throws -> Int? {
        guard let text = arguments.value(name) else { return nil }
        guard let count = Int(text), count > 0 else { throw UsageError("\(name) is a whole number from 1, not \"\(text)\"") }
        return count
    }
}
