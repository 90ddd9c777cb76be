import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// One request to record, used on the queue of its output only.
///
///     waiting ──first frame──► writing ──close──► closed
///        └─────────────────close──────────────────►┘
///
/// Sound is kept to the frames, where there are any: sound before the first, in a pause or after the last is left out, so both tracks stay in step.
final class Recording: @unchecked Sendable {
    let url: URL
    /// Connections at the start.
    let connections: [AVCaptureConnection]
    let delegate: any AVCaptureFileOutputRecordingDelegate
    /// Properties of the file, fixed at the start but for the sound.
    let wishes: Wishes
    private var phase = Phase.waiting
    private let converter = PictureConverter()
    /// Length of the file so far: the time in it of the next frame.
    private(set) var duration = CMTime.zero
    /// Offset from the session's time to the file's, and the start of the frames without a gap; nil when the next frame follows the last one
    /// whatever its time.
    private var stretch: (shift: CMTime, start: CMTime)?
    /// Tracks of a cinematic movie, decided by the first frame; nil until then, and for a plain movie.
    private var cinematic: MovieDescription.CinematicTracks?
    /// Decisions that were in effect at the last frame of a cinematic movie.
    private var known = DecisionsInEffect()
    /// Sound captured beyond the last frame.
    private var ahead: [Sound] = []
    /// Timed metadata of the app's, a track for each port.
    private var metadata: [MetadataTrack]

    private enum Phase {
        case waiting
        case writing(any MovieWriter)
        case closed
    }

    private struct MetadataTrack {
        let port: AVCaptureInput.Port
        var samples = MetadataSamples()
        /// Samples beyond the last frame, on the session's time.
        var ahead: [MovieSample] = []
    }

    /// Properties of the file that the client asked for.
    struct Wishes: Sendable {
        var codec = MovieDescription.Codec.h264
        var pixelFormat = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        var rotation = 0
        var isMirrored = false
        var metadata: [String: String] = [:]
        var fragments = MovieDescription.Fragments.all
        /// Ports of timed metadata of the app's.
        var timedMetadata: [AVCaptureInput.Port] = []

        /// Tracks of the timed metadata.
        var metadataTracks: [MovieContents.Track] {
            timedMetadata.map { MovieContents.Track(metadataKeys: $0.formatDescription?.metadataKeys ?? [], timescale: MetadataSamples.timescale) }
        }
    }

    init(url: URL, connections: [AVCaptureConnection], wishes: Wishes, delegate: any AVCaptureFileOutputRecordingDelegate) {
        self.connections = connections
        self.url = url
        self.wishes = wishes
        self.delegate = delegate
        metadata = wishes.timedMetadata.map { MetadataTrack(port: $0) }
    }

    var isClosed: Bool { if case .closed = phase { true } else { false } }

    /// Bytes in the file so far.
    var byteCount: Int64 { if case .writing(let writer) = phase { writer.byteCount } else { 0 } }

    /// Takes note of a gap, which ends with the next frame and is left out of the file.
    func leaveGap() {
        stretch = nil
        ahead = []
        for index in metadata.indices { metadata[index].ahead = [] }
    }

    /// Whether a file has a place for more than pictures and sound.
    static func isQuickTime(_ url: URL) -> Bool { ["mov", "qt"].contains(url.pathExtension.lowercased()) }

    /// Length that the file would have with a frame of `duration` at `time`.
    func duration(with duration: CMTime, at time: CMTime) -> CMTime { time - (stretch?.shift ?? time - self.duration) + duration }

    /// Disparity and metadata of a frame for the file, which the first frame makes a cinematic movie or a plain one: a MOV file while cinematic capture is
    /// enabled is cinematic.
    func cinematicFrame(of decided: DecidedFrame, diagnose: (String) -> Void) -> CinematicFrame? {
        switch phase {
        case .closed: return nil
        case .waiting:
            guard var frame = decided.cinematic else { return nil }
            guard Self.isQuickTime(url) else {
                diagnose("\(url.lastPathComponent) keeps the sharp picture alone: disparity and decisions need a MOV file; name the movie .mov")
                return nil
            }
            cinematic = .init(width: frame.disparity.width, height: frame.disparity.height)
            inform(&frame.sample, of: decided.earlier, at: decided.frame.presentationTime)
            return frame
        case .writing:
            guard let cinematic, var frame = decided.cinematic else { return nil }
            if (frame.disparity.width, frame.disparity.height) != (cinematic.width, cinematic.height) {
                frame.disparity = frame.disparity.resampled(width: cinematic.width, height: cinematic.height)
                frame.sample.disparity = DisparityCoding(of: frame.disparity)
            }
            inform(&frame.sample, of: decided.earlier, at: decided.frame.presentationTime)
            return frame
        }
    }

    /// Gives the first frame of the movie the decisions in effect before it, and one behind a gap those that were taken in the gap, which has no time in the
    /// file: they are taken, and land, in that frame.
    private func inform(_ sample: inout CinematicSample, of earlier: DecisionsInEffect, at time: CMTime) {
        let own = sample.decisions
        sample.decisions = earlier.decisions(with: own, since: known)
        if case .writing = phase { sample.decisions = sample.decisions.map { $0.deferred(to: time.nanoseconds) } }
        known = earlier
        known.take(own)
    }

    /// Writes a frame; true for the first.
    func append(
        _ picture: CVPixelBuffer, _ cinematic: CinematicFrame?, at time: CMTime, duration: CMTime, open: () throws -> any MovieWriter
    ) throws -> Bool {
        guard let (writer, isFirst) = try writer(open) else { return false }
        let stretch = beginStretch(at: time)
        let (image, place) = (converter.convert(picture, to: wishes.pixelFormat, rotation: 0, isMirrored: false), time - stretch.shift)
        if var cinematic {
            cinematic.sample = cinematic.sample.moved(by: place.nanoseconds - time.nanoseconds)
            try writer.append(image, with: cinematic, at: place)
        } else {
            try writer.append(image, at: place)
        }
        self.duration = place + duration
        try writeSound()
        try writeMetadata()
        return isFirst
    }

    /// Writes sound where there are no pictures; true for the first.
    func appendAlone(_ sound: Sound, open: () throws -> any MovieWriter) throws -> Bool {
        guard let (writer, isFirst) = try writer(open) else { return false }
        var part = sound
        part.presentationTime = sound.presentationTime - beginStretch(at: sound.presentationTime).shift
        try writer.append(part)
        duration = part.presentationTime + part.duration
        try writeMetadata()
        return isFirst
    }

    /// Writer of the file, opened for the first; nil once it is closed.
    private func writer(_ open: () throws -> any MovieWriter) throws -> (writer: any MovieWriter, isFirst: Bool)? {
        switch phase {
        case .waiting:
            let writer = try open()
            phase = .writing(writer)
            for index in metadata.indices { metadata[index].samples.begin() }
            return (writer, true)
        case .writing(let writer): return (writer, false)
        case .closed: return nil
        }
    }

    private func beginStretch(at time: CMTime) -> (shift: CMTime, start: CMTime) {
        let stretch = stretch ?? (shift: time - duration, start: time)
        self.stretch = stretch
        return stretch
    }

    /// Takes sound on the session's time, and writes the part that belongs to the frames written so far.
    func append(_ sound: Sound) throws {
        guard case .writing = phase, stretch != nil else { return }
        ahead.append(sound)
        try writeSound()
    }

    private func writeSound() throws {
        guard case .writing(let writer) = phase, let stretch, !ahead.isEmpty else { return }
        let end = duration + stretch.shift
        for sound in ahead {
            var part = sound.cut(from: stretch.start, to: end)
            part.presentationTime = part.presentationTime - stretch.shift
            if part.sampleCount > 0 { try writer.append(part) }
        }
        ahead = ahead.map { $0.cut(from: end) }.filter { $0.sampleCount > 0 }
    }

    /// Takes timed metadata on the session's time, once there is a frame; those of an earlier time hold from the frames' start, and those beyond the last
    /// frame are left out.
    func append(_ sample: MovieSample, from port: AVCaptureInput.Port) throws {
        guard case .writing = phase, let stretch, !sample.duration.isNumeric || sample.end > stretch.start,
            let index = metadata.firstIndex(where: { $0.port === port })
        else { return }
        var sample = sample
        if sample.time < stretch.start {
            if sample.duration.isNumeric { sample.duration = sample.end - stretch.start }
            sample.time = stretch.start
        }
        metadata[index].ahead.append(sample)
        try writeMetadata()
    }

    private func writeMetadata() throws {
        guard case .writing(let writer) = phase else { return }
        for index in metadata.indices {
            while let stretch, var next = metadata[index].ahead.first, next.time - stretch.shift < duration {
                metadata[index].ahead.removeFirst()
                next.time = next.time - stretch.shift
                metadata[index].samples.append(next)
            }
            metadata[index].samples.hold(until: duration)
            for sample in metadata[index].samples.take() { try writer.append(sample, toCodedTrack: index) }
        }
    }

    /// Ends the file; throws the error that kept it from being complete, after which it may be salvaged, and `noDataCaptured` when there is none.
    func close() throws {
        guard case .writing(let writer) = phase else {
            phase = .closed
            throw AVError(.noDataCaptured)
        }
        for index in metadata.indices { metadata[index].samples.finish(at: duration) }
        try writeMetadata()
        try writer.finish()
        phase = .closed
    }

    /// Ends the file after a failure; true where the part written before can be played.
    func salvage() -> Bool {
        defer { phase = .closed }
        guard case .writing(let writer) = phase else { return false }
        return writer.salvage()
    }
}

extension DisparityMap {
    /// The map at another size, without what it knows of confidence.
    fileprivate func resampled(width: Int, height: Int) -> DisparityMap {
        let whole = CGRect(x: 0, y: 0, width: 1, height: 1)
        return DisparityMap(buffer: DepthConverter.sample(buffer, as: Float.self, part: whole, width: width, height: height), isMetric: isMetric)
    }
}
