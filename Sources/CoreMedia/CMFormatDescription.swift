import CoreVideo
import Foundation

public typealias CMMediaType = FourCharCode
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E
public let kCMMediaType_Metadata: CMMediaType = 0x6D65_7461
public let kCMMediaType_DepthData: CMMediaType = 0x6465_7074
public let kCMFormatDescriptionError_InvalidParameter: OSStatus = -12710

/// Width and height in pixels.
public struct CMVideoDimensions: Sendable {
    public var width: Int32
    public var height: Int32

    public init() { self.init(width: 0, height: 0) }

    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

/// What kind of media a buffer or a port carries.
public final class CMFormatDescription: Sendable, Hashable {
    public struct MediaType: RawRepresentable, Hashable, Sendable {
        public let rawValue: CMMediaType
        public init(rawValue: CMMediaType) { self.rawValue = rawValue }
        public static let video = MediaType(rawValue: kCMMediaType_Video)
        public static let audio = MediaType(rawValue: kCMMediaType_Audio)
        public static let depth = MediaType(rawValue: kCMMediaType_DepthData)
        public static let metadata = MediaType(rawValue: kCMMediaType_Metadata)
    }

    public struct MediaSubType: RawRepresentable, Hashable, Sendable {
        public let rawValue: FourCharCode
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }
        public init(string: String) { self.rawValue = string.utf8.prefix(4).reduce(0) { $0 << 8 | FourCharCode($1) } }
    }

    public let mediaType: MediaType
    /// The pixel format, for uncompressed video.
    public let mediaSubType: MediaSubType
    /// Zero unless the media is video.
    public let dimensions: CMVideoDimensions

    package init(mediaType: MediaType, mediaSubType: FourCharCode, width: Int = 0, height: Int = 0) {
        self.mediaType = mediaType
        self.mediaSubType = MediaSubType(rawValue: mediaSubType)
        dimensions = CMVideoDimensions(width: Int32(width), height: Int32(height))
    }

    public static func == (lhs: CMFormatDescription, rhs: CMFormatDescription) -> Bool {
        lhs.mediaType == rhs.mediaType && lhs.mediaSubType == rhs.mediaSubType
            && lhs.dimensions.width == rhs.dimensions.width && lhs.dimensions.height == rhs.dimensions.height
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(mediaType)
        hasher.combine(mediaSubType)
        hasher.combine(dimensions.width)
        hasher.combine(dimensions.height)
    }
}

public typealias CMVideoFormatDescription = CMFormatDescription

public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType { desc.mediaType.rawValue }
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> FourCharCode { desc.mediaSubType.rawValue }
public func CMVideoFormatDescriptionGetDimensions(_ videoDesc: CMVideoFormatDescription) -> CMVideoDimensions { videoDesc.dimensions }

/// Describes the pictures like `imageBuffer`. The allocator is ignored.
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
