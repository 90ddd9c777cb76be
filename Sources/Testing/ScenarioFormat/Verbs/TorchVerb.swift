/// `{torch: on}`, `{torch: auto}` or a level, `{torch: 50%}`.
struct TorchVerb: PlayedVerb, ReadableVerb {
    static let name = "torch"
    static let about = "The app lights the torch or turns it off: on, off, auto (lit in the dark while a movie is recorded), or a level like 50%."
    static let shape = FormatShape.either([.words(AppCommand.Torch.Mode.self), .fraction])

    private let setting: AppCommand.Torch
    let object: String

    init(_ entry: VerbEntry, _ reader: inout TimelineReader) throws(ScenarioError) {
        let node = entry.value
        object = node.raw
        // As it is written: a number is a level, anything else a word, also what YAML would take for a boolean.
        guard Quantity(node.raw) != nil else {
            setting = .mode(try node.choice("a mode of the torch, nor a level like 50%", AppCommand.Torch.Mode.self))
            return
        }
        let level = try node.fraction("the torch's level")
        guard level > 0 else { throw node.error("a torch is lit at more than 0", suggestion: "write `torch: off`") }
        setting = .level(Float(level))
    }

    var command: AppCommand { .torch(setting) }
}
