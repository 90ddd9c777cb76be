internal import CFFmpeg
import CoreMedia
import Foundation

/// Tracks that a movie takes over from the file of its footage as they are: all sound, cut and timed with the pictures, the first of which is at time
/// zero; and the timecode and date that the file gives.
final class FootageTracks {
    /// Tracks, and ends of tracks, that the movie does not have, each with its reason.
    private(set) var remarks: [String] = []
    private let input: Input
    private let streams: [UnsafeMutablePointer<AVStream>]
    /// Start of the pictures in the ticks of each stream.
    private let starts: [Int64]
    private let packet: FFmpegPacket
    /// Place in `streams` and start, in the movie's time, of the packet that was read last; nil once it is written.
    private var next: (track: Int, start: CMTime)?
    private var isOver = false

    /// Nil for an image sequence and for a file that cannot be opened, which the reader of its pictures says better.
    ///
    /// - Parameter movie: path of the movie, whose extension decides which codings it holds.
    init?(of path: String, for movie: String) throws(MediaError) {
        guard let input = try? Input(.footage(path, mayBeCut: true)) else { return nil }
        self.input = input
        packet = try FFmpegPacket(for: path)
        let container = MovieMuxer.isQuickTime(movie) ? "mov" : "mp4"
        let format = av_guess_format(container, nil, nil)
        var taken: [UnsafeMutablePointer<AVStream>] = []
        for stream in input.streams {
            stream.pointee.discard = AVDISCARD_ALL
            guard stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO else { continue }
            let coding = stream.pointee.codecpar.pointee.codec_id
            guard avformat_query_codec(format, coding, FF_COMPLIANCE_NORMAL) == 1, stream.timeBase != nil else {
                remarks.append(
                    "track \(stream.pointee.index) of \(path) is left out: its sound is \(String(cString: avcodec_get_name(coding))), for which "
                        + "\(container.uppercased()) has no place; give an output that ends in .mov")
                continue
            }
            stream.pointee.discard = AVDISCARD_DEFAULT
            taken.append(stream)
        }
        streams = taken
        let start = input.pictureStart
        starts = taken.map { stream in start.map { av_rescale_q($0.ticks, $0.stream.pointee.time_base, stream.pointee.time_base) } ?? 0 }
    }

    /// Timecode of the first picture and date of the take, as far as the file gives them.
    var metadata: [String: String] {
        let pictures = input.bestStream(AVMEDIA_TYPE_VIDEO)
        var metadata: [String: String] = [:]
        for key in ["timecode", "creation_time"] {
            let entry = av_dict_get(pictures?.pointee.metadata, key, nil, 0) ?? av_dict_get(input.context.pointee.metadata, key, nil, 0)
            metadata[key] = entry.map { String(cString: $0.pointee.value) }
        }
        return metadata
    }

    /// Parameters of the tracks, for the muxer.
    var tracks: [MovieMuxer.TrackDescription] {
        streams.map { stream in
            { [path = input.path] copy in
                try FFmpeg.check(avcodec_parameters_copy(copy.pointee.codecpar, stream.pointee.codecpar), "describe the sound", path: path)
                // Codes of the other container mean nothing here.
                copy.pointee.codecpar.pointee.codec_tag = 0
                copy.pointee.time_base = stream.pointee.time_base
                try FFmpeg.checkMemory(av_dict_copy(&copy.pointee.metadata, stream.pointee.metadata, 0), path: path)
            }
        }
    }

    /// Writes the sound that begins before `end`, in the movie's time, to the tracks from `first` on.
    func write(until end: CMTime, to muxer: MovieMuxer, from first: Int) throws {
        while let next = read(), next.start < end {
            self.next = nil
            try muxer.write(packet, track: first + next.track, timeBase: streams[next.track].pointee.time_base)
        }
    }

    /// The next packet of sound, moved to the movie's time; nil at the end, also where it cannot be read on. Sound before the first picture is left out,
    /// but for the packet that ends there, with which a decoder begins.
    private func read() -> (track: Int, start: CMTime)? {
        while next == nil, !isOver, !streams.isEmpty {
            av_packet_unref(packet.pointer)
            let result = av_read_frame(input.context, packet.pointer)
            guard result >= 0 else {
                isOver = true
                let isWhole = result == RF_AVERROR_EOF && (try? input.checkReads()) != nil
                if !isWhole { remarks.append("the sound of \(input.path) ends early: it is damaged") }
                continue
            }
            guard let track = streams.firstIndex(where: { $0.pointee.index == packet.pointer.pointee.stream_index }),
                let times = moved(packet.pointer.pointee, of: track), times.end >= .zero
            else { continue }
            (packet.pointer.pointee.pts, packet.pointer.pointee.dts) = (times.pts, times.dts)
            next = (track, times.start)
        }
        return next
    }

    /// Timestamps of a packet after the first picture's; nil where it has none that a movie can have.
    private func moved(_ packet: AVPacket, of track: Int) -> (pts: Int64, dts: Int64, start: CMTime, end: CMTime)? {
        let zero = starts[track]
        guard packet.pts != RF_AV_NOPTS_VALUE, packet.dts != RF_AV_NOPTS_VALUE, packet.duration >= 0, let base = streams[track].timeBase,
            let start = base.time(packet.pts, since: zero), base.time(packet.dts, since: zero) != nil, let duration = base.time(packet.duration)
        else { return nil }
        return (packet.pts - zero, packet.dts - zero, start, start + duration)
    }
}
