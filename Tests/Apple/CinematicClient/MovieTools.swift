import AVFoundation

/// Reading and writing of plain movies, as an app would.
public enum MovieTools {
    /// Track of pictures in words: size, frames per second, length in seconds.
    public static func summary(of url: URL) async throws -> (size: CGSize, rate: Float, seconds: Double, hasSound: Bool) {
        let asset = AVURLAsset(url: url)
        let duration = try await asset.load(.duration)
        guard let track = try await asset.loadTracks(withMediaType: .video).first else { return (.zero, 0, duration.seconds, false) }
        let (size, rate) = try await track.load(.naturalSize, .nominalFrameRate)
        let sound = try await asset.loadTracks(withMediaType: .audio)
        return (size, rate, duration.seconds, !sound.isEmpty)
    }

    /// Pictures of a movie in a pixel format, with their times.
    public static func pictures(of url: URL, in timeRange: CMTimeRange? = nil, format: OSType) async throws -> [(time: CMTime, image: CVPixelBuffer)]
    {
        let asset = AVURLAsset(url: url)
        guard let track = try await asset.loadTracks(withMediaType: .video).first else { return [] }
        let reader = try AVAssetReader(asset: asset)
        if let timeRange { reader.timeRange = timeRange }
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: [kCVPixelBufferPixelFormatTypeKey as String: format])
        reader.add(output)
        guard reader.startReading() else { throw reader.error! }
        var pictures: [(time: CMTime, image: CVPixelBuffer)] = []
        while let sample = output.copyNextSampleBuffer() {
            if let image = sample.imageBuffer { pictures.append((sample.presentationTimeStamp, image)) }
        }
        if reader.status != .completed { throw reader.error! }
        return pictures
    }

    /// Samples of the first sound track as floats, from its first on.
    public static func sound(of url: URL, in timeRange: CMTimeRange? = nil) async throws -> (time: CMTime, samples: [Float]) {
        let asset = AVURLAsset(url: url)
        guard let track = try await asset.loadTracks(withMediaType: .audio).first else { return (.invalid, []) }
        let reader = try AVAssetReader(asset: asset)
        if let timeRange { reader.timeRange = timeRange }
        let output = AVAssetReaderTrackOutput(
            track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32])
        reader.add(output)
        guard reader.startReading() else { throw reader.error! }
        var (start, samples) = (CMTime.invalid, [Float]())
        while let sample = output.copyNextSampleBuffer(), let data = sample.dataBuffer {
            if !start.isValid { start = sample.presentationTimeStamp }
            let floats = try data.withContiguousStorage { Array($0.bindMemory(to: Float.self)) }
            samples += floats
        }
        return (start, samples)
    }

    /// Writes pictures through a pixel buffer adaptor, asked for by the writer; returns the writer when it is done.
    public static func write(
        _ pictures: [(time: CMTime, image: CVPixelBuffer)], to url: URL, fileType: AVFileType = .mov, settings: [String: Any]
    ) async throws -> AVAssetWriter {
        let writer = try AVAssetWriter(outputURL: url, fileType: fileType)
        let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
        let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input, sourcePixelBufferAttributes: nil)
        writer.add(input)
        guard writer.startWriting() else { throw writer.error! }
        writer.startSession(atSourceTime: pictures.first?.time ?? .zero)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            nonisolated(unsafe) var next = 0
            let source = pictures
            input.requestMediaDataWhenReady(on: DispatchQueue(label: "movie.pictures")) {
                while input.isReadyForMoreMediaData {
                    guard next < source.count else {
                        input.markAsFinished()
                        continuation.resume()
                        return
                    }
                    adaptor.append(source[next].image, withPresentationTime: source[next].time)
                    next += 1
                }
                if writer.status != .writing, next < source.count {
                    next = source.count
                    continuation.resume()
                }
            }
        }
        await writer.finishWriting()
        return writer
    }
}
