import CoreVideo

// Options of sources and destinations.

/// Quality of a JPEG file, 0…1; without it 0.85.
public nonisolated(unsafe) let kCGImageDestinationLossyCompressionQuality: CFString = "kCGImageDestinationLossyCompressionQuality"
/// Most pixels of the longer side of a picture that is added.
public nonisolated(unsafe) let kCGImageDestinationImageMaxPixelSize: CFString = "kCGImageDestinationImageMaxPixelSize"

/// Most pixels of the longer side of a thumbnail.
public nonisolated(unsafe) let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
/// Whether a thumbnail is made of the picture even where the file has one; files' own are never used here.
public nonisolated(unsafe) let kCGImageSourceCreateThumbnailFromImageAlways: CFString = "kCGImageSourceCreateThumbnailFromImageAlways"
/// Whether a thumbnail is made of the picture where the file has none.
public nonisolated(unsafe) let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString = "kCGImageSourceCreateThumbnailFromImageIfAbsent"
/// Whether a thumbnail is turned upright.
public nonisolated(unsafe) let kCGImageSourceCreateThumbnailWithTransform: CFString = "kCGImageSourceCreateThumbnailWithTransform"
/// Whether pixels are kept once they are decoded; without effect.
public nonisolated(unsafe) let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
/// Whether pixels are decoded at once; without effect, as they are.
public nonisolated(unsafe) let kCGImageSourceShouldCacheImmediately: CFString = "kCGImageSourceShouldCacheImmediately"
/// Whether pixels may be numbers of more than 8 bits; without effect.
public nonisolated(unsafe) let kCGImageSourceShouldAllowFloat: CFString = "kCGImageSourceShouldAllowFloat"
/// Type that a file is probably of; without effect, as its first bytes tell.
public nonisolated(unsafe) let kCGImageSourceTypeIdentifierHint: CFString = "kCGImageSourceTypeIdentifierHint"
/// Whether a file gets a small picture of its own; without effect.
public nonisolated(unsafe) let kCGImageDestinationEmbedThumbnail: CFString = "kCGImageDestinationEmbedThumbnail"

// Dictionaries and keys that files here do not keep.

/// Dictionary of GIF's properties.
public nonisolated(unsafe) let kCGImagePropertyGIFDictionary: CFString = "{GIF}"
/// Times that an animation is shown; 0 without end.
public nonisolated(unsafe) let kCGImagePropertyGIFLoopCount: CFString = "LoopCount"
/// Seconds until the next picture, at least 0.1.
public nonisolated(unsafe) let kCGImagePropertyGIFDelayTime: CFString = "DelayTime"
/// Seconds until the next picture.
public nonisolated(unsafe) let kCGImagePropertyGIFUnclampedDelayTime: CFString = "UnclampedDelayTime"
/// Dictionary of PNG's properties.
public nonisolated(unsafe) let kCGImagePropertyPNGDictionary: CFString = "{PNG}"
/// Dictionary of JFIF's properties.
public nonisolated(unsafe) let kCGImagePropertyJFIFDictionary: CFString = "{JFIF}"
/// Dictionary of the press's properties.
public nonisolated(unsafe) let kCGImagePropertyIPTCDictionary: CFString = "{IPTC}"
/// Caption.
public nonisolated(unsafe) let kCGImagePropertyIPTCCaptionAbstract: CFString = "Caption/Abstract"
/// Words to find the picture by.
public nonisolated(unsafe) let kCGImagePropertyIPTCKeywords: CFString = "Keywords"
/// Dictionary of Apple's cameras.
public nonisolated(unsafe) let kCGImagePropertyMakerAppleDictionary: CFString = "{MakerApple}"
/// Dictionary of Canon's cameras.
public nonisolated(unsafe) let kCGImagePropertyMakerCanonDictionary: CFString = "{MakerCanon}"
/// Dictionary of Nikon's cameras.
public nonisolated(unsafe) let kCGImagePropertyMakerNikonDictionary: CFString = "{MakerNikon}"
/// Dictionary of Minolta's cameras.
public nonisolated(unsafe) let kCGImagePropertyMakerMinoltaDictionary: CFString = "{MakerMinolta}"
/// Dictionary of Fuji's cameras.
public nonisolated(unsafe) let kCGImagePropertyMakerFujiDictionary: CFString = "{MakerFuji}"
/// Dictionary of Olympus's cameras.
public nonisolated(unsafe) let kCGImagePropertyMakerOlympusDictionary: CFString = "{MakerOlympus}"
/// Dictionary of Pentax's cameras.
public nonisolated(unsafe) let kCGImagePropertyMakerPentaxDictionary: CFString = "{MakerPentax}"
/// Dictionary of Photoshop's properties.
public nonisolated(unsafe) let kCGImageProperty8BIMDictionary: CFString = "{8BIM}"
/// Dictionary of EXIF's properties that are not of the standard.
public nonisolated(unsafe) let kCGImagePropertyExifAuxDictionary: CFString = "{ExifAux}"
/// Dictionary of DNG's properties.
public nonisolated(unsafe) let kCGImagePropertyDNGDictionary: CFString = "{DNG}"
/// Dictionary of raw files.
public nonisolated(unsafe) let kCGImagePropertyRawDictionary: CFString = "{Raw}"
/// Name of the colour profile.
public nonisolated(unsafe) let kCGImagePropertyProfileName: CFString = "ProfileName"
/// Pixels an inch across.
public nonisolated(unsafe) let kCGImagePropertyDPIWidth: CFString = "DPIWidth"
/// Pixels an inch upwards.
public nonisolated(unsafe) let kCGImagePropertyDPIHeight: CFString = "DPIHeight"
/// Size of the file in bytes.
public nonisolated(unsafe) let kCGImagePropertyFileSize: CFString = "FileSize"
/// Dictionary of the pictures of a file; here a name alone, which nothing is given under.
public nonisolated(unsafe) let kCGImagePropertyFileContentsDictionary: CFString = "{FileContents}"
/// List of the pictures of a file; a name alone.
public nonisolated(unsafe) let kCGImagePropertyImages: CFString = "Images"
/// Number of the pictures of a file; a name alone.
public nonisolated(unsafe) let kCGImagePropertyImageCount: CFString = "ImageCount"
/// List of the maps beside a picture; a name alone.
public nonisolated(unsafe) let kCGImagePropertyAuxiliaryData: CFString = "AuxiliaryData"
/// Kind of a map beside a picture; a name alone.
public nonisolated(unsafe) let kCGImagePropertyAuxiliaryDataType: CFString = "AuxiliaryDataType"
/// Version of the standard of places.
public nonisolated(unsafe) let kCGImagePropertyGPSVersion: CFString = "GPSVersion"
