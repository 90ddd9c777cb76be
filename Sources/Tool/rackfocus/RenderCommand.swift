import Foundation
import Media
import RackfocusKit
import ScenarioFormat
import Support

/// `rackfocus render`: a scenario or footage in, a movie out.
struct RenderCommand: Command {
    static let help = Help(
        name: "render",
        summary: "Render a scenario, or real footage, to a movie with focus pulled and bokeh.",
        usage:
            "render SCENARIO -o MOVIE.mp4 [options]\n       rackfocus render --left L.mp4 --right R.mp4 [--script TAPS.yaml] -o MOVIE.mp4 [options]\n       rackfocus render --video V.mp4 --depth D.mkv -o MOVIE.mp4 [options]",
        discussion: """
            Beside MOVIE.mp4 a directory MOVIE.run is left with trace.jsonl (every decision and why), focus.svg (focus over time),
            detections.jsonl (what was seen, to be played again with --detections) and render.json (the command and every choice made for it). Every frame of footage keeps its own time, also where
            the rate varies; two files of footage are matched by time. Frames that are left out, dropped or repeated are counted on
            standard error. Pictures of an image sequence are --fps apart, else 1/30 s. Sound, timecode, chapters and date of the footage (of the left eye)
            go along, and depth, colours, HDR and pixel shape are kept; what has no place in MOVIE.mp4 is converted or left out, and named.
            --cinematic TAKE.mov keeps the sharp picture, its depth and every decision, for `rackfocus edit` and `export`; without -o nothing is baked,
            and codec and quality are its own. Its quality is 90 where none is asked for. While it is written it lies in TAKE.part.mov, which a render that is
            killed leaves, to be played and recovered.
            Plain --video, with neither depth nor disparity, is taken for that of a 50 mm lens: the far background behind somebody is blurred to discs
            of a twelfth of the face's width at f/4, the default, in wide shots of more, and twice as much at --aperture 2.
            Focus is pulled automatically, and by taps of a script. --focus orders it instead, as a scenario's `focus` does: TIME is 3s, 72f or
            01:00:03:00 (the footage's timecode); ORDER is a place or {on: WHAT, mode: M, over: 1.5s, ease: CURVE, landing: TIME}. WHAT is a subject
            of a scenario, {at: [x, y]} in 0 to 1 of the picture, or 2.3m where depth is metric; M is strong (follow it, default), weak (follow it
            until somebody else matters more) or fixed (hold the distance). Live, the rack begins at TIME and lasts `over`; with --mode post, the
            default for footage, it lands at TIME; `landing` says when it lands in either.
            What costs is kept: disparity and detections of footage stay in MOVIE.run, and every later render of the same footage into the same folder
            uses them, so that another aperture, rack or lens takes the lens's own time.
            Progress goes to the terminal; nothing is printed when piped.
            """,
        options: [
            .init(
                "--output", "-o", value: "MOVIE.mp4",
                meaning: "where the movie goes: .mp4, .mov, .mkv; or pictures: out.%04d.png, .tiff, .exr")
        ] + Arguments.deliveryOptions + [
            .init(
                "--preview",
                meaning: "a draft: 640 pixels at most, drawn and coded quickly; analysed in full, which a render beside it uses again"),
            Arguments.againOption("MOVIE.run/render.json"),
            .init("--frame", value: "TIME", meaning: "render this frame alone, as a picture: still.png, .tiff or .exr; TIME as of --from"),
            .init("--cinematic", value: "TAKE.mov", meaning: "keep a cinematic movie, to be focused again, instead of -o or beside it"),
            .init("--overlay", meaning: "draw the focus rectangles, time, f-number and status"),
            .init("--detections", value: "WHO", meaning: "who finds the subjects: truth (the stage), vision (the pixels), or a sidecar.jsonl"),
            .init("--left", value: "FILE", meaning: "left eye of a pair (movie or image sequence like f/%04d.png)"),
            .init("--right", value: "FILE", meaning: "right eye, same size and length"),
            .init("--calibration", value: "RIG.json", meaning: "what `rackfocus calibrate` says of both; without it the pair is rectified"),
            .init("--side-by-side", value: "FILE", meaning: "both eyes of a rectified pair in one movie, the left eye on the left"),
            .init("--top-bottom", value: "FILE", meaning: "the same, the left eye above"),
            .init(
                "--video", value: "FILE",
                meaning: "a movie; without --disparity and --depth, and without a disparity track (cinematic takes, also a phone's), depth is guessed"
            ),
            .init("--disparity", value: "FILE", meaning: "16-bit disparity of --video, nearer is brighter; floats, as %04d.exr of --stems, are 1/m"),
            .init("--depth", value: "FILE", meaning: "16-bit depth of --video in millimetres, or floats in metres (d.%04d.exr), 0 where unknown"),
            .init("--fps", value: "N", meaning: "bring footage to a constant rate, nearest frames; default: every frame at its own time"),
            .init("--script", value: "TAPS.yaml", meaning: "a scenario without clip source: view, tuning, taps for the footage"),
        ] + DetectCommand.modelOptions + [
            .init("--depth-model", value: "FILE", meaning: "MiDaS small's .onnx guesses the depth of --video; `none`; default: as above"),
            .init("--aperture", value: "N", meaning: "simulated f-number"),
            .init("--mode", value: "MODE", meaning: "live or post, whatever the scenario says: racks begin, or end, when they are decided"),
            Arguments.phoneOption,
        ] + Arguments.focusOptions + Arguments.lensOptions(highlights: 8) + [
            Arguments.allowOption,
            .init(
                "--keep", value: "SIZE",
                meaning: "most disparity of footage to keep in MOVIE.run for later renders, like 500M or 50G; none; default 10G"),
            .init("--timings", meaning: "print the time of each stage and pass of the lens; all figures go to MOVIE.run/perf.json"),
            .init("--force", meaning: "replace an existing movie and run directory"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus render Scenarios/demo.yaml -o demo.mp4 --overlay")

    private let job: RenderJob
    private let timings: Bool
    /// Command that is done again; nil for one that is written out.
    private let earlier: EarlierCommand?
    /// From what the depth of plain video is guessed.
    private let guess: String?

    init(_ arguments: inout Arguments) throws {
        let source = try Self.source(arguments)
        let script = arguments.value("--script")
        let scenario =
            source == nil ? try arguments.positional("SCENARIO (or footage: --left and --right, --side-by-side, --top-bottom, --video)") : script
        if source == nil, script != nil { throw UsageError("--script goes with footage; a scenario brings its own fingers") }
        try arguments.finish()
        let take = arguments.value("--cinematic")
        if let take, !take.lowercased().hasSuffix(".mov") { throw UsageError("--cinematic writes a QuickTime movie: name it .mov, not \"\(take)\"") }
        let baked = take == nil || arguments.value("--output") != nil
        var options = RenderOptions(output: try baked ? arguments.output(as: Arguments.movieFormats + Arguments.pictureFormats) : take ?? "")
        if baked, let take, take == options.output { throw UsageError("--output and --cinematic are two movies: give each its own name") }
        options.cinematic = take
        if !baked, arguments.flag("--overlay") { throw UsageError("--overlay is drawn into a baked movie: give --output as well") }
        if take != nil, arguments.value("--frame") != nil { throw UsageError("--frame renders one picture, and --cinematic keeps all: give one") }
        options.delivery = try arguments.delivery()
        (options.isDraft, options.delivery.isDraft) = (arguments.flag("--preview"), arguments.flag("--preview"))
        if options.isDraft, take != nil { throw UsageError("--preview is a draft, and --cinematic keeps every pixel: give one") }
        if source == nil, !options.delivery.span.isWhole { throw UsageError("--from and --to go with footage; a scenario says its own length") }
        options.overlay = arguments.flag("--overlay")
        options.replacesExisting = arguments.flag("--force")
        options.gpu = arguments.value("--gpu")
        options.aperture = try arguments.number("--aperture")
        options.frameDuration = try arguments.frameDuration("--fps")
        if source == nil, options.frameDuration != nil { throw UsageError("--fps goes with footage; a scenario says its own: clip: {fps: 30}") }
        options.lens = try arguments.lens(highlights: options.lens.highlights)
        if options.isDraft, arguments.value("--lens-quality") == nil { options.lens.quality = .preview }
        options.isTimed = arguments.flag("--timings")
        options.mode = try arguments.mode()
        options.orders = arguments.orders
        options.rack = try arguments.rack()
        options.rackEase = try arguments.rackEase()
        options.phone = try arguments.value("--phone").map(CameraProfile.Phone.init(argument:))
        options.allowed = arguments.allowed
        options.models = try arguments.models()
        options.detections = try Self.detections(arguments)
        if source != nil, options.detections == .truth { throw UsageError("footage has no truth: --detections truth goes with a scenario") }
        timings = arguments.flag("--timings")
        if case .plain(let path) = source, MovieDisparity(of: path) == nil {
            guess = options.models.depth.map { "by the network \($0)" } ?? "from the sizes of faces"
        } else {
            guess = nil
        }
        if guess == nil, arguments.value("--depth-model") ?? "none" != "none" {
            throw UsageError("--depth-model goes with plain --video; everything else brings its depth")
        }
        options.keptBytes = try arguments.keptBytes() ?? options.keptBytes
        options.frame = try arguments.point("--frame")
        if options.frame != nil, MovieContainer(options.output) != nil { throw UsageError("--frame renders a picture: name it .png, .tiff or .exr") }
        options.arguments = [Self.help.name] + arguments.words
        earlier = arguments.earlier
        if case .recorded = options.detections, options.delivery.span.from != nil {
            throw UsageError("--from does not go with recorded detections, which count from the footage's first frame")
        }
        job = try RenderJob(scenario: scenario, footage: source, options: options)
    }

    var inputs: [String] { get throws { try job.inputs } }
    var outputs: [String] { get throws { try job.outputs } }

    func run() throws {
        earlier?.warn()
        if let guess {
            StandardError.print("rackfocus: warning: the depth of this video is a guess \(guess); give --disparity, --depth or a second eye")
        }
        let progress = ProgressLine(total: job.frameCount)
        let result = try progress.whileShown { try job.run { progress.update(frame: $0) } }
        if let runDirectory = result.runDirectory {
            StandardOutput.print("\(result.frames.counted("frame")) in \(result.movie), trace and plot in \(runDirectory)")
        } else {
            StandardOutput.print("one frame in \(result.movie)")
        }
        if let analysis = result.analysis { StandardOutput.print(analysis.printable) }
        if let failure = result.keepingFailure { StandardError.print("rackfocus: warning: \(failure.printable)") }
        for remark in result.remarks { StandardError.print("rackfocus: note: \(remark.printable)") }
        if timings { StandardOutput.print(result.timings.table) }
        try result.lensFailure?.report(among: result.frames)
        if let failure = result.filterFailure {
            guard result.failures.isEmpty else {
                StandardError.print("rackfocus: \(failure)")
                throw ExpectationsFailed(failures: result.failures)
            }
            throw failure
        }
        if !result.failures.isEmpty { throw ExpectationsFailed(failures: result.failures) }
    }

    private static func source(_ arguments: Arguments) throws -> ClipSource? {
        let names = ["--left", "--right", "--calibration", "--side-by-side", "--top-bottom", "--video", "--disparity", "--depth"]
        func path(_ name: String) throws -> String { try arguments.required(name) }
        switch names.filter({ arguments.value($0) != nil }) {
        case []: return nil
        case ["--left", "--right"]: return .stereo(left: try path("--left"), right: try path("--right"), baseline: nil, focalLength: nil)
        case ["--left", "--right", "--calibration"]:
            return .calibrated(left: try path("--left"), right: try path("--right"), calibration: try path("--calibration"))
        case ["--side-by-side"]: return .packed(try path("--side-by-side"), .leftHalf)
        case ["--top-bottom"]: return .packed(try path("--top-bottom"), .topHalf)
        case ["--video", "--disparity"]: return .video(try path("--video"), disparity: try path("--disparity"), range: nil)
        case ["--video", "--depth"]: return .depth(try path("--video"), depth: try path("--depth"))
        case ["--video"]: return .plain(try path("--video"))
        default:
            throw UsageError(
                "footage is --left with --right (and --calibration), --side-by-side, --top-bottom, or --video (with --disparity or --depth)")
        }
    }

    private static func detections(_ arguments: Arguments) throws -> ScenarioFile.Detections? {
        guard let text = arguments.value("--detections") else { return nil }
        switch text {
        case "truth": return .truth
        case "vision": return .vision
        case _ where text.hasSuffix(".jsonl"): return .recorded(text)
        default: throw UsageError("--detections is truth, vision or a file that ends in .jsonl, not \"\(text)\"")
        }
    }
}

/// The movie is there, but what the scenario expects did not hold.
struct ExpectationsFailed: Error, CustomStringConvertible {
    let failures: [String]
    var description: String { "\(failures.count.counted("expectation")) failed\n" + failures.joined(separator: "\n") }
}
