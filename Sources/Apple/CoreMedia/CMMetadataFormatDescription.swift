import CoreVideo
import Foundation

/// Format description whose media is timed metadata.
public typealias CMMetadataFormatDescription = CMFormatDescription
/// Four-character code of a coding of timed metadata.
public typealias CMMetadataFormatType = FourCharCode
/// Values under keys of which the format description has a table (`mebx`).
public let kCMMetadataFormatType_Boxed: CMMetadataFormatType = 0x6D65_6278
/// Key of a specification: name space and key with a slash between, as text.
public nonisolated(unsafe) let kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier: CFString = "MetadataIdentifier"
/// Key of a specification: type of the values, one of `kCMMetadataBaseDataType_…`.
public nonisolated(unsafe) let kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType: CFString = "MetadataDataType"
/// Key of a specification: language of the values as a BCP 47 tag; optional.
public nonisolated(unsafe) let kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag: CFString = "MetadataExtendedLanguageTag"

/// Key of timed metadata: name, type and language of the values under it.
package struct MetadataKey: Sendable, Hashable {
    /// Number by which samples refer to it, from 1.
    package var number: UInt32
    /// Name space and key with a slash between.
    package var identifier: String
    /// Type of the values, one of `kCMMetadataBaseDataType_…`; nil where the file gives none.
    package var dataType: String?
    /// Language as a BCP 47 tag; nil for none.
    package var language: String?

    /// Makes a key; not checked.
    package init(number: UInt32, identifier: String, dataType: String?, language: String? = nil) {
        (self.number, self.identifier, self.dataType, self.language) = (number, identifier, dataType, language)
    }
}

extension CMFormatDescription {
    /// Description of timed metadata under keys.
    package convenience init(metadataKeys: [MetadataKey]) {
        self.init(mediaType: .metadata, mediaSubType: kCMMetadataFormatType_Boxed, width: 0, height: 0, extensions: nil, metadataKeys: metadataKeys)
    }

    /// Name spaces and keys of timed metadata, with a slash between; empty for other media.
    public var identifiers: [String] { metadataKeys.map(\.identifier) }
}

/// Makes the description of timed metadata from dictionaries under `kCMMetadataFormatDescriptionMetadataSpecificationKey_…`; -12710 for one without an
/// identifier or a data type, and for another coding than `mebx`. The allocator is ignored.
@discardableResult
public func CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
    allocator: CFAllocator?, metadataType: CMMetadataFormatType, metadataSpecifications: CFArray,
    formatDescriptionOut: UnsafeMutablePointer<CMMetadataFormatDescription?>
) -> OSStatus {
    let keys = metadataSpecifications.enumerated().compactMap { index, specification -> MetadataKey? in
        guard let values = specification as? NSDictionary,
            let identifier = values[kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier].flatMap(text), identifier.contains("/"),
            let type = values[kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType] as? String
        else { return nil }
        return MetadataKey(
            number: UInt32(index + 1), identifier: identifier, dataType: type,
            language: values[kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag] as? String)
    }
    guard metadataType == kCMMetadataFormatType_Boxed, keys.count == metadataSpecifications.count else {
        return kCMFormatDescriptionError_InvalidParameter
    }
    formatDescriptionOut.pointee = CMFormatDescription(metadataKeys: keys)
    return noErr
}

/// Returns the name spaces and keys of timed metadata, with a slash between; nil for other media.
public func CMMetadataFormatDescriptionGetIdentifiers(_ desc: CMMetadataFormatDescription) -> CFArray? {
    desc.mediaType == .metadata ? desc.identifiers as CFArray : nil
}

/// Text of a value; an `AVMetadataIdentifier`, which is text in a dictionary on Apple's systems, has its own.
private func text(_ value: Any) -> String? { value as? String ?? (value as? any RawRepresentable)?.rawValue as? String }
