import CoreMedia
import Foundation

/// Recommended settings for an asset writer of this output's buffers.
extension AVCaptureVideoDataOutput {
    /// Codecs for a kind of file, the default first; empty for a kind that holds no pictures, and until the output is connected.
    public func availableVideoCodecTypesForAssetWriter(writingTo outputFileType: AVFileType) -> [AVVideoCodecType] {
        let isMovie = [.mov, .mp4, .m4v].contains(outputFileType)
        return isMovie && !connections.isEmpty ? [.hevc, .h264] : []
    }

    /// Settings of the default codec; nil where there is none.
    public func recommendedVideoSettingsForAssetWriter(writingTo outputFileType: AVFileType) -> [String: Any]? {
        availableVideoCodecTypesForAssetWriter(writingTo: outputFileType).first.flatMap { settings(for: $0) }
    }

    /// Codec, size in pixels, and compression: bit/s and seconds between key frames. Raises for a codec that is not available.
    public func recommendedVideoSettings(
        forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType
    ) -> [String: Any]? {
        let selector = "recommendedVideoSettingsForVideoCodecType:assetWriterOutputFileType:"
        return isAvailable(videoCodecType, outputFileType, selector) ? settings(for: videoCodecType) : nil
    }

    /// Codec, size and compression, as without `outputFileURL`, which is ignored.
    public func recommendedVideoSettings(
        forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType, outputFileURL: URL?
    ) -> [String: Any]? {
        let selector = "recommendedVideoSettingsForVideoCodecType:assetWriterOutputFileType:outputFileURL:"
        return isAvailable(videoCodecType, outputFileType, selector) ? settings(for: videoCodecType) : nil
    }

    /// Maker and model of the camera as metadata; nil without a camera. Raises for a codec that is not available.
    public func recommendedMovieMetadata(
        forVideoCodecType videoCodecType: AVVideoCodecType, assetWriterOutputFileType outputFileType: AVFileType
    ) -> [AVMetadataItem]? {
        guard isAvailable(videoCodecType, outputFileType, "recommendedMovieMetadataForVideoCodecType:assetWriterOutputFileType:"), let device
        else { return nil }
        let said: [(AVMetadataIdentifier, String)] = [
            (.quickTimeMetadataMake, device.manufacturer), (.quickTimeMetadataModel, device.modelID),
        ]
        return said.map { identifier, text in
            let item = AVMutableMetadataItem()
            (item.identifier, item.value) = (identifier, NSString(string: text))
            return item
        }
    }

    private var device: AVCaptureDevice? { connections.first?.inputPorts.first?.device }

    private func isAvailable(_ codec: AVVideoCodecType, _ fileType: AVFileType, _ selector: String) -> Bool {
        if availableVideoCodecTypesForAssetWriter(writingTo: fileType).contains(codec) { return true }
        environment.raise(
            .invalidArgument, "-[AVCaptureVideoDataOutput \(selector)]",
            "\(codec.rawValue) is not supported - use availableVideoCodecTypesForAssetWriterWithOutputFileType:")
        return false
    }

    private func settings(for codec: AVVideoCodecType) -> [String: Any]? {
        guard let size = bufferSize, let device else { return nil }
        let rate = 1 / device.deliveredFrameDuration(isDark: false).seconds
        // Bits per pixel at which neither codec shows blocks; HEVC wants about half.
        let bits = Double(size.width * size.height) * rate * (codec == .hevc ? 0.1 : 0.18)
        let compression: [String: Any] = [
            AVVideoAverageBitRateKey: Int(bits), AVVideoExpectedSourceFrameRateKey: Int(rate.rounded()),
            AVVideoMaxKeyFrameIntervalDurationKey: 2, AVVideoAllowFrameReorderingKey: true,
        ]
        return [
            AVVideoCodecKey: codec, AVVideoWidthKey: size.width, AVVideoHeightKey: size.height, AVVideoCompressionPropertiesKey: compression,
        ].bridged
    }
}
