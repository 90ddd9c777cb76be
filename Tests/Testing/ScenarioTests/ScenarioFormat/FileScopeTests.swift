import Foundation
import TestSupport
import Testing

@testable import RunReport
@testable import ScenarioFormat
@testable import ScenarioResults

/// A folder `inside` with a scenario's files and, beside it, what is none of its business.
@Suite("Which files a scenario may name")
struct FileScopeTests {
    private final class Place {
        private let scratch: Scratch
        var root: URL { scratch.url }
        var inside: URL { root.appending(path: "inside") }
        var scenario: String { inside.appending(path: "s.yaml").path }

        init() throws {
            scratch = try Scratch()
            try FileManager.default.createDirectory(at: inside.appending(path: "below"), withIntermediateDirectories: true)
            try Data("light: 50lx\n".utf8).write(to: inside.appending(path: "below/_part.yaml"))
            try Data("light: 50lx\n".utf8).write(to: root.appending(path: "_secret.yaml"))
            try Data("PASSWORD=hunter2\n".utf8).write(to: inside.appending(path: "password"))
            for (link, target) in [("link.yaml", "../_secret.yaml"), ("own.yaml", "below/_part.yaml")] {
                try FileManager.default.createSymbolicLink(atPath: inside.appending(path: link).path, withDestinationPath: target)
            }
            guard mkfifo(inside.appending(path: "pipe").path, 0o600) == 0 else { throw POSIXError(.EIO) }
        }

        func read(including name: String, allowing folders: [String] = []) throws -> ScenarioFile {
            let text = "scenario: S\ninclude: \(name)\nclip: {source: synthetic, size: 160x90, length: 1s}\n"
            return try ScenarioFile.parse(text, path: scenario, ReadingOptions(folders: folders))
        }
    }

    @Test("its own folder's and below, also through a link", arguments: ["below/_part.yaml", "own.yaml"])
    func own(name: String) throws { #expect(try Place().read(including: name).light == 50) }

    @Test(
        "nothing outside, no link out of it, no pipe and nothing of the system's",
        arguments: ["../_secret.yaml", "link.yaml", "pipe", "below", "/proc/self/environ", "/dev/zero", "/etc/passwd"])
    func others(name: String) throws {
        let place = try Place()
        let error = #expect(throws: ScenarioError.self) { try place.read(including: name) }
        #expect(error?.location?.line == 2)
        let reasons = ["outside the scenario's folder", "no regular file", "a file of the system's"]
        #expect(reasons.contains { error?.message.contains($0) == true }, "\(error?.message ?? "")")
    }

    @Test("those of an allowed folder, but still nothing of the system's")
    func allowed() throws {
        let place = try Place()
        #expect(try place.read(including: "../_secret.yaml", allowing: [place.root.path]).light == 50)
        #expect(throws: ScenarioError.self) { try place.read(including: "/proc/self/environ", allowing: ["/"]) }
    }

    @Test("a line of what is no scenario is never shown")
    func excerpts() throws {
        let place = try Place()
        let error = #expect(throws: ScenarioError.self) { try place.read(including: "password") }
        #expect(error?.description.contains("hunter2") == false)
        let own = #expect(throws: ScenarioError.self) { try ScenarioFile.load(path: place.inside.appending(path: "password").path) }
        #expect(own?.description.contains("hunter2\n") == false && own?.sourceLine == "")
    }

    @Test("a link in a folder of scenarios that leads out of it is one that cannot be read")
    func folders() throws {
        let place = try Place()
        let items = try TestPlan(paths: [place.inside.path]).items
        let link = try #require(items.first { $0.path.hasSuffix("link.yaml") })
        guard case .failure(let error) = TestPlan.Reader().scenario(of: link) else {
            Issue.record("it was read")
            return
        }
        #expect(error.message.contains("outside the scenario's folder"))
    }
}
