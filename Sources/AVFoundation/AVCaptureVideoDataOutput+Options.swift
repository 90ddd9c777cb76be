import CoreMedia
import CoreVideo
import Foundation

extension AVCaptureVideoDataOutput {
    struct Options: Sendable {
        var configuresDimensions = true
        var isPreviewSized = false
        var keepsDynamicHDR = false
    }

    /// True: buffers have the size of the camera's pictures, or that of `videoSettings`.
    public var automaticallyConfiguresOutputBufferDimensions: Bool {
        get { options.configuresDimensions }
        set {
            options.configuresDimensions = newValue
            if newValue { options.isPreviewSized = false }
        }
    }

    /// Pictures no longer than a screen, 1920 pixels, where `videoSettings` name no size. Raises while that is configured automatically.
    public var deliversPreviewSizedOutputBuffers: Bool {
        get { options.isPreviewSized }
        set {
            guard !automaticallyConfiguresOutputBufferDimensions else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureVideoDataOutput setDeliversPreviewSizedOutputBuffers:]",
                    "May not be set while automaticallyConfiguresOutputBufferDimensions is YES")
            }
            options.isPreviewSized = newValue
        }
    }

    /// Kept as it was set; pictures here have none.
    public var preservesDynamicHDRMetadata: Bool {
        get { options.keepsDynamicHDR }
        set { options.keepsDynamicHDR = newValue }
    }

    /// Ticks per second in which a movie of these buffers loses nothing: that of the frame duration, at least 600.
    public var recommendedMediaTimeScaleForAssetWriter: CMTimeScale {
        let scale = connections.first?.inputPorts.first?.device?.activeVideoMinFrameDuration.timescale ?? 600
        return scale >= 600 ? scale : scale * ((600 + scale - 1) / scale)
    }

    /// Nil for pictures that are small enough, and where nobody asked.
    func previewSize(of picture: CVPixelBuffer, through connection: AVCaptureConnection) -> PictureSize? {
        let (long, short) = (max(picture.size.width, picture.size.height), min(picture.size.width, picture.size.height))
        guard deliversPreviewSizedOutputBuffers, long > 1920 else { return nil }
        let isWide = (picture.size.width >= picture.size.height) == (Int(connection.videoRotationAngle) % 180 == 0)
        let other = (short * 1920 / long) & ~1
        return isWide ? PictureSize(width: 1920, height: other) : PictureSize(width: other, height: 1920)
    }
}
