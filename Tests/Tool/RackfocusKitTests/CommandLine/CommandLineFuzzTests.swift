import Foundation
import FuzzSupport
import RackfocusKit
import Testing

@testable import rackfocus

@Suite("Command lines, changed by chance")
struct CommandLineFuzzTests {
    /// Numbers, sizes, names and files that are not there.
    private static let values = [
        "nowhere.yaml", "nowhere.mp4", "out.mp4", "out.json", "out.png", "out.jsonl", "1", "0", "-1", "9223372036854775807", "1e999", "nan", "0.5",
        "1920x1080", "9x6", "25mm", "1/2", "2/1", "live", "post", "truth", "vision", "iphone-14", "none", "", "=", "--", "-", "é\u{301}\u{202e}",
        "a:b",
    ]

    private static func words(_ generator: inout FuzzGenerator) -> [String] {
        let command = generator.pick(Rackfocus.commands).help
        var words = [generator.chance(0.95) ? command.name : generator.pick(values)]
        // Without a path of its own `test` reads the folder Scenarios.
        if command.name == "test" { words.append("nowhere.yaml") }
        for _ in 0..<generator.index(9) {
            let option = generator.pick(command.options)
            guard option.names[0] != "--help", generator.chance(0.7) else {
                words.append(generator.pick(values))
                continue
            }
            var name = generator.pick(option.names)
            if generator.chance(0.1) { name.remove(at: name.index(name.startIndex, offsetBy: generator.index(name.count))) }
            let value = generator.chance(0.3) ? generator.number(near: 16) : generator.pick(values)
            if option.value != nil, generator.chance(0.9) {
                words += generator.chance(0.5) ? [name, value] : ["\(name)=\(value)"]
            } else {
                words.append(name)
            }
        }
        return words.filter { !["--help", "-h", "help", "-help"].contains($0) }
    }

    @Test("are understood, or refused in one line with an exit code that is not ours")
    func commands() throws {
        try FuzzRun("command-line", count: 2000)({ Data(Self.words(&$0).joined(separator: "\0").utf8) }) { input, seed in
            let words = String(decoding: input, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
            do { _ = try Rackfocus.parsed(words) } catch {
                #expect(ExitCode(error) != .internal, "seed \(seed): \(words): \(error)")
                #expect((1...2000).contains("\(error)".count), "seed \(seed): \(words)")
            }
        }
    }
}
