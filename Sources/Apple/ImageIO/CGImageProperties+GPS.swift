import CoreVideo

// Keys of the GPS dictionary of a picture's properties.

/// `N` or `S`.
public let kCGImagePropertyGPSLatitudeRef: CFString = "LatitudeRef"
/// Degrees from the equator, 0 and above.
public let kCGImagePropertyGPSLatitude: CFString = "Latitude"
/// `E` or `W`.
public let kCGImagePropertyGPSLongitudeRef: CFString = "LongitudeRef"
/// Degrees from Greenwich, 0 and above.
public let kCGImagePropertyGPSLongitude: CFString = "Longitude"
/// Above (0) or below (1) the sea.
public let kCGImagePropertyGPSAltitudeRef: CFString = "AltitudeRef"
/// Metres from the level of the sea.
public let kCGImagePropertyGPSAltitude: CFString = "Altitude"
/// Time of day, UTC: `HH:mm:ss`.
public let kCGImagePropertyGPSTimeStamp: CFString = "TimeStamp"
/// Unit of the speed: `K` kilometres per hour.
public let kCGImagePropertyGPSSpeedRef: CFString = "SpeedRef"
/// Speed.
public let kCGImagePropertyGPSSpeed: CFString = "Speed"
/// `T` true or `M` magnetic north.
public let kCGImagePropertyGPSImgDirectionRef: CFString = "ImgDirectionRef"
/// Degrees from north to which the camera looks.
public let kCGImagePropertyGPSImgDirection: CFString = "ImgDirection"
/// Geodetic system.
public let kCGImagePropertyGPSMapDatum: CFString = "MapDatum"
/// `T` true or `M` magnetic north.
public let kCGImagePropertyGPSDestBearingRef: CFString = "DestBearingRef"
/// Degrees from north to the destination.
public let kCGImagePropertyGPSDestBearing: CFString = "DestBearing"
/// Date, UTC: `yyyy:MM:dd`.
public let kCGImagePropertyGPSDateStamp: CFString = "DateStamp"
/// Error of the place in metres.
public let kCGImagePropertyGPSHPositioningError: CFString = "HPositioningError"
