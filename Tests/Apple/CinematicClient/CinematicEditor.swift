import AVFoundation
import Cinematic

/// An app's editor of cinematic movies, as it would be written for a phone: it reads a movie, changes who is in focus, and renders it anew.
public final class CinematicEditor {
    public let asset: AVAsset
    public let info: CNAssetInfo
    public let script: CNScript
    let session: CNRenderingSession

    /// A frame that was rendered.
    public struct RenderedFrame {
        public let time: CMTime
        public let image: CVPixelBuffer
    }

    public enum Failure: Error {
        case noDevice
        case cannotRender(CMTime)
        case cannotRead(String)
    }

    public convenience init(url: URL, changes: CNScript.Changes? = nil, quality: CNRenderingQuality = .export) async throws {
        try await self.init(asset: AVURLAsset(url: url), changes: changes, quality: quality)
    }

    public init(asset: AVAsset, changes: CNScript.Changes? = nil, quality: CNRenderingQuality = .export) async throws {
        self.asset = asset
        info = try await CNAssetInfo(asset: asset)
        script = try await CNScript(asset: asset, changes: changes, progress: nil)
        guard let queue = MTLCreateSystemDefaultDevice()?.makeCommandQueue() else { throw Failure.noDevice }
        session = CNRenderingSession(
            commandQueue: queue, sessionAttributes: try await CNRenderingSession.Attributes(asset: asset),
            preferredTransform: info.preferredTransform, quality: quality)
    }

    /// Renders the frames of a time range as the script says.
    public func render(in timeRange: CMTimeRange? = nil) throws -> [RenderedFrame] {
        let reader = try AVAssetReader(asset: asset)
        if let timeRange { reader.timeRange = timeRange }
        let format = kCVPixelBufferPixelFormatTypeKey as String
        let pictures = AVAssetReaderTrackOutput(
            track: info.cinematicVideoTrack, outputSettings: [format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
        let disparity = AVAssetReaderTrackOutput(
            track: info.cinematicDisparityTrack, outputSettings: [format: kCVPixelFormatType_DisparityFloat16])
        let metadata = AVAssetReaderTrackOutput(track: info.cinematicMetadataTrack, outputSettings: nil)
        let groups = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: metadata)
        for output in [pictures, disparity, metadata] where reader.canAdd(output) { reader.add(output) }
        guard reader.startReading() else { throw reader.error ?? Failure.cannotRead("start") }
        var frames: [RenderedFrame] = []
        while let picture = pictures.copyNextSampleBuffer(), let map = disparity.copyNextSampleBuffer(), let group = groups.nextTimedMetadataGroup() {
            guard let image = picture.imageBuffer, let depth = map.imageBuffer else { throw Failure.cannotRead("picture") }
            frames.append(
                RenderedFrame(time: picture.presentationTimeStamp, image: try render(image, depth, group, at: picture.presentationTimeStamp)))
        }
        if reader.status == .failed { throw reader.error ?? Failure.cannotRead("samples") }
        return frames
    }

    private func render(_ image: CVPixelBuffer, _ depth: CVPixelBuffer, _ group: AVTimedMetadataGroup, at time: CMTime) throws -> CVPixelBuffer {
        guard var attributes = CNRenderingSession.FrameAttributes(timedMetadataGroup: group, sessionAttributes: session.sessionAttributes),
            let frame = script.frame(at: time, tolerance: CMTime(value: 1, timescale: 60))
        else { throw Failure.cannotRead("metadata") }
        attributes.fNumber = script.fNumber
        attributes.focusDisparity = frame.focusDisparity
        let size = info.preferredSize
        var output: CVPixelBuffer?
        CVPixelBufferCreate(
            nil, Int(size.width), Int(size.height), kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, nil, &output)
        guard let output, let buffer = session.commandQueue.makeCommandBuffer(),
            session.encodeRender(
                to: buffer, frameAttributes: attributes, sourceImage: image, sourceDisparity: depth, destinationImage: output)
        else { throw Failure.cannotRender(time) }
        buffer.commit()
        buffer.waitUntilCompleted()
        if let error = buffer.error { throw error }
        return output
    }

    /// Puts somebody else into focus: the best subject that is not in focus at a time.
    public func focusOnSomebodyElse(at time: CMTime, strong: Bool) -> CNDecision? {
        guard let frame = script.frame(at: time, tolerance: CMTime(value: 1, timescale: 60)) else { return nil }
        let other = frame.allDetections.first { $0.detectionID != frame.focusDetection.detectionID }
        guard let id = other?.detectionID else { return nil }
        let decision = CNDecision(time: frame.time, detectionID: id, strong: strong)
        return script.addUserDecision(decision) ? decision : nil
    }

    /// Follows the object at a point from a frame on, and keeps it in focus.
    public func track(at point: CGPoint, in timeRange: CMTimeRange, device: any MTLDevice) throws -> CNDetectionTrack? {
        guard let queue = device.makeCommandQueue() else { throw Failure.noDevice }
        let tracker = CNObjectTracker(commandQueue: queue)
        let reader = try AVAssetReader(asset: asset)
        reader.timeRange = timeRange
        let format = kCVPixelBufferPixelFormatTypeKey as String
        let pictures = AVAssetReaderTrackOutput(
            track: info.cinematicVideoTrack, outputSettings: [format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange])
        let disparity = AVAssetReaderTrackOutput(
            track: info.cinematicDisparityTrack, outputSettings: [format: kCVPixelFormatType_DisparityFloat16])
        reader.add(pictures)
        reader.add(disparity)
        guard reader.startReading() else { throw reader.error ?? Failure.cannotRead("start") }
        var isTracking = false
        while let picture = pictures.copyNextSampleBuffer(), let map = disparity.copyNextSampleBuffer(), let image = picture.imageBuffer,
            let depth = map.imageBuffer
        {
            let time = picture.presentationTimeStamp
            if !isTracking {
                guard let found = tracker.findObject(at: point, sourceImage: image),
                    tracker.startTracking(at: time, within: found.normalizedBounds, sourceImage: image, sourceDisparity: depth)
                else { return nil }
                isTracking = true
                continue
            }
            guard let seen = tracker.continueTracking(at: time, sourceImage: image, sourceDisparity: depth), !seen.normalizedBounds.isEmpty
            else { break }
        }
        reader.cancelReading()
        let track = tracker.finishDetectionTrack()
        let id = script.addDetectionTrack(track)
        return script.addUserDecision(CNDecision(time: timeRange.start, detectionID: id, strong: true)) ? track : nil
    }
}
