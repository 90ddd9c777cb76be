import Foundation
import Synchronization

/// Whether places are exact.
public enum CLAccuracyAuthorization: Int, Sendable {
    /// They are.
    case fullAccuracy = 0
    /// They are only near; never so here.
    case reducedAccuracy = 1
}

/// Accuracy to ask for: the best.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Accuracy to ask for: 10 m.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Accuracy to ask for: 100 m.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Accuracy to ask for: 1 km.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Distance to move before an update: any.
public let kCLDistanceFilterNone: CLLocationDistance = -1

/// Error of Core Location.
public struct CLError: Error, Equatable, Sendable {
    /// Cause of an error.
    public enum Code: Int, Sendable {
        /// The place is not known yet.
        case locationUnknown = 0
        /// The user does not allow it.
        case denied = 1
    }
    /// Cause.
    public let code: Code
    /// Makes an error of a cause.
    public init(_ code: Code) { self.code = code }
}

/// Receiver of a manager's places, on the thread of the call or of the test's step that brought them.
public protocol CLLocationManagerDelegate: AnyObject {
    /// Called with new places, the newest last.
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
    /// Called when there is no place to be had.
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
    /// Called when the permission has changed, and once a delegate was set.
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
}

extension CLLocationManagerDelegate {
    /// Does nothing, for delegates without this method.
    public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    /// Does nothing, for delegates without this method.
    public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
    /// Does nothing, for delegates without this method.
    public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
}

/// Giver of the phone's place: the one that a test puts it to, by `LocationConditions`; without a test there is none, and permission is restricted.
open class CLLocationManager: NSObject, @unchecked Sendable {
    private let conditions: LocationConditions?
    private let state = Mutex(State())

    private struct State: Sendable {
        var isUpdating = false
        var accuracy = kCLLocationAccuracyBest
        var filter = kCLDistanceFilterNone
    }

    /// Makes a manager of the conditions bound now.
    public override init() {
        conditions = LocationConditions.scoped
        super.init()
        conditions?.add(self)
    }

    /// Receiver of places; it hears of the permission at once.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        didSet { delegate?.locationManagerDidChangeAuthorization(self) }
    }

    /// Whether the device can find places: whether a test has bound any conditions.
    open class func locationServicesEnabled() -> Bool { LocationConditions.scoped != nil }
    /// Permission of the app.
    open var authorizationStatus: CLAuthorizationStatus { conditions?.authorization ?? .restricted }
    /// Whether places are exact; always.
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
    /// Accuracy to ask for in metres; kept, as a test's places are what they are.
    open var desiredAccuracy: CLLocationAccuracy {
        get { state.withLock { $0.accuracy } }
        set { state.withLock { $0.accuracy = newValue } }
    }
    /// Metres to move before an update; kept: every place of the test is one.
    open var distanceFilter: CLLocationDistance {
        get { state.withLock { $0.filter } }
        set { state.withLock { $0.filter = newValue } }
    }
    /// Place that was found last; nil without permission, and before the first.
    open var location: CLLocation? { isAllowed ? conditions?.location : nil }

    /// Asks the user, who answers at once as the test says, where the permission is undetermined.
    open func requestWhenInUseAuthorization() { conditions?.ask(for: .authorizedWhenInUse) }
    /// Asks the user, who answers at once as the test says, where the permission is undetermined.
    open func requestAlwaysAuthorization() { conditions?.ask(for: .authorizedAlways) }

    /// Gives the place to the delegate now and whenever it changes; fails where that is not allowed.
    open func startUpdatingLocation() {
        state.withLock { $0.isUpdating = true }
        tell(isAwaited: false)
    }
    /// Gives no further places.
    open func stopUpdatingLocation() { state.withLock { $0.isUpdating = false } }
    /// Gives the place once; fails where that is not allowed, or there is none.
    open func requestLocation() { tell(isAwaited: true) }

    private var isAllowed: Bool { authorizationStatus == .authorizedWhenInUse || authorizationStatus == .authorizedAlways }

    private func tell(isAwaited: Bool) {
        guard let delegate else { return }
        if authorizationStatus == .notDetermined { return }
        guard isAllowed else { return delegate.locationManager(self, didFailWithError: CLError(.denied)) }
        if let location { return delegate.locationManager(self, didUpdateLocations: [location]) }
        if isAwaited { delegate.locationManager(self, didFailWithError: CLError(.locationUnknown)) }
    }

    func moved() { if state.withLock({ $0.isUpdating }) { tell(isAwaited: false) } }
    func authorizationChanged() {
        delegate?.locationManagerDidChangeAuthorization(self)
        moved()
    }
}

/// Place of the phone and the user's answer, for a test to play; ours, without a counterpart of Apple's.
///
///     let conditions = LocationConditions(authorization: .notDetermined)
///     LocationConditions.$scoped.withValue(conditions) {
///         let manager = CLLocationManager()
///         manager.requestWhenInUseAuthorization()
///         conditions.move(to: CLLocation(latitude: 47.05, longitude: 8.31))
///     }
public final class LocationConditions: Sendable {
    /// Conditions of this task and its children; nil for none.
    @TaskLocal public static var scoped: LocationConditions?
    private let state: Mutex<State>

    private struct State: Sendable {
        var authorization: CLAuthorizationStatus
        let allows: Bool
        var location: CLLocation?
        var managers: [Held] = []
    }

    private struct Held: Sendable {
        weak var manager: CLLocationManager?
    }

    /// Makes conditions; `allows`: the user's answer where the permission is undetermined.
    public init(authorization: CLAuthorizationStatus = .authorizedWhenInUse, allows: Bool = true) {
        state = Mutex(State(authorization: authorization, allows: allows))
    }

    var authorization: CLAuthorizationStatus { state.withLock { $0.authorization } }
    var location: CLLocation? { state.withLock { $0.location } }
    private var managers: [CLLocationManager] { state.withLock { $0.managers.compactMap(\.manager) } }

    func add(_ manager: CLLocationManager) { state.withLock { $0.managers = $0.managers.filter { $0.manager != nil } + [Held(manager: manager)] } }

    /// Moves the phone; managers that update tell it on this thread.
    public func move(to location: CLLocation) {
        state.withLock { $0.location = location }
        for manager in managers { manager.moved() }
    }

    /// Changes the permission, as in the settings; managers tell it on this thread.
    public func setAuthorization(_ authorization: CLAuthorizationStatus) {
        state.withLock { $0.authorization = authorization }
        for manager in managers { manager.authorizationChanged() }
    }

    func ask(for authorization: CLAuthorizationStatus) {
        let (status, allows) = state.withLock { ($0.authorization, $0.allows) }
        if status == .notDetermined { setAuthorization(allows ? authorization : .denied) }
    }
}
