import CoreVideo
import Foundation

/// Wishes for a bracket: photos of consecutive frames, each with an exposure of its own.
open class AVCapturePhotoBracketSettings: AVCapturePhotoSettings, @unchecked Sendable {
    /// Exposures of the photos in their order, all of one kind.
    public let bracketedSettings: [AVCaptureBracketedStillImageSettings]
    /// Whether the lens is held still over the bracket; default false. A capture raises for true, as no camera here can.
    open var isLensStabilizationEnabled = false

    /// Makes wishes for a bracket in a pixel format or codec; nil leaves it to the output. A raw format other than 0 raises at the capture.
    public init(
        rawPixelFormatType: OSType, processedFormat: [String: Any]?, bracketedSettings: [AVCaptureBracketedStillImageSettings]
    ) {
        self.bracketedSettings = bracketedSettings
        super.init(processedFormat, raw: rawPixelFormatType)
    }

    /// Makes wishes for a bracket in files of the kinds given: JPEGs of `processedFormat` without a raw format, else a capture raises.
    public convenience init(
        rawPixelFormatType: OSType, rawFileType: AVFileType?, processedFormat: [String: Any]?, processedFileType: AVFileType?,
        bracketedSettings: [AVCaptureBracketedStillImageSettings]
    ) { self.init(rawPixelFormatType: rawPixelFormatType, processedFormat: processedFormat, bracketedSettings: bracketedSettings) }
}
