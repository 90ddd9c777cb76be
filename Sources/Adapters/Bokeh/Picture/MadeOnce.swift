import Synchronization

/// A value that is made once, by whoever asks first.
final class MadeOnce<Value: Sendable>: Sendable {
    private let state: Mutex<Result<Value, any Error>?> = Mutex(nil)

    func get(_ make: () throws -> Value) throws -> Value {
        try state.withLock { state in
            if let state { return try state.get() }
            let result = Result { try make() }
            state = result
            return try result.get()
        }
    }
}
