import Focus
import Pipeline
import Stage

/// Every mapping of a scenario file, outside the timeline.
enum Format {
    static let scenario = FormatTable(
        "scenario",
        [
            FormatKey("scenario", .text, "The scenario's name, one line."),
            FormatKey("about", .text, "What it is about, at length."),
            FormatKey("tags", .list(.text), "Words that --filter finds."),
            FormatKey("format", .words(["1"]), "The version of the format."),
            FormatKey("mode", .words(ScenarioFile.Mode.self), "When racks begin: as they are decided, or so that they are over by then."),
            FormatKey("clip", .table(clip), "The picture that is filmed: a synthetic world or footage, its size, rate and length."),
            FormatKey("device", .table(device), "The camera that films."),
            FormatKey("session", .table(session), "What the app's session delivers to."),
            FormatKey("view", .table(view), "The preview layer that fingers touch."),
            FormatKey("light", .lux, "Lux at the start, like 180lx."),
            FormatKey("tuning", .table(tuning), "Numbers of the focus puller, by name."),
            FormatKey("environment", .table(environment), "What is around the subjects."),
            FormatKey("subjects", .named(FormatShape.name, .table(subject)), "Who and what is there, by name."),
            FormatKey("timeline", .list(.single(FormatShape.moment, .table(Verbs.table))), "What happens when, and what must be true."),
            FormatKey("issues", .list(.table(issue)), "Known failures, which fail no run until they are gone."),
            FormatKey("goldens", .table(goldens), "What must come out as it did before."),
        ])

    /// With the sections that are gone before the others are read.
    static let file = scenario.adding(
        "file",
        [
            FormatKey("include", .either([.text, .list(.text)]), "Fragments beside this file: sections that several scenarios share."),
            FormatKey("matrix", .named(FormatShape.name, .list(.text)), "Names with their values; ${name} stands for each in turn."),
        ])

    static let clip = FormatTable(
        "clip",
        [
            FormatKey(
                "source", .either([.words(["synthetic"]), .table(source)]),
                "synthetic, or footage by its files; without it, the video beside the sidecar of detections."),
            FormatKey("size", .size, "Pixels of the picture, both even: 1920x1080."),
            FormatKey("fps", .either([.integer(1...240), .pattern("[0-9]+(/[0-9]+)?")]), "Frames a second: 30 or 30000/1001."),
            FormatKey("length", .time, "How long to film."),
            FormatKey("seed", .integer(0...Int.max), "Draws everything that is left to chance."),
            FormatKey(
                "detections", .either([.words(["truth", "vision"]), .pattern(".*\\.jsonl")]), "Who finds the subjects, or a sidecar of detections."),
        ])

    static let source = FormatTable(
        "source",
        [
            FormatKey("left", .text, "The left eye's video."), FormatKey("right", .text, "The right eye's video."),
            FormatKey("baseline", .metres, "Distance of the eyes; with focalLength disparity is metric."),
            FormatKey("focalLength", .quantity("px"), "Focal length of the footage in pixels."),
            FormatKey("calibration", .text, "What rackfocus calibrate wrote for two cameras."),
            FormatKey("video", .text, "A video."), FormatKey("disparity", .text, "Its recorded disparity."),
            FormatKey("range", .numbers(2), "Disparity (1/m) at 0 and at full scale."),
            FormatKey("depth", .text, "Its 16-bit depth in millimetres."),
            FormatKey("sideBySide", .text, "A rectified pair in one file, left beside right."),
            FormatKey("topBottom", .text, "A rectified pair in one file, left above right."),
        ], later: ["device"])

    static let device = FormatTable(
        "device",
        [
            FormatKey("phone", .text, "A phone that rackfocus devices lists, or the path of a profile."),
            FormatKey("camera", .words(ScenarioFile.Device.Camera.self), "A camera by name."),
            FormatKey("aperture", .fNumber, "Simulated f-number at the start."),
            FormatKey("focalLength", .quantity("mm"), "Full-frame-equivalent focal length."),
            FormatKey("format", .words(ScenarioFile.Device.formats.map(\.name)), "The camera's format, which gives the clip its size."),
        ])

    static let session = FormatTable(
        "session", [FormatKey("outputs", .list(.words(ScenarioFile.Output.self)), "Outputs, metadata and preview among them.")])

    static let view = FormatTable(
        "view",
        [
            FormatKey("size", .size, "Points of the preview layer."),
            FormatKey("gravity", .words(ScenarioFile.PreviewView.Gravity.self), "How the picture fills the layer."),
            FormatKey("rotation", .degrees, "Clockwise, a multiple of 90deg."),
            FormatKey("mirrored", .bool, "Whether the preview is a mirror; a front camera's is by itself."),
        ])

    static let environment = FormatTable(
        "environment",
        [
            FormatKey("backdrop", .words(Backdrop.Kind.self), "What is behind."),
            FormatKey("wallDepth", .metres, "Distance of the back wall."),
            FormatKey("table", .table(table), "A table in the foreground."),
            FormatKey("lights", .list(.table(lamp)), "Small lights before the wall."),
        ])

    static let table = FormatTable(
        "table",
        [
            FormatKey("depth", .metres, "Distance of the table's far edge."),
            FormatKey("drop", .metres, "How far the table top is below the camera."),
        ])

    private static let color = FormatShape.either([
        .words(["warm", "amber", "white", "cold", "red", "green", "blue", "pink"]), .pattern("#[0-9a-fA-F]{6}"),
    ])

    static let lamp = FormatTable(
        "light",
        [
            FormatKey("at", .numbers(2), "One light: where, in 0…1 of the picture."),
            FormatKey("from", .numbers(2), "A string of lights: where it begins."), FormatKey("to", .numbers(2), "Where the string ends."),
            FormatKey("sag", .fraction, "How far the string sags, of the picture's height."),
            FormatKey("over", .numbers(4), "Lights spread over a box."), FormatKey("count", .integer(2...1000), "How many lights."),
            FormatKey("depth", .either([.metres, .list(.metres)]), "Distance, or the nearest and the farthest."),
            FormatKey("color", .either([color, .list(color)]), "A colour by name or \"#rrggbb\", or several that take turns."),
            FormatKey("size", .fraction, "Diameter, of the picture's width."),
        ])

    static let subject = FormatTable(
        "subject",
        [
            FormatKey("kind", .words(Subject.Kind.self), "What it is; a prop is never detected by itself."),
            FormatKey("box", .numbers(4), "x, y, width, height in 0…1 of the picture, origin top left."),
            FormatKey("at", .numbers(2), "Where its middle is seen, with `height`."), FormatKey("height", .metres, "How tall it is."),
            FormatKey("depth", .metres, "Distance from the camera."), FormatKey("facing", .heading, "camera, away or an angle."),
            FormatKey("enters", .time, "When it comes into the world."), FormatKey("exits", .time, "When it leaves."),
            FormatKey("texture", .text, "Words that pick clothes, hair, fur or look."), FormatKey("sound", .table(sound), "What it sounds like."),
        ])

    static let sound = FormatTable(
        "sound",
        [
            FormatKey("tone", .quantity("Hz", "kHz"), "A tone, 20Hz to 20kHz."), FormatKey("noise", .words(["white", "pink"]), "A noise."),
            FormatKey("wav", .text, "A recording."), FormatKey("level", .quantity("dB"), "How loud at one metre."),
            FormatKey("starts", .time, "When it begins."), FormatKey("stops", .time, "When it ends."),
        ])

    static let issue = FormatTable(
        "issue",
        [
            FormatKey("id", .text, "Where it is tracked."), FormatKey("why", .text, "One sentence."),
            FormatKey("message", .text, "A part of the failure's message."), FormatKey("sometimes", .bool, "Whether it happens in some runs only."),
        ])

    static let goldens = FormatTable(
        "goldens",
        [
            FormatKey("trace", .words(["exact"]), "The trace stays the same bit for bit."),
            FormatKey("frames", .table(goldenFrames), "Pictures that are compared by --render."),
        ])

    static let goldenFrames = FormatTable(
        "goldenFrames",
        [
            FormatKey("at", .list(.time), "Which frames."),
            FormatKey("min", .table(likeness), "How alike they must be, in the subject and around it."),
            FormatKey("exact", .bool, "Each device and driver keeps a golden of its own as well, met bit for bit."),
        ])

    static let likeness = FormatTable(
        "likeness", [FormatKey("ssim", .number, "Structural similarity, 0…1."), FormatKey("psnr", .number, "Decibel.")])

    /// Nested by the dots in the names.
    static let tuning = table(of: FocusTuning.names, below: "", named: "tuning")

    private static func table(of names: [String], below prefix: String, named name: String) -> FormatTable {
        var keys: [FormatKey] = []
        for full in names where full.hasPrefix(prefix) {
            let rest = full.dropFirst(prefix.count)
            let key = String(rest.prefix { $0 != "." })
            guard !keys.contains(where: { $0.name == key }) else { continue }
            if rest.contains(".") {
                keys.append(FormatKey(key, .table(table(of: names, below: prefix + key + ".", named: "\(name).\(key)")), "Numbers of \(key)."))
            } else if let unit = FocusTuning.unit(of: full) {
                keys.append(FormatKey(key, shape(of: unit), "A tuning number: \(unit.description)."))
            }
        }
        return FormatTable(name, keys)
    }

    private static func shape(of unit: FocusTuning.Unit) -> FormatShape {
        switch unit {
        case .time: .time
        case .degrees: .degrees
        case .lux: .lux
        case .disparity, .number: .number
        case .ease: .words(Ease.self)
        }
    }
}
