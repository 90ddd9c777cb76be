import Synchronization

/// Violations in the order they were made.
final class ViolationRecord: Sendable {
    private let list = Mutex<[CaptureEnvironment.Violation]>([])

    func append(_ violation: CaptureEnvironment.Violation) { list.withLock { $0.append(violation) } }
    var all: [CaptureEnvironment.Violation] { list.withLock { $0 } }
}
