import Foundation

// Keys of a picture's properties, which photos have, too; those of files are ImageIO's.

/// Dictionary of EXIF's own properties.
public nonisolated(unsafe) let kCGImagePropertyExifDictionary: CFString = "{Exif}"
/// Dictionary of TIFF's properties: camera and file.
public nonisolated(unsafe) let kCGImagePropertyTIFFDictionary: CFString = "{TIFF}"
/// Dictionary of the place.
public nonisolated(unsafe) let kCGImagePropertyGPSDictionary: CFString = "{GPS}"
/// Width as stored, in pixels.
public nonisolated(unsafe) let kCGImagePropertyPixelWidth: CFString = "PixelWidth"
/// Height as stored, in pixels.
public nonisolated(unsafe) let kCGImagePropertyPixelHeight: CFString = "PixelHeight"
/// Orientation, 1…8.
public nonisolated(unsafe) let kCGImagePropertyOrientation: CFString = "Orientation"
/// Bits of a component.
public nonisolated(unsafe) let kCGImagePropertyDepth: CFString = "Depth"
/// Whether there is alpha.
public nonisolated(unsafe) let kCGImagePropertyHasAlpha: CFString = "HasAlpha"
/// Kind of colours: `kCGImagePropertyColorModelRGB` or `kCGImagePropertyColorModelGray`.
public nonisolated(unsafe) let kCGImagePropertyColorModel: CFString = "ColorModel"
/// Red, green and blue.
public nonisolated(unsafe) let kCGImagePropertyColorModelRGB: CFString = "RGB"
/// Grey.
public nonisolated(unsafe) let kCGImagePropertyColorModelGray: CFString = "Gray"

/// Type of a map beside the picture: depth. Files have none here; `AVDepthData` makes and reads its dictionary.
public nonisolated(unsafe) let kCGImageAuxiliaryDataTypeDepth: CFString = "kCGImageAuxiliaryDataTypeDepth"
/// Type of a map beside the picture: disparity.
public nonisolated(unsafe) let kCGImageAuxiliaryDataTypeDisparity: CFString = "kCGImageAuxiliaryDataTypeDisparity"
/// Kind of auxiliary picture: matte of people.
public nonisolated(unsafe) let kCGImageAuxiliaryDataTypePortraitEffectsMatte: CFString = "kCGImageAuxiliaryDataTypePortraitEffectsMatte"
/// Kind of auxiliary picture: matte of skin.
public nonisolated(unsafe) let kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte: CFString =
    "kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte"
/// Kind of auxiliary picture: matte of hair.
public nonisolated(unsafe) let kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte: CFString =
    "kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte"
/// Kind of auxiliary picture: Apple's gain map.
public nonisolated(unsafe) let kCGImageAuxiliaryDataTypeHDRGainMap: CFString = "kCGImageAuxiliaryDataTypeHDRGainMap"
/// Kind of auxiliary picture: gain map of ISO 21496-1.
public nonisolated(unsafe) let kCGImageAuxiliaryDataTypeISOGainMap: CFString = "kCGImageAuxiliaryDataTypeISOGainMap"
/// Entry of an auxiliary picture: its XMP.
public nonisolated(unsafe) let kCGImageAuxiliaryDataInfoMetadata: CFString = "kCGImageAuxiliaryDataInfoMetadata"
/// Bytes of a map in its dictionary.
public nonisolated(unsafe) let kCGImageAuxiliaryDataInfoData: CFString = "kCGImageAuxiliaryDataInfoData"
/// Layout of the bytes of a map in its dictionary.
public nonisolated(unsafe) let kCGImageAuxiliaryDataInfoDataDescription: CFString = "kCGImageAuxiliaryDataInfoDataDescription"
