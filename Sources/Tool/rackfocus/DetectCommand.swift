import Foundation
import RackfocusKit
import Support

/// `rackfocus detect`: footage or pictures in, detections out.
struct DetectCommand: Command {
    static let help = Help(
        name: "detect",
        summary: "Find faces, people, pets and things in footage, and write them as JSON Lines.",
        usage: "detect VIDEO|PICTURES -o OUT.jsonl [--overlay OUT.mp4] [options]",
        discussion: """
            One line a frame: boxes (0…1, from the top left), numbers that stay with their object, groups (face, head and body of one person),
            where heads look, disparity. A scenario takes the file back (`clip: {detections: OUT.jsonl}`) and plays it exactly;
            `rackfocus evaluate` scores it. A face is in the frames before it was certain, too; not with --live. Models are optional: see `rackfocus models`.
            """,
        options: [
            .init("--output", "-o", value: "OUT.jsonl", meaning: "where the detections go"),
            .init("--overlay", value: "OUT.mp4", meaning: "a movie with the boxes drawn in"),
            .init("--stills", meaning: "every picture is a scene of its own, whatever its size"),
            .init("--right", value: "FILE", meaning: "right eye, when VIDEO is the left of a rectified pair"),
            .init("--disparity", value: "FILE", meaning: "disparity of VIDEO, as of `render`"),
        ] + modelOptions + [
            .init("--live", meaning: "frames come at their own times, as from a camera, and wait for no search: another run finds other things"),
            .init("--timings", meaning: "print the time each stage took, and whether the footage can be kept up with"),
            .init("--force", meaning: "replace existing files"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus detect party.mp4 -o party.jsonl --overlay party-boxes.mp4")

    static let modelOptions = [
        Help.Option("--face-model", value: "FILE", meaning: "YuNet's .onnx; `none` looks for none; default: found beside the others"),
        Help.Option("--object-model", value: "FILE", meaning: "YOLO-Fastest's .weights or FastestDet's .onnx; `none`; default: as above"),
    ]

    private let job: DetectJob
    private let options: DetectJob.Options
    private let timings: Bool

    init(_ arguments: inout Arguments) throws {
        let input = try arguments.positional("VIDEO, or a folder or pattern of PICTURES,")
        try arguments.finish()
        var options = DetectJob.Options(output: try arguments.output(as: [["jsonl"]]))
        options.overlay = arguments.value("--overlay")
        if let overlay = options.overlay, !overlay.lowercased().hasSuffix(".mp4") {
            throw UsageError("--overlay is written as MP4: name it with .mp4, not \"\(overlay)\"")
        }
        (options.right, options.disparity) = (arguments.value("--right"), arguments.value("--disparity"))
        if options.right != nil, options.disparity != nil { throw UsageError("disparity comes from --right or from --disparity, not from both") }
        (options.isStills, options.isLive) = (arguments.flag("--stills"), arguments.flag("--live"))
        let other = options.isLive ? "--live" : ["--overlay", "--right", "--disparity"].first { arguments.value($0) != nil }
        if options.isStills, let other {
            throw UsageError("\(other) goes with footage, not with --stills")
        }
        options.models = try arguments.models()
        options.replacesExisting = arguments.flag("--force")
        timings = arguments.flag("--timings")
        self.options = options
        job = try DetectJob(input, options: options)
    }

    var inputs: [String] { get throws { try job.inputs } }
    var outputs: [String] { [options.output] + [options.overlay].compactMap { $0 } }

    func run() throws {
        let progress = ProgressLine(total: job.frameCount)
        let result = try progress.whileShown { try job.run { progress.update(frame: $0) } }
        let frames = result.frames.counted(options.isStills ? "picture" : "frame")
        StandardOutput.print("\(result.detections.counted("detection")) in \(frames), in \(options.output)")
        for remark in result.remarks { StandardError.print("rackfocus: note: \(remark.printable)") }
        if timings { StandardOutput.print(([result.timings.table] + [result.budget].compactMap { $0 }).joined(separator: "\n")) }
    }
}

extension Arguments {
    /// The models that the options of `DetectCommand.modelOptions` name, or that are installed.
    func models() throws -> VisionModels {
        func model(_ option: String, _ kind: KnownModel.Kind) -> String? {
            switch value(option) {
            case "none": nil
            case let path?: path
            case nil: ModelLibrary.standard.installed(kind)
            }
        }
        let models = VisionModels(
            face: model("--face-model", .face), object: model("--object-model", .object), depth: model("--depth-model", .depth))
        try ModelProbe.check(models)
        return models
    }
}
