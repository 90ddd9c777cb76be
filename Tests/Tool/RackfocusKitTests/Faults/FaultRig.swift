import Foundation
import Support
import TestSupport

@testable import rackfocus

/// A command with its folder as it is before each run, and what a run leaves that nothing goes wrong in; for one task at a time.
final class FaultRig: @unchecked Sendable {
    /// Outcome of one run with a failing call.
    struct Outcome {
        let run: LimitedRun
        let contents: FolderContents
        let leftProcesses: [String]
        let temporaries: [String]

        var isCrash: Bool { if case .signal = run.ending { true } else { false } }
    }

    let subject: FaultSubject
    /// Number of calls of each name that a run makes.
    let counts: [String: Int]
    private let scratch: Scratch
    private let folder: String
    private let before: FolderContents
    private let after: FolderContents
    /// Frames of the recording that a run leaves; 0 where it leaves none.
    private let frames: Int
    private let marked = Marked()

    static let library = Project.tool.deletingLastPathComponent().appending(path: "libFaultInjection.so").path

    init(_ subject: FaultSubject) throws {
        self.subject = subject
        scratch = try Scratch()
        folder = scratch("folder")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try subject.prepare(folder, scratch: scratch)
        before = try FolderContents(of: folder)
        try FileManager.default.copyItem(atPath: folder, toPath: scratch("pristine"))
        let environment = ["LD_PRELOAD": Self.library, "FAULT_TALLY": scratch("tally"), "FAULT_BELOW": folder]
        let first = try LimitedRun(subject.program, subject.arguments(in: folder), environment: environment, scratch: scratch)
        guard first.ending == .exited(0), let tally = FileManager.default.contents(atPath: scratch("tally")) else {
            throw FaultSubject.Unprepared(errors: first.errors + first.output)
        }
        counts = Self.counts(in: tally)
        after = try FolderContents(of: folder)
        frames =
            try subject.take.map { [folder, scratch] take in
                try KeptTake("\(folder)/\(take)", isCinematic: subject == .cinematic, scratch: scratch).frames
            } ?? 0
    }

    /// Reads entries of 64 bytes: a name that ends with zero, and in the last eight a number.
    private static func counts(in tally: Data) -> [String: Int] {
        let entries = stride(from: 0, to: tally.count, by: 64).map { start in
            let name = String(decoding: tally[start..<start + 56].prefix { $0 != 0 }, as: UTF8.self)
            return (name, tally[(start + 56)...].prefix(8).withUnsafeBytes { $0.loadUnaligned(as: Int.self) })
        }
        return Dictionary(entries, uniquingKeysWith: +)
    }

    /// Runs the command with the call of that number failing.
    func run(_ fault: Fault, at number: Int) throws -> Outcome {
        for name in ["folder", "tmp", "tally", "log"] where FileManager.default.fileExists(atPath: scratch(name)) {
            try FileManager.default.removeItem(atPath: scratch(name))
        }
        try FileManager.default.copyItem(atPath: scratch("pristine"), toPath: folder)
        try FileManager.default.createDirectory(atPath: scratch("tmp"), withIntermediateDirectories: true)
        var environment = [
            "LD_PRELOAD": Self.library, "FAULT_CALL": fault.call, "FAULT_AT": String(number), "FAULT_ERROR": fault.error,
            "FAULT_TALLY": scratch("tally"), "FAULT_BELOW": folder, "TMPDIR": scratch("tmp"), marked.name: "1", "SWIFT_BACKTRACE": "enable=no",
        ]
        if fault.lasts { environment["FAULT_LASTS"] = "1" }
        let run = try LimitedRun(subject.program, subject.arguments(in: folder), environment: environment, scratch: scratch)
        return Outcome(
            run: run, contents: try FolderContents(of: folder), leftProcesses: try marked.all.map(\.command),
            temporaries: try DirectoryListing.files(below: scratch("tmp")).map(\.name))
    }

    /// Defects of an outcome; none when the fault was met as it should be.
    func faults(in outcome: Outcome, of fault: Fault) -> [String] {
        let (run, contents) = (outcome.run, outcome.contents)
        var found: [String] = []
        func demand(_ isMet: Bool, _ problem: @autoclosure () -> String) { if !isMet { found.append(problem()) } }
        demand(outcome.leftProcesses.isEmpty, "processes left: \(outcome.leftProcesses)")
        demand(outcome.temporaries.isEmpty, "temporary files left: \(outcome.temporaries)")
        let isCrash = fault.mayCrash && outcome.isCrash
        demand(contents.hidden.isEmpty || isCrash, "hidden files left: \(contents.hidden)")
        let others = contents.differences(from: before).filter { file in !subject.outputs.contains { file == $0 || file.hasPrefix($0 + "/") } }
        demand(Set(others).subtracting(contents.hidden).isEmpty, "other files changed: \(others)")
        switch run.ending {
        case nil: found.append("did not end")
        case .signal(let number):
            demand(isCrash, "ended by signal \(number)")
            demandOldOutputs()
        case .exited(0):
            let isSaid = !fault.isHarmless && run.errors.contains("rackfocus: warning")
            let differing = contents.differences(from: after)
            // Fragments that could not be made an ordinary movie play as well, and so does a recovered one whose pictures FFmpeg could not look at.
            let plays = subject.take != nil && !fault.isHarmless && keptFrames == frames
            demand(isSaid || plays || differing.isEmpty, "ended well, but these are not as they should be: \(differing)")
        case .exited(let code):
            demand(!fault.isHarmless, "noticed")
            demand(ExitCode(rawValue: code).map { $0 != .internal } ?? false, "exit code \(code)")
            // The failure of one scenario is in its line of the summary.
            let isSaid = run.errors.contains("rackfocus: ") || run.errors.contains("take-recorder: ") || run.output.contains(" of 3 passed")
            demand(isSaid, "without a message")
            demandOldOutputs()
        }
        return found.isEmpty ? [] : found + ["it said: \(run.errors.suffix(600))\(run.output.suffix(300))"]

        func demandOldOutputs() {
            if subject.isRecording {
                let taken = KeptTake.framesTaken(log: scratch("log"))
                // Lost is all that a full disk has no room for, and what was in memory when FFmpeg spoiled it.
                demand(
                    keptFrames >= taken - (fault.lasts || fault.mayCrash ? KeptTake.framesThatMayBeLost : 0), "\(keptFrames) frames kept of \(taken)")
            }
            guard subject.isAtomic else { return }
            let differing = contents.differences(from: before).filter { !contents.hidden.contains($0) }
            demand(differing.isEmpty, "failed, but these are not as before: \(differing)")
        }
    }

    /// Frames of the recording that can be played; 0 where there is no movie.
    private var keptFrames: Int {
        subject.take.flatMap { try? KeptTake("\(folder)/\($0)", isCinematic: subject == .cinematic, scratch: scratch) }?.frames ?? 0
    }

    /// Defects of a rerun after a run that failed or crashed.
    func faultsOfRerun() throws -> [String] {
        let again = try LimitedRun(subject.program, subject.arguments(in: folder), scratch: scratch)
        let differing = try FolderContents(of: folder).differences(from: after)
        guard again.ending == .exited(0), differing.isEmpty else {
            return ["a rerun ended with \(String(describing: again.ending)) and left \(differing)"]
        }
        return []
    }
}
