import Combine

/// Scheduler whose time a test advances.
final class ManualScheduler: Scheduler {
    struct SchedulerTimeType: Strideable {
        typealias Stride = SchedulerSeconds
        var seconds: Double
        func distance(to other: SchedulerTimeType) -> Stride { SchedulerSeconds(other.seconds - seconds) }
        func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(seconds: seconds + n.timeInterval) }
    }

    private(set) var now = SchedulerTimeType(seconds: 0)
    let minimumTolerance: SchedulerTimeType.Stride = 0
    private var actions: [(due: SchedulerTimeType, action: () -> Void)] = []

    func schedule(options: Never?, _ action: @escaping () -> Void) { actions.append((now, action)) }
    func schedule(after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void) {
        actions.append((date, action))
    }

    /// Runs what is due until then, by due time and then by age.
    func advance(by seconds: Double) {
        let end = now.advanced(by: SchedulerSeconds(seconds))
        while let next = actions.indices.min(by: { (actions[$0].due, $0) < (actions[$1].due, $1) }), actions[next].due <= end {
            let (due, action) = actions.remove(at: next)
            now = max(now, due)
            action()
        }
        now = end
    }
}
