/// Verdict on a scenario; the number is the exit code of `rackfocus test`, and the worst of a run wins.
public enum Verdict: Int, Sendable, Codable, CaseIterable {
    case passed = 0
    case failed = 1
    case scenarioWrong = 2
    case deviceMissing = 3
    case goldenMissing = 4
    case invariantBroken = 5
    case timedOut = 6
    case notReproducible = 7
    case inputUnusable = 66
    case `internal` = 70

    /// One word for a line of a report.
    public var word: String {
        switch self {
        case .passed: "ok"
        case .failed: "FAILED"
        case .scenarioWrong: "WRONG"
        case .deviceMissing: "NO DEVICE"
        case .goldenMissing: "NO GOLDEN"
        case .invariantBroken: "BROKEN"
        case .timedOut: "TIMEOUT"
        case .notReproducible: "NOT REPRODUCIBLE"
        case .inputUnusable: "NO INPUT"
        case .internal: "CRASHED"
        }
    }

    /// Whether this verdict outweighs another: the larger number does.
    public func worse(than other: Verdict) -> Bool { rawValue > other.rawValue }
}
