import CoreMedia
import CoreVideo
import Foundation
import Optics

/// Source of frames in order: a camera, a file or a synthetic world.
public protocol FrameSource: AnyObject, Sendable {
    /// Size, rate and length of the frames to come.
    var description: SourceDescription { get }
    /// Delivers the next frame; nil at the end. Blocks until there is one.
    func nextFrame() throws -> Frame?
    /// Frames left out or repeated so far, and why, a line for each reason; empty where every frame of the footage was delivered once.
    var remarks: [String] { get }
}

extension FrameSource {
    /// Default of a source that delivers every frame once.
    public var remarks: [String] { [] }
}

/// Properties of a frame source, known before its first frame.
public struct SourceDescription: Sendable, Equatable {
    /// Width of the picture in pixels, even.
    public var width: Int
    /// Height of the picture in pixels, even.
    public var height: Int
    /// Exact time of one frame, for example 1/30 or 1001/30000.
    public var frameDuration: CMTime
    /// Number of frames; nil when it is not known beforehand.
    public var frameCount: Int?
    /// End of the last picture where it is shown for another time than a frame's; nil where it is not, or where that is not known beforehand.
    public var end: CMTime?
    /// Full-frame-equivalent focal length in mm; nil when unknown.
    public var focalLength: Double?
    /// Pixel format of `Frame.picture`.
    public var pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    /// Colour tags of `Frame.picture`.
    public var colors = PictureColors.bt709
    /// Shape of a pixel.
    public var pixelAspect = PixelAspect.square
    /// Timecode of the first frame, `hh:mm:ss:ff`, `;` before the frames where it drops some; nil without.
    public var timecode: String?
    /// Time in the footage at which the first frame lies, where a beginning is left out.
    public var footageStart = CMTime.zero

    /// Creates a description of a source of `420v` pictures in BT.709 colours.
    public init(width: Int, height: Int, frameDuration: CMTime, frameCount: Int? = nil, focalLength: Double? = nil) {
        self.width = width
        self.height = height
        self.frameDuration = frameDuration
        self.frameCount = frameCount
        self.focalLength = focalLength
    }
}

/// Source of sound: a microphone, a file or a synthetic world.
public protocol SoundSource: AnyObject, Sendable {
    /// Samples per second and channel; sample `n` belongs to time `n` / `sampleRate` on the clock of the frames.
    var sampleRate: Int { get }
    /// Number of samples per channel; nil without an end or when it is unknown.
    var sampleCount: Int64? { get }
    /// Length of a buffer where no frame sets it, > 0; 1024 samples by default.
    var pace: CMTime { get }
    /// Number of the sample of now, at which a microphone without a camera begins, or goes on after a break; 0 by default: at once where it ended.
    var now: Int64 { get }
    /// Delivers one range of samples. Ranges come in order and may leave gaps; how a time is cut into ranges changes no sample.
    func sound(of samples: Range<Int64>) throws -> Sound
}

extension SoundSource {
    /// Default length of a buffer, 1024 samples.
    public var pace: CMTime { CMTime(value: 1024, timescale: CMTimeScale(sampleRate)) }
    /// Default of a source that knows no time but its own.
    public var now: Int64 { 0 }
}

/// Detector and tracker of subjects: called once per frame, in order; objects keep their IDs.
public protocol SubjectDetector: AnyObject, Sendable {
    /// Detections in one frame; boxes in 0…1 of the unrotated picture.
    ///
    /// `disparity` was recorded or measured; nil where it was neither, and then the detections have none.
    func detections(in frame: Frame, disparity: DisparityMap?) throws -> [Detection]
    /// Finds the salient object at a point (0…1, origin top left); nil when none stands out.
    ///
    /// From then on it is among the detections until it is lost.
    func salientObject(at point: CGPoint, in frame: Frame, disparity: DisparityMap?) throws -> Detection?
    /// Takes what it found since to belong to frames it was asked about before; each is given once. For whoever records: a live frame has gone by.
    func takeEarlier() -> [EarlierDetections]
    /// Begins some of the work on a frame ahead of `detections(in:disparity:)`, for callers that know what comes; in order, for every frame or for none.
    func prepare(_ frame: Frame) throws
}

extension SubjectDetector {
    /// Default of a detector that never looks back: empty.
    public func takeEarlier() -> [EarlierDetections] { [] }
    /// Default of a detector that begins nothing ahead.
    public func prepare(_ frame: Frame) {}
}

/// Estimator of disparity, for sources without any.
public protocol DisparityEstimator: AnyObject, Sendable {
    /// Disparity map of one frame, larger is nearer; called once per frame, in order.
    func disparity(of frame: Frame) throws -> DisparityMap
    /// Does some of the work on a frame ahead of `disparity(of:)`, for callers with a thread to spare; in order, for every frame or for none.
    func prepare(_ frame: Frame) throws
    /// Time for which `open` wants the frames of a shot, ns; 0 for an estimator that needs none ahead.
    var opening: Int64 { get }
    /// Sees the frames that a shot of footage opens with ahead of `disparity(of:)` of the first, for callers that know what comes; after `prepare` of each.
    func open(_ frames: [Frame]) throws
    /// Limits of the measurement that the frames so far have met, a line for each; empty without any.
    var remarks: [String] { get }
}

extension DisparityEstimator {
    /// Default of an estimator without limits.
    public var remarks: [String] { [] }
    /// Default of an estimator whose work is in one piece.
    public func prepare(_ frame: Frame) {}
    /// Default of an estimator that needs no frames ahead.
    public var opening: Int64 { 0 }
    /// Default of an estimator that needs no frames ahead.
    public func open(_ frames: [Frame]) {}
}

/// Estimator of disparity from single pictures: from the picture and the subjects detected in it. Called once per frame, in order.
///
/// Its map is made after the detections of its frame and is given to no detector, so that detections do not depend on earlier ones.
public protocol MonocularEstimator: AnyObject, Sendable {
    /// Disparity map of one frame, larger is nearer; distances are estimates.
    func disparity(of frame: Frame, detections: [Detection]) throws -> DisparityMap
    /// Does the work on a frame that needs no detections ahead of `disparity(of:detections:)`, for callers with a thread to spare; in order, for every
    /// frame or for none.
    func prepare(_ frame: Frame) throws
    /// Whether `prepare` takes all that is to be had from a frame's picture, so that `disparity(of:detections:)` needs no more than its size.
    var preparesAll: Bool { get }
    /// Time for which `open` wants the frames of a shot, ns; 0 for an estimator that needs none ahead.
    var opening: Int64 { get }
    /// Sees the frames that a shot of footage opens with, and their detections, ahead of `disparity(of:detections:)` of the first, for callers that know
    /// what comes; after `prepare` of each.
    func open(_ frames: [(frame: Frame, detections: [Detection])]) throws
}

extension MonocularEstimator {
    /// Default of an estimator that looks at the picture once more.
    public var preparesAll: Bool { false }
    /// Default of an estimator that needs no frames ahead.
    public var opening: Int64 { 0 }
    /// Default of an estimator that needs no frames ahead.
    public func open(_ frames: [(frame: Frame, detections: [Detection])]) {}
    /// Default of an estimator whose work is in one piece.
    public func prepare(_ frame: Frame) {}
}

/// Upsampler of disparity along the picture, for a lens: interpolated, a small map has every depth between near and far at their edges.
public protocol DisparityUpsampler: AnyObject, Sendable {
    /// `map` with the edges of its picture (`420v`), as large as a lens needs it; the same map where it is as large.
    func upsampled(_ map: DisparityMap, along picture: CVPixelBuffer) throws -> DisparityMap
}

/// Renderer of the simulated aperture: shallow depth of field from a sharp picture and its disparity.
public protocol BokehRenderer: AnyObject, Sendable {
    /// Renders a new picture of the size and format of `image`; pixels that no blur reaches keep their bits.
    func render(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> CVPixelBuffer
    /// Starts rendering and returns before the picture is finished where the renderer can, so that the next may begin meanwhile.
    func begin(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> PendingPicture
    /// Prepares buffers and pipelines for pictures like `image` and maps like `disparity`, so that the first one is not delayed.
    func prepare(for image: CVPixelBuffer, disparity: DisparityMap) throws
}

extension BokehRenderer {
    /// Prepares nothing.
    public func prepare(for image: CVPixelBuffer, disparity: DisparityMap) throws {}

    /// Renders at once; the picture is finished on return.
    public func begin(_ image: CVPixelBuffer, disparity: DisparityMap, circle: CircleOfConfusion) throws -> PendingPicture {
        let picture = try render(image, disparity: disparity, circle: circle)
        return PendingPicture { picture }
    }
}

/// Picture that may still be rendering.
public struct PendingPicture: Sendable {
    private let wait: @Sendable () throws -> CVPixelBuffer

    /// Wraps a wait for the picture, which may be called several times and from any thread.
    public init(_ wait: @escaping @Sendable () throws -> CVPixelBuffer) { self.wait = wait }

    /// Waits for the picture; may be called any number of times. Throws the error that kept it from being drawn.
    public func finish() throws -> CVPixelBuffer { try wait() }
}

/// Writer of a movie: pictures and sound are appended in turn, and the file's time begins at zero.
public protocol MovieWriter: AnyObject, Sendable {
    /// Appends a picture of the described size and format; presentation times increase.
    func append(_ image: CVPixelBuffer, at presentationTime: CMTime) throws
    /// Appends a picture with its disparity and metadata, in a movie described as cinematic.
    func append(_ image: CVPixelBuffer, with cinematic: CinematicFrame, at presentationTime: CMTime) throws
    /// Appends sound of the described layout and rate, on the time of the pictures. Where some is missing there is silence; what comes
    /// twice counts once.
    func append(_ sound: Sound) throws
    /// Appends a sample of a coded track, by its place in the description's `codedTracks`, in decoding order. Its time may be before zero, as of what is
    /// decoded alone.
    func append(_ sample: MovieSample, toCodedTrack track: Int) throws
    /// Sets the end of the movie, ahead of its last picture, which is then shown until there. What lies later is not shown.
    func end(at time: CMTime) throws
    /// Completes the file; only then is it certain to be whole under its name.
    func finish() throws
    /// Coded bytes so far; packets still inside an encoder do not count.
    var byteCount: Int64 { get }
    /// Ends a movie after a failed write: true when the part written before lies under its name and can be played.
    func salvage() -> Bool
    /// Discards the movie and leaves no file.
    func cancel()
}

extension MovieWriter {
    /// Appends the picture alone: default of a writer of plain movies.
    public func append(_ image: CVPixelBuffer, with cinematic: CinematicFrame, at presentationTime: CMTime) throws {
        try append(image, at: presentationTime)
    }

    /// Refuses the sample: default of a writer that encodes itself.
    public func append(_ sample: MovieSample, toCodedTrack track: Int) throws { throw CodedSampleRefused() }

    /// Leaves the end where the last sample is: default of a writer that keeps no lengths.
    public func end(at time: CMTime) throws {}
}

/// Failure of a writer that takes no coded samples.
struct CodedSampleRefused: MediaFailure, CustomStringConvertible {
    var kind: MediaFailureKind { .unsupported }
    var description: String { "this writer of movies takes no coded samples; let RackfocusKit write the file" }
}

/// Movie file opened for reading: what its index says, and readers of its tracks.
public protocol MovieFile: AnyObject, Sendable {
    /// Tracks, length and metadata of the file.
    var contents: MovieContents { get }
    /// Opens a reader of a track, by its number, for the samples of a time range: those that are shown or heard in it.
    func reader(of track: Int, in range: CMTimeRange, as coding: MovieSample.Coding) throws -> any MovieTrackReader
    /// Opens the frames of a cinematic movie; `edited` are metadata in place of those recorded, a sample for each of its frames.
    func cinematicFrames(_ reading: FootageReading, edited: [CinematicSample]?) throws -> any CinematicFrameSource
}

/// Source of a cinematic movie's frames, upright, each with its disparity as recorded. Its index is the number of its metadata in the movie.
public protocol CinematicFrameSource: FrameSource {
    /// Reads the next frame with its disparity, and its metadata in the same, upright picture; nil at the end.
    func next() throws -> (frame: Frame, sample: CinematicSample)?
    /// Makes a frame the next one; what lies before it is passed over. `number` is that of its metadata, `time` its time.
    func seek(to number: Int, at time: CMTime) throws
    /// Returns the point of the upright picture for one of the stored picture, both 0…1.
    func upright(_ point: CGPoint) -> CGPoint
    /// Returns the box of the stored picture for one of the upright picture, both 0…1.
    func stored(_ box: CGRect) -> CGRect
}

extension CinematicFrameSource {
    /// Reads the next frame with its disparity; nil at the end.
    public func nextFrame() throws -> Frame? { try next()?.frame }
}

/// Reader of one track of a movie file, in order of presentation; coded samples come in the order of the file.
public protocol MovieTrackReader: AnyObject, Sendable {
    /// Reads the next sample; nil at the end of the range or of the track.
    func next() throws -> MovieSample?
}

/// Failure of an adapter to read or write media, as far as an app can tell failures apart.
public protocol MediaFailure: Error {
    /// Kind of failure.
    var kind: MediaFailureKind { get }
}

/// Kind of a failure to read or write media.
public enum MediaFailureKind: Sendable {
    /// There is no such file, or it cannot be read.
    case missingFile
    /// It is no file of a known format.
    case unknownFormat
    /// No decoder for its coding is there.
    case missingDecoder
    /// No encoder for the coding asked for is there.
    case missingEncoder
    /// It is damaged or cut short.
    case damaged
    /// It is sound, but something that is not supported.
    case unsupported
    /// There is no memory for it.
    case outOfMemory
    /// Anything else.
    case other
}
