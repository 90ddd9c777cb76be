import Synchronization

/// Task-local values that go where a capture environment goes, such as a test's photo library and that environment: to work that an app hands to its queues
/// or schedules by publishers, and to the delegates of its outputs.
package enum CompanionScopes {
    /// Runs a body with values bound.
    package typealias Scope = @Sendable (_ body: () -> Void) -> Void

    private static let captures = Mutex<[@Sendable () -> Scope?]>([])

    /// Adds a module's capture: the scope of what is bound where it is called, nil where nothing is.
    package static func add(_ capture: @escaping @Sendable () -> Scope?) { captures.withLock { $0.append(capture) } }

    /// Scope of everything that is bound here; nil where nothing is.
    package static func captured() -> Scope? {
        captures.withLock { $0 }.reduce(nil) { outer, capture in
            guard let inner = capture() else { return outer }
            guard let outer else { return inner }
            return { body in outer { inner(body) } }
        }
    }
}
