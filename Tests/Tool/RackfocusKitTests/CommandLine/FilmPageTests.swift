import Foundation
import TestSupport
import Testing

@Suite("The page for film makers")
struct FilmPageTests {
    private static let page = Checkout.scenarios + "/FilmMakers.md"

    @Test("shows frames that are there, small, and all of them")
    func frames() throws {
        let text = try String(contentsOfFile: Self.page, encoding: .utf8)
        let shown = Set(text.matches(of: /\(film\/([a-z0-9-]+\.jpg)\)/).map { String($0.1) })
        let folder = Checkout.scenarios + "/film"
        let there = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(shown == Set(there))
        let bytes = try there.reduce(0) { try $0 + Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($1)")).count }
        #expect(bytes < 400_000, "\(bytes)")
    }

    @Test("names options that `render` and `bokeh` have", arguments: ["render", "bokeh"])
    func options(command: String) throws {
        let help = try ToolRun([command, "--help"]).output
        let text = try String(contentsOfFile: Self.page, encoding: .utf8)
        let named = Set(text.matches(of: /`(--[a-z-]+)/).map { String($0.1) })
        let ofStills: Set = ["--focus-at", "--depth"]
        let ofMovies: Set = [
            "--script", "--rack", "--rack-ease", "--frame", "--left", "--right", "--preview", "--again", "--overlay", "--codec", "--sdr",
        ]
        let wanted = named.subtracting(command == "render" ? ofStills : ofMovies)
        #expect(wanted.filter { !help.contains($0 + " ") } == [])
        #expect(named.count > 12, "the page names \(named.count) options")
    }
}
