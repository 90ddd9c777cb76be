import CoreVideo
import Foundation

/// Value behind a lock; unlike a `Mutex` it takes values that are not Sendable, which a publisher's are.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// Stores a value and returns the one before.
    func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}

/// Value that crosses threads with its publisher's order.
struct Carried<Value>: @unchecked Sendable {
    let value: Value
}

extension Carried<() -> Void> {
    /// Work that runs with what is bound where it is scheduled, such as the phone of a test.
    init(scheduled work: @escaping () -> Void) {
        self.init(value: CompanionScopes.led().map { scope in { scope(work) } } ?? work)
    }
}
