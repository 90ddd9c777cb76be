import CoreVideo
import Foundation

/// Number of a track in a movie; 0 is none.
public typealias CMPersistentTrackID = Int32
/// Number of no track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// Makes the description of pictures of a codec or a pixel format; -12710 for a size below 0. The allocator is ignored.
@discardableResult
public func CMVideoFormatDescriptionCreate(
    allocator: CFAllocator?, codecType: CMVideoCodecType, width: Int32, height: Int32, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    guard width >= 0, height >= 0 else { return kCMFormatDescriptionError_InvalidParameter }
    formatDescriptionOut.pointee = CMFormatDescription(
        mediaType: .video, mediaSubType: codecType, width: Int(width), height: Int(height), extensions: extensions)
    return noErr
}

/// Makes the description of media of any kind, without a size. The allocator is ignored.
@discardableResult
public func CMFormatDescriptionCreate(
    allocator: CFAllocator?, mediaType: CMMediaType, mediaSubType: FourCharCode, extensions: CFDictionary?,
    formatDescriptionOut: UnsafeMutablePointer<CMFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(
        mediaType: CMFormatDescription.MediaType(rawValue: mediaType), mediaSubType: mediaSubType, width: 0, height: 0, extensions: extensions)
    return noErr
}

/// Key of an extension: boxes of the sample entry by their four characters, as `avcC` and `hvcC` with what a decoder needs.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms: CFString = "SampleDescriptionExtensionAtoms"

/// Key of an extension: the primaries, as of `kCVImageBufferColorPrimariesKey`.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_ColorPrimaries: CFString = kCVImageBufferColorPrimariesKey
/// Key of an extension: the transfer function, as of `kCVImageBufferTransferFunctionKey`.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_TransferFunction: CFString = kCVImageBufferTransferFunctionKey
/// Key of an extension: the matrix, as of `kCVImageBufferYCbCrMatrixKey`.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_YCbCrMatrix: CFString = kCVImageBufferYCbCrMatrixKey
/// Key of an extension: whether samples use the full range, a Boolean.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_FullRangeVideo: CFString = "FullRangeVideo"
/// Key of an extension: bits of a component, a number.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_BitsPerComponent: CFString = "BitsPerComponent"
/// Key of an extension: bits of a pixel, a number.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_Depth: CFString = "Depth"
/// Key of an extension: name of the format, to show.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_FormatName: CFString = "FormatName"

/// Key of an extension: samples of the vertical blanking, a dictionary.
public nonisolated(unsafe) let kCMFormatDescriptionExtension_VerticalBlanking: CFString = "VerticalBlanking"

/// Returns the extensions that the description was made with; nil for none, as of all media captured here.
public func CMFormatDescriptionGetExtensions(_ desc: CMFormatDescription) -> CFDictionary? { desc.extensionValues?.values }

/// Returns the extension under a key; nil without one.
public func CMFormatDescriptionGetExtension(_ desc: CMFormatDescription, extensionKey: CFString) -> CFTypeRef? {
    desc.extensionValues?.values[extensionKey]
}

/// Whether both are equal in kind, encoding, size and sound format; two nils are.
public func CMFormatDescriptionEqual(_ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?) -> Bool {
    formatDescription == otherFormatDescription
}

/// Returns the size to show in pixels: that of the picture, whose pixels are square and of which nothing is cropped. Both flags are ignored.
public func CMVideoFormatDescriptionGetPresentationDimensions(
    _ videoDesc: CMVideoFormatDescription, usePixelAspectRatio: Bool, useCleanAperture: Bool
) -> CGSize { CGSize(width: Int(videoDesc.dimensions.width), height: Int(videoDesc.dimensions.height)) }

extension CMFormatDescription {
    /// Returns the size as shown, as `CMVideoFormatDescriptionGetPresentationDimensions`.
    public func presentationDimensions(usePixelAspectRatio: Bool = true, useCleanAperture: Bool = true) -> CGSize {
        CMVideoFormatDescriptionGetPresentationDimensions(
            self, usePixelAspectRatio: usePixelAspectRatio, useCleanAperture: useCleanAperture)
    }
}

/// Returns the part to show in pixels: the whole picture, wherever the origin is.
public func CMVideoFormatDescriptionGetCleanAperture(_ videoDesc: CMVideoFormatDescription, originIsAtTopLeft: Bool) -> CGRect {
    CGRect(x: 0, y: 0, width: Int(videoDesc.dimensions.width), height: Int(videoDesc.dimensions.height))
}

/// Whether kind, pixel format and size are those of the picture.
public func CMVideoFormatDescriptionMatchesImageBuffer(_ videoDesc: CMVideoFormatDescription, imageBuffer: CVImageBuffer) -> Bool {
    videoDesc == CMFormatDescription(of: imageBuffer)
}

extension CMFormatDescription.MediaType: CustomStringConvertible {
    /// The four characters in quotation marks.
    public var description: String { quoted(rawValue) }
}

extension CMFormatDescription.MediaSubType: CustomStringConvertible {
    /// The four characters in quotation marks.
    public var description: String { quoted(rawValue) }
}

private func quoted(_ code: FourCharCode) -> String {
    let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: code >> $0) }
    return "'" + String(decoding: bytes, as: UTF8.self) + "'"
}
