import AVFoundation

// Cause 3: movies that an app looks at after it has recorded them, and queues of samples.

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
