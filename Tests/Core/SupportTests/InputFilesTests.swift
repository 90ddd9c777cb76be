import Foundation
import Support
import Testing

@Suite("No output is an input")
struct InputFilesTests {
    @Test(
        "by its own name, through links, as a folder, and as a folder that holds one",
        arguments: ["in.mp4", "./in.mp4", "symbolic.mp4", "hard.mp4", "folder", "folder/../in.mp4", "outer"])
    func refusals(output: String) throws {
        let files = FileManager.default
        let root = files.temporaryDirectory.appending(path: "inputs-\(UUID().uuidString)").path
        defer { #expect(throws: Never.self) { try files.removeItem(atPath: root) } }
        for folder in ["folder", "outer/inner"] { try files.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true) }
        for name in ["in.mp4", "outer/inner/sidecar.jsonl", "folder/other.txt"] {
            try Data("precious".utf8).write(to: URL(fileURLWithPath: "\(root)/\(name)"))
        }
        try files.createSymbolicLink(atPath: "\(root)/symbolic.mp4", withDestinationPath: "in.mp4")
        try files.linkItem(atPath: "\(root)/in.mp4", toPath: "\(root)/hard.mp4")
        let inputs = InputFiles(["in.mp4", "folder", "outer/inner/sidecar.jsonl", "missing.mp4"].map { "\(root)/\($0)" })
        let error = #expect(throws: OutputError.self) { try inputs.refuse("\(root)/\(output)") }
        #expect(error?.code == .isInput && error?.path == "\(root)/\(output)")
        for other in ["missing.mp4", "new.mp4", "folder/other.txt", "folder/new"] {
            #expect(throws: Never.self) { try inputs.refuse("\(root)/\(other)") }
        }
    }
}
