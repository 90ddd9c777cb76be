import Foundation
import Testing

/// A new, empty folder for one test, removed with all that is in it when the value goes. That it cannot be removed is an issue of the test.
public final class Scratch: Sendable {
    public let url: URL
    public var path: String { url.path }

    /// Throws what the file system says when the folder cannot be made.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "rackfocus-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: url) } catch { Issue.record(error, "\(url.path) stays") }
    }

    /// The path of `name` in the folder, as it is written.
    public func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Names of everything in the folder, hidden temporaries too, sorted.
    public var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    public func text(_ name: String) throws -> String { try String(contentsOfFile: self(name), encoding: .utf8) }

    /// Writes a file in UTF-8; gives its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return self(name)
    }
}
