import Foundation
import Media
import Pipeline
import RackfocusKit
import ScenarioFormat
import Support

/// `rackfocus export`: a cinematic movie in, a movie with its bokeh baked out.
struct ExportCommand: Command {
    static let help = Help(
        name: "export",
        summary: "Bake a cinematic movie: its pictures through the lens, focused as it was decided.",
        usage: "export FILE.mov (-o MOVIE.mp4 | --stems FOLDER) [options]",
        discussion: """
            FILE is what a movie file output records while cinematic capture is enabled, and stays as it is: nothing is detected or decided anew,
            every frame is focused as its metadata say, and as `rackfocus edit` has changed them. The lens and the codings are those of `rackfocus render`. Sound, timecode, date and
            chapters go along. Of a phone's cinematic movie, whose decisions are in a format of its own, focus is decided anew, as by `render --video`,
            or as `rackfocus edit` has left its FILE.take.mov, which --stems makes, too.
            MOVIE.export.json beside the movie holds the command and every choice made for it. Progress goes to the terminal; nothing is printed when piped.

            --stems writes what compositors take, numbered files of each frame from 0001 on: picture.%04d.png (sharp), disparity.%04d.exr (1/m),
            coc.%04d.exr (diameter of the circle of confusion in pixels of the picture, negative before the focus), matte.%04d.png (the subject, by its
            depth) lens.%04d.json, and export.json, the command. Maps have the size in which disparity was recorded. The folder is there when it is complete, or not at all.
            """,
        options: [
            .init(
                "--output", "-o", value: "MOVIE.mp4",
                meaning: "where the movie goes: .mp4, .mov, .mkv; or pictures: out.%04d.png, .tiff, .exr"),
            .init("--stems", value: "FOLDER", meaning: "write picture, disparity, circle of confusion, matte and lens of each frame instead"),
        ] + Arguments.deliveryOptions + [
            Arguments.againOption("MOVIE.export.json, or export.json of a folder of stems"),
            .init("--overlay", meaning: "draw the focus rectangles, time, f-number and status"),
            .init("--stereo", meaning: "mix ambisonic sound to stereo, or leave it out where stereo goes with it"),
            .init(
                "--spatial", value: "STYLE[:S]",
                meaning: "mix ambisonic sound to stereo with who is ahead before the rest, in place of the stereo that goes with it: cinematic "
                    + "(in the middle), studio (almost alone), in-frame (those in the picture); S is the strength, 0 to 1 (1)"),
            .init(
                "--resume",
                meaning: "keep finished parts in MOVIE.mp4.parts until the movie is complete, and go on from those of an export that was killed"),
            .init("--aperture", value: "N", meaning: "simulated f-number of all frames, 0.5 to 64; default what was recorded or edited"),
        ] + Arguments.editOptions + Arguments.lensOptions(highlights: 8) + [
            .init("--force", meaning: "replace an existing movie or folder of stems"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus export take.mov -o take.mp4 --aperture 1.4")

    private enum Job {
        case movie(ExportJob)
        case stems(StemsJob)
        /// Of a phone's movie, whose decisions nobody can read.
        case render(RenderJob)
    }

    private let job: Job
    private let output: String
    /// Command that is done again; nil for one that is written out.
    private let earlier: EarlierCommand?

    init(_ arguments: inout Arguments) throws {
        let path = try arguments.positional("FILE")
        try arguments.finish()
        earlier = arguments.earlier
        let aperture = try arguments.number("--aperture")
        if let aperture, !(0.5...64).contains(aperture) { throw UsageError("--aperture goes from 0.5 to 64, not to \(aperture)") }
        if let folder = arguments.value("--stems") {
            output = folder
            job = .stems(try Self.stems(of: path, in: folder, aperture: aperture, arguments))
            return
        }
        guard arguments.value("--output") != nil else { throw UsageError("--output or --stems is missing") }
        output = try arguments.output(as: Arguments.movieFormats + Arguments.pictureFormats)
        var options = ExportOptions(output: output)
        options.delivery = try arguments.delivery()
        options.overlay = arguments.flag("--overlay")
        (options.mixesAmbisonics, options.isResumable) = (arguments.flag("--stereo"), arguments.flag("--resume"))
        options.spatialMix = try arguments.value("--spatial").map(Self.spatialMix)
        options.edits = try arguments.edits()
        options.replacesExisting = arguments.flag("--force")
        options.gpu = arguments.value("--gpu")
        options.aperture = aperture
        options.lens = try arguments.lens(highlights: options.lens.highlights)
        options.arguments = [Self.help.name] + arguments.words
        let take = PhoneTake(of: path)
        if let take, !take.isThere {
            job = .render(try Self.render(path, options, arguments))
        } else {
            job = .movie(try ExportJob(take?.made(arguments.models()) ?? path, options: options))
        }
    }

    private static func spatialMix(_ text: String) throws -> (style: SpatialMix.Style, intensity: Float) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let style = SpatialMix.Style(rawValue: String(parts[0])) else {
            let styles = SpatialMix.Style.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--spatial is one of \(styles), not \"\(parts[0])\"")
        }
        guard parts.count > 1 else { return (style, 1) }
        guard let strength = Float(parts[1]), (0...1).contains(strength) else {
            throw UsageError("the strength of --spatial goes from 0 to 1, not to \"\(parts[1])\"")
        }
        return (style, strength)
    }

    private static func render(_ path: String, _ options: ExportOptions, _ arguments: Arguments) throws -> RenderJob {
        let useless = ["--resume", "--stereo", "--spatial", "--edits", "--as-recorded"]
        if let option = useless.first(where: arguments.isGiven) {
            throw UsageError("\(option) goes with a movie that has decisions: rackfocus render --video \(path) --cinematic take.mov makes one")
        }
        var render = RenderOptions(output: options.output)
        (render.delivery, render.overlay, render.replacesExisting) = (options.delivery, options.overlay, options.replacesExisting)
        (render.gpu, render.aperture, render.lens) = (options.gpu, options.aperture, options.lens)
        render.arguments = options.arguments
        render.models = try arguments.models()
        return try RenderJob(scenario: nil, footage: .plain(path), options: render)
    }

    private static func stems(of path: String, in folder: String, aperture: Double?, _ arguments: Arguments) throws -> StemsJob {
        let taken = ["--stems", "--from", "--to", "--aperture", "--edits", "--as-recorded", "--force"]
        if let other = help.options.map({ $0.names[0] }).first(where: { !taken.contains($0) && arguments.isGiven($0) }) {
            throw UsageError("--stems are the pictures before lens and coding: leave \(other) out, or --stems")
        }
        var options = StemsJob.Options(folder: folder)
        options.edits = try arguments.edits()
        options.span = FootageSpan(from: try arguments.point("--from"), to: try arguments.point("--to"))
        (options.aperture, options.replacesExisting) = (aperture, arguments.flag("--force"))
        options.arguments = [help.name] + arguments.words
        return try StemsJob(PhoneTake(of: path)?.made(arguments.models()) ?? path, options: options)
    }

    var inputs: [String] {
        get throws {
            switch job {
            case .movie(let job): job.inputs
            case .stems(let job): job.inputs
            case .render(let job): try job.inputs
            }
        }
    }

    var outputs: [String] {
        get throws {
            switch job {
            case .movie(let job): try job.outputs
            case .stems: [output]
            case .render(let job): try job.outputs
            }
        }
    }

    func run() throws {
        earlier?.warn()
        switch job {
        case .movie(let job):
            let progress = ProgressLine(total: job.frameCount)
            let result = try progress.whileShown { try job.run { progress.update(frame: $0) } }
            conclude(result.frames, result.remarks)
            if let failure = result.filterFailure { throw failure }
        case .stems(let job):
            let progress = ProgressLine(total: job.frameCount)
            let result = try progress.whileShown { try job.run { progress.update(frame: $0) } }
            conclude(result.frames, result.remarks)
        case .render(let job):
            StandardError.print("rackfocus: note: decisions are in the phone's own format and are left alone; they are made anew")
            let progress = ProgressLine(total: job.frameCount)
            let result = try progress.whileShown { try job.run { progress.update(frame: $0) } }
            conclude(result.frames, result.remarks)
            try result.lensFailure?.report(among: result.frames)
            if let failure = result.filterFailure { throw failure }
        }
    }

    private func conclude(_ frames: Int, _ remarks: [String]) {
        StandardOutput.print("\(frames.counted("frame")) in \(output)")
        for remark in remarks { StandardError.print("rackfocus: note: \(remark.printable)") }
    }
}
