import Pipeline

/// Tables that several verbs share.
extension Format {
    static let point = FormatTable(
        "place",
        [
            FormatKey("on", .subject, "A subject, as seen in the view."), FormatKey("offset", .numbers(2), "Where on it, 0…1 of its box."),
            FormatKey("view", .numbers(2), "0…1 of the preview layer."), FormatKey("pt", .numbers(2), "Points of the preview layer."),
            FormatKey("meta", .numbers(2), "0…1 of the unrotated picture, origin top left."), FormatKey("px", .numbers(2), "Picture pixels."),
        ])
    static let place = FormatShape.either([.subject, .table(point)])

    static let mode = FormatKey("mode", .words(FocusMode.names.map(\.name)), "A focus mode.")
    static let who = FormatKey("subject", .subject, "Who or what.")

    /// Fields of every expectation.
    static let checks = FormatTable(
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
    static let focus = FormatTable(
        "focus",
        [
            FormatKey("kind", .words(Detection.Kind.allCases.map { $0 == .salientObject ? "salient" : $0.rawValue }), "What is in focus."),
            FormatKey("near", place, "Where: a subject, {meta: [x, y]} or {px: [x, y]}."),
        ])
}
