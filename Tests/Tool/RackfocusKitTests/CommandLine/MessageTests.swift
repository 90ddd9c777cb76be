import Foundation
import TestSupport
import Testing

@Suite("What the tool says, whatever it is given")
struct MessageTests {
    private static let small = """
        scenario: Small
        clip: {source: synthetic, size: 160x90, fps: 30, length: 0.2s}
        subjects: {maya: {kind: face, box: [0.4, 0.2, 0.15, 0.35], depth: 1.5m}}
        """

    @Test(
        "output that cannot be written is said, and ends with 74",
        arguments: [
            ["--help"], ["render", "--help"], ["schema"], ["models"], ["devices"], ["test", "small.yaml", "--list"], ["test", "small.yaml"],
            ["bench", "session", "--frames", "2", "--cycles", "1"],
        ])
    func full(arguments: [String]) throws {
        let scratch = try Scratch()
        _ = try scratch.write(Self.small, to: "small.yaml")
        let run = try ToolRun(arguments, shell: #"exec "$0" "$@" >/dev/full"#, directory: scratch.url)
        #expect(run.exitCode == 74)
        #expect(run.errors.contains("standard output: cannot write: no room left"), "\(run.errors)")
        let closed = try ToolRun(arguments, shell: #"exec "$0" "$@" >&-"#, directory: scratch.url)
        #expect(closed.exitCode == 74 && closed.errors.contains("standard output: cannot write"), "\(closed.exitCode) \(closed.errors)")
    }

    @Test("footage that ends before --to does is told, with both times, by all that take one; half a frame is not")
    func early() throws {
        let scratch = try Scratch()
        _ = try scratch.write(Self.small, to: "small.yaml")
        #expect(try ToolRun(["render", "small.yaml", "--cinematic", "take.mov"], directory: scratch.url).exitCode == 0)
        let commands = [
            ["export", "take.mov", "-o", "out.mp4"], ["export", "take.mov", "--stems", "stems"],
            ["render", "--video", "take.mov", "-o", "out.mp4"], ["render", "--video", "take.mov", "--cinematic", "out.mov", "--from", "1f"],
        ]
        let ends = [("7s", "0.2s, before --to 7.0s"), ("7f", "6f, before --to 7f"), ("00:00:02:00", "00:00:00:06, before --to 00:00:02:00")]
        for command in commands {
            for (end, words) in ends {
                let run = try ToolRun(command + ["--to", end, "--force"], directory: scratch.url)
                let note = "rackfocus: note: take.mov ends at \(words); it is used to its end\n"
                #expect(run.exitCode == 0 && run.errors.hasSuffix(note), "\(run.errors)")
            }
            for end in ["0.21s", "6f", "0.1s"] {
                let run = try ToolRun(command + ["--to", end, "--force"], directory: scratch.url)
                #expect(run.exitCode == 0 && !run.errors.contains("ends at"), "\(run.errors)")
            }
        }
        for command in commands.prefix(3) {
            for (start, words) in [("7s", "0.2s, before 7.0s"), ("6f", "6f, before 6f"), ("00:00:02:00", "00:00:00:06, before 00:00:02:00")] {
                let run = try ToolRun(command + ["--from", start, "--force"], directory: scratch.url)
                #expect(run.exitCode == 66 && run.errors.contains("take.mov: ends at \(words), from which it is to be used"), "\(run.errors)")
            }
            let turned = try ToolRun(command + ["--from", "3f", "--to", "2f", "--force"], directory: scratch.url)
            #expect(turned.exitCode == 66 && turned.errors.contains("has no frame from 3f on and before 2f; give a later --to"), "\(turned.errors)")
        }
    }

    @Test("an output that is there is refused by the name that the user gave")
    func existing() throws {
        let scratch = try Scratch()
        _ = try scratch.write(Self.small, to: "small.yaml")
        let render = ["render", "small.yaml", "-o", "a.mp4", "--cinematic", "take.mov"]
        let commands = [
            (render, "take.mov"), (["render", "small.yaml", "-o", "a.mp4"], "a.mp4"), (["render", "small.yaml", "--cinematic", "b.mov"], "b.mov"),
            (["export", "take.mov", "-o", "c.mp4"], "c.mp4"), (["render", "small.yaml", "-o", "p%02d.png"], "p01.png"),
        ]
        for (command, name) in commands {
            if name != "a.mp4" { #expect(try ToolRun(command, directory: scratch.url).exitCode == 0) }
            let again = try ToolRun(command, directory: scratch.url)
            #expect(again.exitCode == 73 && again.errors == "rackfocus: \(name): exists already; use --force to replace it\n", "\(again.errors)")
        }
    }

    @Test("a message without anybody to read it changes no exit code", arguments: ["2>&-", "2>/dev/full"])
    func unheard(redirection: String) throws {
        #expect(try ToolRun(["rendr"], shell: #"exec "$0" "$@" "# + redirection).exitCode == 64)
    }

    @Test("a word that is not UTF-8 is refused by name, and no other file is meant")
    func bytes() throws {
        let scratch = try Scratch()
        let run = try ToolRun([], shell: #"exec "$0" test "$(printf 'a\377.yaml')""#, directory: scratch.url)
        #expect(run.exitCode == 64)
        #expect(run.errors == "rackfocus: word 2 of the command line, \"a\\xff.yaml\", is not UTF-8; rename the file, or name it through a link\n")
    }

    @Test("a picture or a scenario in a folder whose name is not UTF-8 is refused by name")
    func names() throws {
        let scratch = try Scratch()
        let made = try ToolRun([], shell: #"mkdir p s && : >"$(printf 'p/1\377.png')" && : >"$(printf 's/1\377.yaml')""#, directory: scratch.url)
        #expect(made.exitCode == 0)
        let detect = try ToolRun(["detect", "p", "-o", "p.jsonl"], directory: scratch.url)
        #expect(detect.exitCode == 66 && detect.errors.contains("p/1\\xff.png: has a name that is not UTF-8; rename it"), "\(detect.errors)")
        let test = try ToolRun(["test", "s"], directory: scratch.url)
        #expect(test.exitCode == 66 && test.errors.contains("s/1\\xff.yaml: its name is not UTF-8; rename it"), "\(test.errors)")
    }

    @Test(
        "a pipe in place of a file is refused by name, and not read",
        arguments: [
            ["render", "--video", "p.png", "-o", "a.mp4"],
            ["bokeh", "p.png", "--disparity", "p.png", "--focus-disparity", "0.5", "--blur-scale", "9", "-o", "a.png"],
        ])
    func pipe(arguments: [String]) throws {
        let scratch = try Scratch()
        let fed = #"mkfifo p.png && (timeout 5 sh -c 'echo words >p.png' >/dev/null 2>&1 &) && exec "$0" "$@""#
        let run = try ToolRun(arguments, shell: fed, directory: scratch.url)
        #expect(run.exitCode == 66 && run.errors.contains("p.png: is a pipe, not a file"), "\(run.errors)")
    }

    @Test(
        "a line of 5 MB is quoted in part",
        arguments: [
            "scenario: A\nclip: {source: ", "scenario: A\n", "scenario: A\nsubjects: {", "scenario: ", "scenario: A\nmatrix: {a: [1]}\nlight: ${",
            "scenario: A\nclip: {source: synthetic, size: 160x90, length: 1s, fps: \"",
        ])
    func longLine(start: String) throws {
        let scratch = try Scratch()
        let scenario = try scratch.write(start + String(repeating: "xy", count: 2_500_000), to: "long.yaml")
        let run = try ToolRun(["render", scenario, "-o", scratch("a.mp4")])
        #expect(run.exitCode == 2)
        #expect(run.errors.utf8.count < 3000 && run.errors.contains("long.yaml:"), "\(run.errors.prefix(4000))")
    }

    @Test("control characters of a trace reach no terminal")
    func controls() throws {
        let scratch = try Scratch()
        let decision = #"{"t":0,"why":"tapped","mode":"weak","subject":1,"label":"\u001b[31mred"}"#
        let trace = try scratch.write(#"{"t":0,"focus":1,"subject":1,"decisions":["# + decision + "]}\n", to: "trace.jsonl")
        let run = try ToolRun(["diff", trace, trace])
        #expect(run.exitCode == 0 && run.output.contains("\\u{1b}[31mred") && !run.output.contains("\u{1b}"), "\(run.output)\(run.errors)")
    }
}
