import Foundation
import Synchronization

extension CaptureConditions {
    /// Button of the phone that a camera app may answer, by AVKit's `AVCaptureEventInteraction`.
    public enum Button: Sendable, Equatable, CaseIterable {
        /// Volume down: a primary event.
        case volumeDown
        /// Volume up: a secondary event.
        case volumeUp
        /// Action button: a primary event.
        case action
        /// Camera Control, pressed all the way: a primary event.
        case cameraControl
    }

    /// Part of a press of a button.
    public enum ButtonPhase: Sendable, Equatable {
        /// The button goes down.
        case began
        /// The user lets it go.
        case ended
        /// The system takes the press away, as for a call.
        case cancelled
    }

    /// Gives part of a press to the app's interactions, as the system does while a session runs. Returns whether there was an enabled one for it;
    /// without a session, and without an interaction, the system has the button to itself.
    @MainActor
    @discardableResult
    public func press(_ button: Button, _ phase: ButtonPhase) -> Bool {
        guard sessions.contains(where: \.isRunning) else { return false }
        let isTaken = ButtonListeners.all(of: self).map { $0(button, phase) }
        return isTaken.contains(true)
    }
}

/// Interactions that want to know of presses, each for as long as it lives.
package enum ButtonListeners {
    /// Receiver of a press; whether it is enabled.
    package typealias Listener = @MainActor @Sendable (CaptureConditions.Button, CaptureConditions.ButtonPhase) -> Bool

    private struct Entry: Sendable {
        weak var owner: (any AnyObject & Sendable)?
        /// Phone of the test in which it was made; nil for one made before.
        weak var conditions: CaptureConditions?
        let isOfPhone: Bool
        let listener: Listener
    }

    private static let entries = Mutex<[Entry]>([])

    /// Adds a receiver of presses on the phone that is bound now; on every phone where none is.
    package static func add(_ owner: any AnyObject & Sendable, _ listener: @escaping Listener) {
        let conditions = CaptureEnvironment.bound?.conditions
        entries.withLock { entries in
            entries.removeAll { $0.owner == nil }
            entries.append(Entry(owner: owner, conditions: conditions, isOfPhone: conditions != nil, listener: listener))
        }
    }

    static func all(of conditions: CaptureConditions) -> [Listener] {
        entries.withLock { $0.filter { $0.owner != nil && (!$0.isOfPhone || $0.conditions === conditions) }.map(\.listener) }
    }
}
