import Foundation
import RackfocusKit
import ScenarioFormat
import Support
import Synchronization

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
            it whole, too; with --wait it goes on in TAKE-2.mov when the camera is back, without the script. A machine that is too slow leaves out, one
            after the other and before frames are lost: most searches for subjects, fine layers of blur, every second picture through the
            lens; and does them again once it keeps up. Trace and status line say so. `rackfocus replay` decides a take again from its log. A script is a scenario without a clip: its taps, presses, orders of focus and expectations, in seconds since the first frame.
            """,
        options: [
            .init("--output", "-o", value: "TAKE.mov", meaning: "where the cinematic movie goes"),
            .init("--baked", value: "MOVIE.mp4", meaning: "where the movie with its blur goes: .mp4, .mov, .mkv"),
            .init("--microphone", value: "NAME", meaning: "ALSA device whose sound the movies get, as --list has it: default, plughw:CARD=…"),
            .init("--channels", value: "C", meaning: "of the microphone: mono, stereo (default), or ambisonics (AmbiX, in MOVIE.mp4 stereo)"),
            Arguments.encoderOption,
            .init("--list", meaning: "list cameras with their formats, and why one cannot be used; and microphones"),
        ] + liveOptions + Arguments.lensOptions(highlights: 8) + [
            .init("--timings", meaning: "print the time of each stage"),
            .init("--force", meaning: "replace existing movies and their run directory"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus record --format 720p30 --duration 10s -o take.mov")

    /// Options of a camera that films now, shared with `webcam`.
    static let liveOptions: [Help.Option] =
        [
            .init("--camera", value: "NAME", meaning: "identifier, path or a part of the name, as `record --list` has it; default the only one"),
            .init("--left", value: "NAME", meaning: "left one of two cameras whose distances are measured; with --right and --calibration"),
            .init("--right", value: "NAME", meaning: "the right one"),
            .init("--calibration", value: "RIG.json", meaning: "their geometry, as `rackfocus calibrate` wrote it; alone, it names them"),
            .init(
                "--depth-camera", value: "NAME", meaning: "camera that delivers depth (Z16) in the picture's view; default that of the same hardware"),
            .init(
                "--format", value: "FORMAT", meaning: "1080p30, 720p, 1280x720, 640x480@15; default the largest up to 1080p, 30 frames a second"),
            .init("--script", value: "TAPS.yaml", meaning: "fingers and orders of focus to play"),
            .init("--duration", value: "TIME", meaning: "length: 90, 90s, 2m, 1h; default until Ctrl-C"),
            .init("--aperture", value: "N", meaning: "simulated f-number; default 1.4"),
            .init("--wait", meaning: "wait for a camera that is not there, or in use; one that is unplugged is waited for, and filmed on"),
        ] + DetectCommand.modelOptions + [
            .init("--depth-model", value: "FILE", meaning: "MiDaS small's .onnx guesses the depth; `none`; default: as above")
        ]

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
        let places = [options.take, options.baked].map { $0.map { URL(fileURLWithPath: $0).standardizedFileURL.path } }
        if places[0] == places[1] { throw UsageError("--output and --baked are two movies: give each its own name") }
        options.microphone = arguments.value("--microphone")
        if let text = arguments.value("--channels") {
            let layouts: [String: Sound.Layout] = ["mono": .mono, "stereo": .stereo, "ambisonics": .firstOrderAmbisonics]
            guard let layout = layouts[text] else { throw UsageError("--channels is mono, stereo or ambisonics, not \"\(text)\"") }
            options.soundLayout = layout
        }
        options.encoder = arguments.encoder
        try arguments.fill(&options)
        options.replacesExisting = arguments.flag("--force")
        job = try RecordJob(options)
    }

    var inputs: [String] { job?.inputs ?? [] }
    var outputs: [String] { job?.outputs ?? [] }

    func run() throws {
        guard let job else { return StandardOutput.print(CameraList.text) }
        try job.runToEnd(report)
    }

    /// Says what a take left; throws what ended it, where that was not asked for.
    private func report(_ result: RecordResult) throws {
        let movies = result.movies.isEmpty ? "no movie, since no picture came in time" : result.movies.joined(separator: " and ")
        let run = result.runDirectory.map { ", trace and plot in \($0)" } ?? ""
        // Of two movies the baked one may lack some, which a remark counts.
        let frames = max(result.takenFrames, result.bakedFrames).counted("frame")
        StandardOutput.print(frames + String(format: " in %.1f s, in ", result.duration) + movies + run)
        for remark in result.remarks { StandardError.print("rackfocus: note: \(remark.printable)") }
        if isTimed { StandardOutput.print(result.timings.table) }
        try result.lensFailure?.report(among: result.bakedFrames)
        switch result.end {
        case .asked, .unwatched: break
        case .unplugged: throw CameraUnplugged()
        case .diskFull:
            throw OutputError(code: .diskFull, path: result.movies.first ?? "the movie", action: "go on writing; what was written is whole")
        }
        if !result.failures.isEmpty { throw ExpectationsFailed(failures: result.failures) }
    }
}

/// The camera was pulled out in mid-recording; the movie is there.
struct CameraUnplugged: Error, CustomStringConvertible {
    var description: String { "the camera was unplugged; what was written is whole" }
}

extension RecordJob {
    /// Runs, and goes on in the next movie each time the camera comes back where that is waited for. `report` may throw; of an unplugged camera, that is
    /// put off until nothing goes on.
    func runToEnd(_ report: (RecordResult) throws -> Void) throws {
        var job = self
        // One for all: a signal that comes between two jobs is not lost.
        let current = Mutex<(job: RecordJob, isStopped: Bool)>((self, false))
        let interrupts = try StopSignal {
            StandardError.print("rackfocus: finishing; Ctrl-C again ends at once")
            let job = current.withLock { current in
                current.isStopped = true
                return current.job
            }
            job.stop()
        }
        defer { interrupts.end() }
        while true {
            let result: RecordResult
            do { result = try job.runShown() } catch let error as VideoDeviceError {
                // Ctrl-C while the camera is waited for: what there is, is whole.
                if job !== self, job.isStopping { return }
                throw error
            }
            let next = try job.continuation(after: result)
            do { try report(result) } catch let error as CameraUnplugged {
                guard next != nil else { throw error }
                StandardError.print("rackfocus: \(error)")
            }
            guard let next else { return }
            job = next
            let isStopped = current.withLock { current in
                current.job = next
                return current.isStopped
            }
            if isStopped { next.stop() }
        }
    }

    /// Runs with a status line to the end.
    private func runShown() throws -> RecordResult {
        let progress = ProgressLine(total: nil)
        let shown = DispatchSource.makeTimerSource(queue: .global())
        shown.schedule(deadline: .now() + .milliseconds(500), repeating: .milliseconds(500))
        shown.setEventHandler { [self] in if let status, status.time > 0 { progress.show(status.line) } }
        shown.resume()
        defer { shown.cancel() }
        return try progress.whileShown { try run { StandardError.print("rackfocus: waiting for \($0)") } }
    }
}

extension Arguments {
    /// Reads the options that all commands with a live camera have.
    func fill(_ options: inout RecordOptions) throws {
        options.camera = value("--camera")
        let eyes = [value("--left"), value("--right"), value("--calibration")]
        if eyes.contains(where: { $0 != nil }) {
            guard eyes.allSatisfy({ $0 != nil }) || (eyes[0] == nil && eyes[1] == nil) else {
                throw UsageError("--left, --right and --calibration go together: two cameras and their geometry")
            }
            guard options.camera == nil, value("--depth-camera") == nil else {
                throw UsageError("--left and --right, or the calibration, name the cameras: --camera and --depth-camera do not go with them")
            }
            (options.camera, options.rightCamera, options.calibration) = (eyes[0], eyes[1], eyes[2])
        }
        options.depthCamera = value("--depth-camera")
        if let text = value("--format") {
            guard let format = LiveFormatWish(text) else {
                throw UsageError("--format is like 1080p30, 720p, 1280x720 or 640x480@15, not \"\(text)\"")
            }
            options.format = format
        }
        options.script = value("--script")
        options.duration = try duration("--duration")
        options.aperture = try number("--aperture")
        options.waits = flag("--wait")
        options.models = try models()
        options.lens = try lens(highlights: options.lens.highlights)
        if let quality = try quality() { (options.lens.quality, options.isLensGraded) = (quality, false) }
        options.gpu = value("--gpu")
    }

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
