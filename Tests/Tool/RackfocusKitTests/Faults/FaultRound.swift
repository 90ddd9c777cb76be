import Synchronization

/// A fault at the call of a number, of so many calls there are.
struct FaultTrial: Sendable, CustomStringConvertible {
    let fault: Fault
    let number: Int
    let calls: Int

    var description: String { "\(fault), call \(number) of \(calls)" }
}

/// Trials of one command, handed out to tasks, and their score.
final class FaultRound: Sendable {
    private struct Score {
        var calls: Int
        var tried = 0
        var wrong = 0
    }

    private let trials: Mutex<ArraySlice<FaultTrial>>
    private let scores = Mutex<[String: Score]>([:])

    init(_ trials: [FaultTrial]) { self.trials = Mutex(trials[...]) }

    /// Takes the next trial; nil when all are taken.
    func next() -> FaultTrial? { trials.withLock { $0.popFirst() } }

    func note(_ trial: FaultTrial, isWrong: Bool) {
        scores.withLock { scores in
            var score = scores[trial.fault.description] ?? Score(calls: trial.calls)
            score.tried += 1
            score.wrong += isWrong ? 1 : 0
            scores[trial.fault.description] = score
        }
    }

    /// Lines of a fault, the calls there are, and those that failed and that went wrong, between tabs.
    var table: [String] {
        scores.withLock { scores in scores.sorted { $0.key < $1.key }.map { "\($0)\t\($1.calls)\t\($1.tried)\t\($1.wrong)" } }
    }
}
