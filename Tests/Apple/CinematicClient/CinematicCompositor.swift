import AVFoundation
import Cinematic

/// Compositor of an app that renders a cinematic movie frame by frame, for whoever plays or reads it.
open class CinematicCompositor: NSObject, AVVideoCompositing, @unchecked Sendable {
    /// Instruction for the whole movie: who is in focus, and how it is rendered.
    public final class Instruction: NSObject, AVVideoCompositionInstructionProtocol {
        public let timeRange: CMTimeRange
        public let enablePostProcessing = false
        public let containsTweening = true
        public let passthroughTrackID = kCMPersistentTrackID_Invalid
        public var requiredSourceTrackIDs: [NSValue]? { tracks.map { NSNumber(value: $0) } }
        let script: CNScript
        let session: CNRenderingSession
        let tracks: [CMPersistentTrackID]
        let metadata: CMPersistentTrackID

        init(_ info: CNAssetInfo, _ script: CNScript, _ session: CNRenderingSession) {
            (self.script, self.session, timeRange) = (script, session, info.timeRange)
            tracks = [info.cinematicVideoTrack.trackID, info.cinematicDisparityTrack.trackID]
            metadata = info.cinematicMetadataTrack.trackID
        }
    }

    enum Failure: Error { case missingSource, cannotRender }

    private let name: String
    private let queue: DispatchQueue

    public override init() {
        name = "compositor"
        queue = DispatchQueue(label: name)
        super.init()
    }

    public let sourcePixelBufferAttributes: [String: any Sendable]? = [
        kCVPixelBufferPixelFormatTypeKey as String: CNRenderingSession.sourcePixelFormatTypes + [kCVPixelFormatType_DisparityFloat16]
    ]
    public let requiredPixelBufferAttributesForRenderContext: [String: any Sendable] = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ]

    public func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}

    public func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
        queue.async {
            do { request.finish(withComposedVideoFrame: try Self.frame(of: request)) } catch { request.finish(with: error) }
        }
    }

    private static func frame(of request: AVAsynchronousVideoCompositionRequest) throws -> CVPixelBuffer {
        guard let instruction = request.videoCompositionInstruction as? Instruction,
            let picture = request.sourceFrame(byTrackID: instruction.tracks[0]),
            let disparity = request.sourceFrame(byTrackID: instruction.tracks[1]),
            let group = request.sourceTimedMetadata(byTrackID: instruction.metadata),
            var attributes = CNRenderingSession.FrameAttributes(
                timedMetadataGroup: group, sessionAttributes: instruction.session.sessionAttributes),
            let frame = instruction.script.frame(at: request.compositionTime, tolerance: CMTime(value: 1, timescale: 60)),
            let output = request.renderContext.newPixelBuffer()
        else { throw Failure.missingSource }
        (attributes.fNumber, attributes.focusDisparity) = (instruction.script.fNumber, frame.focusDisparity)
        guard let buffer = instruction.session.commandQueue.makeCommandBuffer(),
            instruction.session.encodeRender(
                to: buffer, frameAttributes: attributes, sourceImage: picture, sourceDisparity: disparity, destinationImage: output)
        else { throw Failure.cannotRender }
        buffer.commit()
        buffer.waitUntilCompleted()
        if let error = buffer.error { throw error }
        return output
    }
}

extension CinematicEditor {
    /// Composition that renders the movie as the script says.
    public func videoComposition() -> AVVideoComposition {
        let composition = AVMutableVideoComposition()
        composition.customVideoCompositorClass = CinematicCompositor.self
        composition.sourceTrackIDForFrameTiming = info.frameTimingTrack.trackID
        composition.sourceSampleDataTrackIDs = info.sampleDataTrackIDs
        composition.frameDuration = CMTime(value: 1, timescale: CMTimeScale(info.frameTimingTrack.nominalFrameRate.rounded()))
        composition.renderSize = info.preferredSize
        composition.instructions = [CinematicCompositor.Instruction(info, script, session)]
        return composition
    }

    /// Frames of the movie as the composition renders them.
    public func compose(in timeRange: CMTimeRange? = nil) throws -> [RenderedFrame] {
        let reader = try AVAssetReader(asset: asset)
        if let timeRange { reader.timeRange = timeRange }
        let output = AVAssetReaderVideoCompositionOutput(videoTracks: info.videoCompositionTracks, videoSettings: nil)
        output.videoComposition = videoComposition()
        reader.add(output)
        guard reader.startReading() else { throw reader.error ?? Failure.cannotRead("start") }
        var frames: [RenderedFrame] = []
        while let sample = output.copyNextSampleBuffer(), let image = sample.imageBuffer {
            frames.append(RenderedFrame(time: sample.presentationTimeStamp, image: image))
        }
        if let error = reader.error { throw error }
        return frames
    }
}
