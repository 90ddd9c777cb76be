import CoreMedia
import CoreVideo
import Foundation

// VideoToolbox's sessions, keys and result codes, so that code which encodes frames compiles. No encoder and no decoder is found here: making a session
// returns the code for that, so an app takes the path that it has for it, and no function over a session can be called. A recording of
// `AVCaptureMovieFileOutput` needs none of this. `VTCreateCGImageFromCVPixelBuffer` is real.

/// Session with a compressor or a decompressor.
public typealias VTSession = AnyObject

/// Session of a compressor; none can be made here.
public final class VTCompressionSession: Sendable {
    private init() {}
}

/// Session of a decompressor; none can be made here.
public final class VTDecompressionSession: Sendable {
    private init() {}
}

/// Session that converts pixel buffers; none can be made here.
public final class VTPixelTransferSession: Sendable {
    private init() {}
}

/// Result: the property is not supported.
public let kVTPropertyNotSupportedErr: OSStatus = -12900
/// Result: the property is read only.
public let kVTPropertyReadOnlyErr: OSStatus = -12901
/// Result: a parameter is wrong.
public let kVTParameterErr: OSStatus = -12902
/// Result: the session is no longer valid.
public let kVTInvalidSessionErr: OSStatus = -12903
/// Result: memory ran out.
public let kVTAllocationFailedErr: OSStatus = -12904
/// Result: no decoder was found.
public let kVTCouldNotFindVideoDecoderErr: OSStatus = -12906
/// Result: no encoder was found.
public let kVTCouldNotFindVideoEncoderErr: OSStatus = -12908
/// Result: the data are broken.
public let kVTVideoDecoderBadDataErr: OSStatus = -12909
/// Result: the decoder does not work.
public let kVTVideoDecoderMalfunctionErr: OSStatus = -12911
/// Result: the encoder does not work.
public let kVTVideoEncoderMalfunctionErr: OSStatus = -12912
/// Result: pictures cannot be converted.
public let kVTPixelTransferNotSupportedErr: OSStatus = -12905

/// Facts about an encoded frame.
public struct VTEncodeInfoFlags: OptionSet, Sendable {
    /// Bits of the facts.
    public let rawValue: UInt32
    /// Makes facts of their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The frame is still being encoded.
    public static let asynchronous = Self(rawValue: 1)
    /// The frame was left out.
    public static let frameDropped = Self(rawValue: 2)
}

/// Facts about a decoded frame.
public struct VTDecodeInfoFlags: OptionSet, Sendable {
    /// Bits of the facts.
    public let rawValue: UInt32
    /// Makes facts of their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The frame is still being decoded.
    public static let asynchronous = Self(rawValue: 1)
    /// The frame was left out.
    public static let frameDropped = Self(rawValue: 2)
}

/// Wishes for a frame to be decoded.
public struct VTDecodeFrameFlags: OptionSet, Sendable {
    /// Bits of the wishes.
    public let rawValue: UInt32
    /// Makes wishes of their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The call may return before the frame is there.
    public static let _EnableAsynchronousDecompression = Self(rawValue: 1)
    /// The frame is not delivered.
    public static let _DoNotOutputFrame = Self(rawValue: 2)
    /// The decoder need not be faster than real time.
    public static let _1xRealTimePlayback = Self(rawValue: 4)
    /// Frames may come in the order of their times.
    public static let _EnableTemporalProcessing = Self(rawValue: 8)
}

/// Receiver of encoded frames.
public typealias VTCompressionOutputCallback =
    @Sendable (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTEncodeInfoFlags, CMSampleBuffer?) -> Void
/// Receiver of one encoded frame.
public typealias VTCompressionOutputHandler = @Sendable (OSStatus, VTEncodeInfoFlags, CMSampleBuffer?) -> Void
/// Receiver of one decoded frame.
public typealias VTDecompressionOutputHandler = @Sendable (OSStatus, VTDecodeInfoFlags, CVImageBuffer?, CMTime, CMTime) -> Void

/// Returns `kVTCouldNotFindVideoEncoderErr` and leaves `compressionSessionOut` nil.
@discardableResult
public func VTCompressionSessionCreate(
    allocator: CFAllocator?, width: Int32, height: Int32, codecType: CMVideoCodecType, encoderSpecification: CFDictionary?,
    imageBufferAttributes: CFDictionary?, compressedDataAllocator: CFAllocator?, outputCallback: VTCompressionOutputCallback?,
    refcon: UnsafeMutableRawPointer?, compressionSessionOut: UnsafeMutablePointer<VTCompressionSession?>
) -> OSStatus {
    compressionSessionOut.pointee = nil
    return kVTCouldNotFindVideoEncoderErr
}

/// Returns `kVTInvalidSessionErr`.
@discardableResult
public func VTCompressionSessionPrepareToEncodeFrames(_ session: VTCompressionSession) -> OSStatus { kVTInvalidSessionErr }

/// Returns `kVTInvalidSessionErr`; the handler is not called.
@discardableResult
public func VTCompressionSessionEncodeFrame(
    _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime, duration: CMTime,
    frameProperties: CFDictionary?, infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?, outputHandler: @escaping VTCompressionOutputHandler
) -> OSStatus { kVTInvalidSessionErr }

/// Returns `kVTInvalidSessionErr`.
@discardableResult
public func VTCompressionSessionEncodeFrame(
    _ session: VTCompressionSession, imageBuffer: CVImageBuffer, presentationTimeStamp: CMTime, duration: CMTime,
    frameProperties: CFDictionary?, sourceFrameRefcon: UnsafeMutableRawPointer?, infoFlagsOut: UnsafeMutablePointer<VTEncodeInfoFlags>?
) -> OSStatus { kVTInvalidSessionErr }

/// Returns `kVTInvalidSessionErr`.
@discardableResult
public func VTCompressionSessionCompleteFrames(_ session: VTCompressionSession, untilPresentationTimeStamp: CMTime) -> OSStatus {
    kVTInvalidSessionErr
}

/// Does nothing: there is no session.
public func VTCompressionSessionInvalidate(_ session: VTCompressionSession) {}

/// Returns `kVTCouldNotFindVideoDecoderErr` and leaves `decompressionSessionOut` nil.
@discardableResult
public func VTDecompressionSessionCreate(
    allocator: CFAllocator?, formatDescription: CMVideoFormatDescription, decoderSpecification: CFDictionary?,
    imageBufferAttributes: CFDictionary?, decompressionSessionOut: UnsafeMutablePointer<VTDecompressionSession?>
) -> OSStatus {
    decompressionSessionOut.pointee = nil
    return kVTCouldNotFindVideoDecoderErr
}

/// Function that is given pictures, with a pointer of the app's own; never called.
public struct VTDecompressionOutputCallbackRecord {
    /// Function.
    public var decompressionOutputCallback: VTDecompressionOutputCallback?
    /// Pointer of the app's own.
    public var decompressionOutputRefCon: UnsafeMutableRawPointer?

    /// Makes the record of no function.
    public init() {}
    /// Makes a record.
    public init(decompressionOutputCallback: VTDecompressionOutputCallback?, decompressionOutputRefCon: UnsafeMutableRawPointer?) {
        self.decompressionOutputCallback = decompressionOutputCallback
        self.decompressionOutputRefCon = decompressionOutputRefCon
    }
}

/// Function that is given a picture, or why there is none.
public typealias VTDecompressionOutputCallback = (
    UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, OSStatus, VTDecodeInfoFlags, CVImageBuffer?, CMTime, CMTime
) -> Void

/// Returns `kVTCouldNotFindVideoDecoderErr` and leaves `decompressionSessionOut` nil.
@discardableResult
public func VTDecompressionSessionCreate(
    allocator: CFAllocator?, formatDescription: CMVideoFormatDescription, decoderSpecification: CFDictionary?,
    imageBufferAttributes: CFDictionary?, outputCallback: UnsafePointer<VTDecompressionOutputCallbackRecord>?,
    decompressionSessionOut: UnsafeMutablePointer<VTDecompressionSession?>
) -> OSStatus {
    decompressionSessionOut.pointee = nil
    return kVTCouldNotFindVideoDecoderErr
}

/// Returns `kVTInvalidSessionErr`; the handler is not called.
@discardableResult
public func VTDecompressionSessionDecodeFrame(
    _ session: VTDecompressionSession, sampleBuffer: CMSampleBuffer, flags decodeFlags: VTDecodeFrameFlags,
    infoFlagsOut: UnsafeMutablePointer<VTDecodeInfoFlags>?, outputHandler: @escaping VTDecompressionOutputHandler
) -> OSStatus { kVTInvalidSessionErr }

/// Returns `kVTInvalidSessionErr`.
@discardableResult
public func VTDecompressionSessionWaitForAsynchronousFrames(_ session: VTDecompressionSession) -> OSStatus { kVTInvalidSessionErr }

/// Does nothing: there is no session.
public func VTDecompressionSessionInvalidate(_ session: VTDecompressionSession) {}

/// Returns `kVTInvalidSessionErr`.
@discardableResult
public func VTSessionSetProperty(_ session: VTSession, key propertyKey: CFString, value propertyValue: CFTypeRef?) -> OSStatus {
    kVTInvalidSessionErr
}

/// Returns `kVTInvalidSessionErr`.
@discardableResult
public func VTSessionSetProperties(_ session: VTSession, propertyDictionary: CFDictionary) -> OSStatus { kVTInvalidSessionErr }

/// Returns `kVTPixelTransferNotSupportedErr` and leaves `pixelTransferSessionOut` nil.
@discardableResult
public func VTPixelTransferSessionCreate(
    allocator: CFAllocator?, pixelTransferSessionOut: UnsafeMutablePointer<VTPixelTransferSession?>
) -> OSStatus {
    pixelTransferSessionOut.pointee = nil
    return kVTPixelTransferNotSupportedErr
}

/// Returns `kVTInvalidSessionErr`.
@discardableResult
public func VTPixelTransferSessionTransferImage(
    _ session: VTPixelTransferSession, from sourceBuffer: CVPixelBuffer, to destinationBuffer: CVPixelBuffer
) -> OSStatus { kVTInvalidSessionErr }

/// Whether the machine decodes a codec in hardware; never here.
public func VTIsHardwareDecodeSupported(_ codecType: CMVideoCodecType) -> Bool { false }

/// Makes a bitmap of a BGRA pixel buffer; `kVTPixelTransferNotSupportedErr` for another format.
@discardableResult
public func VTCreateCGImageFromCVPixelBuffer(
    _ pixelBuffer: CVPixelBuffer, options: CFDictionary?, imageOut: UnsafeMutablePointer<CGImage?>
) -> OSStatus {
    imageOut.pointee = CVPixelBufferGetPixelFormatType(pixelBuffer) == kCVPixelFormatType_32BGRA ? CGImage.make(pixelBuffer) : nil
    return imageOut.pointee == nil ? kVTPixelTransferNotSupportedErr : noErr
}
