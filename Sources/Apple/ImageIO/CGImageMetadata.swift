import CoreVideo
import Foundation
import JPEGFiles

/// Metadata of a picture, as the dictionaries of its properties: those of EXIF, TIFF and GPS. There is no XMP here, and no tag is named by a path.
public class CGImageMetadata: @unchecked Sendable {
    /// Dictionaries and values by ImageIO's keys.
    var properties: [String: Any]
    init(_ properties: [String: Any]) { self.properties = properties }
}

/// Metadata that can be changed; for one thread at a time, as on Apple's systems.
public final class CGMutableImageMetadata: CGImageMetadata, @unchecked Sendable {}

/// Returns the metadata of a picture; nil for an index without a picture.
public func CGImageSourceCopyMetadataAtIndex(_ isrc: CGImageSource, _ index: Int, _ options: CFDictionary?) -> CGImageMetadata? {
    index == 0 ? isrc.properties.map { CGImageMetadata($0) } : nil
}

/// Makes metadata without values.
public func CGImageMetadataCreateMutable() -> CGMutableImageMetadata { CGMutableImageMetadata([:]) }

/// Makes a copy of metadata that can be changed; never nil.
public func CGImageMetadataCreateMutableCopy(_ metadata: CGImageMetadata) -> CGMutableImageMetadata? { CGMutableImageMetadata(metadata.properties) }

/// Sets the value under a key of a dictionary of properties; files have those that EXIF has. Always true.
@discardableResult
public func CGImageMetadataSetValueMatchingImageProperty(
    _ metadata: CGMutableImageMetadata, _ dictionaryName: CFString, _ propertyName: CFString, _ value: CFTypeRef
) -> Bool {
    var dictionary = metadata.properties[dictionaryName as String] as? [String: Any] ?? [:]
    dictionary[propertyName as String] = value
    metadata.properties[dictionaryName as String] = dictionary
    return true
}

/// Adds a picture of 8 bits a component with metadata, and options as of `CGImageDestinationAddImage`; one more than was announced is left out.
public func CGImageDestinationAddImageAndMetadata(
    _ idst: CGImageDestination, _ image: CGImage, _ metadata: CGImageMetadata?, _ options: CFDictionary?
) {
    idst.add(Picture(image), (metadata?.properties ?? [:]).merging(options?.named ?? [:]) { $1 })
}
