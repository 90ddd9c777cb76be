import Dispatch
import Foundation

/// Wait for work that an app has sent on to its own queues and actors: until whatever was ready has had many turns, and the process rests.
///
/// Work that waits for a timer of the app's own does not count. On a machine that never rests the wait ends after a time, and no sooner than the turns.
struct Rest {
    private static let turns = 50
    private static let span = Duration.milliseconds(100)
    /// Share of one processor that asking takes.
    private static let share = 0.3
    private let longest: Duration
    private let start = ContinuousClock.now
    private var turn = 0
    private var quiet = ContinuousClock.now
    private var used = Rest.processorTime
    /// Whether it ended though the process went on computing.
    private(set) var isBusy = false

    /// A wait that ends after `longest` of real time, though the process goes on computing.
    init(longest: Duration = .seconds(1)) { self.longest = longest }

    /// Lets ready work have a turn; false once nothing more can come.
    mutating func goesOn() async -> Bool {
        await Self.passQueues()
        try? await Task.sleep(for: .milliseconds(1))
        turn += 1
        let now = ContinuousClock.now
        guard turn >= Self.turns else { return true }
        if now - start >= longest {
            isBusy = true
            return false
        }
        guard now - quiet >= Self.span else { return true }
        let (spent, limit) = (Self.processorTime - used, (now - quiet).seconds * Self.share)
        (quiet, used) = (now, Self.processorTime)
        return spent >= limit
    }

    /// Goes once through the main queue, every global queue, and the tasks of every priority.
    static func passQueues() async {
        await withTaskGroup(of: Void.self) { group in
            for quality in [DispatchQoS.QoSClass.userInteractive, .userInitiated, .default, .utility, .background] {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        DispatchQueue.global(qos: quality).async { continuation.resume() }
                    }
                }
            }
            for priority in [TaskPriority.high, .medium, .low, .background] { group.addTask(priority: priority) { await Task.yield() } }
            group.addTask { await MainActor.run {} }
        }
    }

    /// Seconds of processor time of all threads so far.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
}
