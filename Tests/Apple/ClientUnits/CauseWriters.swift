import AVFoundation

// Cause 3: assets, writers and readers, as recorders of filtered frames use them.

/// Writer of pictures that an app has changed.
public final class BakedRecorder {
    private let writer: AVAssetWriter
    private let input: AVAssetWriterInput
    private let adaptor: AVAssetWriterInputPixelBufferAdaptor
    public private(set) var frames = 0

    public init(to url: URL, width: Int, height: Int) throws {
        writer = try AVAssetWriter(outputURL: url, fileType: .mov)
        let compression: [String: Any] = [
            AVVideoAverageBitRateKey: 1_000_000, AVVideoProfileLevelKey: AVVideoProfileLevelH264HighAutoLevel,
        ]
        input = AVAssetWriterInput(
            mediaType: .video,
            outputSettings: [
                AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: width, AVVideoHeightKey: height,
                AVVideoCompressionPropertiesKey: compression,
            ])
        input.expectsMediaDataInRealTime = true
        adaptor = AVAssetWriterInputPixelBufferAdaptor(
            assetWriterInput: input, sourcePixelBufferAttributes: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
        if writer.canAdd(input) { writer.add(input) }
    }

    public func append(_ picture: CVPixelBuffer, at time: CMTime) {
        if writer.status == .unknown {
            guard writer.startWriting() else { return }
            writer.startSession(atSourceTime: time)
        }
        guard writer.status == .writing, input.isReadyForMoreMediaData else { return }
        if adaptor.append(picture, withPresentationTime: time) { frames += 1 }
    }

    public func finish() async -> Bool {
        input.markAsFinished()
        await writer.finishWriting()
        return writer.status == .completed
    }
}

/// Times of a movie's pictures, read without decoding them.
public func times(of url: URL) async throws -> [CMTime] {
    let asset = AVURLAsset(url: url)
    guard let track = try await asset.loadTracks(withMediaType: .video).first else { return [] }
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    output.alwaysCopiesSampleData = false
    if reader.canAdd(output) { reader.add(output) }
    reader.startReading()
    var times: [CMTime] = []
    while let sample = output.copyNextSampleBuffer() { times.append(sample.presentationTimeStamp) }
    return times
}
