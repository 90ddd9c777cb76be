import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Pixel buffers on their way into an `AVAssetWriterInput`, and a pool of such buffers.
open class AVAssetWriterInputPixelBufferAdaptor: _SendableObject, @unchecked Sendable {
    /// Input that takes the buffers.
    public let assetWriterInput: AVAssetWriterInput
    /// Pixel format and size of the pool's buffers, by the keys `kCVPixelBuffer…Key`; nil for no pool.
    public let sourcePixelBufferAttributes: [String: Any]?
    private let pool = Mutex<CVPixelBufferPool?>(nil)

    /// Makes an adaptor of an input of pictures; raises for another.
    public init(assetWriterInput input: AVAssetWriterInput, sourcePixelBufferAttributes: [String: Any]? = nil) {
        (assetWriterInput, self.sourcePixelBufferAttributes) = (input, sourcePixelBufferAttributes)
        super.init()
        guard input.mediaType != .video else { return }
        CaptureEnvironment.current.raise(
            .invalidArgument, "-[AVAssetWriterInputPixelBufferAdaptor initWithAssetWriterInput:sourcePixelBufferAttributes:]",
            "The input is not of pictures")
    }

    /// Pool of buffers of these attributes, at the size of the file where they name none; nil until writing has begun, without attributes, and
    /// for sides outside of 1…16384.
    open var pixelBufferPool: CVPixelBufferPool? {
        guard let attributes = sourcePixelBufferAttributes, assetWriterInput.writer?.status == .writing else { return nil }
        return pool.withLock { pool in
            if let pool { return pool }
            let settings = try? PictureSettings(assetWriterInput.outputSettings ?? [:])
            func side(_ key: CFString, _ own: Int?) -> Int {
                NumberSetting.number(attributes[key as String]).map { Int(exactly: $0) ?? 0 } ?? own ?? 0
            }
            let (width, height) = (side(kCVPixelBufferWidthKey, settings?.width), side(kCVPixelBufferHeightKey, settings?.height))
            guard (1...16_384).contains(width), (1...16_384).contains(height) else { return nil }
            pool = CVPixelBufferPool(
                width: width, height: height,
                pixelFormat: PixelFormatSetting.format(in: attributes) ?? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
            return pool
        }
    }

    /// Hands a picture to the writer, not to be changed any more. False where writing has ended; raises where a sample cannot be appended.
    @discardableResult
    open func append(_ pixelBuffer: CVPixelBuffer, withPresentationTime presentationTime: CMTime) -> Bool {
        let selector = "appendPixelBuffer:withPresentationTime:"
        guard let writer = assetWriterInput.ready(selector) else { return false }
        return assetWriterInput.append(pixelBuffer, at: presentationTime, duration: .invalid, to: writer, selector)
    }
}
