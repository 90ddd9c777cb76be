import CoreMedia
import Foundation

extension AVCaptureVideoDataOutput {
    struct Options: Sendable {
        var configuresDimensions = true
        var isPreviewSized = false
        var keepsDynamicHDR = false
    }

    /// Whether the output chooses the size of its buffers where `videoSettings` name none (default true): that of the camera's pictures, but of a preview
    /// where photos are what the session is for, with the preset `.photo` and beside Live Photos.
    public var automaticallyConfiguresOutputBufferDimensions: Bool {
        get { options.configuresDimensions }
        set {
            options.configuresDimensions = newValue
            if newValue { options.isPreviewSized = false }
        }
    }

    /// Whether pictures are at most 1920 pixels long where `videoSettings` name no size; default false, and as the session wants it while dimensions are
    /// configured automatically, when setting it raises.
    public var deliversPreviewSizedOutputBuffers: Bool {
        get { options.configuresDimensions ? session?.isForPhotos ?? false : options.isPreviewSized }
        set {
            guard !automaticallyConfiguresOutputBufferDimensions else {
                return environment.raise(
                    .invalidArgument, "-[AVCaptureVideoDataOutput setDeliversPreviewSizedOutputBuffers:]",
                    "May not be set while automaticallyConfiguresOutputBufferDimensions is YES")
            }
            options.isPreviewSized = newValue
        }
    }

    /// Whether dynamic HDR metadata is kept; default false, without effect as pictures here have none.
    public var preservesDynamicHDRMetadata: Bool {
        get { options.keepsDynamicHDR }
        set { options.keepsDynamicHDR = newValue }
    }

    /// Ticks per second in which a movie of these buffers loses nothing: a multiple of the frame duration's timescale, at least 600.
    public var recommendedMediaTimeScaleForAssetWriter: CMTimeScale {
        let scale = connections.first?.inputPorts.first?.device?.activeVideoMinFrameDuration.timescale ?? 600
        return scale >= 600 ? scale : scale * ((600 + scale - 1) / scale)
    }

    /// Size in pixels of a preview of a picture that is turned by some degrees; nil for pictures that are small enough, and where none was asked for.
    func previewSize(of picture: PictureSize, turnedBy rotation: CGFloat = 0) -> PictureSize? {
        let (long, short) = (max(picture.width, picture.height), min(picture.width, picture.height))
        guard long > 1920, deliversPreviewSizedOutputBuffers else { return nil }
        let isWide = (picture.width >= picture.height) == (Int(rotation) % 180 == 0)
        let other = (short * 1920 / long) & ~1
        return isWide ? PictureSize(width: 1920, height: other) : PictureSize(width: other, height: 1920)
    }
}

extension AVCaptureSession {
    /// Whether it takes photos in the first place, so that video data are their preview.
    fileprivate var isForPhotos: Bool {
        sessionPreset == .photo || outputs.contains { ($0 as? AVCapturePhotoOutput)?.isLivePhotoCaptureEnabled ?? false }
    }
}
