import Dispatch

// Work that a test's app hands to its own queues belongs to the phone of that test. Without an environment in scope, as in an app, these are Dispatch's
// methods; calls with a group, a quality of service or flags are always Dispatch's.

extension DispatchQueue {
    /// Runs `work` on this queue, in the caller's capture environment.
    @preconcurrency
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {
        async(group: nil, execute: CaptureEnvironment.inheriting(work))
    }

    /// Runs `work` on this queue at `deadline` or soon after, in the caller's capture environment.
    @preconcurrency
    public func asyncAfter(deadline: DispatchTime, execute work: @escaping @Sendable @convention(block) () -> Void) {
        asyncAfter(deadline: deadline, qos: .unspecified, execute: CaptureEnvironment.inheriting(work))
    }
}

extension CaptureEnvironment {
    fileprivate static func inheriting(
        _ work: @escaping @Sendable @convention(block) () -> Void
    ) -> @Sendable @convention(block) () -> Void {
        guard let scope = callersScope else { return work }
        return { scope { work() } }
    }
}
