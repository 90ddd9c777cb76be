import Foundation
import FuzzSupport
import Support
import Testing

/// `make faults` fails every call of the commands in RACKFOCUS_FAULTS (`all`, or names between commas) and keeps the table (RACKFOCUS_FAULT_TABLE=file);
/// RACKFOCUS_FAULT_CALL picks calls whose name begins so. Else a few calls of each command fail, the same every time.
@Suite("Calls to C that fail", .serialized)
struct FaultTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isWhole = environment["RACKFOCUS_FAULTS"] != nil
    private static let subjects = FaultSubject.allCases.filter { subject in
        guard let named = environment["RACKFOCUS_FAULTS"], named != "all" else { return true }
        return named.split(separator: ",").contains { $0 == subject.rawValue }
    }
    private static let wanted = environment["RACKFOCUS_FAULT_CALL"] ?? ""
    /// Random numbers of the sample.
    private static let seed: UInt64 = 20

    @Test(
        "each ends in a documented exit code with old outputs intact, nothing hidden and nobody left behind",
        .enabled(if: FileManager.default.fileExists(atPath: FaultRig.library), "needs libFaultInjection.so beside the tool"),
        arguments: subjects)
    func calls(subject: FaultSubject) async throws {
        let first = try FaultRig(subject)
        let round = FaultRound(Self.trials(of: subject, counts: first.counts))
        try await withThrowingTaskGroup { group in
            for index in 0..<(Self.isWhole ? ProcessInfo.processInfo.activeProcessorCount : 1) {
                group.addTask {
                    let rig = index == 0 ? first : try FaultRig(subject)
                    while let trial = round.next() {
                        let problems = try Self.problems(of: trial, rig)
                        round.note(trial, isWrong: !problems.isEmpty)
                        #expect(problems.isEmpty, "\(subject), \(trial): \(problems.joined(separator: "; "))")
                    }
                }
            }
            try await group.waitForAll()
        }
        guard let path = Self.environment["RACKFOCUS_FAULT_TABLE"] else { return }
        let table = round.table.map { "\(subject.rawValue)\t\($0)\n" }.joined()
        try table.write(toFile: "\(path)-\(subject.rawValue)", atomically: true, encoding: .utf8)
    }

    @Test(
        "of the lens on every frame end a render with 3, on one frame with a warning",
        .enabled(if: FileManager.default.fileExists(atPath: FaultRig.library), "needs libFaultInjection.so beside the tool"),
        arguments: [true, false])
    func lens(lasts: Bool) throws {
        let rig = try FaultRig(.lens)
        let fault = Fault(call: "vkQueueSubmit", error: "-4", lasts: lasts)
        let run = try rig.run(fault, at: lasts ? 1 : rig.counts[fault.call, default: 0]).run
        #expect(run.ending == .exited(lasts ? 3 : 0), "\(run.errors)")
        let words = lasts ? "rackfocus: 3 frames" : "rackfocus: warning: 1 frame"
        #expect(run.errors.contains("\(words) stayed sharp because the lens failed, first frame "), "\(run.errors)")
    }

    /// Every call of every fault that the command meets; in a sample one call of each of a few.
    private static func trials(of subject: FaultSubject, counts: [String: Int]) -> [FaultTrial] {
        let faults = Fault.all(of: subject).filter { $0.call.hasPrefix(wanted) && counts[$0.call, default: 0] > 0 }
        var random = FuzzGenerator(seed: seed)
        guard isWhole else {
            let sample = faults.shuffled(using: &random).prefix(subject.sampledFaults).map { fault in
                let calls = counts[fault.call, default: 0]
                return FaultTrial(fault: fault, number: 1 + random.index(calls), calls: calls)
            }
            return sample + (subject == .lens ? [secondPicture(faults, counts)].compactMap(\.self) : [])
        }
        return faults.flatMap { fault in
            let calls = counts[fault.call, default: 0]
            let numbers = calls <= fault.mostCalls ? Array(1...calls) : (0..<fault.mostCalls).map { 1 + $0 * calls / fault.mostCalls }
            return numbers.map { FaultTrial(fault: fault, number: $0, calls: calls) }
        }
    }

    /// The last buffer that is mapped: of the second picture, while the first is under way. Nil where that fault is not wanted.
    private static func secondPicture(_ faults: [Fault], _ counts: [String: Int]) -> FaultTrial? {
        guard let fault = faults.first(where: { $0.call == "vkMapMemory" }), let calls = counts[fault.call] else { return nil }
        return FaultTrial(fault: fault, number: calls, calls: calls)
    }

    private static func problems(of trial: FaultTrial, _ rig: FaultRig) throws -> [String] {
        let outcome = try rig.run(trial.fault, at: trial.number)
        let problems = rig.faults(in: outcome, of: trial.fault)
        // Outputs that are replaced whole are as before, and a recording is not done again.
        let needsRerun = outcome.isCrash ? !rig.subject.isRecording : rig.subject == .test && outcome.run.ending != .exited(0)
        guard needsRerun else { return problems }
        return problems + (try rig.faultsOfRerun())
    }
}
