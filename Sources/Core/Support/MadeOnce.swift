import Synchronization

/// Value that is made once, by whoever asks first; a failure to make it is kept as well.
package final class MadeOnce<Value: Sendable>: Sendable {
    private let state: Mutex<Result<Value, any Error>?> = Mutex(nil)

    package init() {}

    /// Whether it was made, or failed.
    package var isMade: Bool { state.withLock { $0 != nil } }

    /// The value, made by `make` at the first call; throws what `make` threw then.
    package func get(_ make: () throws -> Value) throws -> Value {
        try state.withLock { state in
            if let state { return try state.get() }
            let result = Result { try make() }
            state = result
            return try result.get()
        }
    }
}
