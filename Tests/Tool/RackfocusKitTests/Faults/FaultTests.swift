import Foundation
import FuzzSupport
import Support
import Testing

/// `make faults` fails every call (RACKFOCUS_FAULTS=all) and keeps the table (RACKFOCUS_FAULT_TABLE=file); else a few calls of each command fail, the
/// same every time. Recordings are part of `make faults` alone: one whose codec fails still loses frames that were taken.
@Suite("Calls to C that fail", .serialized)
struct FaultTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isWhole = environment["RACKFOCUS_FAULTS"] == "all"
    /// Most calls that fail, of each command.
    private static let most = isWhole ? Int.max : 24
    private static let subjects = FaultSubject.allCases.filter { isWhole || $0 != .recording }
    /// A command alone, and calls whose name begins so, for looking into one.
    private static let only = environment["RACKFOCUS_FAULT_CALL"]

    @Test(
        "each ends in a documented exit code with old outputs intact, nothing hidden and nobody left behind",
        .enabled(if: FileManager.default.fileExists(atPath: FaultRig.library), "needs libFaultInjection.so beside the tool"),
        arguments: subjects)
    func calls(subject: FaultSubject) throws {
        var left = Self.most
        let rig = try FaultRig(subject)
        var random = FuzzGenerator(seed: 20)
        let faults = Fault.all(of: subject).filter { Self.only == nil || $0.call.hasPrefix(Self.only ?? "") }
        var counts: [String: Int] = [:]
        var table = ""
        for fault in Self.isWhole ? faults : faults.shuffled(using: &random) {
            guard left > 0 else { break }
            let seam = "\(fault.call) \(fault.isOfFolder)"
            let calls = try counts[seam] ?? rig.count(fault)
            counts[seam] = calls
            guard calls > 0 else { continue }
            let spread = calls <= fault.mostCalls ? Array(1...calls) : (0..<fault.mostCalls).map { 1 + $0 * calls / fault.mostCalls }
            var (tried, wrong) = (0, 0)
            for number in Self.isWhole ? spread : spread.shuffled(using: &random) {
                guard left > 0 else { break }
                left -= 1
                let outcome = try rig.run(fault, at: number)
                var problems = rig.faults(in: outcome, of: fault)
                if !subject.isAtomic, subject != .recording, outcome.run.ending != .exited(0) { problems += try rig.faultsOfRerun() }
                (tried, wrong) = (tried + 1, wrong + (problems.isEmpty ? 0 : 1))
                #expect(problems.isEmpty, "\(subject), \(fault), call \(number) of \(calls): \(problems.joined(separator: "; "))")
            }
            table += "\(subject.rawValue)\t\(fault)\t\(calls)\t\(tried)\t\(wrong)\n"
        }
        guard let path = Self.environment["RACKFOCUS_FAULT_TABLE"] else { return }
        try table.write(toFile: "\(path)-\(subject.rawValue)", atomically: true, encoding: .utf8)
    }
}
