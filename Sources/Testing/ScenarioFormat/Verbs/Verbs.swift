/// Verbs of the timeline: the one list, from which the reader, the schema and the table in `Scenarios/README.md` are made.
enum Verbs {
    /// Every verb, in the order of the documentation.
    static let all: [any ReadableVerb.Type] = [
        TapVerb.self, PressVerb.self, TouchVerb.self, SetVerb.self, EnterVerb.self, ExitVerb.self, MoveVerb.self, TurnVerb.self, LightVerb.self,
        CoverVerb.self, CameraVerb.self, MarkVerb.self, ExpectVerb.self, HoldVerb.self, NeverVerb.self, ThrowsVerb.self, APIVerb.self,
        FaultVerb.self, RecordVerb.self, PhotoVerb.self, SessionVerb.self, OccludeVerb.self, SwitchCameraVerb.self,
        TorchVerb.self, FocusVerb.self, ApertureVerb.self,
    ]

    /// Keys of one event.
    static let table = FormatTable("verbs", all.map { FormatKey($0.name, $0.shape, $0.about) })
}
