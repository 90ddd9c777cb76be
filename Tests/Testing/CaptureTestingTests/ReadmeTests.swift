import Foundation
import TestSupport
import Testing

@Suite("The README's code for apps")
struct ReadmeTests {
    @Test("stands in the example's tests, which are compiled and run")
    func code() throws {
        let readme = try String(contentsOf: Checkout.root.appending(path: "README.md"), encoding: .utf8)
        let chapter = try #require(readme.components(separatedBy: "\n## ").first { $0.hasPrefix("Testing a camera app") })
        let blocks = chapter.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
        let folder = Checkout.root.appending(path: "Tests/ExampleApp/Tests/ReadmeTests")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).map { file in
            Self.plain(try String(contentsOf: file, encoding: .utf8))
        }
        // The first is a manifest, which names a server that is not there.
        #expect(blocks.count == 5 && blocks[0].contains("Package("))
        for block in blocks.dropFirst() {
            let code = Self.plain(block.replacing("import MyCamera", with: "import ExampleApp"))
            #expect(files.contains { $0.contains(code) }, "no file of \(folder.lastPathComponent) has this:\n\(block)")
        }
    }

    /// Lines without the indent, which depends on where they stand.
    private static func plain(_ text: String) -> String {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
    }
}
