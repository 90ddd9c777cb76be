import RackfocusKit
import Support

/// `rackfocus schema`: the scenario format for editors.
struct SchemaCommand: Command {
    static let help = Help(
        name: "schema",
        summary: "Print the scenario format as a JSON Schema, for editors.",
        usage: "schema",
        discussion: """
            Draft 2020-12, made from the tables the reader itself goes by. With the line `# yaml-language-server: $schema=FILE` at its top
            a scenario is completed and checked while it is written; JSON files say `"$schema"` in the editor's settings.
            """,
        options: [.init("--help", "-h", meaning: "this text")],
        example: "rackfocus schema > scenario.schema.json")

    init(_ arguments: inout Arguments) throws { try arguments.finish() }

    func run() { StandardOutput.print(ScenarioSchema.json, terminator: "") }
}
