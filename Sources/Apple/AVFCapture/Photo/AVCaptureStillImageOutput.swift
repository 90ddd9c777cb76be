import CoreMedia
import Foundation
import Synchronization

/// Output of single pictures as sample buffers, superseded by `AVCapturePhotoOutput`, which brings them and which it derives from here.
///
///     output.captureStillImageAsynchronously(from: connection) { sample, error in
///         guard let sample else { return }
///         let file = AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(sample)
///     }
@available(*, deprecated, message: "Use AVCapturePhotoOutput instead.")
open class AVCaptureStillImageOutput: AVCapturePhotoOutput, @unchecked Sendable {
    private let wishes = Mutex(Wishes())

    private struct Wishes: @unchecked Sendable {
        var outputSettings: [String: Any] = [:]
        var isHighResolution = false
    }

    /// Makes an output without a session.
    public override init() {}

    /// Codec or pixel format of the pictures, of `availableImageDataCodecTypes` or `availableImageDataCVPixelFormatTypes`; default empty: JPEG.
    open var outputSettings: [String: Any] {
        get { wishes.withLock { $0.outputSettings } }
        set { wishes.withLock { $0.outputSettings = newValue } }
    }
    /// Codecs of pictures: JPEG, where the environment makes files.
    open var availableImageDataCodecTypes: [AVVideoCodecType] { availablePhotoCodecTypes.filter { $0 == .jpeg } }
    /// Pixel formats of pictures.
    open var availableImageDataCVPixelFormatTypes: [NSNumber] { availablePhotoPixelFormatTypes.map { NSNumber(value: $0) } }
    /// Whether pictures may be larger than the stream; default false, kept: they are as large as it.
    open var isHighResolutionStillImageOutputEnabled: Bool {
        get { wishes.withLock { $0.isHighResolution } }
        set { wishes.withLock { $0.isHighResolution = newValue } }
    }
    /// Whether a picture is on its way.
    open var isCapturingStillImage: Bool { state.withLock { !$0.waiting.isEmpty || $0.processing > 0 } }

    /// Captures the next frame, and hands over its sample buffer, or nil and why there is none. Raises for a connection that is not this output's.
    @preconcurrency
    open func captureStillImageAsynchronously(
        from connection: AVCaptureConnection, completionHandler handler: @escaping @Sendable (CMSampleBuffer?, (any Error)?) -> Void
    ) {
        guard connections.contains(connection), connection.isOpen else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureStillImageOutput captureStillImageAsynchronouslyFromConnection:completionHandler:]",
                "Inactive/invalid connection passed.")
        }
        let wished = outputSettings
        let jpeg = availableImageDataCodecTypes.first.map { AVCapturePhotoSettings(format: [AVVideoCodecKey: $0]) }
        let settings = wished.isEmpty ? jpeg ?? AVCapturePhotoSettings() : AVCapturePhotoSettings(format: wished)
        capturePhoto(with: settings, delegate: Receiver(handler))
    }

    /// Returns the JPEG file in a sample buffer of a picture. Raises for another content.
    open class func jpegStillImageNSDataRepresentation(_ jpegSampleBuffer: CMSampleBuffer) -> Data? {
        AVCapturePhoto.file(in: jpegSampleBuffer, asked: "+[AVCaptureStillImageOutput jpegStillImageNSDataRepresentation:]")
    }

    /// Delegate of one capture, which holds itself until the end.
    private final class Receiver: NSObject, AVCapturePhotoCaptureDelegate {
        private let handler: @Sendable (CMSampleBuffer?, (any Error)?) -> Void
        private var itself: Receiver?

        init(_ handler: @escaping @Sendable (CMSampleBuffer?, (any Error)?) -> Void) {
            self.handler = handler
            super.init()
            itself = self
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photoSampleBuffer: CMSampleBuffer?, previewPhoto: CMSampleBuffer?,
            resolvedSettings: AVCaptureResolvedPhotoSettings, bracketSettings: AVCaptureBracketedStillImageSettings?, error: (any Error)?
        ) {
            handler(photoSampleBuffer, error)
        }

        func photoOutput(
            _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings, error: (any Error)?
        ) {
            itself = nil
        }
    }
}
