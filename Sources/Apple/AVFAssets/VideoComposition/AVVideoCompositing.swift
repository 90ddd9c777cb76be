import AVFCapture
import CoreMedia
import CoreVideo
import Foundation
import Synchronization

/// Compositor of an app: it makes one picture of those of several tracks. An object of the class is made by `init()` for each reading.
public protocol AVVideoCompositing: NSObjectProtocol, Sendable {
    /// Attributes of pictures, `[String: any Sendable]?` or `[String: Any]?`.
    associatedtype SourceAttributes
    /// Attributes of pictures, `[String: any Sendable]` or `[String: Any]`.
    associatedtype RenderAttributes
    /// Attributes that pictures come in; under `kCVPixelBufferPixelFormatTypeKey` one or several formats.
    var sourcePixelBufferAttributes: SourceAttributes { get }
    /// Attributes of the pictures that `AVVideoCompositionRenderContext.newPixelBuffer()` makes.
    var requiredPixelBufferAttributesForRenderContext: RenderAttributes { get }
    /// Takes note of the size to draw at; called ahead of the first request.
    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext)
    /// Starts with a picture, and ends the request by one of its `finish` methods, now or later.
    func startRequest(_ asyncVideoCompositionRequest: AVAsynchronousVideoCompositionRequest)
    /// Gives up all pictures that were started; each request is to be ended all the same.
    func cancelAllPendingVideoCompositionRequests()
    /// Whether pictures with wide colours are handed over as they are.
    var supportsWideColorSourceFrames: Bool { get }
    /// Whether pictures in PQ and HLG are handed over as they are.
    var supportsHDRSourceFrames: Bool { get }
}

extension AVVideoCompositing {
    /// Gives up nothing.
    public func cancelAllPendingVideoCompositionRequests() {}
    /// False.
    public var supportsWideColorSourceFrames: Bool { false }
    /// False.
    public var supportsHDRSourceFrames: Bool { false }

    /// Pixel formats of the sources in the order of preference; empty where none is named.
    var sourceFormats: [OSType] { (sourcePixelBufferAttributes as? [String: Any]).map { PixelFormatSetting.formats(in: $0) } ?? [] }
    /// Pixel format to draw in; nil where none is named.
    var renderFormat: OSType? { (requiredPixelBufferAttributesForRenderContext as? [String: Any]).flatMap { PixelFormatSetting.format(in: $0) } }
}

/// Size that a compositor draws at, and pictures to draw into.
open class AVVideoCompositionRenderContext: NSObject, @unchecked Sendable {
    /// Composition that is drawn.
    public let videoComposition: AVVideoComposition
    /// Size of the pictures, pixels: that of the composition times its scale.
    public let size: CGSize
    private let pool: CVPixelBufferPool

    init(_ composition: AVVideoComposition, format: OSType) {
        videoComposition = composition
        size = composition.renderedSize
        pool = CVPixelBufferPool(width: Int(size.width), height: Int(size.height), pixelFormat: format)
    }

    /// Factor on the size of the composition.
    open var renderScale: Float { videoComposition.renderScale }
    /// Map from the composition's size to that of the pictures.
    open var renderTransform: CGAffineTransform { CGAffineTransform(scaleX: CGFloat(renderScale), y: CGFloat(renderScale)) }
    /// Whether care goes before speed, which it always does.
    open var highQualityRendering: Bool { true }

    /// Returns a picture to draw into, of the compositor's own format.
    open func newPixelBuffer() -> CVPixelBuffer? { pool.makeBuffer() }
}

/// Order of one picture: the pictures and metadata of the tracks at its time. It is ended once.
open class AVAsynchronousVideoCompositionRequest: NSObject, @unchecked Sendable {
    /// Size to draw at.
    public let renderContext: AVVideoCompositionRenderContext
    /// Time of the picture.
    public let compositionTime: CMTime
    /// Instruction that holds at the time.
    public let videoCompositionInstruction: any AVVideoCompositionInstructionProtocol
    /// Numbers of the tracks that have a picture at the time.
    public let sourceTrackIDs: [NSNumber]
    /// Numbers of the tracks that have metadata at the time.
    public let sourceSampleDataTrackIDs: [CMPersistentTrackID]
    private let samples: [CMPersistentTrackID: CMSampleBuffer]
    private let result = Mutex<Result<CVPixelBuffer, any Error>?>(nil)
    private let isEnded = DispatchSemaphore(value: 0)

    init(
        _ context: AVVideoCompositionRenderContext, at time: CMTime, _ instruction: any AVVideoCompositionInstructionProtocol,
        _ samples: [CMPersistentTrackID: CMSampleBuffer]
    ) {
        (renderContext, compositionTime, videoCompositionInstruction, self.samples) = (context, time, instruction, samples)
        let tracks = samples.keys.sorted()
        sourceTrackIDs = tracks.filter { samples[$0]?.imageBuffer != nil }.map { NSNumber(value: $0) }
        sourceSampleDataTrackIDs = tracks.filter { samples[$0]?.imageBuffer == nil }
        super.init()
    }

    /// Returns the picture of a track at the time; nil where it has none, and for a track that was not asked for.
    open func sourceFrame(byTrackID trackID: CMPersistentTrackID) -> CVPixelBuffer? { samples[trackID]?.imageBuffer }
    /// Returns the sample of a track of metadata at the time; nil where it has none.
    open func sourceSampleBuffer(byTrackID trackID: CMPersistentTrackID) -> CMSampleBuffer? {
        samples[trackID].flatMap { $0.imageBuffer == nil ? $0 : nil }
    }
    /// Returns the timed metadata of a track at the time; nil where it has none.
    open func sourceTimedMetadata(byTrackID trackID: CMPersistentTrackID) -> AVTimedMetadataGroup? {
        sourceSampleBuffer(byTrackID: trackID).flatMap { AVTimedMetadataGroup(sampleBuffer: $0) }
    }

    /// Ends the request with its picture.
    open func finish(withComposedVideoFrame composedVideoFrame: CVPixelBuffer) { end(.success(composedVideoFrame)) }
    /// Ends the request with an error, and the reading with it.
    open func finish(with error: any Error) { end(.failure(error)) }
    /// Ends the request without a picture, as the reading was cancelled.
    open func finishCancelledRequest() { end(.failure(AVError(.operationInterrupted))) }

    private func end(_ ending: Result<CVPixelBuffer, any Error>) {
        let isFirst = result.withLock { result in
            guard result == nil else { return false }
            result = ending
            return true
        }
        if isFirst { isEnded.signal() }
    }

    /// Waits for the picture; throws the compositor's error.
    func picture() throws -> CVPixelBuffer {
        isEnded.wait()
        return try result.withLock { result in
            guard let result else { throw AVError(.unknown) }
            return try result.get()
        }
    }
}
