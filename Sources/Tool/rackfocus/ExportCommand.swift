import Foundation
import RackfocusKit
import Support

/// `rackfocus export`: a cinematic movie in, a movie with its bokeh baked out.
struct ExportCommand: Command {
    static let help = Help(
        name: "export",
        summary: "Bake a cinematic movie: its pictures through the lens, focused as it was decided.",
        usage: "export FILE.mov -o MOVIE.mp4 [options]",
        discussion: """
            FILE is what a movie file output records while cinematic capture is enabled, and stays as it is: nothing is detected or decided anew,
            every frame is focused as its metadata say, and as `rackfocus edit` has changed them. The lens and the codings are those of `rackfocus render`. Sound, timecode, date and
            chapters go along. Progress goes to the terminal; nothing is printed when piped.
            """,
        options: [
            .init(
                "--output", "-o", value: "MOVIE.mp4",
                meaning: "where the movie goes: .mp4, .mov, .mkv; or pictures: out.%04d.png, .tiff, .exr")
        ] + Arguments.deliveryOptions + [
            .init("--overlay", meaning: "draw the focus rectangles, time, f-number and status"),
            .init("--aperture", value: "N", meaning: "simulated f-number of all frames, 0.5 to 64; default what was recorded or edited"),
        ] + Arguments.editOptions + Arguments.lensOptions(highlights: 8) + [
            .init("--force", meaning: "replace an existing movie"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus export take.mov -o take.mp4 --aperture 1.4")

    private let job: ExportJob
    private let output: String

    init(_ arguments: inout Arguments) throws {
        let path = try arguments.positional("FILE")
        try arguments.finish()
        output = try arguments.output(as: "mp4", "mov", "mkv", "png", "tiff", "tif", "exr")
        var options = ExportOptions(output: output)
        options.delivery = try arguments.delivery()
        options.overlay = arguments.flag("--overlay")
        options.edits = try arguments.edits()
        options.replacesExisting = arguments.flag("--force")
        options.gpu = arguments.value("--gpu")
        options.aperture = try arguments.number("--aperture")
        if let aperture = options.aperture, !(0.5...64).contains(aperture) { throw UsageError("--aperture goes from 0.5 to 64, not to \(aperture)") }
        options.lens = try arguments.lens(highlights: options.lens.highlights)
        job = try ExportJob(path, options: options)
    }

    var inputs: [String] { job.inputs }
    var outputs: [String] { get throws { try job.outputs } }

    func run() throws {
        let progress = ProgressLine(total: job.frameCount)
        let result = try progress.whileShown { try job.run { progress.update(frame: $0) } }
        StandardOutput.print("\(result.frames) frames in \(output)")
        for remark in result.remarks { StandardError.print("rackfocus: note: \(remark.printable)") }
        if let failure = result.filterFailure { throw failure }
    }
}
