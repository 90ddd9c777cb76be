import CoreMedia
import CoreVideo
import Foundation
import Optics
import Pipeline
import Synchronization

/// Source of a cinematic movie's frames, upright, each with its disparity map as it was recorded and with its metadata.
///
/// Frames are paired by their times. A movie that was cut off ends with the last frame that has all three.
public final class CinematicFileSource: FrameSource {
    /// Size, rate and length of the pictures.
    public let description: SourceDescription
    /// Movie that is read.
    public let movie: CinematicMovie
    private let video: VideoFileSource
    private let state: Mutex<State>

    private struct State: ~Copyable {
        let maps: DisparityTrackReader
        /// Number of the next entry of the movie.
        var next = 0
        /// Time of the first picture that lacks something; nil where none does.
        var end: CMTime?
    }

    /// Opens pictures and disparity; throws `MediaError`.
    public init(_ movie: CinematicMovie, reading: FootageReading = FootageReading()) throws(MediaError) {
        self.movie = movie
        video = try VideoFileSource(path: movie.path, pictureDuration: CMTime(value: 1, timescale: 30), reading: reading)
        var description = video.description
        description.focalLength = movie.entries[0].sample.lens.focalLength
        self.description = description
        state = Mutex(State(maps: try DisparityTrackReader(path: movie.path, orientation: video.orientation)))
    }

    /// Pictures at the end without disparity or metadata, which are left out.
    public var remarks: [String] {
        video.remarks
            + state.withLock { state in
                state.end.map { [String(format: "the pictures from %.3f s on have no disparity or no metadata and are left out", $0.seconds)] } ?? []
            }
    }

    /// Makes the frame of an entry of the movie the next one; what lies before it is passed over. Throws `MediaError` for damage there.
    public func seek(to number: Int) throws {
        let time = movie.entries[number].time - CMTimeMultiplyByRatio(description.frameDuration, multiplier: 1, divisor: 2)
        try state.withLock { state in
            try video.seek(to: time)
            state.maps.seek(to: time)
            (state.next, state.end) = (number, nil)
        }
    }

    /// Reads the next frame with its disparity; nil at the end.
    public func nextFrame() throws -> Frame? { try next()?.frame }

    /// Reads the next frame with its disparity and its metadata, which is in the same, upright picture; nil at the end. Its index is that of the entry.
    public func next() throws -> (frame: Frame, sample: CinematicSample)? {
        try state.withLock { state in
            guard state.end == nil, var frame = try video.nextFrame() else { return nil }
            let half = CMTimeMultiplyByRatio(description.frameDuration, multiplier: 1, divisor: 2)
            let (earliest, latest) = (frame.presentationTime - half, frame.presentationTime + half)
            while state.next < movie.entries.count, movie.entries[state.next].time < earliest { state.next += 1 }
            // At a variable rate several may lie within half of the average.
            while state.next + 1 < movie.entries.count, isNearer(state.next + 1, than: state.next, to: frame) { state.next += 1 }
            guard state.next < movie.entries.count else {
                state.end = frame.presentationTime
                return nil
            }
            let entry = movie.entries[state.next]
            guard entry.time <= latest else { throw missing("metadata", at: frame) }
            state.next += 1
            switch try state.maps.map(from: earliest, to: latest, entry.sample.disparity) {
            case .map(let map): frame.disparity = map
            case .later: throw missing("disparity", at: frame)
            case .end:
                state.end = frame.presentationTime
                return nil
            }
            (frame.index, frame.shot) = (state.next - 1, entry.sample.shot)
            return (frame, video.orientation.upright(entry.sample))
        }
    }

    /// Point of the upright picture for one of the stored picture, both 0…1.
    package func upright(_ point: CGPoint) -> CGPoint { video.orientation.upright(point) }

    /// Box of the stored picture for one of the upright picture, both 0…1.
    package func stored(_ box: CGRect) -> CGRect { video.orientation.inverse.upright(box) }

    private func isNearer(_ one: Int, than other: Int, to frame: Frame) -> Bool {
        func distance(_ entry: Int) -> CMTime { CMTimeAbsoluteValue(movie.entries[entry].time - frame.presentationTime) }
        return distance(one) < distance(other)
    }

    private func missing(_ what: String, at frame: Frame) -> MediaError {
        MediaError(
            code: .mismatch, path: movie.path,
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
    fileprivate func upright(_ box: CGRect) -> CGRect {
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
