import AVFoundation

// Cause 3: movies that an app looks at after it has recorded them, places in a track of their own, and queues of samples.

/// Pictures for the strip beneath a movie.
public struct MovieStrip {
    public let url: URL
    public init(url: URL) { self.url = url }

    public func cover() async throws -> CGImage {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: 160, height: 160)
        generator.requestedTimeToleranceBefore = .zero
        return try await generator.image(at: .zero).image
    }

    public func strip(_ count: Int) async throws -> [CGImage] {
        let asset = AVURLAsset(url: url)
        let length = try await asset.load(.duration)
        var images: [CGImage] = []
        let times = (0..<count).map { CMTimeMultiplyByRatio(length, multiplier: Int32($0), divisor: Int32(count)) }
        for await result in AVAssetImageGenerator(asset: asset).images(for: times) {
            if case .success(_, let image, _) = result { images.append(image) }
        }
        return images
    }
}

/// Places of the phone beside the pictures of a movie.
public final class PlaceTrack {
    private let input: AVCaptureMetadataInput

    public init?() {
        let place: [String: Any] = [
            kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier as String: AVMetadataIdentifier.quickTimeMetadataLocationISO6709,
            kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType as String:
                kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 as String,
        ]
        var format: CMFormatDescription?
        let status = CMMetadataFormatDescriptionCreateWithMetadataSpecifications(
            allocator: kCFAllocatorDefault, metadataType: kCMMetadataFormatType_Boxed, metadataSpecifications: [place] as CFArray,
            formatDescriptionOut: &format)
        guard status == noErr, let format else { return nil }
        input = AVCaptureMetadataInput(formatDescription: format, clock: CMClockGetHostTimeClock())
    }

    public func connect(_ session: AVCaptureSession, _ output: AVCaptureMovieFileOutput) {
        guard session.canAddInput(input), let port = input.ports.first else { return }
        session.addInputWithNoConnections(input)
        session.addConnection(AVCaptureConnection(inputPorts: [port], output: output))
    }

    public func note(_ latitude: Double, _ longitude: Double) throws {
        let item = AVMutableMetadataItem()
        item.identifier = .quickTimeMetadataLocationISO6709
        item.dataType = kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 as String
        item.value = String(format: "%+08.4lf%+09.4lf/", latitude, longitude) as NSString
        let now = CMClockGetTime(CMClockGetHostTimeClock())
        try input.append(AVTimedMetadataGroup(items: [item], timeRange: CMTimeRange(start: now, duration: .invalid)))
    }
}

/// Samples that wait for an encoder, the earliest first.
public final class WaitingRoom {
    private var queue: CMBufferQueue?

    public init() {
        CMBufferQueueCreate(
            allocator: kCFAllocatorDefault, capacity: 8, callbacks: CMBufferQueueGetCallbacksForSampleBuffersSortedByOutputPTS(), queueOut: &queue)
    }

    public func enter(_ sample: CMSampleBuffer) -> Bool { queue.map { CMBufferQueueEnqueue($0, buffer: sample) == noErr } ?? false }
    public var count: Int { queue.map(CMBufferQueueGetBufferCount) ?? 0 }
}

/// Facts of a camera that an app shows beside its picture.
public func facts(of device: AVCaptureDevice) -> String {
    let boost = device.isLowLightBoostSupported ? "boost" : "no boost"
    return "f/\(device.lensAperture), \(boost), \(AVCaptureMultiCamSession.isMultiCamSupported ? "several cameras" : "one camera")"
}
