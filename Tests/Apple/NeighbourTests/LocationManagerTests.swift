import CoreLocation
import Testing

@Suite("A location manager")
struct LocationManagerTests {
    private final class Listener: CLLocationManagerDelegate {
        var heard: [String] = []
        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            heard += locations.map { "at \($0.coordinate.latitude)" }
        }
        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
            heard.append((error as? CLError).map { "\($0.code)" } ?? "another error")
        }
        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            heard.append("permission \(manager.authorizationStatus.rawValue)")
        }
    }

    private func manager(_ conditions: LocationConditions?, _ listener: Listener) -> CLLocationManager {
        let manager = LocationConditions.$scoped.withValue(conditions) { CLLocationManager() }
        manager.delegate = listener
        return manager
    }

    @Test("asks the user, and tells of the places that a test gives")
    func course() {
        let (conditions, listener) = (LocationConditions(authorization: .notDetermined), Listener())
        let manager = manager(conditions, listener)
        manager.startUpdatingLocation()
        #expect(listener.heard == ["permission 0"] && manager.location == nil)
        conditions.move(to: CLLocation(latitude: 47, longitude: 8))
        manager.requestWhenInUseAuthorization()
        conditions.move(to: CLLocation(latitude: 48, longitude: 8))
        manager.stopUpdatingLocation()
        conditions.move(to: CLLocation(latitude: 49, longitude: 8))
        #expect(listener.heard == ["permission 0", "permission 4", "at 47.0", "at 48.0"])
        #expect(manager.location?.coordinate.latitude == 49)
        conditions.setAuthorization(.denied)
        manager.requestLocation()
        #expect(listener.heard.suffix(2) == ["permission 2", "denied"] && manager.location == nil)
    }

    @Test("fails without a place, and is restricted without a test")
    func absence() {
        let listener = Listener()
        manager(LocationConditions(), listener).requestLocation()
        #expect(listener.heard.last == "locationUnknown")
        let stray = manager(nil, listener)
        stray.requestWhenInUseAuthorization()
        #expect(stray.authorizationStatus == .restricted && !CLLocationManager.locationServicesEnabled())
        let refusing = manager(LocationConditions(authorization: .notDetermined, allows: false), listener)
        refusing.requestAlwaysAuthorization()
        #expect(refusing.authorizationStatus == .denied)
    }

    @Test("gives places as a sequence, the present one first, and none without permission")
    func updates() async throws {
        let conditions = LocationConditions()
        conditions.move(to: CLLocation(latitude: 47, longitude: 8))
        let updates = LocationConditions.$scoped.withValue(conditions) { CLLocationUpdate.liveUpdates() }
        var latitudes: [Double?] = []
        for try await update in updates {
            latitudes.append(update.location?.coordinate.latitude)
            if latitudes.count == 2 { break }
            conditions.move(to: CLLocation(latitude: 48, longitude: 8))
        }
        #expect(latitudes == [47, 48])
        let refused = LocationConditions(authorization: .denied)
        let first = try await LocationConditions.$scoped.withValue(refused) { CLLocationUpdate.liveUpdates() }.first { _ in true }
        #expect(first != nil && first?.location == nil)
    }
}
