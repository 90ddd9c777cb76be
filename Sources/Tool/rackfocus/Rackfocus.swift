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
            CalibrateCommand.self, RecordCommand.self, WebcamCommand.self, ReplayCommand.self, RecoverCommand.self, InspectCommand.self,
            EditCommand.self,
            ExportCommand.self,
            BokehCommand.self, BenchCommand.self, DevicesCommand.self,
        ]
    }

    /// Number of the newest version that `CHANGELOG.md` has.
    static let version = "0.1.0"

    static func main() {
        fillClosedDescriptors()
        FreedMemory.keep()
        // A parent thread that blocks signals hands its mask on, and then no signal but SIGKILL would end this.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        // Swift's runtime answers with a backtrace and goes on.
        signal(SIGQUIT, SIG_DFL)
        if CommandLine.arguments.dropFirst() == [FilterWorker.argument] { FilterWorker.run() }
        if CommandLine.arguments.dropFirst().first == ModelProbe.argument { ModelProbe.run(Array(CommandLine.arguments.dropFirst(2))) }
        var code = ExitCode.success
        do {
            try run(Array(CommandWords.checked().dropFirst()))
        } catch {
            code = ExitCode(error)
            if !(error is TestsFailed) { StandardError.print("rackfocus: \(error)") }
        }
        if let failure = StandardOutput.failure {
            StandardError.print("rackfocus: \(failure)")
            if code == .success { code = .outputFailed }
        }
        // A driver may still compile shaders, on threads that nobody waits for: the destructors of libraries, which `exit` runs, would take it down.
        fflush(nil)
        _exit(code.rawValue)
    }

    /// Opens what the caller closed (`>&-`) on the null device, so that no file of ours takes the number of a standard stream. Standard output is
    /// opened for reading: what is printed there still fails.
    private static func fillClosedDescriptors() {
        for (descriptor, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
        where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF { _ = open("/dev/null", mode) }
    }

    private static func run(_ words: [String]) throws {
        guard let ready = try parsed(words) else { return }
        let outputs = try ready.outputs
        if !outputs.isEmpty {
            let inputs = InputFiles(try ready.inputs)
            for output in outputs { try inputs.refuse(output) }
        }
        try ready.run()
    }

    /// The subcommand that the words ask for, its arguments read; nil where they ask for help or the version, which is printed.
    static func parsed(_ words: [String]) throws -> (any Command)? {
        guard let name = words.first, !["--help", "-h"].contains(name), words != ["help"] else {
            StandardOutput.print(overview)
            return nil
        }
        if name == "--version" {
            StandardOutput.print("rackfocus \(version)")
            return nil
        }
        if name == "help" { return try parsed([words[1], "--help"]) }
        guard let command = commands.first(where: { $0.help.name == name }) else {
            let names = commands.map { $0.help.name }
            let near = Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" } ?? "rackfocus --help lists the commands"
            throw UsageError("unknown command \"\(name)\"; \(near)")
        }
        let rest = Array(words.dropFirst())
        if rest.contains("--help") || rest.contains("-h") {
            StandardOutput.print(command.help.text)
            return nil
        }
        var arguments = try Arguments(rest, for: command.help)
        return try command.init(&arguments)
    }

    private static var overview: String {
        let list = commands.map { "  " + $0.help.name.padding(toLength: 11, withPad: " ", startingAt: 0) + $0.help.summary }
        let codes = ExitCode.allCases.map { "  " + String($0.rawValue).padding(toLength: 4, withPad: " ", startingAt: 0) + $0.meaning }
        return """
            A cinematic camera for Linux: focus that follows the subject, bokeh from a simulated aperture.

            usage: rackfocus COMMAND [options]        rackfocus COMMAND --help tells more, rackfocus --version its number

            commands:
            \(list.joined(separator: "\n"))

            example:
              rackfocus render Scenarios/demo.yaml -o demo.mp4 --overlay

            exit codes:
            \(codes.joined(separator: "\n"))
            """
    }
}
