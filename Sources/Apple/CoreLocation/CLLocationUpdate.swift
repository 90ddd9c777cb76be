import Foundation

/// Place of the phone as a sequence gives it.
public struct CLLocationUpdate: Sendable {
    /// The place; nil without permission.
    public let location: CLLocation?
    /// Whether the phone stands still; always, a test's phone is put from place to place.
    public let isStationary = true

    /// Kind of movement; kept without effect.
    public enum LiveConfiguration: Int, Sendable {
        /// Any.
        case `default` = 0
        /// By car.
        case automotiveNavigation = 1
        /// In other ways than by car or plane.
        case otherNavigation = 2
        /// In sport.
        case fitness = 3
        /// By plane.
        case airborne = 4
    }

    /// Returns the places to which a test moves the phone, the present one first; without permission one update without a place.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates { Updates(conditions: LocationConditions.scoped) }

    /// Sequence of places, which ends with the task.
    public struct Updates: AsyncSequence, Sendable {
        /// Type of the elements.
        public typealias Element = CLLocationUpdate
        let conditions: LocationConditions?

        /// Begins to follow the phone.
        public func makeAsyncIterator() -> Iterator {
            let (stream, continuation) = AsyncStream<CLLocationUpdate>.makeStream()
            let manager = LocationConditions.$scoped.withValue(conditions) { CLLocationManager() }
            let receiver = Receiver(continuation)
            manager.delegate = receiver
            manager.startUpdatingLocation()
            return Iterator(updates: stream.makeAsyncIterator(), manager: manager, receiver: receiver)
        }

        /// Position in a sequence of places.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var updates: AsyncStream<CLLocationUpdate>.Iterator
            fileprivate let manager: CLLocationManager
            fileprivate let receiver: Receiver

            /// Waits for the next place; nil when the task is cancelled.
            public mutating func next() async throws -> CLLocationUpdate? { await updates.next() }
        }
    }

    fileprivate final class Receiver: CLLocationManagerDelegate {
        private let continuation: AsyncStream<CLLocationUpdate>.Continuation
        init(_ continuation: AsyncStream<CLLocationUpdate>.Continuation) { self.continuation = continuation }

        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            for location in locations { continuation.yield(CLLocationUpdate(location: location)) }
        }
        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { continuation.yield(CLLocationUpdate(location: nil)) }
    }
}
