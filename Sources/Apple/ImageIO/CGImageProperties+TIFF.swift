import CoreVideo

// Keys of the TIFF dictionary of a picture's properties.

/// Maker of the camera.
public let kCGImagePropertyTIFFMake: CFString = "Make"
/// Model of the camera.
public let kCGImagePropertyTIFFModel: CFString = "Model"
/// Orientation, 1…8.
public let kCGImagePropertyTIFFOrientation: CFString = "Orientation"
/// Pixels per unit across.
public let kCGImagePropertyTIFFXResolution: CFString = "XResolution"
/// Pixels per unit down.
public let kCGImagePropertyTIFFYResolution: CFString = "YResolution"
/// Unit of the resolution: 2 is inches, 3 is centimetres.
public let kCGImagePropertyTIFFResolutionUnit: CFString = "ResolutionUnit"
/// Program that made the file.
public let kCGImagePropertyTIFFSoftware: CFString = "Software"
/// Date of the file: `yyyy:MM:dd HH:mm:ss`.
public let kCGImagePropertyTIFFDateTime: CFString = "DateTime"
/// Author.
public let kCGImagePropertyTIFFArtist: CFString = "Artist"
/// Computer that made the file.
public let kCGImagePropertyTIFFHostComputer: CFString = "HostComputer"
/// Owner of the rights.
public let kCGImagePropertyTIFFCopyright: CFString = "Copyright"
/// Title.
public let kCGImagePropertyTIFFImageDescription: CFString = "ImageDescription"
