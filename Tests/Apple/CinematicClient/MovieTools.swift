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
        try pictures(of: AVURLAsset(url: url), in: timeRange, format: format)
    }

    /// Pictures of an asset in a pixel format, with their times.
    public static func pictures(of asset: AVAsset, in timeRange: CMTimeRange? = nil, format: OSType) throws -> [(time: CMTime, image: CVPixelBuffer)]
    {
        guard let track = asset.tracks(withMediaType: .video).first else { return [] }
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
        try sound(of: AVURLAsset(url: url), in: timeRange)
    }

    /// Samples of an asset's first sound track as floats, from its first on.
    public static func sound(of asset: AVAsset, in timeRange: CMTimeRange? = nil) throws -> (time: CMTime, samples: [Float]) {
        guard let track = asset.tracks(withMediaType: .audio).first else { return (.invalid, []) }
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

    /// Samples of a track as they are stored.
    public static func stored(_ track: AVAssetTrack) throws -> [CMSampleBuffer] {
        guard let asset = track.asset else { return [] }
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        guard reader.startReading() else { throw reader.error! }
        var samples: [CMSampleBuffer] = []
        while let sample = output.copyNextSampleBuffer() { samples.append(sample) }
        if reader.status != .completed { throw reader.error! }
        return samples
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

    /// Writes the coded samples of a movie's pictures and sound, from a time on, into another file; returns the writer when it is done.
    public static func passThrough(_ url: URL, to target: URL, fileType: AVFileType, from start: CMTime = .zero) async throws -> AVAssetWriter {
        let asset = AVURLAsset(url: url)
        let reader = try AVAssetReader(asset: asset)
        let writer = try AVAssetWriter(outputURL: target, fileType: fileType)
        var pairs: [(output: AVAssetReaderTrackOutput, input: AVAssetWriterInput)] = []
        for track in try await asset.load(.tracks) {
            let (formats, transform) = try await track.load(.formatDescriptions, .preferredTransform)
            let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
            let input = AVAssetWriterInput(mediaType: track.mediaType, outputSettings: nil, sourceFormatHint: formats.first)
            if track.mediaType == .video { input.transform = transform }
            guard reader.canAdd(output), writer.canAdd(input) else { continue }
            reader.add(output)
            writer.add(input)
            pairs.append((output, input))
        }
        guard reader.startReading(), writer.startWriting() else { throw (reader.error ?? writer.error)! }
        writer.startSession(atSourceTime: start)
        while !pairs.isEmpty {
            for (output, input) in pairs where input.isReadyForMoreMediaData {
                guard let sample = output.copyNextSampleBuffer() else {
                    input.markAsFinished()
                    pairs.removeAll { $0.input === input }
                    continue
                }
                guard input.append(sample) else { throw writer.error! }
            }
            if writer.status != .writing { throw writer.error! }
        }
        await writer.finishWriting()
        return writer
    }

    /// Coded samples of the first track of a kind, with their times.
    public static func stored(_ mediaType: AVMediaType, of url: URL) async throws -> [(time: CMTime, data: Data)] {
        let asset = AVURLAsset(url: url)
        guard let track = try await asset.loadTracks(withMediaType: mediaType).first else { return [] }
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        reader.add(output)
        guard reader.startReading() else { throw reader.error! }
        var samples: [(time: CMTime, data: Data)] = []
        while let sample = output.copyNextSampleBuffer(), let data = try sample.dataBuffer?.dataBytes() {
            samples.append((sample.presentationTimeStamp, data))
        }
        return samples
    }

    /// Groups of the first track of timed metadata.
    public static func groups(of url: URL) async throws -> [AVTimedMetadataGroup] {
        let asset = AVURLAsset(url: url)
        guard let track = try await asset.loadTracks(withMediaType: .metadata).first else { return [] }
        let reader = try AVAssetReader(asset: asset)
        let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
        let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
        reader.add(output)
        guard reader.startReading() else { throw reader.error! }
        var groups: [AVTimedMetadataGroup] = []
        while let group = adaptor.nextTimedMetadataGroup() { groups.append(group) }
        return groups
    }

    /// Buffer of interleaved sound, from time zero on.
    public static func sample(of values: [Int16], rate: Double, layout: AudioChannelLayoutTag) throws -> CMSampleBuffer {
        let channels = layout & 0xFFFF
        let stream = AudioStreamBasicDescription(
            mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
            mBytesPerPacket: 2 * channels, mFramesPerPacket: 1, mBytesPerFrame: 2 * channels, mChannelsPerFrame: channels, mBitsPerChannel: 16,
            mReserved: 0)
        let data = try CMBlockBuffer(length: 2 * values.count)
        try values.withUnsafeBytes { try data.replaceDataBytes(with: Data($0)) }
        return try CMSampleBuffer(
            dataBuffer: data, formatDescription: try CMFormatDescription(audioStreamBasicDescription: stream),
            numSamples: values.count / Int(channels), presentationTimeStamp: .zero)
    }

    /// Item of timed metadata.
    public static func item(_ identifier: String, _ type: String, _ value: any NSCopying & NSObjectProtocol) -> AVMetadataItem {
        let item = AVMutableMetadataItem()
        item.identifier = AVMetadataIdentifier(rawValue: identifier)
        item.dataType = type
        item.value = value
        return item
    }
}
