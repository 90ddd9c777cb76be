import Foundation
import Support
import TestSupport
import Testing

@Suite("What a killed process left")
struct OutputOrphanTests {
    @Test("goes when the same target is opened again; a living process's temporary and other names stay")
    func orphans() throws {
        let scratch = try Scratch()
        let dead = Process()
        dead.executableURL = URL(fileURLWithPath: "/bin/true")
        try dead.run()
        dead.waitUntilExit()
        let kept = [".movie.mp4.\(getpid())-900.part", ".other.mp4.\(dead.processIdentifier)-1.part", ".movie.mp4.notes"]
        for name in kept + [".movie.mp4.\(dead.processIdentifier)-1.part"] {
            try scratch.write("", to: name)
        }
        let file = try OutputFile(path: scratch("movie.mp4"), replacingExisting: false)
        file.discard()
        #expect(try Set(scratch.names) == Set(kept))
    }

    @Test("of a zombie goes, too")
    func zombie() throws {
        let scratch = try Scratch()
        var child: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        defer { free(words[0]) }
        try #require(posix_spawn(&child, "/bin/true", nil, nil, &words, nil) == 0)
        defer { waitpid(child, nil, 0) }
        var ended = siginfo_t()
        try #require(waitid(P_PID, id_t(child), &ended, WEXITED | WNOWAIT) == 0)
        try scratch.write("", to: ".movie.mp4.\(child)-1.part")
        let file = try OutputFile(path: scratch("movie.mp4"), replacingExisting: false)
        file.discard()
        #expect(try scratch.names == [])
    }

    @Test("of a directory is told, but for what is known to be empty")
    func told() throws {
        let scratch = try Scratch()
        let dead = Process()
        dead.executableURL = URL(fileURLWithPath: "/bin/true")
        try dead.run()
        dead.waitUntilExit()
        let names = (1...3).map { ".take.run.\(dead.processIdentifier)-\($0).part" }
        for name in names.prefix(2) { try FileManager.default.createDirectory(atPath: scratch(name), withIntermediateDirectories: false) }
        try scratch.write("", to: names[0] + "/trace.jsonl")
        // No directory, so that it cannot be listed.
        try scratch.write("", to: names[2])
        #expect(OutputDirectory.orphans(of: scratch("take.run")) == [scratch(names[0]), scratch(names[2])])
    }
}
