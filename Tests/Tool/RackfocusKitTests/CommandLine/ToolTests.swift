import CoreVideo
import Foundation
import Media
import TestSupport
import Testing

@testable import rackfocus

@Suite("The tool")
struct ToolTests {
    private static let small = """
        scenario: A small world
        clip: {source: synthetic, size: 160x90, fps: 30, length: 0.4s, seed: 3}
        device: {aperture: f/2, focalLength: 50mm}
        subjects:
          maya: {kind: face, box: [0.4, 0.2, 0.15, 0.35], depth: 1.5m}
        timeline:
          - 0.1s: {tap: maya}
        """

    @Test("renders a scenario to a movie, a trace and a plot, twice the same")
    func render() throws {
        let scratch = try Scratch()
        let scenario = try scratch.write(Self.small, to: "small.yaml")
        for movie in ["a.mp4", "b.mp4"] {
            let run = try ToolRun(["render", scenario, "-o", scratch(movie), "--overlay", "--timings"])
            #expect(run.exitCode == 0, "\(run.errors)")
            #expect(run.errors == "", "quiet when piped")
        }
        #expect(try scratch.names == ["a.mp4", "a.run", "b.mp4", "b.run", "small.yaml"])
        let movie = try VideoFileSource(path: scratch("a.mp4"))
        var frames = 0
        while try movie.nextFrame() != nil { frames += 1 }
        #expect(frames == 12)
        let perf = try String(contentsOfFile: scratch("a.run/perf.json"), encoding: .utf8)
        for key in ["\"frames\" : 12", "\"firstFrame\"", "\"firstFrameCores\"", "\"peakMemory\"", "\"coreSeconds\"", "\"copies\""] {
            #expect(perf.contains(key), "\(perf)")
        }
        for file in ["trace.jsonl", "focus.svg", "decisions.json"] {
            let (a, b) = (
                try Data(contentsOf: scratch.url.appending(path: "a.run/\(file)")), try Data(contentsOf: scratch.url.appending(path: "b.run/\(file)"))
            )
            #expect(a == b && !a.isEmpty, "\(file)")
        }
    }

    @Test("never replaces a movie without --force")
    func existing() throws {
        let scratch = try Scratch()
        let scenario = try scratch.write(Self.small, to: "small.yaml")
        let movie = try scratch.write("precious", to: "a.mp4")
        let refused = try ToolRun(["render", scenario, "-o", movie])
        #expect(refused.exitCode == 73)
        #expect(refused.errors == "rackfocus: \(movie): exists already; use --force to replace it\n")
        #expect(try String(contentsOfFile: movie, encoding: .utf8) == "precious")
        #expect(try scratch.names == ["a.mp4", "small.yaml"])
        #expect(try ToolRun(["render", scenario, "-o", movie, "--force"]).exitCode == 0)
    }

    @Test("says what an expectation of the scenario missed, and leaves the movie")
    func expectation() throws {
        let scratch = try Scratch()
        let scenario = try scratch.write(Self.small + "\n  - 0.2s: {expect: {fixed: true}}\n", to: "wrong.yaml")
        let run = try ToolRun(["render", scenario, "-o", scratch("a.mp4")])
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("wrong.yaml:8:"))
        #expect(run.errors.contains("expected fixed true"))
        #expect(try scratch.names.contains("a.mp4"))
    }

    @Test(
        "answers bad input with one error, its exit code, and nothing left behind",
        arguments: [
            (["render", "nowhere.yaml", "-o", "a.mp4"], 66, "nowhere.yaml: there is no such file"),
            (["render", "typo.yaml", "-o", "a.mp4"], 2, "did you mean `subjects`?"),
            (["render", "small.yaml", "-o", "missing/a.mp4"], 73, "the directory missing is missing"),
            (["render", "small.yaml"], 64, "--output is missing"),
            (["render", "small.yaml", "-o", "a.mp4", "--shader", "none.comp"], 66, "none.comp: there is no such file"),
            (["diff", "none", "small.yaml"], 66, "rackfocus: none: there is no such file or folder\n"),
            (["diff", "small.yaml", "small.yaml"], 66, "rackfocus: small.yaml:1: this is no line of a trace"),
            (["diff", ".", "."], 66, "rackfocus: .: there is no trace.jsonl in it, nor in a folder of it\n"),
            (["render", "small.yaml", "-o", "a.mp4", "--overly"], 64, "did you mean --overlay?"),
            (["render", "small.yaml", "-o", "a.mp4", "--gpu", "riva128"], 3, "no Vulkan device matches `riva128`"),
            (["render", "small.yaml", "-o", "a.mp4", "--aperture", "1.0"], 64, "f/1.0 is not an aperture of this camera"),
            (["render", "--left", "l.mp4", "-o", "a.mp4"], 64, "footage is --left with --right"),
            (["render", "--left", "l.mp4", "--right", "r.mp4", "-o", "a.mp4"], 66, "l.mp4"),
            (["bokeh", "none.png", "--disparity", "d.png", "--focus-disparity", "0.5", "--blur-scale", "9", "-o", "o.png"], 66, "none.png"),
            (["bokeh", "none.png", "--disparity", "d.png", "--focus-disparity", "half", "--blur-scale", "9", "-o", "o.png"], 64, "takes a number"),
            (["rendr"], 64, "did you mean render?"),
            (["render", "small.yaml", "-o", "a.avi"], 64, "name it with .mp4, .mov, .mkv, .png, .tiff or .exr, not"),
            (["bokeh", "none.png", "--disparity", "d.png", "--focus-disparity", "0.5", "--blur-scale", "9", "-o", "o.jpg"], 64, "name it with .png"),
            (["render", "small.yaml", "-o", "a.mp4", "--highlights", "-5"], 64, "--highlights goes from 0 to 16"),
            (["recover", "none.mov", "-o", "a.mov"], 66, "none.mov"),
            (["recover", "small.yaml", "-o", "a.mov"], 66, "no whole fragment of a recording: it is no MOV or MP4 file\n"),
            (["recover", "small.yaml", "-o", "a.avi"], 64, "name it with .mov or .mp4"),
            (["test", "small.yaml", "--output="], 64, "--output needs a value that is not empty"),
            (["test", "small.yaml", "-o", "typo.yaml"], 73, "typo.yaml: cannot create: this name is a file, and a directory is wanted"),
            (["bench"], 64, "what to bench (chain, lens, vision, live or session) is missing"),
            (["bench", "session", "--json", "f.json"], 64, "--json is an option of bench chain and live, not of bench session"),
            (["bench", "chain", "--scene", "4k"], 64, "--scene knows no \"4k\"; there are: demo, stereo, depth, video, hdr"),
            (["bench", "lens", "--size", "101x80"], 64, "--size is an even width and height"),
            (["bench", "lens", "--lens-quality", "best"], 64, "--lens-quality is preview or full, not \"best\""),
            (["bench", "lens", "--peers", "gimp"], 64, "--peers knows no \"gimp\"; there are: ffmpeg varblur"),
            (["bench", "vision", "--kernels", "yolo"], 64, "there are: HaarCascade, FHOG, SemiglobalMatching, FastGlobal"),
            (["bench", "lens", "--scene", "4K"], 64, "--scene knows no \"4k\"; there are: near depths, slanted ground"),
            (["bench", "lens", "--scene", "noisy"], 64, "wide open, white shirt\n"),
            (["bench", "lens", "--map", "2"], 64, "--map is 1, or 1/2 to 1/8, not \"2\""),
            (["bench", "vision", "--size", "100x100"], 64, "--size of vision is at least 192x108"),
        ])
    func badInput(arguments: [String], code: Int32, message: String) throws {
        let scratch = try Scratch()
        _ = try scratch.write(Self.small, to: "small.yaml")
        _ = try scratch.write(Self.small.replacing("subjects:", with: "subjets:"), to: "typo.yaml")
        let files = try scratch.names
        let run = try ToolRun(arguments, directory: scratch.url)
        #expect(run.exitCode == code, "\(run.errors)")
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(try scratch.names == files)
    }

    @Test("says how to get a Vulkan device when there is none")
    func noDevice() throws {
        let scratch = try Scratch()
        let scenario = try scratch.write(Self.small, to: "small.yaml")
        let blind = ["VK_DRIVER_FILES": "/dev/null", "VK_ICD_FILENAMES": "/dev/null"]
        let run = try ToolRun(["render", scenario, "-o", scratch("a.mp4")], environment: blind)
        #expect(run.exitCode == 3)
        #expect(run.errors.contains("mesa-vulkan-drivers"), "\(run.errors)")
        #expect(try scratch.names == ["small.yaml"])
    }

    @Test("renders nothing where the tool was copied without its shaders")
    func noShaders() throws {
        let scratch = try Scratch()
        let scenario = try scratch.write(Self.small, to: "small.yaml")
        try FileManager.default.copyItem(atPath: Project.tool.path, toPath: scratch("tool"))
        let run = try ToolRun([scratch("tool"), "render", scenario, "-o", scratch("a.mp4")], shell: #"exec "$@""#)
        #expect(run.exitCode == 3)
        #expect(run.errors.contains("rackfocus_Shaders.resources: install the folder beside the executable"), "\(run.errors)")
        #expect(try scratch.names == ["small.yaml", "tool"])
    }

    @Test(
        "explains every command with an example",
        arguments: [
            "render", "test", "merge", "diff", "schema", "detect", "evaluate", "models", "recover", "inspect", "edit", "export", "bokeh", "bench",
            "devices",
        ])
    func help(command: String) throws {
        let run = try ToolRun([command, "--help"])
        #expect(run.exitCode == 0)
        #expect(run.output.contains("example:\n  rackfocus \(command)"))
        #expect(try ToolRun(["--help"]).output.contains("\n  \(command)"))
    }

    @Test("compares runs under their names, and says which of many there are")
    func diff() throws {
        let scratch = try Scratch()
        for name in ["somebody-sits-there", "another"] { _ = try scratch.write(Self.small, to: name + ".yaml") }
        let run = try ToolRun(["test", "somebody-sits-there.yaml", "another.yaml", "-o", "both"], directory: scratch.url)
        #expect(run.exitCode == 0, "\(run.output)\(run.errors)")
        let many = try ToolRun(["diff", "both", "both"], directory: scratch.url)
        #expect(many.exitCode == 66)
        #expect(many.errors == "rackfocus: both: holds the results of 2 scenarios; give the folder of one, like both/another.yaml\n")
        let names = ["both/somebody-sits-there.yaml", "both/another.yaml"]
        let lines = try ToolRun(["diff"] + names, directory: scratch.url).output.split(separator: "\n")
        #expect(lines.first?.hasSuffix("  somebody-sits-there sharp at  another sharp at") == true, "\(lines)")
        #expect(lines.count > 2 && lines[0].count == lines[1].count, "columns end where their titles do: \(lines)")
    }

    @Test("says of a file without fragments what is known of it")
    func notRecovered() throws {
        let scratch = try Scratch()
        let scenario = try scratch.write(Self.small, to: "small.yaml")
        #expect(try ToolRun(["render", scenario, "-o", scratch("a.mp4")]).exitCode == 0)
        try FileManager.default.contents(atPath: scratch("a.mp4"))?.prefix(40).write(to: URL(fileURLWithPath: scratch("begun.mp4")))
        _ = try scratch.write("", to: "empty.mp4")
        for (name, words) in [("a", "it is an ordinary movie, and whole\n"), ("begun", "it has no index; "), ("empty", "it is empty\n")] {
            let run = try ToolRun(["recover", name + ".mp4", "-o", "b.mov"], directory: scratch.url)
            #expect(run.exitCode == 66 && run.errors.contains(": holds no whole fragment of a recording: " + words), "\(run.errors)")
        }
    }

    @Test("benches a camera that shows footage in its own size, and tells that size")
    func benchLive() throws {
        let scratch = try Scratch()
        try PictureFile.writePNG(CVPixelBuffer(width: 64, height: 36, pixelFormat: kCVPixelFormatType_32BGRA), to: scratch("p.png"))
        let run = try ToolRun(["bench", "live", "--footage", scratch("p.png"), "--seconds", "1"])
        #expect(run.exitCode == 0 && run.output.hasPrefix("64x36 at 30 fps"), "\(run.output)\(run.errors)")
    }

    @Test("benches the lens, and shows no progress where nobody looks")
    func bench() throws {
        let run = try ToolRun(["bench", "lens", "--size", "64x32", "--frames", "1", "--scene", "wide", "--peers", "none"])
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        #expect(
            run.output.split(separator: "\n").map { $0.prefix(17) } == ["wide open: 64x32,", "  program        ", "  rackfocus, 420v"],
            "\(run.output)")
    }

    @Test("benches a command from file to file, beside ffmpeg where it is, with figures for programs")
    func benchChain() throws {
        let scratch = try Scratch()
        let run = try ToolRun(
            ["bench", "chain", "--size", "64x36", "--frames", "1", "--rounds", "1", "--scene", "depth", "--timings", "--json", scratch("c.json")])
        #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count > 4 && lines[2].hasPrefix("  depth    rackfocus") && lines[3].hasPrefix("           ffmpeg"), "\(run.output)")
        #expect(run.output.contains("    copy: decoder's picture to 420v, 2.00 a frame"), "rehearsed, then drawn: \(run.output)")
        let json = try String(contentsOfFile: scratch("c.json"), encoding: .utf8)
        #expect(json.contains("\"command\" : \"depth\"") && json.contains("\"firstFrame\""))
    }

    @Test("has no option twice")
    func options() {
        for command in Rackfocus.commands {
            let names = command.help.options.flatMap(\.names)
            #expect(Set(names).count == names.count, "\(command.help.name): \(names)")
        }
    }

    @Test("tells the newest version of the changelog")
    func version() throws {
        let changes = try String(contentsOf: Project.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let newest = try #require(changes.firstMatch(of: /\n## (\d+\.\d+\.\d+)/)).1
        let run = try ToolRun(["--version"])
        #expect(run.exitCode == 0 && run.output == "rackfocus \(newest)\n", "\(run.errors)")
    }

    @Test("understands the commands of the README")
    func readme() throws {
        let scratch = try Scratch()
        let text = try String(contentsOf: Project.root.appending(path: "README.md"), encoding: .utf8)
        let commands = text.replacing("\\\n", with: "").split(separator: "\n").filter { $0.hasPrefix(".build/release/rackfocus ") }
        #expect(commands.count >= 3)
        for command in commands {
            // Every second piece between quotes is one word.
            let pieces = command.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            let words = pieces.flatMap { $0.offset % 2 == 1 ? [String($0.element)] : $0.element.split(separator: " ").map(String.init) }.dropFirst()
            // These would film where there is a camera.
            if ["record", "webcam"].contains(words.first) {
                do { #expect(try Rackfocus.parsed(Array(words)) != nil) } catch { #expect(ExitCode(error) == .inputUnusable, "\(command): \(error)") }
                continue
            }
            let run = try ToolRun(Array(words), directory: scratch.url)
            #expect(run.exitCode == 66, "only the files are missing: \(command): \(run.errors)")
        }
    }
}
