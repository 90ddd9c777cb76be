import Foundation

// Keys of the TIFF dictionary of a picture's properties.

/// Maker of the camera.
public nonisolated(unsafe) let kCGImagePropertyTIFFMake: CFString = "Make"
/// Model of the camera.
public nonisolated(unsafe) let kCGImagePropertyTIFFModel: CFString = "Model"
/// Orientation, 1…8.
public nonisolated(unsafe) let kCGImagePropertyTIFFOrientation: CFString = "Orientation"
/// Pixels per unit across.
public nonisolated(unsafe) let kCGImagePropertyTIFFXResolution: CFString = "XResolution"
/// Pixels per unit down.
public nonisolated(unsafe) let kCGImagePropertyTIFFYResolution: CFString = "YResolution"
/// Unit of the resolution: 2 is inches, 3 is centimetres.
public nonisolated(unsafe) let kCGImagePropertyTIFFResolutionUnit: CFString = "ResolutionUnit"
/// Program that made the file.
public nonisolated(unsafe) let kCGImagePropertyTIFFSoftware: CFString = "Software"
/// Date of the file: `yyyy:MM:dd HH:mm:ss`.
public nonisolated(unsafe) let kCGImagePropertyTIFFDateTime: CFString = "DateTime"
/// Author.
public nonisolated(unsafe) let kCGImagePropertyTIFFArtist: CFString = "Artist"
/// Computer that made the file.
public nonisolated(unsafe) let kCGImagePropertyTIFFHostComputer: CFString = "HostComputer"
/// Owner of the rights.
public nonisolated(unsafe) let kCGImagePropertyTIFFCopyright: CFString = "Copyright"
/// Title.
public nonisolated(unsafe) let kCGImagePropertyTIFFImageDescription: CFString = "ImageDescription"
