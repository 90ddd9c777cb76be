import Foundation
import RackfocusKit
import Support

/// `rackfocus record`: a camera in, a cinematic movie, a baked one or both out.
struct RecordCommand: Command {
    static let help = Help(
        name: "record",
        summary: "Record a camera: a cinematic movie, a movie with its bokeh baked in, or both.",
        usage: "record [--camera NAME] -o TAKE.mov [--baked MOVIE.mp4] [options]\n       rackfocus record --list",
        discussion: """
            The camera runs at its own pace. TAKE.mov keeps the sharp picture, its disparity and every decision: `rackfocus inspect`, `edit` and `export`
            go on from there. MOVIE.mp4 goes through the lens as it is filmed; pictures that the lens is late with are left out of it, and counted. Distances of
            one camera are guessed, as of plain video. Beside the movie a directory .run is left with trace.jsonl, focus.svg and detections.jsonl.
            A terminal shows time, frames a second, lost frames, who is in focus, light and disk space. Ctrl-C ends the recording and the movies are
            whole; a second one ends at once, and `rackfocus recover` finds what was written. A camera that is unplugged, and a full disk, end
            it whole, too. A script is a scenario without a clip: its taps, presses, orders of focus and expectations, in seconds since the first frame.
            """,
        options: [
            .init("--output", "-o", value: "TAKE.mov", meaning: "where the cinematic movie goes"),
            .init("--baked", value: "MOVIE.mp4", meaning: "where the movie with its blur goes: .mp4, .mov, .mkv"),
            .init("--camera", value: "NAME", meaning: "identifier, path or a part of the name, as --list has it; default the only one"),
            .init("--format", value: "FORMAT", meaning: "1080p30, 720p, 1280x720, 640x480@15; default the largest up to 1080p, 30 frames a second"),
            .init("--script", value: "TAPS.yaml", meaning: "fingers and orders of focus to play"),
            .init("--duration", value: "TIME", meaning: "length: 90, 90s, 2m, 1h; default until Ctrl-C"),
            .init("--aperture", value: "N", meaning: "simulated f-number; default 1.4"),
            .init("--wait", meaning: "wait for a camera that is not there, or in use"),
            .init("--list", meaning: "list cameras and formats, and why one cannot be used"),
        ] + DetectCommand.modelOptions + [
            .init("--depth-model", value: "FILE", meaning: "MiDaS small's .onnx guesses the depth; `none`; default: as above")
        ] + Arguments.lensOptions(highlights: 8) + [
            .init("--timings", meaning: "print the time of each stage"),
            .init("--force", meaning: "replace existing movies and their run directory"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus record --format 720p30 --duration 10s -o take.mov")

    /// Nil where cameras are to be listed.
    private let job: RecordJob?
    private let isTimed: Bool

    init(_ arguments: inout Arguments) throws {
        try arguments.finish()
        isTimed = arguments.flag("--timings")
        guard !arguments.flag("--list") else {
            job = nil
            return
        }
        var options = RecordOptions()
        (options.take, options.baked) = (arguments.value("--output"), arguments.value("--baked"))
        if options.take == nil, options.baked == nil { throw UsageError("--output or --baked is missing: where the movie goes") }
        if let take = options.take, !take.lowercased().hasSuffix(".mov") {
            throw UsageError("--output is a cinematic movie: name it .mov, not \"\(take)\"; --baked MOVIE.mp4 is for one with its blur")
        }
        if let baked = options.baked, MovieContainer(baked) == nil { throw UsageError("--baked is a movie: .mp4, .mov or .mkv, not \"\(baked)\"") }
        if options.take == options.baked { throw UsageError("--output and --baked are two movies: give each its own name") }
        options.camera = arguments.value("--camera")
        if let text = arguments.value("--format") {
            guard let format = LiveFormatWish(text) else {
                throw UsageError("--format is like 1080p30, 720p, 1280x720 or 640x480@15, not \"\(text)\"")
            }
            options.format = format
        }
        options.script = arguments.value("--script")
        options.duration = try arguments.duration("--duration")
        options.aperture = try arguments.number("--aperture")
        options.waits = arguments.flag("--wait")
        options.models = try arguments.models()
        let quality = options.lens.quality
        options.lens = try arguments.lens(highlights: options.lens.highlights)
        options.lens.quality = try arguments.quality() ?? quality
        options.gpu = arguments.value("--gpu")
        options.replacesExisting = arguments.flag("--force")
        job = try RecordJob(options)
    }

    var inputs: [String] { job?.inputs ?? [] }
    var outputs: [String] { job?.outputs ?? [] }

    func run() throws {
        guard let job else { return StandardOutput.print(CameraList.text) }
        let progress = ProgressLine(total: nil)
        let interrupts = StopSignal { job.stop() }
        defer { interrupts.end() }
        let shown = DispatchSource.makeTimerSource(queue: .global())
        shown.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(500))
        shown.setEventHandler { if let status = job.status, status.time > 0 { progress.show(status.line) } }
        shown.resume()
        defer { shown.cancel() }
        let result = try progress.whileShown {
            try job.run { StandardError.print("rackfocus: waiting for a camera: \($0)") }
        }
        let movies = result.movies.joined(separator: " and ")
        StandardOutput.print(
            String(format: "%d frames in %.1f s, in ", result.frames, result.duration) + "\(movies), trace and plot in \(result.runDirectory)")
        for remark in result.remarks { StandardError.print("rackfocus: note: \(remark.printable)") }
        if isTimed { StandardOutput.print(result.timings.table) }
        switch result.end {
        case .asked: break
        case .unplugged: throw CameraUnplugged()
        case .diskFull: throw OutputError(code: .diskFull, path: result.movies[0], action: "go on writing; what was written is whole")
        }
        if !result.failures.isEmpty { throw ExpectationsFailed(failures: result.failures) }
    }
}

/// The camera was pulled out in mid-recording; the movie is there.
struct CameraUnplugged: Error, CustomStringConvertible {
    var description: String { "the camera was unplugged; the movie is whole up to there" }
}

extension Arguments {
    /// Length in seconds, minutes or hours: `90`, `90s`, `2m`, `1h`; nil where nothing is said.
    func duration(_ name: String) throws -> CMTime? {
        guard let text = value(name) else { return nil }
        let units = ["s": 1.0, "m": 60, "h": 3600]
        let unit = text.last.flatMap { units[String($0)] }
        guard let number = Double(unit == nil ? text : String(text.dropLast())), number > 0, number * (unit ?? 1) <= 604_800 else {
            throw UsageError("\(name) is a time up to a week like 90, 90s, 2m or 1h, not \"\(text)\"")
        }
        return CMTime(seconds: number * (unit ?? 1), preferredTimescale: 1_000_000)
    }
}
