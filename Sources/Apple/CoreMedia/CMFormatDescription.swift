import CoreVideo
import Foundation
import Synchronization

/// Four-character code of a kind of media; one of `kCMMediaType_…`.
public typealias CMMediaType = FourCharCode
/// Pictures (`vide`).
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// Sound (`soun`).
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E
/// Timed metadata (`meta`).
public let kCMMediaType_Metadata: CMMediaType = 0x6D65_7461
/// Timecode.
public let kCMMediaType_TimeCode: CMMediaType = 0x746D_6364
/// Pictures beside the pictures, as disparity (`auxv`).
public let kCMMediaType_AuxiliaryPicture: CMMediaType = 0x6175_7876
/// Depth or disparity maps (`dept`).
public let kCMMediaType_DepthData: CMMediaType = 0x6465_7074
/// Error -12710: a format description cannot be made from these values.
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710

/// Width and height in pixels.
public struct CMVideoDimensions: Sendable {
    /// Pixels per row.
    public var width: Int32
    /// Rows.
    public var height: Int32

    /// Makes the empty size, 0 × 0.
    public init() { self.init(width: 0, height: 0) }

    /// Makes a size in pixels; not checked.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

/// Kind, encoding and size of the media that a buffer or a port carries.
public final class CMFormatDescription: Sendable, Hashable {
    /// Kind of media, as a four-character code.
    public struct MediaType: RawRepresentable, Hashable, Sendable {
        /// Four-character code, one of `kCMMediaType_…`.
        public let rawValue: CMMediaType
        /// Makes a kind from its four-character code; any code is accepted.
        public init(rawValue: CMMediaType) { self.rawValue = rawValue }
        /// Pictures.
        public static let video = MediaType(rawValue: kCMMediaType_Video)
        /// Sound.
        public static let audio = MediaType(rawValue: kCMMediaType_Audio)
        /// Pictures beside the pictures, as disparity.
        public static let auxiliaryPicture = MediaType(rawValue: kCMMediaType_AuxiliaryPicture)
        /// Depth or disparity maps.
        public static let depth = MediaType(rawValue: kCMMediaType_DepthData)
        /// Timed metadata.
        public static let metadata = MediaType(rawValue: kCMMediaType_Metadata)
        /// Timecode.
        public static let timeCode = MediaType(rawValue: kCMMediaType_TimeCode)
    }

    /// Encoding of the media, as a four-character code.
    public struct MediaSubType: RawRepresentable, Hashable, Sendable {
        /// Four-character code: a pixel format for pictures, an `AudioFormatID` for sound.
        public let rawValue: FourCharCode
        /// Makes an encoding from its four-character code; any code is accepted.
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }
        /// Makes an encoding from the first four bytes of a text such as `420v`.
        public init(string: String) { self.rawValue = string.utf8.prefix(4).reduce(0) { $0 << 8 | FourCharCode($1) } }
    }

    /// Kind of media: pictures, sound, depth or metadata.
    public let mediaType: MediaType
    /// Encoding: the pixel format of uncompressed video, the format of the samples for sound.
    public let mediaSubType: MediaSubType
    /// Size in pixels; 0 × 0 unless the media has pictures.
    public let dimensions: CMVideoDimensions

    /// Stream and layout of sound; nil unless the media is sound.
    let sound: SoundFormat?
    /// Keys of timed metadata; empty for other media and other codings.
    package let metadataKeys: [MetadataKey]
    /// As they were handed over at the making; nil for none. They take no part in equality.
    let extensionValues: ExtensionValues?
    /// Parameter sets of the extensions, from when they are asked for.
    let parameterSets = Mutex<ParameterSets?>(nil)

    /// Extensions of a description; values of property lists, which nobody changes.
    struct ExtensionValues: @unchecked Sendable {
        let values: CFDictionary
    }

    package convenience init(mediaType: MediaType, mediaSubType: FourCharCode, width: Int = 0, height: Int = 0) {
        self.init(mediaType: mediaType, mediaSubType: mediaSubType, width: width, height: height, extensions: nil)
    }

    package init(
        mediaType: MediaType, mediaSubType: FourCharCode, width: Int, height: Int, extensions: CFDictionary?, metadataKeys: [MetadataKey] = []
    ) {
        self.mediaType = mediaType
        self.metadataKeys = metadataKeys
        self.mediaSubType = MediaSubType(rawValue: mediaSubType)
        dimensions = CMVideoDimensions(width: Int32(width), height: Int32(height))
        sound = nil
        extensionValues = extensions.map { ExtensionValues(values: $0) }
    }

    init(_ sound: SoundFormat) {
        mediaType = .audio
        mediaSubType = MediaSubType(rawValue: sound.stream.pointee.mFormatID)
        dimensions = CMVideoDimensions()
        self.sound = sound
        metadataKeys = []
        extensionValues = nil
    }

    /// Whether kind, encoding, size, sound format and keys are equal.
    public static func == (lhs: CMFormatDescription, rhs: CMFormatDescription) -> Bool {
        lhs.mediaType == rhs.mediaType && lhs.mediaSubType == rhs.mediaSubType
            && lhs.dimensions.width == rhs.dimensions.width && lhs.dimensions.height == rhs.dimensions.height && lhs.sound == rhs.sound
            && lhs.metadataKeys == rhs.metadataKeys
    }

    /// Hashes kind, encoding and size.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mediaType)
        hasher.combine(mediaSubType)
        hasher.combine(dimensions.width)
        hasher.combine(dimensions.height)
    }
}

/// Format description whose media is pictures.
public typealias CMVideoFormatDescription = CMFormatDescription

/// Returns the kind of media, one of `kCMMediaType_…`.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaType.rawValue }
/// Returns the encoding: a pixel format, or an `AudioFormatID`.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode { desc.mediaSubType.rawValue }
/// Returns the size in pixels; 0 × 0 unless the media has pictures.
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions { videoDesc.dimensions }

/// Makes the description of pictures like `imageBuffer`: its pixel format and size. The allocator is ignored.
@discardableResult
public func CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: CFAllocator?, imageBuffer: CVImageBuffer, formatDescriptionOut: UnsafeMutablePointer<CMVideoFormatDescription?>
) -> OSStatus {
    formatDescriptionOut.pointee = CMFormatDescription(of: imageBuffer)
    return 0
}

extension CMFormatDescription {
    package convenience init(of image: CVImageBuffer) {
        self.init(
            mediaType: .video, mediaSubType: CVPixelBufferGetPixelFormatType(image), width: CVPixelBufferGetWidth(image),
            height: CVPixelBufferGetHeight(image))
    }
}
