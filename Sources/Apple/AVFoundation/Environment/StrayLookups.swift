import Foundation
import Synchronization

/// Receivers of lookups from outside of every scope, while there are environments to be found in one: a test whose app works on a queue of its own.
package enum StrayLookups {
    private static let receivers = Mutex<[ObjectIdentifier: @Sendable () -> Void]>([:])

    /// Calls `receiver` at every lookup that finds no environment, until `owner` is removed.
    package static func watch(for owner: AnyObject, _ receiver: @escaping @Sendable () -> Void) {
        let id = ObjectIdentifier(owner)
        receivers.withLock { $0[id] = receiver }
    }

    /// Ends the calls on behalf of `owner`.
    package static func unwatch(_ owner: AnyObject) {
        let id = ObjectIdentifier(owner)
        receivers.withLock { $0[id] = nil }
    }

    static func report() {
        for receiver in receivers.withLock({ Array($0.values) }) { receiver() }
    }
}
