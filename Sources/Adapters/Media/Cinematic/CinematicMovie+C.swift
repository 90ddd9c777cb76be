internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// A cinematic movie: the sharp picture, its disparity, and the metadata of every frame, by which it can be focused again.
///
///     let movie = try CinematicMovie(path: "take.mov")
///     let source = try CinematicFileSource(movie)
///     while let (frame, sample) = try source.next() { … }     // frame.disparity, sample.circle
///
/// Only the metadata are read here, all at once. `Sources/CINEMATIC-MOVIE.md` has the layout of the file.
public final class CinematicMovie: Sendable {
    /// Metadata of one frame.
    public struct Entry: Sendable, Equatable {
        /// Presentation time; the first picture is at zero.
        public var time: CMTime
        /// Metadata.
        public var sample: CinematicSample
    }

    /// Path as the caller gave it.
    public let path: String
    /// Tracks in the order of the file.
    public let tracks: [MovieTrackSummary]
    /// Metadata of the frames, in order of time; never empty.
    public let entries: [Entry]
    /// Exact time of one picture, where the rate is constant.
    public let frameDuration: CMTime
    /// Metadata of the container, under its own keys.
    public let metadata: [String: String]

    /// Key of the movie item that says that a movie is cinematic, as in a phone's file.
    static let item = "com.apple.quicktime.cinematic-video"

    /// Reads the metadata. Throws `MediaError` for a movie that is not cinematic, naming what it lacks, for damage, and for a later version.
    public init(path: String) throws(MediaError) {
        let input = try Input(.footage(path))
        self.path = path
        metadata = input.metadata
        var tracks = input.streams.map { stream in
            var track = MovieTrackSummary(empty: stream)
            if stream.pointee.duration > 0, let end = stream.timeBase?.time(stream.pointee.duration) { track.end = end }
            return track
        }
        let lacking = [MovieTrackSummary.Kind.picture, .disparity, .metadata].filter { kind in !tracks.contains { $0.kind == kind } }
        guard lacking.isEmpty, let stream = input.streams.first(where: { $0.mark == .cinematicMetadata }), let base = stream.timeBase else {
            let has = tracks.isEmpty ? "no tracks" : tracks.map(\.kind.rawValue).joined(separator: ", ")
            let lacks = lacking.map(\.rawValue).joined(separator: " and ")
            if lacking == [.metadata], input.hasPhoneDisparity {
                throw MediaError(
                    code: .unsupported, path: path,
                    reason: "has picture and disparity, but no decisions that can be read: a phone keeps them in a format of its own; "
                        + "`rackfocus render --video FILE --cinematic take.mov` makes a cinematic movie of it with decisions made anew")
            }
            throw MediaError(code: .unsupported, path: path, reason: "is no cinematic movie: it has \(has), but lacks \(lacks)")
        }
        let start = input.pictureStart.map { av_rescale_q($0.ticks, $0.stream.pointee.time_base, stream.pointee.time_base) } ?? 0
        for other in input.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
        let packet = try FFmpegPacket(for: path)
        var entries: [Entry] = []
        while true {
            av_packet_unref(packet.pointer)
            let read = av_read_frame(input.context, packet.pointer)
            if read == RF_AVERROR_EOF { break }
            guard read >= 0 else {
                throw MediaError(
                    code: .corrupt, path: path, reason: "is damaged: its metadata cannot be read on", underlying: read,
                    underlyingText: FFmpeg.takeLines(of: input.context) ?? FFmpeg.text(read))
            }
            guard packet.pointer.pointee.stream_index == stream.pointee.index else { continue }
            entries.append(try Self.entry(packet.pointer.pointee, base, start: start, path: path, number: entries.count))
        }
        try input.checkReads()
        // Of fragments FFmpeg knows what it has come by.
        for (index, stream) in input.streams.enumerated() {
            tracks[index].samples = max(Int(clamping: stream.pointee.nb_frames), Int(avformat_index_get_entries_count(stream)))
        }
        guard !entries.isEmpty else {
            throw MediaError(code: .unsupported, path: path, reason: "is a cinematic movie without the metadata of a single frame")
        }
        self.tracks = tracks
        frameDuration = input.frameDuration ?? CMTime(value: 1, timescale: 30)
        self.entries = entries
    }

    /// The same movie with other metadata, a sample for each of its frames: edited ones.
    public init(_ movie: CinematicMovie, samples: [CinematicSample]) {
        precondition(samples.count == movie.entries.count, "there is a sample for each frame")
        (path, tracks, frameDuration, metadata) = (movie.path, movie.tracks, movie.frameDuration, movie.metadata)
        entries = zip(movie.entries, samples).map { Entry(time: $0.time, sample: $1) }
    }

    /// SHA-256 of the metadata, as of `CinematicDigest`: it names a take also after its container was copied.
    public var digest: String {
        var digest = CinematicDigest()
        for entry in entries { digest.add(entry.sample.data, at: entry.time) }
        return digest.text
    }

    private static func entry(_ packet: AVPacket, _ base: TimeBase, start: Int64, path: String, number: Int) throws(MediaError) -> Entry {
        guard packet.pts != RF_AV_NOPTS_VALUE, let time = base.time(packet.pts, since: start), packet.size > 0, let bytes = packet.data else {
            throw MediaError(code: .corrupt, path: path, reason: "is damaged: the metadata of frame \(number) have no time or no content")
        }
        do {
            return Entry(time: time, sample: try CinematicSample(Data(bytes: bytes, count: Int(packet.size))))
        } catch {
            throw MediaError(
                code: error.isOfLaterVersion ? .unsupported : .corrupt, path: path,
                reason: error.isOfLaterVersion ? error.reason : "is damaged: the metadata of frame \(number) cannot be read: \(error.reason)")
        }
    }

    /// Time of the first picture after the container's zero, seconds as a fraction.
    static func pictureStart(of path: String) throws(MediaError) -> CMTime {
        guard let first = try Input(.footage(path)).pictureStart, let base = first.stream.timeBase else { return .zero }
        return base.time(first.ticks) ?? .zero
    }
}

extension Input {
    /// Whether there is disparity or metadata of a cinematic movie.
    var hasCinematicTracks: Bool { streams.contains { $0.mark != nil } }

    /// Exact time of one picture; nil where the file does not say.
    fileprivate var frameDuration: CMTime? {
        guard let stream = bestStream(AVMEDIA_TYPE_VIDEO) else { return nil }
        func rate(_ value: AVRational) -> (Int64, Int64)? { value.num > 0 && value.den > 0 ? (Int64(value.num), Int64(value.den)) : nil }
        return Timeline.frameDuration(average: rate(stream.pointee.avg_frame_rate), real: rate(stream.pointee.r_frame_rate))
    }
}

extension MovieTrackSummary {
    /// Track of a stream, without its samples.
    init(empty stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        let isSound = parameters.codec_type == AVMEDIA_TYPE_AUDIO
        kind =
            switch (stream.mark, parameters.codec_type) {
            case (.disparity, _): .disparity
            case (.cinematicMetadata, _): .metadata
            case (_, AVMEDIA_TYPE_VIDEO): .picture
            case (_, AVMEDIA_TYPE_AUDIO): .sound
            default: .other
            }
        coding = parameters.codec_id == AV_CODEC_ID_NONE ? "unknown" : String(cString: avcodec_get_name(parameters.codec_id))
        name = av_dict_get(stream.pointee.metadata, "handler_name", nil, 0)
            .map { String(cString: $0.pointee.value).trimmingCharacters(in: .whitespaces) }
        size = parameters.codec_type == AVMEDIA_TYPE_VIDEO ? [Int(parameters.width), Int(parameters.height)] : nil
        sampleRate = isSound ? Int(parameters.sample_rate) : nil
        channels = isSound ? Int(parameters.ch_layout.nb_channels) : nil
    }
}
