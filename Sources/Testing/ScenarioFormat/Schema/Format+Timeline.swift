import Pipeline
import Stage

/// The verbs and what is under them.
extension Format {
    static let verbs = FormatTable(
        "verbs",
        [
            FormatKey("tap", place, "A finger down for 100 ms; it acts on release."),
            FormatKey("press", .table(press), "A finger down for as long as `for` says."),
            FormatKey("touch", .list(.either([.words(["up"]), .table(touchStep)])), "A finger step by step: down, wait, move, up."),
            FormatKey("set", .table(set), "The app changes one thing: aperture, zoom or stabilization."),
            FormatKey("enter", .either([.subject, .table(enter)]), "A subject comes in, at once or from a side."),
            FormatKey("exit", .either([.subject, .table(exit)]), "A subject leaves."),
            FormatKey("move", .table(move), "A subject moves."),
            FormatKey("turn", .table(turn), "A subject turns."),
            FormatKey("light", .either([.lux, .table(lightChange)]), "The light changes."),
            FormatKey("cover", .table(cover), "A hand over the lens."),
            FormatKey("camera", .table(camera), "The camera pans or shakes."),
            FormatKey("mark", .subject, "Gives this time a name."),
            FormatKey("expect", .table(expect), "Must be true now, or within a time."),
            FormatKey("hold", .table(hold), "Must be true in every frame until or for a time."),
            FormatKey("never", .table(never), "May be true in no frame since or until a time."),
            FormatKey("throws", .table(raising), "A call that must raise and change nothing."),
            FormatKey("api", .table(api), "A call of the camera's focus API, past the fingers."),
            FormatKey("fault", .table(fault), "Something goes wrong."),
            FormatKey("record", .words(CameraCall.Recording.self), "A step of a recording."),
            FormatKey("photo", .words(["take"]), "The app takes a photo."),
            FormatKey("session", .words(CameraCall.Session.self), "A step of the session."),
            FormatKey("occlude", .table(occlude), "A board is held before a subject."),
            FormatKey("switchCamera", .words(ScenarioFile.Device.Camera.self), "The app films with the other camera."),
        ])

    // MARK: places and touches

    static let point = FormatTable(
        "place",
        [
            FormatKey("on", .subject, "A subject, as seen in the view."), FormatKey("offset", .numbers(2), "Where on it, 0…1 of its box."),
            FormatKey("view", .numbers(2), "0…1 of the preview layer."), FormatKey("pt", .numbers(2), "Points of the preview layer."),
            FormatKey("meta", .numbers(2), "0…1 of the unrotated picture, origin top left."), FormatKey("px", .numbers(2), "Picture pixels."),
        ])
    private static let place = FormatShape.either([.subject, .table(point)])

    static let press = point.adding("press", [FormatKey("for", .time, "How long, like 310ms.")])
    static let touchStep = FormatTable(
        "touchStep",
        [
            FormatKey("down", place, "The finger comes down."), FormatKey("wait", .time, "It stays."), FormatKey("move", place, "It moves there."),
        ])

    // MARK: the app

    static let set = FormatTable(
        "set",
        [
            FormatKey("aperture", .fNumber, "Simulated f-number."), FormatKey("zoom", .number, "Zoom factor."),
            FormatKey("stabilization", .words(CameraCall.Stabilization.self), "How the movie is stabilized."),
        ])
    static let setRaising = FormatTable("setRaising", set.keys.filter { $0.name != "stabilization" })

    private static let mode = FormatKey("mode", .words(["weak", "strong", "none"]), "A focus mode.")
    static let api = FormatTable(
        "api",
        [
            FormatKey("trackingFocus", .either([.subject, .integer(-1...Int.max)]), "Follow a subject, or an object by its number."),
            FormatKey("trackingFocusAt", .numbers(2), "Follow what is at a point of metadata space."),
            FormatKey("fixedFocusAt", .numbers(2), "Hold the distance at a point of metadata space."), mode,
        ])
    static let apiRaising = api.adding("apiRaising", [FormatKey("locked", .bool, "Whether the app holds the device's lock; it does by itself.")])
    static let raising = FormatTable(
        "throws",
        [
            FormatKey("set", .table(setRaising), "Setting something."), FormatKey("api", .table(apiRaising), "A focus call."),
            FormatKey("session", .words(["commit"]), "commitConfiguration without a begin."),
            FormatKey("error", .words(["invalidArgument", "generic", "range"]), "The exception it raises."),
        ])

    // MARK: the world

    private static let who = FormatKey("subject", .subject, "Who or what.")
    private static let passage = [
        FormatKey("over", .time, "How long it takes; at once without."), FormatKey("ease", .words(Ease.self), "Its course."),
    ]
    static let enter = FormatTable("enter", [who, FormatKey("from", .words(WorldVerb.Side.self), "The side it walks in from.")] + passage)
    static let exit = FormatTable("exit", [who, FormatKey("to", .words(WorldVerb.Side.self), "The side it walks out at.")] + passage)
    static let move = FormatTable(
        "move",
        [
            who, FormatKey("to", .either([.numbers(4), .numbers(2)]), "A box, or its middle: then its size follows its depth."),
            FormatKey("depth", .metres, "Its new distance."),
        ] + passage)
    static let turn = FormatTable("turn", [who, FormatKey("to", .heading, "camera, away or an angle.")] + passage)
    static let lightChange = FormatTable("lightChange", [FormatKey("to", .lux, "Like 3lx.")] + passage)
    static let cover = FormatTable("cover", [FormatKey("for", .time, "How long.")])
    static let occlude = FormatTable("occlude", [who, FormatKey("for", .time, "How long.")])
    static let camera = FormatTable(
        "camera", [FormatKey("pan", .degrees, "To the right."), FormatKey("shake", .fraction, "Of the picture's width.")] + passage)

    // MARK: faults

    static let fault = FormatTable(
        "fault",
        [
            FormatKey("missDetection", .table(occlude), "A subject is there and is not seen."),
            FormatKey("swapIds", .list(.subject), "The tracker takes one of two for the other."),
            FormatKey("dropFrames", .integer(1...10_000), "So many frames never arrive."),
            FormatKey("interrupt", .table(interrupt), "The system takes the camera away."),
            FormatKey("runtimeError", .bool, "The media services are reset."), FormatKey("disconnect", .bool, "The camera is pulled out, for good."),
            FormatKey("diskFull", .bool, "From here on nothing more can be written."),
            FormatKey("pressure", .words(Fault.Pressure.self), "How hot the camera is."),
            FormatKey("lateMetadata", .table(lateMetadata), "The app hears of objects some frames late."),
            FormatKey("deny", .bool, "The user takes back the permission: no camera can be opened any more; at 0s none at all."),
        ])
    static let interrupt = FormatTable(
        "interrupt", [FormatKey("by", .words(Interruption.self), "Who takes it."), FormatKey("for", .time, "How long.")])
    static let lateMetadata = FormatTable(
        "lateMetadata", [FormatKey("frames", .integer(1...60), "How many frames late."), FormatKey("for", .time, "How long.")])

    // MARK: checks

    private static let checks = FormatTable(
        "checks",
        [
            FormatKey("focus", .either([.subject, .table(focus)]), "A subject's name, none, or any object by kind and place."), mode,
            FormatKey("fixed", .bool, "Whether focus is fixed at a distance."), FormatKey("racking", .bool, "Whether focus is on its way."),
            FormatKey("settled", .bool, "Whether something is in focus and no rack is on its way."),
            FormatKey("distance", .near("(m|cm|mm)"), "Metres to the plane in focus: 0.7m ±5%."),
            FormatKey("disparity", .either([.number, .near("")]), "Disparity in focus: 0.7 ±5%."),
            FormatKey("aperture", .fNumber, "Simulated f-number."),
            FormatKey("status", .list(.words(["notEnoughLight"])), "What the scene lacks; [] for nothing."),
            FormatKey("objects", .either([.integer(0...1000), .list(.subject)]), "How many objects, or the subjects reported."),
            FormatKey("rect", .named(FormatShape.name, .words(Expectation.Rect.Style.self)), "How the app draws the boxes of subjects."),
            FormatKey("why", .words(FocusDecision.Why.self), "The reason of the last decision."),
            FormatKey(
                "recording", .words(["true", "false", "paused", "diskFull", "interrupted", "disconnected", "reset", "changed"]),
                "What the movie output does, or why its last recording ended."),
            FormatKey("droppedFrames", .integer(0...1_000_000), "Frames that never arrived, since the start."),
            FormatKey("camera", .words(Expectation.Camera.self), "The camera that films; denied when none may."),
        ])
    static let expect = checks.adding(
        "expect",
        [
            FormatKey(
                "blur", .named(FormatShape.name, .pattern("[<>] *[0-9.]+ *px")), "How far the background or a subject is blurred; with --render."),
            FormatKey("within", .time, "How long it may take to become true."),
        ])
    static let hold = checks.adding(
        "hold", [FormatKey("until", .instant, "A time or a mark."), FormatKey("for", .time, "How long.")])
    static let never = checks.adding(
        "never", [FormatKey("since", .instant, "A time or a mark."), FormatKey("until", .instant, "A time or a mark.")])
    static let focus = FormatTable(
        "focus",
        [
            FormatKey("kind", .words(Detection.Kind.allCases.map { $0 == .salientObject ? "salient" : $0.rawValue }), "What is in focus."),
            FormatKey("near", place, "Where: a subject, {meta: [x, y]} or {px: [x, y]}."),
        ])
}
