import Foundation
import Testing
import XCTest

// An error that is thrown out of a test has no line in either library. So a failure is recorded at the line of its expectation, with its words in the
// first line of the log, and what is thrown then is the library's own error, which it does not record again.

extension TestFailure {
    /// Whether failures that leave `withTestPhone` are recorded; off in tests of this library.
    @TaskLocal package static var isRecorded = true

    /// Whether XCTest runs this process' tests.
    private static let isXCTest = CommandLine.arguments[0].hasSuffix(".xctest") && !CommandLine.arguments.contains("swift-testing")

    /// State that was waited for, named in XCTest's message.
    private enum ExpectedState {}

    /// Words of a failure as an error, which Swift Testing puts into the first line of an issue: those of a comment stand below "Issue recorded".
    struct Words: Error, CustomStringConvertible {
        let description: String
    }

    /// Records the failure with the files of its run, and returns the error that ends the test; the failure itself where no test runs.
    func recorded(with files: @autoclosure () -> [(name: String, data: Data)]) async -> any Error {
        guard Self.isRecorded else { return self }
        if let test = Test.current {
            for file in files() { Attachment.record([UInt8](file.data), named: file.name, sourceLocation: location) }
            let words = Words(description: text)
            let telling: IssueHandlingTrait = .compactMapIssues { issue in
                var issue = issue
                (issue.kind, issue.comments) = (.errorCaught(words), [])
                return issue
            }
            do {
                try await telling.provideScope(for: test, testCase: Test.Case.current) {
                    try #require(Bool(false), "\(words)", sourceLocation: location)
                }
            } catch { return error }
        } else if Self.isXCTest, let source {
            Self.keep(files())
            do { _ = try XCTUnwrap(nil as ExpectedState?, text, file: source.file, line: source.line) } catch { return error }
        }
        return self
    }

    private var location: SourceLocation {
        guard let source else { return #_sourceLocation }
        let path = source.file.description
        let names = path.split(separator: "/").suffix(2)
        let fileID = names.count == 2 ? names.joined(separator: "/") : "Tests/\(path)"
        return SourceLocation(fileID: fileID, filePath: path, line: Int(source.line), column: 1)
    }

    /// Writes files into a new folder under the one that `CAPTURE_TESTING_ATTACHMENTS` names: XCTest for Linux has no attachments.
    static func keep(_ files: [(name: String, data: Data)]) {
        guard let path = ProcessInfo.processInfo.environment["CAPTURE_TESTING_ATTACHMENTS"], !files.isEmpty else { return }
        let folder = URL(filePath: path, directoryHint: .isDirectory).appending(path: "failure-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for file in files { try file.data.write(to: folder.appending(path: file.name)) }
            FileHandle.standardError.write(Data("files of the failed run: \(folder.path)\n".utf8))
        } catch {
            FileHandle.standardError.write(Data("the files of the failed run could not be written to \(folder.path): \(error)\n".utf8))
        }
    }
}
