import RackfocusKit
import Support

/// `rackfocus webcam`: a camera in, a virtual camera with its bokeh out.
struct WebcamCommand: Command {
    static let help = Help(
        name: "webcam",
        summary: "Show a camera with its bokeh as a virtual camera, for any video call.",
        usage: "webcam --to /dev/video10 | --to pipewire [--camera NAME] [options]",
        discussion: """
            The virtual camera is a V4L2 output device, NV12 or YUYV, as v4l2loopback makes one: `sudo modprobe v4l2loopback exclusive_caps=1`. Or, with
            `--to pipewire`, it is a node of PipeWire, where rackfocus was built with libpipewire-0.3-dev; then the camera is opened only while somebody
            watches, and let go of two seconds after. Focus follows you as in a recording, through a lens, not a cut-out. Pictures that the lens is
            late with are left out. Ctrl-C ends it.
            """,
        options: [
            .init("--to", value: "DEVICE", meaning: "output device that other programs see as a camera, or pipewire"),
            .init("--size", value: "WxH", meaning: "size of its pictures, within the camera's and of its shape; default the camera's"),
            .init("--mirror", meaning: "exchange left and right"),
        ] + RecordCommand.liveOptions + Arguments.lensOptions(highlights: 8) + [
            .init("--timings", meaning: "print the time of each stage"),
            .init("--help", "-h", meaning: "this text"),
        ],
        example: "rackfocus webcam --to /dev/video10 --format 720p30 --mirror --aperture 2")

    private let job: RecordJob
    private let isTimed: Bool

    init(_ arguments: inout Arguments) throws {
        try arguments.finish()
        var options = RecordOptions()
        options.sink = try arguments.required("--to")
        if let text = arguments.value("--size") {
            let sides = text.split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, sides.allSatisfy({ (16...8192).contains($0) && $0 % 2 == 0 }) else {
                throw UsageError("--size is an even width and height like 1280x720, not \"\(text)\"")
            }
            options.sinkSize = (sides[0], sides[1])
        }
        options.isMirrored = arguments.flag("--mirror")
        try arguments.fill(&options)
        isTimed = arguments.flag("--timings")
        job = try RecordJob(options)
    }

    var inputs: [String] { job.inputs }

    func run() throws {
        try job.runToEnd(report)
    }

    private func report(_ result: RecordResult) throws {
        StandardOutput.print(
            result.end == .unwatched
                ? "\(result.bakedFrames.counted("picture")) shown; nobody watches any more"
                : "\(result.bakedFrames) of \(result.frames.counted("picture")) shown")
        for remark in result.remarks { StandardError.print("rackfocus: note: \(remark.printable)") }
        if isTimed { StandardOutput.print(result.timings.table) }
        try result.lensFailure?.report(among: result.bakedFrames)
        if result.end == .unplugged { throw CameraUnplugged() }
        if !result.failures.isEmpty { throw ExpectationsFailed(failures: result.failures) }
    }
}
