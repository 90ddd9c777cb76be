// The module Core Location: places as values, for the metadata of photos and movies. No position is found: a test puts the phone to one.
@_exported import Foundation

/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double
/// Metres.
public typealias CLLocationDistance = Double
/// Metres of uncertainty; negative where the value is not valid.
public typealias CLLocationAccuracy = Double
/// Metres per second; negative where it is not valid.
public typealias CLLocationSpeed = Double
/// Degrees clockwise from true north; negative where they are not valid.
public typealias CLLocationDirection = Double

/// Place on the globe.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees, north above 0.
    public var latitude: CLLocationDegrees
    /// Degrees, east above 0.
    public var longitude: CLLocationDegrees

    /// Makes the place at 0, 0.
    public init() { (latitude, longitude) = (0, 0) }
    /// Makes a place in degrees.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) { (self.latitude, self.longitude) = (latitude, longitude) }
}

/// A place that is none.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether latitude and longitude are in their ranges of ±90 and ±180 degrees.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}

/// Place, height and movement at a time.
open class CLLocation: NSObject, @unchecked Sendable {
    /// Place on the globe.
    public let coordinate: CLLocationCoordinate2D
    /// Metres above the level of the sea.
    public let altitude: CLLocationDistance
    /// Uncertainty of the place in metres; negative where it is not valid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// Uncertainty of the altitude in metres; negative where it is not valid.
    public let verticalAccuracy: CLLocationAccuracy
    /// Degrees clockwise from true north; negative where they are not valid.
    public let course: CLLocationDirection
    /// Metres per second; negative where it is not valid.
    public let speed: CLLocationSpeed
    /// Time of the measurement.
    public let timestamp: Date

    /// Makes a place at the level of the sea, of now, without course and speed.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0, horizontalAccuracy: 0, verticalAccuracy: -1,
            timestamp: Date())
    }

    /// Makes a place without course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy, course: -1, speed: -1,
            timestamp: timestamp)
    }

    /// Makes a place of its parts.
    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        horizontalAccuracy = hAccuracy
        verticalAccuracy = vAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    /// Returns the metres along the great circle of a sphere of 6,371,008.8 m, the mean radius of the globe; heights are left out.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        let (one, other) = (radians(coordinate.latitude), radians(location.coordinate.latitude))
        let (up, across) = (sin((other - one) / 2), sin(radians(location.coordinate.longitude - coordinate.longitude) / 2))
        // The haversine formula, which holds for small distances.
        return 2 * 6_371_008.8 * asin(min(1, (up * up + cos(one) * cos(other) * across * across).squareRoot()))
    }
}

/// Consent of the user to positions.
public enum CLAuthorizationStatus: Int32, Sendable {
    /// The user was not asked.
    case notDetermined = 0
    /// The system forbids it.
    case restricted = 1
    /// The user refused.
    case denied = 2
    /// Always.
    case authorizedAlways = 3
    /// While the app is in use.
    case authorizedWhenInUse = 4
}
