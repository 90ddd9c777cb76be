import Foundation
import RackfocusKit
import ScenarioResults
import Support

/// Runs scenarios, then those again whose files change, until the process is interrupted.
struct WatchLoop {
    private let options: TestRun.Options
    private static let interval = 0.2

    init(_ options: TestRun.Options) { self.options = options }

    func run() throws -> Never {
        // The parent process may have the interrupt ignored or blocked by which alone the loop ends: a shell's `&`, a worker thread.
        signal(SIGINT, SIG_DFL)
        var interrupt = sigset_t()
        sigemptyset(&interrupt)
        sigaddset(&interrupt, SIGINT)
        pthread_sigmask(SIG_UNBLOCK, &interrupt, nil)
        var results: [String: TestResult] = [:]
        var seen = FolderState(around: options.paths)
        let lock = try TestRun(options).begin()
        defer { withExtendedLifetime(lock) {} }
        try pass(nil, &results)
        while true {
            Thread.sleep(forTimeInterval: Self.interval)
            let now = FolderState(around: options.paths)
            let changed = now.changes(since: seen)
            guard !changed.isEmpty else { continue }
            seen = now
            StandardOutput.print("\n\(changed.map { ($0 as NSString).lastPathComponent }.joined(separator: ", ")) changed")
            do { try pass(changed, &results) } catch { StandardOutput.print("rackfocus: \(error)") }
        }
    }

    /// Runs everything, or what `changed` concerns: a scenario itself, or any other file, which all may use.
    private func pass(_ changed: [String]?, _ results: inout [String: TestResult]) throws {
        let testRun = try TestRun(options)
        var items = testRun.plan.items
        if let changed, changed.allSatisfy({ path in items.contains { FolderState.absolute($0.path) == path } }) {
            items.removeAll { !changed.contains(FolderState.absolute($0.path)) && results[$0.id] != nil }
        }
        for result in try testRun.perform(items) { results[result.id] = result }
        _ = try testRun.report(testRun.plan.items.compactMap { results[$0.id] })
        StandardOutput.print("watching \(options.paths.joined(separator: ", ")); ^C ends")
    }
}

/// Modification times of the files in and around some paths.
struct FolderState: Equatable {
    private var stamps: [String: Stamp] = [:]

    private struct Stamp: Equatable {
        var seconds: Int
        var nanoseconds: Int
        var size: Int64
    }

    /// Everything in a folder, its goldens and folders of results left out; beside a file everything in its own folder that may belong to it.
    init(around paths: [String]) {
        for path in paths {
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            let folder = exists && isFolder.boolValue ? path : (Self.absolute(path) as NSString).deletingLastPathComponent
            let names =
                isFolder.boolValue
                ? (try? DirectoryListing.files(below: folder, except: OutputManifest.isThere))?.map(\.name)
                : try? FileManager.default.contentsOfDirectory(atPath: folder)
            for name in names ?? [] where Self.isInput(name) { note(Self.absolute("\(folder)/\(name)")) }
        }
    }

    /// The files that are new, gone or written since, in order.
    func changes(since old: FolderState) -> [String] {
        Set(stamps.keys).union(old.stamps.keys).filter { stamps[$0] != old.stamps[$0] }.sorted()
    }

    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

    private static func isInput(_ name: String) -> Bool {
        let parts = name.split(separator: "/")
        guard !parts.contains(where: { $0.hasPrefix(".") || $0 == "goldens" }) else { return false }
        return [".yaml", ".json", ".jsonl", ".wav"].contains { name.hasSuffix($0) }
    }

    private mutating func note(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        stamps[path] = Stamp(seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, size: Int64(status.st_size))
    }
}
