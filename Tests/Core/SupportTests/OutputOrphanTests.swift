import Foundation
import Support
import Testing

@Suite("What a killed process left")
struct OutputOrphanTests {
    @Test("goes when the same target is opened again; a living process's temporary and other names stay")
    func orphans() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "orphans-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let dead = Process()
        dead.executableURL = URL(fileURLWithPath: "/bin/true")
        try dead.run()
        dead.waitUntilExit()
        let kept = [".movie.mp4.\(getpid())-900.part", ".other.mp4.\(dead.processIdentifier)-1.part", ".movie.mp4.notes"]
        for name in kept + [".movie.mp4.\(dead.processIdentifier)-1.part"] {
            try Data().write(to: URL(fileURLWithPath: directory + "/" + name))
        }
        let file = try OutputFile(path: directory + "/movie.mp4", replacingExisting: false)
        file.discard()
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: directory)) == Set(kept))
    }
}
