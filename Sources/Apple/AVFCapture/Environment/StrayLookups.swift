import Foundation
import Synchronization

/// Receivers of lookups from outside of every scope, while there are environments to be found in one: a test whose app works outside of its task.
package enum StrayLookups {
    private struct State {
        var receivers: [ObjectIdentifier: @Sendable () -> Void] = [:]
        var haveHappened = false
    }

    private static let state = Mutex(State())

    /// Calls `receiver` at every lookup that finds no environment, until `owner` is removed.
    package static func watch(for owner: AnyObject, _ receiver: @escaping @Sendable () -> Void) {
        let id = ObjectIdentifier(owner)
        state.withLock { $0.receivers[id] = receiver }
    }

    /// Ends the calls on behalf of `owner`.
    package static func unwatch(_ owner: AnyObject) {
        let id = ObjectIdentifier(owner)
        state.withLock { $0.receivers[id] = nil }
    }

    /// Whether there was such a lookup in this process, in whichever test.
    package static var haveHappened: Bool { state.withLock { $0.haveHappened } }

    /// Tells the receivers; returns whether it was the first such lookup of this process.
    static func report() -> Bool {
        let (isFirst, receivers) = state.withLock { state in
            defer { state.haveHappened = true }
            return (!state.haveHappened, Array(state.receivers.values))
        }
        for receiver in receivers { receiver() }
        return isFirst
    }
}
