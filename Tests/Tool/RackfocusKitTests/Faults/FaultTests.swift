import Foundation
import FuzzSupport
import Support
import Testing

/// `make faults` fails every call (RACKFOCUS_FAULTS=all) and keeps the table (RACKFOCUS_FAULT_TABLE=file); else each command has some seconds, in
/// which its calls are failed in an order drawn by chance.
@Suite("Calls to C that fail", .serialized)
struct FaultTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isWhole = environment["RACKFOCUS_FAULTS"] == "all"
    /// Seconds for each command.
    private static let seconds = isWhole ? Double.infinity : 10
    /// A command alone, and calls whose name begins so, for looking into one.
    private static let only = environment["RACKFOCUS_FAULT_CALL"]

    @Test(
        "each ends in a documented exit code with old outputs intact, nothing hidden and nobody left behind",
        .enabled(if: FileManager.default.fileExists(atPath: FaultRig.library), "needs libFaultInjection.so beside the tool"),
        arguments: FaultSubject.allCases)
    func calls(subject: FaultSubject) throws {
        let end = ContinuousClock.now + .seconds(min(Self.seconds, 1e6))
        let rig = try FaultRig(subject)
        var random = FuzzGenerator(seed: 20)
        let faults = Fault.all(of: subject).filter { Self.only == nil || $0.call.hasPrefix(Self.only ?? "") }
        var counts: [String: Int] = [:]
        var table = ""
        for fault in Self.isWhole ? faults : faults.shuffled(using: &random) {
            guard ContinuousClock.now < end else { break }
            let seam = "\(fault.call) \(fault.isOfFolder)"
            let calls = try counts[seam] ?? rig.count(fault)
            counts[seam] = calls
            guard calls > 0 else { continue }
            let spread = calls <= fault.mostCalls ? Array(1...calls) : (0..<fault.mostCalls).map { 1 + $0 * calls / fault.mostCalls }
            var (tried, wrong) = (0, 0)
            for number in Self.isWhole ? spread : spread.shuffled(using: &random) {
                guard ContinuousClock.now < end else { break }
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
