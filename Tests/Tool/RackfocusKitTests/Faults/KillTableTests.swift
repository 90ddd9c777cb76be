import Foundation
import FuzzSupport
import Support
import TestSupport
import Testing

@testable import RackfocusKit

/// `make kills COUNT=200` kills each command so often and keeps the table (RACKFOCUS_KILL_TABLE=file).
@Suite("SIGKILL at a random time", .serialized)
struct KillTableTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = Int(environment["RACKFOCUS_KILLS"] ?? "") ?? 2
    private static let seed = UInt64(environment["RACKFOCUS_FUZZ_SEED"] ?? "") ?? 20

    private static func keep(_ line: String, of name: String) throws {
        guard let path = environment["RACKFOCUS_KILL_TABLE"] else { return }
        try (line + "\n").write(toFile: "\(path)-\(name)", atomically: true, encoding: .utf8)
    }

    @Test(
        "of a command leaves old or new outputs, whole, and a rerun completes to the same bytes",
        arguments: [FaultSubject.render, .test, .merge, .recover])
    func command(subject: FaultSubject) throws {
        let (scratch, marked) = (try Scratch(), Marked())
        let (folder, pristine) = (scratch("folder"), scratch("pristine"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try subject.prepare(folder, scratch: scratch)
        try FileManager.default.copyItem(atPath: folder, toPath: pristine)
        let arguments = subject.arguments(in: folder, jobs: 2)
        let before = try FolderContents(of: folder)
        let start = ContinuousClock.now
        let whole = try LimitedRun(subject.program, arguments, scratch: scratch)
        let duration = (ContinuousClock.now - start) / .seconds(1)
        #expect(whole.ending == .exited(0), "\(whole.errors)")
        let after = try FolderContents(of: folder)

        var random = FuzzGenerator(seed: Self.seed)
        var (killed, old, new, mixed, hidden) = (0, 0, 0, 0, 0)
        for index in 0..<Self.count {
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.copyItem(atPath: pristine, toPath: folder)
            let delay = random.uniform() * duration * 1.1
            let label = "\(subject) killed after \(delay) s, kill \(index), seed \(Self.seed)"
            let run = try LimitedRun(
                subject.program, arguments, environment: [marked.name: "1", "TMPDIR": scratch.path], scratch: scratch,
                killed: .after(delay))
            if run.ending == .signal(SIGKILL) { killed += 1 }
            try marked.waitForNone()
            let left = try FolderContents(of: folder)
            if !left.hidden.isEmpty { hidden += 1 }
            let (isOld, isNew) = (left.of(subject.outputs) == before.of(subject.outputs), left.of(subject.outputs) == after.of(subject.outputs))
            (old, new, mixed) = (old + (isOld ? 1 : 0), new + (isNew ? 1 : 0), mixed + (isOld || isNew ? 0 : 1))
            if subject.isAtomic {
                for output in subject.outputs {
                    let part = left.of([output])
                    #expect(part == before.of([output]) || part == after.of([output]), "\(label): \(output) is neither the old nor the new one")
                }
            }
            let resumed = subject == .test ? arguments.filter { $0 != "--force" } + ["--resume"] : arguments
            let again = try LimitedRun(subject.program, resumed, scratch: scratch)
            #expect(again.ending == .exited(0), "\(label): the rerun said \(again.errors)")
            #expect(try FolderContents(of: folder).differences(from: after) == [], "\(label): the rerun left something else")
        }
        try Self.keep(
            "\(subject.rawValue)\t\(Self.count)\t\(killed)\told \(old), new \(new), part \(mixed); hidden leftovers \(hidden), none after a rerun",
            of: subject.rawValue)
    }

    @Test("of a recording loses at most 0.3 s of each track", arguments: ["default", "0.25", "1", "10", "none"], [false, true])
    func recording(interval: String, isCinematic: Bool) throws {
        let (scratch, marked) = (try Scratch(), Marked())
        let (take, log) = (scratch("take.mov"), scratch("log"))
        var random = FuzzGenerator(seed: Self.seed)
        var (killed, frames, seconds, handed, readable, recovered) = (0, 0, 0.0, 0, 0, 0)
        for index in 0..<Self.count {
            for file in [take, log] { unlink(file) }
            let (due, delay) = (KeptTake.framesThatMayBeLost + 1 + random.index(130), UInt32(random.index(10_000)))
            let run = try LimitedRun(
                FaultSubject.recording.program, [take, interval, "150", log] + (isCinematic ? ["cinematic"] : []), environment: [marked.name: "1"],
                scratch: scratch,
                killed: .once({ KeptTake.framesTaken(log: log) >= due }, then: delay))
            if run.ending == .signal(SIGKILL) { killed += 1 }
            try marked.waitForNone()
            let (taken, kept) = (KeptTake.framesTaken(log: log), try KeptTake(take, isCinematic: isCinematic, scratch: scratch))
            let silence = Double(taken) / 30 - kept.seconds
            (frames, seconds) = (max(frames, taken - kept.frames), max(seconds, silence))
            (handed, readable, recovered) = (handed + taken, readable + kept.framesBefore, recovered + kept.frames)
            let label = "interval \(interval), killed \(delay) us after frame \(due), kill \(index), seed \(Self.seed)"
            #expect(taken - kept.frames <= KeptTake.framesThatMayBeLost && silence <= 0.3, "\(label): \(kept) of \(taken) frames")
            #expect(kept.places == ["+59.33+018.07/"] || taken < 3 + KeptTake.framesThatMayBeLost, "\(label): \(kept.places)")
        }
        let (most, kind) = (String(format: "%.3f", seconds), isCinematic ? "cinematic" : "recording")
        let sums = "\(handed) frames handed in, \(readable) readable, \(recovered) after recover"
        let line = "\(kind) \(interval)\t\(Self.count)\t\(killed)\t\(sums); at most \(frames) frames of each track and \(most) s of sound lost"
        print(line)
        try Self.keep(line, of: "\(kind)-\(interval)")
    }
}
