import Foundation
import RackfocusKit
import Support

/// The tool: picks the subcommand, and turns every failure into one message and one exit code.
@main
enum Rackfocus {
    static var commands: [any Command.Type] {
        [
            RenderCommand.self, TestCommand.self, MergeCommand.self, DiffCommand.self, SchemaCommand.self, DetectCommand.self,
            EvaluateCommand.self, ModelsCommand.self,
            CalibrateCommand.self, RecoverCommand.self, BokehCommand.self, BenchCommand.self, DevicesCommand.self,
        ]
    }

    static func main() {
        // A parent thread that blocks signals hands its mask on, and then no signal but SIGKILL would end this.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // Swift's runtime answers with a backtrace and goes on.
        signal(SIGQUIT, SIG_DFL)
        if CommandLine.arguments.dropFirst() == [FilterWorker.argument] { FilterWorker.run() }
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch let failed as TestsFailed {
            exit(ExitCode(failed).rawValue)
        } catch {
            FileHandle.standardError.write(Data("rackfocus: \("\(error)".printable)\n".utf8))
            exit(ExitCode(error).rawValue)
        }
    }

    private static func run(_ words: [String]) throws {
        guard let name = words.first, !["--help", "-h"].contains(name), words != ["help"] else { return print(overview) }
        if name == "help" { return try run([words[1], "--help"]) }
        guard let command = commands.first(where: { $0.help.name == name }) else {
            let names = commands.map { $0.help.name }
            let near = Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" } ?? "rackfocus --help lists the commands"
            throw UsageError("unknown command \"\(name)\"; \(near)")
        }
        let rest = Array(words.dropFirst())
        if rest.contains("--help") || rest.contains("-h") { return print(command.help.text) }
        var arguments = try Arguments(rest, for: command.help)
        let ready = try command.init(&arguments)
        if !ready.outputs.isEmpty {
            let inputs = InputFiles(try ready.inputs)
            for output in ready.outputs { try inputs.refuse(output) }
        }
        try ready.run()
    }

    private static var overview: String {
        let list = commands.map { "  " + $0.help.name.padding(toLength: 11, withPad: " ", startingAt: 0) + $0.help.summary }
        let codes = ExitCode.allCases.map { "  " + String($0.rawValue).padding(toLength: 4, withPad: " ", startingAt: 0) + $0.meaning }
        return """
            A cinematic camera for Linux: focus that follows the subject, bokeh from a simulated aperture.

            usage: rackfocus COMMAND [options]        rackfocus COMMAND --help tells more

            commands:
            \(list.joined(separator: "\n"))

            example:
              rackfocus render Scenarios/demo.yaml -o demo.mp4 --overlay

            exit codes:
            \(codes.joined(separator: "\n"))
            """
    }
}
