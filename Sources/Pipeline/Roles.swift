import CoreMedia
import CoreVideo
import Foundation
import Optics

/// Gives the frames of a camera, a file or a synthetic world, one after the other.
public protocol FrameSource: AnyObject, Sendable {
    var description: SourceDescription { get }
    /// The next frame; nil at the end.
    func nextFrame() throws -> Frame?
}

/// What a source will deliver.
public struct SourceDescription: Sendable, Equatable {
    /// Picture size in pixels, both even.
    public var width: Int
    public var height: Int
    /// Exact time of one frame, for example 1/30 or 1001/30000.
    public var frameDuration: CMTime
    /// How many frames will come; nil when that is not known beforehand.
    public var frameCount: Int?
    /// Full-frame-equivalent focal length in mm; nil when unknown.
    public var focalLength: Double?

    public init(width: Int, height: Int, frameDuration: CMTime, frameCount: Int? = nil, focalLength: Double? = nil) {
        self.width = width
        self.height = height
        self.frameDuration = frameDuration
        self.frameCount = frameCount
        self.focalLength = focalLength
    }
}

/// Gives what a microphone hears, stretch by stretch.
public protocol SoundSource: AnyObject, Sendable {
    /// Samples per second; sample `n` is heard at `n` / `sampleRate` on the clock of the frames.
    var sampleRate: Int { get }
    /// How many samples there are; nil when there is no end or nobody knows.
    var sampleCount: Int64? { get }
    /// How long a stretch is that no frame sets the length of, > 0; 1024 samples unless it says otherwise.
    var pace: CMTime { get }
    /// The samples of one stretch; how a time is cut into stretches changes no sample. Stretches come in order and may leave gaps.
    func sound(of samples: Range<Int64>) throws -> Sound
}

extension SoundSource {
    public var pace: CMTime { CMTime(value: 1024, timescale: CMTimeScale(sampleRate)) }
}

/// Finds subjects in frames and keeps their identity. Called once per frame, in order.
public protocol SubjectDetector: AnyObject, Sendable {
    func detections(in frame: Frame, disparity: DisparityMap) throws -> [Detection]
    /// The object around a point (0…1, top left); from then on it is among the detections until it is lost. Nil when nothing stands out.
    func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap) throws -> Detection?
}

/// Measures disparity where the source does not know it.
public protocol DisparityEstimator: AnyObject, Sendable {
    func disparity(of frame: Frame) throws -> DisparityMap
}

/// Renders the simulated aperture.
public protocol BokehRenderer: AnyObject, Sendable {
    /// A new picture of the size and format of `image`; where nothing blurred reaches, its pixels are those of `image`, bit for bit.
    func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer
    /// Starts what `render` does and returns before it is done where the renderer can, so that the next picture may begin meanwhile.
    func begin(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> PendingPicture
    /// Makes ready for pictures like `image` with maps like `disparity`, so that the first need not wait.
    func prepare(for image: CVPixelBuffer, disparity: DisparityMap) throws
}

extension BokehRenderer {
    public func prepare(for image: CVPixelBuffer, disparity: DisparityMap) throws {}

    public func begin(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> PendingPicture {
        let picture = try render(image, disparity: disparity, circle: circle)
        return PendingPicture { picture }
    }
}

/// A picture that a renderer may still be at work on.
public struct PendingPicture: Sendable {
    private let wait: @Sendable () throws -> CVPixelBuffer

    public init(_ wait: @escaping @Sendable () throws -> CVPixelBuffer) { self.wait = wait }

    /// Waits for the picture; any number of times. Throws what kept it from being drawn.
    public func finish() throws -> CVPixelBuffer { try wait() }
}

/// Writes a movie. Pictures and sound come in turn, and the file's time begins at zero.
public protocol MovieWriter: AnyObject, Sendable {
    /// Appends a picture of the size and format that the description names; times increase.
    func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws
    /// Appends sound of the described layout and rate, on the time of the pictures. Where some is missing there is silence; what comes
    /// twice counts once.
    func append(_ sound: Sound) throws
    /// Completes the file; only then is it sure to be under its name, whole.
    func finish() throws
    /// Bytes of coded media so far; what still lies in an encoder does not count.
    var byteCount: Int64 { get }
    /// Ends a movie that could not be written any further: true when what was written before is under its name and can be played.
    func salvage() -> Bool
    /// Gives up and leaves nothing behind.
    func cancel()
}
