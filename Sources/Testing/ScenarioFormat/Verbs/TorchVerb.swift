import AVFCapture

/// `{torch: on}`, `{torch: auto}` or a level, `{torch: 50%}`.
struct TorchVerb: PlayedVerb, ReadableVerb {
    static let name = "torch"
    static let about = "The app lights the torch or turns it off: on, off, auto (lit in the dark while a movie is recorded), or a level like 50%."
    static let shape = FormatShape.either([.words(modes.map(\.name)), .fraction])

    private static let modes: [(name: String, value: Setting)] = [("on", .mode(.on)), ("off", .mode(.off)), ("auto", .mode(.auto))]

    /// Setting of the torch.
    private enum Setting: Sendable {
        case mode(AVCaptureDevice.TorchMode)
        /// Brightness, above 0 and up to 1.
        case level(Float)
    }

    private let setting: Setting
    let object: String

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let node = entry.value
        object = node.raw
        // As it is written: a number is a level, anything else a word, also what YAML would take for a boolean.
        guard Quantity(node.raw) != nil else {
            setting = try node.choice("a mode of the torch, nor a level like 50%", Self.modes)
            return
        }
        let level = try node.fraction("the torch's level")
        guard level > 0 else { throw node.error("a torch is lit at more than 0", suggestion: "write `torch: off`") }
        setting = .level(Float(level))
    }

    func play(on app: ScriptedApp) throws {
        try app.whileLocked { device in
            guard device.hasTorch else { throw PlayFailure("this camera has no torch") }
            switch setting {
            case .mode(let mode): device.torchMode = mode
            case .level(let level):
                // `on` stays set and lights again once the camera has cooled; a level must be lit now.
                guard device.isTorchAvailable else { throw PlayFailure("the torch cannot be lit at a level while the camera is this hot") }
                try device.setTorchModeOn(level: level)
            }
        }
    }
}
