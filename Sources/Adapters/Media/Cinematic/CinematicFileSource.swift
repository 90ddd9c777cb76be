import CoreMedia
import CoreVideo
import Foundation
import Optics
import Pipeline
import Synchronization

/// Source of a cinematic movie's frames, upright, each with its disparity map as it was recorded and with its metadata.
///
///     let source = try CinematicFileSource(path: "take.mov")
///     while let (frame, sample) = try source.next() { … }     // frame.disparity, sample.circle
///
/// Frames are paired by their times. A movie that was cut off ends with the last frame that has all three. `Sources/CINEMATIC-MOVIE.md` has the layout of
/// the file.
public final class CinematicFileSource: CinematicFrameSource {
    /// Size, rate and length of the pictures.
    public let description: SourceDescription
    private let video: VideoFileSource
    private let edited: [CinematicSample]?
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let maps: DisparityTrackReader
        let metadata: CinematicMetadataReader
        /// Time of the first picture that lacks something; nil where none does.
        var end: CMTime?
    }

    /// Opens pictures, disparity and metadata; throws `MediaError`.
    ///
    /// - Parameter edited: metadata in place of those recorded, a sample for each; nil is as recorded.
    public init(path: String, reading: FootageReading = FootageReading(), edited: [CinematicSample]? = nil) throws(MediaError) {
        video = try VideoFileSource(path: path, pictureDuration: CMTime(value: 1, timescale: 30), reading: reading)
        self.edited = edited
        let start = try Input(.footage(path)).pictureTime
        let metadata = try CinematicMetadataReader(path: path, start: start)
        guard let first = try metadata.peek() else {
            throw MediaError(code: .unsupported, path: path, reason: "is a cinematic movie without the metadata of a single frame")
        }
        var description = video.description
        description.focalLength = first.sample.lens.focalLength
        self.description = description
        let maps = try DisparityTrackReader(path: path, orientation: video.orientation, start: start)
        if let start = video.start { maps.seek(to: start - description.halfFrame) }
        state = Mutex(State(maps: maps, metadata: metadata))
    }

    /// Pictures at the end without disparity or metadata, which are left out.
    public var remarks: [String] {
        video.remarks
            + state.withLock { state in
                state.end.map { [String(format: "the pictures from %.3f s on have no disparity or no metadata and are left out", $0.seconds)] } ?? []
            }
    }

    /// Makes a frame the next one; what lies before it is passed over. Throws `MediaError` for damage there.
    ///
    /// - Parameters:
    ///   - number: number of its metadata in the movie.
    ///   - time: its time.
    public func seek(to number: Int, at time: CMTime) throws {
        try state.withLock { state in
            let last = number > 0 ? try state.metadata.time(before: time) : nil
            // At a variable rate others may lie within half of the average.
            let between = last.map { CMTimeMultiplyByRatio($0 + time, multiplier: 1, divisor: 2) }
            let before = max(time - description.halfFrame, between ?? .zero)
            try video.seek(to: before)
            state.maps.seek(to: before)
            state.metadata.seek(to: number, at: time)
            state.end = nil
        }
    }

    /// Reads the next frame with its disparity and its metadata, which is in the same, upright picture; nil at the end.
    public func next() throws -> (frame: Frame, sample: CinematicSample)? {
        try state.withLock { state in
            guard state.end == nil, var frame = try video.nextFrame() else { return nil }
            let half = description.halfFrame
            guard let entry = try metadata(&state, of: frame, from: frame.presentationTime - half) else {
                state.end = frame.presentationTime
                return nil
            }
            guard entry.time <= frame.presentationTime + half else { throw missing("metadata", at: frame) }
            switch try state.maps.map(at: frame.presentationTime, within: half, entry.sample.disparity) {
            case .map(let map): frame.disparity = map
            case .later: throw missing("disparity", at: frame)
            case .end:
                state.end = frame.presentationTime
                return nil
            }
            let sample = edited.flatMap { $0.indices.contains(entry.number) ? $0[entry.number] : nil } ?? entry.sample
            (frame.index, frame.shot) = (entry.number, sample.shot)
            return (frame, video.orientation.upright(sample))
        }
    }

    /// Metadata nearest to a frame, from a time on; nil behind the last.
    private func metadata(_ state: inout State, of frame: Frame, from earliest: CMTime) throws(MediaError) -> CinematicMetadataReader.Entry? {
        var entry = try state.metadata.next()
        while let early = entry, early.time < earliest { entry = try state.metadata.next() }
        guard var nearest = entry else { return nil }
        func distance(_ entry: CinematicMetadataReader.Entry) -> CMTime { CMTimeAbsoluteValue(entry.time - frame.presentationTime) }
        // At a variable rate several may lie within half of the average.
        while let later = try state.metadata.peek(), distance(later) < distance(nearest) {
            nearest = later
            _ = try state.metadata.next()
        }
        return nearest
    }

    /// Point of the upright picture for one of the stored picture, both 0…1.
    public func upright(_ point: CGPoint) -> CGPoint { video.orientation.upright(point) }

    /// Box of the stored picture for one of the upright picture, both 0…1.
    public func stored(_ box: CGRect) -> CGRect { video.orientation.inverse.upright(box) }

    private func missing(_ what: String, at frame: Frame) -> MediaError {
        MediaError(
            code: .mismatch, path: video.path,
            reason: String(format: "has no %@ for the picture at %.3f s, but for later ones", what, frame.presentationTime.seconds))
    }
}

extension Orientation {
    /// Metadata of a stored picture in its upright one.
    func upright(_ sample: CinematicSample) -> CinematicSample {
        guard self != .upright else { return sample }
        var sample = sample
        sample.focus.fixedPoint = sample.focus.fixedPoint.map(upright)
        let posture = posture
        for index in sample.detections.indices {
            sample.detections[index].bounds = upright(sample.detections[index].bounds)
            if let roll = sample.detections[index].roll {
                let turned = (roll + Double(posture.rotation)).truncatingRemainder(dividingBy: 360)
                sample.detections[index].roll = posture.isMirrored && turned != 0 ? 360 - turned : turned
            }
            if posture.isMirrored, let yaw = sample.detections[index].yaw { sample.detections[index].yaw = -yaw }
        }
        return sample
    }

    /// Box of a stored picture in its upright one, both 0…1.
    func upright(_ box: CGRect) -> CGRect {
        let (from, to) = (upright(CGPoint(x: box.minX, y: box.minY)), upright(CGPoint(x: box.maxX, y: box.maxY)))
        return CGRect(x: min(from.x, to.x), y: min(from.y, to.y), width: abs(to.x - from.x), height: abs(to.y - from.y))
    }

    /// Point of a stored picture in its upright one, both 0…1.
    fileprivate func upright(_ point: CGPoint) -> CGPoint {
        CGPoint(
            x: CGFloat(a) * point.x + CGFloat(c) * point.y + (a + c < 0 ? 1 : 0), y: CGFloat(b) * point.x + CGFloat(d) * point.y + (b + d < 0 ? 1 : 0)
        )
    }
}
