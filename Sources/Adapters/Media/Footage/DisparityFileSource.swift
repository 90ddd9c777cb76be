import CoreMedia
import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Source of a video with recorded disparity: a second video (FFV1 or another lossless grey) or an image sequence, matched by time. The rates may
/// differ. The second may be the disparity track of the same movie, a phone's.
///
/// The disparity may be of another size than the picture, with the same aspect: a larger one is thinned out, and cropped as pictures of odd sizes are.
public final class DisparityFileSource: FrameSource {
    /// Meaning of a map's grey codes. Floating-point samples (OpenEXR, PFM) are 1/m or metres as they are.
    public enum Coding: Sendable, Equatable {
        /// Disparity, larger is nearer: its values (1/m) at code 0 and at the highest code.
        case disparity(ClosedRange<Double>)
        /// Depth in 16 bits, larger is farther: metres a code, 0.001 for a Kinect. Code 0 is unmeasured: disparity 0 without confidence.
        case depth(metresPerCode: Double)
    }

    /// Size, rate and length of the video.
    public let description: SourceDescription
    /// Whether the maps are floating-point disparity, which is used as it is: nothing is measured in it, so nothing is to be refined.
    public let isExact: Bool
    private let video: VideoFileSource
    private let disparityPath: String
    private let coding: Coding
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let clip: ClipReader
        /// Orientation of the pictures, with which maps of the same movie are turned.
        let orientation: Orientation
        let grey = GrayReader()
        var pair: ClipPair<FFmpegFrame>
        /// Number of the next frame that has a map.
        var number: Int?
    }

    /// Opens both clips; throws `MediaError`, also where their lengths or aspects differ.
    ///
    /// - Parameters:
    ///   - disparity: a grey video or image sequence, best of 16 bits or floats.
    ///   - reading: choices of how the video is read.
    ///   - pictureDuration: time of one picture where both are image sequences; a disparity sequence follows its video.
    public init(
        video: String, disparity: String, coding: Coding = .disparity(0...1), pictureDuration: CMTime = CMTime(value: 1, timescale: 30),
        reading: FootageReading = FootageReading()
    ) throws(MediaError) {
        self.video = try VideoFileSource(path: video, pictureDuration: pictureDuration, reading: reading)
        description = self.video.description
        let isSameMovie = disparity == video && MovieDisparity(of: video) != nil
        let reader = try ClipReader(
            path: disparity, pictureDuration: description.frameDuration, mark: isSameMovie ? .disparity : nil, codesLight: false)
        let orientation = isSameMovie ? self.video.orientation : .upright
        guard reader.orientation == .upright || isSameMovie && reader.orientation == orientation else {
            throw MediaError(code: .unsupported, path: disparity, reason: "asks to be rotated; store disparity upright")
        }
        let size = orientation.size(of: (reader.width, reader.height))
        let (a, b) = (Double(description.width) / Double(description.height), Double(size.width) / Double(size.height))
        guard abs(a / b - 1) < 0.02 else {
            throw MediaError(
                code: .mismatch, path: disparity,
                reason: "is \(reader.width)x\(reader.height), which has not the aspect of \(video) (\(description.width)x\(description.height))")
        }
        disparityPath = disparity
        self.coding = coding
        if case .disparity = coding { isExact = reader.holdsFloats } else { isExact = false }
        let grey = SourceDescription(
            width: size.width, height: size.height, frameDuration: reader.frameDuration, frameCount: reader.frameCount)
        var side = ClipSide(reader, grey)
        if isSameMovie { side.path = "the disparity of \(video)" }
        if let start = self.video.start { try reader.seek(to: start - description.halfFrame) }
        let pair = try ClipPair<FFmpegFrame>(
            self.video.side, side, areEyes: false, isBeginning: reading.span.to != nil, isSought: self.video.start != nil)
        state = Mutex(State(clip: reader, orientation: orientation, pair: pair))
    }

    /// Frames of either clip left out, or paired with one that another had, and why.
    public var remarks: [String] { video.remarks + state.withLock { $0.pair.remarks } }

    /// Reads the next frame with its disparity; nil at the end of both, throws `MediaError` where one ends early.
    public func nextFrame() throws -> Frame? {
        try state.withLock { state in
            while true {
                let clip = state.clip
                func nextMap() throws -> ClipPair<FFmpegFrame>.Timed? { try clip.next().map { ($0.frame, $0.time) } }
                guard var frame = try video.nextFrame() else {
                    if !video.hasReachedEnd { try state.pair.finish(next: nextMap) }
                    return nil
                }
                guard let map = try state.pair.partner(at: frame.presentationTime, next: nextMap) else { continue }
                let stored = try state.grey.disparity(of: map, coding: coding, path: disparityPath)
                frame.index = state.number ?? video.firstNumber(frame)
                frame.disparity = stored.upright(state.orientation).fitted(to: description, of: video.uncropped)
                state.number = frame.index + 1
                return frame
            }
        }
    }
}

extension DisparityMap {
    /// Values nearest to a picture's pixels, for a map larger than it; the picture is the part from a place on of what has the size of `whole`.
    func fitted(to picture: SourceDescription, of whole: (width: Int, height: Int, x: Int, y: Int)) -> DisparityMap {
        guard width > picture.width || height > picture.height else { return self }
        let columns = (0..<picture.width).map { (2 * ($0 + whole.x) + 1) * width / (2 * whole.width) }
        let rows = (0..<picture.height).map { (2 * ($0 + whole.y) + 1) * height / (2 * whole.height) }
        func fitted<Value>(_ source: CVPixelBuffer, as type: Value.Type) -> CVPixelBuffer {
            let target = CVPixelBuffer(width: columns.count, height: rows.count, pixelFormat: source.format)
            for (y, row) in rows.enumerated() {
                let (from, to) = (source.plane(0).row(row, as: Value.self), target.plane(0).row(y, as: Value.self))
                for (x, column) in columns.enumerated() { to[x] = from[column] }
            }
            return target
        }
        return DisparityMap(buffer: fitted(buffer, as: Float.self), confidence: confidence.map { fitted($0, as: UInt8.self) }, isMetric: isMetric)
    }

    /// The map of a stored picture turned to that of the upright one.
    func upright(_ orientation: Orientation) -> DisparityMap {
        guard orientation != .upright, confidence == nil else { return self }
        let size = orientation.size(of: (width, height))
        let turned = CVPixelBuffer(width: size.width, height: size.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
        orientation.copy(buffer, to: turned)
        return DisparityMap(buffer: turned, isMetric: isMetric)
    }
}
