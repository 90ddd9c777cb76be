import Synchronization

/// Task-local values of other modules that go where a capture environment goes, such as a test's photo library: to work that an app hands to its queues or
/// schedules by publishers, and to the delegates of its outputs.
package enum CompanionScopes {
    /// Runs a body with values bound.
    package typealias Scope = @Sendable (_ body: () -> Void) -> Void

    private static let captures = Mutex<[@Sendable () -> Scope?]>([])
    private static let leader = Mutex<(@Sendable () -> Scope?)?>(nil)

    /// Adds a module's capture: the scope of what is bound where it is called, nil where nothing is.
    package static func add(_ capture: @escaping @Sendable () -> Scope?) { captures.withLock { $0.append(capture) } }

    /// Sets the capture of the environment that the others follow: its scope is theirs, too.
    package static func lead(_ capture: @escaping @Sendable () -> Scope?) { leader.withLock { $0 = capture } }

    /// Scope of the environment that is bound here, without one of everything else; nil where nothing is.
    package static func led() -> Scope? { leader.withLock { $0 }?() ?? captured() }

    /// Scope of everything that is bound here but the environment; nil where nothing is.
    package static func captured() -> Scope? {
        captures.withLock { $0 }.reduce(nil) { outer, capture in
            guard let inner = capture() else { return outer }
            guard let outer else { return inner }
            return { body in outer { inner(body) } }
        }
    }
}
