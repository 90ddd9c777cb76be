import Foundation
import RackfocusKit
import Support

/// `rackfocus models`: the optional models, and which of them are there.
struct ModelsCommand: Command {
    static let help = Help(
        name: "models",
        summary: "List the optional models, where to get them, where they go, and which are found.",
        usage: "models",
        discussion: """
            Nothing is downloaded: fetch a file yourself and put it where this says, under its name; it is then used by itself. Or name it
            with --face-model, --object-model and --depth-model. A file whose checksum is another one may work, but nobody has tried it.
            """,
        options: [.init("--help", "-h", meaning: "this text")],
        example: "rackfocus models")

    init(_ arguments: inout Arguments) throws { try arguments.finish() }

    func run() throws {
        let library = ModelLibrary.standard
        StandardOutput.print("models go to \(library.folder)\n")
        for model in KnownModel.all {
            StandardOutput.print("\(model.name): \(model.meaning)")
            for file in model.files {
                StandardOutput.print("  \(file.name.padding(toLength: 36, withPad: " ", startingAt: 0)) \(library.state(of: file).text)")
                StandardOutput.print("    from \(file.origin)")
            }
        }
    }
}
