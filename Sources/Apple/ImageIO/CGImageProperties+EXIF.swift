import CoreVideo

// Keys of the EXIF dictionary of a picture's properties.

/// Exposure time in seconds.
public let kCGImagePropertyExifExposureTime: CFString = "ExposureTime"
/// F-number of the lens.
public let kCGImagePropertyExifFNumber: CFString = "FNumber"
/// Program of the exposure, 2 is automatic.
public let kCGImagePropertyExifExposureProgram: CFString = "ExposureProgram"
/// Sensitivities, ISO 12232.
public let kCGImagePropertyExifISOSpeedRatings: CFString = "ISOSpeedRatings"
/// Version of the standard, as numbers.
public let kCGImagePropertyExifExifVersion: CFString = "ExifVersion"
/// Date of the exposure: `yyyy:MM:dd HH:mm:ss`.
public let kCGImagePropertyExifDateTimeOriginal: CFString = "DateTimeOriginal"
/// Date of the digital picture.
public let kCGImagePropertyExifDateTimeDigitized: CFString = "DateTimeDigitized"
/// Zone of the file's date: `+01:00`.
public let kCGImagePropertyExifOffsetTime: CFString = "OffsetTime"
/// Zone of the exposure's date.
public let kCGImagePropertyExifOffsetTimeOriginal: CFString = "OffsetTimeOriginal"
/// Zone of the digital picture's date.
public let kCGImagePropertyExifOffsetTimeDigitized: CFString = "OffsetTimeDigitized"
/// Exposure time, APEX.
public let kCGImagePropertyExifShutterSpeedValue: CFString = "ShutterSpeedValue"
/// F-number, APEX.
public let kCGImagePropertyExifApertureValue: CFString = "ApertureValue"
/// Brightness, APEX.
public let kCGImagePropertyExifBrightnessValue: CFString = "BrightnessValue"
/// Exposure bias in stops.
public let kCGImagePropertyExifExposureBiasValue: CFString = "ExposureBiasValue"
/// Smallest f-number, APEX.
public let kCGImagePropertyExifMaxApertureValue: CFString = "MaxApertureValue"
/// Distance of the subject in metres.
public let kCGImagePropertyExifSubjectDistance: CFString = "SubjectDistance"
/// Way of metering.
public let kCGImagePropertyExifMeteringMode: CFString = "MeteringMode"
/// Kind of light.
public let kCGImagePropertyExifLightSource: CFString = "LightSource"
/// Whether the flash fired, bit 0, and its mode.
public let kCGImagePropertyExifFlash: CFString = "Flash"
/// Focal length in millimetres.
public let kCGImagePropertyExifFocalLength: CFString = "FocalLength"
/// Place of the subject in pixels.
public let kCGImagePropertyExifSubjectArea: CFString = "SubjectArea"
/// Words of the user.
public let kCGImagePropertyExifUserComment: CFString = "UserComment"
/// Fraction of the second of the file's date.
public let kCGImagePropertyExifSubsecTime: CFString = "SubsecTime"
/// Fraction of the second of the exposure's date.
public let kCGImagePropertyExifSubsecTimeOriginal: CFString = "SubsecTimeOriginal"
/// Fraction of the second of the digital picture's date.
public let kCGImagePropertyExifSubsecTimeDigitized: CFString = "SubsecTimeDigitized"
/// Colour space: 1 is sRGB, 65535 another.
public let kCGImagePropertyExifColorSpace: CFString = "ColorSpace"
/// Width in pixels.
public let kCGImagePropertyExifPixelXDimension: CFString = "PixelXDimension"
/// Height in pixels.
public let kCGImagePropertyExifPixelYDimension: CFString = "PixelYDimension"
/// Kind of sensor.
public let kCGImagePropertyExifSensingMethod: CFString = "SensingMethod"
/// Kind of picture, 1 is a photo.
public let kCGImagePropertyExifSceneType: CFString = "SceneType"
/// Kind of processing.
public let kCGImagePropertyExifCustomRendered: CFString = "CustomRendered"
/// Automatic (0), manual (1) or bracket (2).
public let kCGImagePropertyExifExposureMode: CFString = "ExposureMode"
/// Automatic (0) or manual (1).
public let kCGImagePropertyExifWhiteBalance: CFString = "WhiteBalance"
/// Digital zoom.
public let kCGImagePropertyExifDigitalZoomRatio: CFString = "DigitalZoomRatio"
/// Focal length in millimetres of a frame 36 mm wide.
public let kCGImagePropertyExifFocalLenIn35mmFilm: CFString = "FocalLenIn35mmFilm"
/// Kind of scene.
public let kCGImagePropertyExifSceneCaptureType: CFString = "SceneCaptureType"
/// Focal lengths in millimetres and f-numbers of the lens.
public let kCGImagePropertyExifLensSpecification: CFString = "LensSpecification"
/// Maker of the lens.
public let kCGImagePropertyExifLensMake: CFString = "LensMake"
/// Model of the lens.
public let kCGImagePropertyExifLensModel: CFString = "LensModel"
