import Foundation

// Keys of the EXIF dictionary of a picture's properties.

/// Exposure time in seconds.
public nonisolated(unsafe) let kCGImagePropertyExifExposureTime: CFString = "ExposureTime"
/// F-number of the lens.
public nonisolated(unsafe) let kCGImagePropertyExifFNumber: CFString = "FNumber"
/// Program of the exposure, 2 is automatic.
public nonisolated(unsafe) let kCGImagePropertyExifExposureProgram: CFString = "ExposureProgram"
/// Sensitivities, ISO 12232.
public nonisolated(unsafe) let kCGImagePropertyExifISOSpeedRatings: CFString = "ISOSpeedRatings"
/// Version of the standard, as numbers.
public nonisolated(unsafe) let kCGImagePropertyExifExifVersion: CFString = "ExifVersion"
/// Date of the exposure: `yyyy:MM:dd HH:mm:ss`.
public nonisolated(unsafe) let kCGImagePropertyExifDateTimeOriginal: CFString = "DateTimeOriginal"
/// Date of the digital picture.
public nonisolated(unsafe) let kCGImagePropertyExifDateTimeDigitized: CFString = "DateTimeDigitized"
/// Zone of the file's date: `+01:00`.
public nonisolated(unsafe) let kCGImagePropertyExifOffsetTime: CFString = "OffsetTime"
/// Zone of the exposure's date.
public nonisolated(unsafe) let kCGImagePropertyExifOffsetTimeOriginal: CFString = "OffsetTimeOriginal"
/// Zone of the digital picture's date.
public nonisolated(unsafe) let kCGImagePropertyExifOffsetTimeDigitized: CFString = "OffsetTimeDigitized"
/// Exposure time, APEX.
public nonisolated(unsafe) let kCGImagePropertyExifShutterSpeedValue: CFString = "ShutterSpeedValue"
/// F-number, APEX.
public nonisolated(unsafe) let kCGImagePropertyExifApertureValue: CFString = "ApertureValue"
/// Brightness, APEX.
public nonisolated(unsafe) let kCGImagePropertyExifBrightnessValue: CFString = "BrightnessValue"
/// Exposure bias in stops.
public nonisolated(unsafe) let kCGImagePropertyExifExposureBiasValue: CFString = "ExposureBiasValue"
/// Smallest f-number, APEX.
public nonisolated(unsafe) let kCGImagePropertyExifMaxApertureValue: CFString = "MaxApertureValue"
/// Distance of the subject in metres.
public nonisolated(unsafe) let kCGImagePropertyExifSubjectDistance: CFString = "SubjectDistance"
/// Way of metering.
public nonisolated(unsafe) let kCGImagePropertyExifMeteringMode: CFString = "MeteringMode"
/// Kind of light.
public nonisolated(unsafe) let kCGImagePropertyExifLightSource: CFString = "LightSource"
/// Whether the flash fired, bit 0, and its mode.
public nonisolated(unsafe) let kCGImagePropertyExifFlash: CFString = "Flash"
/// Focal length in millimetres.
public nonisolated(unsafe) let kCGImagePropertyExifFocalLength: CFString = "FocalLength"
/// Place of the subject in pixels.
public nonisolated(unsafe) let kCGImagePropertyExifSubjectArea: CFString = "SubjectArea"
/// Words of the user.
public nonisolated(unsafe) let kCGImagePropertyExifUserComment: CFString = "UserComment"
/// Fraction of the second of the file's date.
public nonisolated(unsafe) let kCGImagePropertyExifSubsecTime: CFString = "SubsecTime"
/// Fraction of the second of the exposure's date.
public nonisolated(unsafe) let kCGImagePropertyExifSubsecTimeOriginal: CFString = "SubsecTimeOriginal"
/// Fraction of the second of the digital picture's date.
public nonisolated(unsafe) let kCGImagePropertyExifSubsecTimeDigitized: CFString = "SubsecTimeDigitized"
/// Colour space: 1 is sRGB, 65535 another.
public nonisolated(unsafe) let kCGImagePropertyExifColorSpace: CFString = "ColorSpace"
/// Width in pixels.
public nonisolated(unsafe) let kCGImagePropertyExifPixelXDimension: CFString = "PixelXDimension"
/// Height in pixels.
public nonisolated(unsafe) let kCGImagePropertyExifPixelYDimension: CFString = "PixelYDimension"
/// Kind of sensor.
public nonisolated(unsafe) let kCGImagePropertyExifSensingMethod: CFString = "SensingMethod"
/// Kind of picture, 1 is a photo.
public nonisolated(unsafe) let kCGImagePropertyExifSceneType: CFString = "SceneType"
/// Kind of processing.
public nonisolated(unsafe) let kCGImagePropertyExifCustomRendered: CFString = "CustomRendered"
/// Automatic (0), manual (1) or bracket (2).
public nonisolated(unsafe) let kCGImagePropertyExifExposureMode: CFString = "ExposureMode"
/// Automatic (0) or manual (1).
public nonisolated(unsafe) let kCGImagePropertyExifWhiteBalance: CFString = "WhiteBalance"
/// Digital zoom.
public nonisolated(unsafe) let kCGImagePropertyExifDigitalZoomRatio: CFString = "DigitalZoomRatio"
/// Focal length in millimetres of a frame 36 mm wide.
public nonisolated(unsafe) let kCGImagePropertyExifFocalLenIn35mmFilm: CFString = "FocalLenIn35mmFilm"
/// Kind of scene.
public nonisolated(unsafe) let kCGImagePropertyExifSceneCaptureType: CFString = "SceneCaptureType"
/// Focal lengths in millimetres and f-numbers of the lens.
public nonisolated(unsafe) let kCGImagePropertyExifLensSpecification: CFString = "LensSpecification"
/// Maker of the lens.
public nonisolated(unsafe) let kCGImagePropertyExifLensMake: CFString = "LensMake"
/// Model of the lens.
public nonisolated(unsafe) let kCGImagePropertyExifLensModel: CFString = "LensModel"
