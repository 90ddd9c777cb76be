import Foundation

// Keys of the GPS dictionary of a picture's properties.

/// `N` or `S`.
public nonisolated(unsafe) let kCGImagePropertyGPSLatitudeRef: CFString = "LatitudeRef"
/// Degrees from the equator, 0 and above.
public nonisolated(unsafe) let kCGImagePropertyGPSLatitude: CFString = "Latitude"
/// `E` or `W`.
public nonisolated(unsafe) let kCGImagePropertyGPSLongitudeRef: CFString = "LongitudeRef"
/// Degrees from Greenwich, 0 and above.
public nonisolated(unsafe) let kCGImagePropertyGPSLongitude: CFString = "Longitude"
/// Above (0) or below (1) the sea.
public nonisolated(unsafe) let kCGImagePropertyGPSAltitudeRef: CFString = "AltitudeRef"
/// Metres from the level of the sea.
public nonisolated(unsafe) let kCGImagePropertyGPSAltitude: CFString = "Altitude"
/// Time of day, UTC: `HH:mm:ss`.
public nonisolated(unsafe) let kCGImagePropertyGPSTimeStamp: CFString = "TimeStamp"
/// Unit of the speed: `K` kilometres per hour.
public nonisolated(unsafe) let kCGImagePropertyGPSSpeedRef: CFString = "SpeedRef"
/// Speed.
public nonisolated(unsafe) let kCGImagePropertyGPSSpeed: CFString = "Speed"
/// `T` true or `M` magnetic north.
public nonisolated(unsafe) let kCGImagePropertyGPSImgDirectionRef: CFString = "ImgDirectionRef"
/// Degrees from north to which the camera looks.
public nonisolated(unsafe) let kCGImagePropertyGPSImgDirection: CFString = "ImgDirection"
/// Geodetic system.
public nonisolated(unsafe) let kCGImagePropertyGPSMapDatum: CFString = "MapDatum"
/// `T` true or `M` magnetic north.
public nonisolated(unsafe) let kCGImagePropertyGPSDestBearingRef: CFString = "DestBearingRef"
/// Degrees from north to the destination.
public nonisolated(unsafe) let kCGImagePropertyGPSDestBearing: CFString = "DestBearing"
/// Date, UTC: `yyyy:MM:dd`.
public nonisolated(unsafe) let kCGImagePropertyGPSDateStamp: CFString = "DateStamp"
/// Error of the place in metres.
public nonisolated(unsafe) let kCGImagePropertyGPSHPositioningError: CFString = "HPositioningError"
