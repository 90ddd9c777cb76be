internal import CFFmpeg
import CoreMedia
import Foundation

/// Tracks that a movie takes over from the file of its footage: all sound, cut and timed with the pictures, the first of which is at time zero, as it
/// is or, where the container has no place for it, as ALAC; and the timecode, date and chapters that the file gives.
final class FootageTracks {
    /// Tracks, and ends of tracks, that the movie does not have, each with its reason.
    private(set) var remarks: [String] = []
    private let input: Input
    private let streams: [UnsafeMutablePointer<AVStream>]
    /// Of each stream; nil for one that is copied.
    private let transcoders: [(any SoundTrackConverter)?]
    /// Start of the pictures in the ticks of each stream.
    private let starts: [Int64]
    /// Time of the movie's first picture in the file, nanoseconds.
    private let zero: Int64
    /// Timecode of the movie's first picture; nil for the file's own.
    private let timecode: String?
    private let packet: FFmpegPacket
    /// Place in `streams` and start, in the movie's time, of the packet that was read last; nil once it is written.
    private var next: (track: Int, start: CMTime)?
    private var isOver = false

    /// Nil for an image sequence and for a file that cannot be opened, which the reader of its pictures says better.
    ///
    /// - Parameter movie: path of the movie, whose extension decides which codings it holds.
    init?(of footage: MovieFileWriter.Footage, for movie: String) throws {
        let path = footage.path
        guard let input = try? Input(.footage(path, mayBeCut: true)) else { return nil }
        self.input = input
        packet = try FFmpegPacket(for: path)
        let container = MovieContainer(movie) ?? .mp4
        let format = av_guess_format(container.muxer, nil, nil)
        var (taken, transcoders): ([UnsafeMutablePointer<AVStream>], [(any SoundTrackConverter)?]) = ([], [])
        let hasStereo = input.streams.contains { $0.isSound && !$0.isAmbisonic && $0.pointee.codecpar.pointee.ch_layout.nb_channels == 2 }
        for stream in input.streams {
            stream.pointee.discard = AVDISCARD_ALL
            guard stream.isSound else { continue }
            if footage.mixesAmbisonics, stream.isAmbisonic, stream.timeBase != nil {
                guard !hasStereo else { continue }
                if let mixer = try AmbisonicMixer(stream, path: path) {
                    remarks.append("\(Self.name(stream, path)) is ambisonic; it became stereo")
                    stream.pointee.discard = AVDISCARD_DEFAULT
                    taken.append(stream)
                    transcoders.append(mixer)
                    continue
                }
            }
            let coding = stream.pointee.codecpar.pointee.codec_id
            let isTaken = stream.timeBase != nil && avformat_query_codec(format, coding, FF_COMPLIANCE_NORMAL) == 1
            let transcoder = isTaken || stream.timeBase == nil ? nil : try SoundTranscoder(stream, path: path)
            guard isTaken || transcoder != nil else {
                remarks.append(
                    "\(Self.name(stream, path)) is left out: its sound is \(String(cString: avcodec_get_name(coding))), for which "
                        + "\(container.rawValue.uppercased()) has no place; give an output that ends in .mov or .mkv"
                        + (stream.isAmbisonic && !hasStereo ? ", or --stereo" : ""))
                continue
            }
            if transcoder != nil {
                remarks.append(
                    "\(Self.name(stream, path)) is \(String(cString: avcodec_get_name(coding))), for which \(container.rawValue.uppercased()) has no "
                        + "place; it became ALAC, which loses nothing")
            }
            stream.pointee.discard = AVDISCARD_DEFAULT
            taken.append(stream)
            transcoders.append(transcoder)
        }
        (streams, self.transcoders) = (taken, transcoders)
        let first = input.pictureStart
        let offset = AVRational(num: 1, den: footage.start.timescale)
        starts = taken.map { stream in
            let base = stream.pointee.time_base
            return (first.map { av_rescale_q($0.ticks, $0.stream.pointee.time_base, base) } ?? 0) + av_rescale_q(footage.start.value, offset, base)
        }
        timecode = footage.timecode
        let nanosecond = AVRational(num: 1, den: 1_000_000_000)
        zero =
            (first.map { av_rescale_q($0.ticks, $0.stream.pointee.time_base, nanosecond) } ?? 0)
            + av_rescale_q(footage.start.value, offset, nanosecond)
    }

    /// Sound tracks of a file, in words; none of an image sequence.
    static func soundNames(of path: String) -> [String] {
        guard let input = try? Input(.footage(path, mayBeCut: true)) else { return [] }
        return input.streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
            .map { name($0, path) }
    }

    private static func name(_ stream: UnsafeMutablePointer<AVStream>, _ path: String) -> String { "track \(stream.pointee.index) of \(path)" }

    /// Timecode of the first picture and date of the take, as far as the file gives them.
    var metadata: [String: String] {
        let pictures = input.bestStream(AVMEDIA_TYPE_VIDEO)
        var metadata: [String: String] = [:]
        for key in ["timecode", "creation_time"] {
            let entry = av_dict_get(pictures?.pointee.metadata, key, nil, 0) ?? av_dict_get(input.context.pointee.metadata, key, nil, 0)
            metadata[key] = entry.map { String(cString: $0.pointee.value) }
        }
        if let timecode { metadata["timecode"] = timecode }
        return metadata
    }

    /// Chapters of the file in the movie's time, nanoseconds, with their metadata; those before its first picture are left out.
    var chapters: [(start: Int64, end: Int64, title: String?)] {
        let unit = AVRational(num: 1, den: 1_000_000_000)
        return (0..<Int(input.context.pointee.nb_chapters)).compactMap { index in
            guard let chapter = input.context.pointee.chapters[index] else { return nil }
            let base = chapter.pointee.time_base
            let title = av_dict_get(chapter.pointee.metadata, "title", nil, 0).map { String(cString: $0.pointee.value) }
            let (start, end) = (av_rescale_q(chapter.pointee.start, base, unit) - zero, av_rescale_q(chapter.pointee.end, base, unit) - zero)
            return end > 0 ? (max(start, 0), end, title) : nil
        }
    }

    /// Parameters of the tracks, for the muxer.
    var tracks: [MovieMuxer.TrackDescription] {
        zip(streams, transcoders).map { stream, transcoder in
            { [path = input.path] copy in
                try FFmpeg.checkMemory(av_dict_copy(&copy.pointee.metadata, stream.pointee.metadata, 0), path: path)
                if let transcoder { return try transcoder.describe(copy) }
                try FFmpeg.check(avcodec_parameters_copy(copy.pointee.codecpar, stream.pointee.codecpar), "describe the sound", path: path)
                // Codes of the other container mean nothing here.
                copy.pointee.codecpar.pointee.codec_tag = 0
                copy.pointee.time_base = stream.pointee.time_base
            }
        }
    }

    /// Writes the sound that begins before `end`, in the movie's time, to the tracks from `first` on.
    func write(until end: CMTime, to muxer: MovieMuxer, from first: Int) throws {
        while let next = read(), next.start < end {
            self.next = nil
            let base = streams[next.track].pointee.time_base
            guard let transcoder = transcoders[next.track] else {
                try muxer.write(packet, track: first + next.track, timeBase: base)
                continue
            }
            try transcoder.transcode(packet, base: base) { try muxer.write($0, track: first + next.track, timeBase: transcoder.timeBase) }
        }
    }

    /// Writes what the transcoders hold back.
    func finish(to muxer: MovieMuxer, from first: Int) throws {
        for (track, transcoder) in transcoders.enumerated() {
            guard let transcoder else { continue }
            try transcoder.transcode(nil, base: transcoder.timeBase) { try muxer.write($0, track: first + track, timeBase: transcoder.timeBase) }
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

extension UnsafeMutablePointer<AVStream> {
    fileprivate var isSound: Bool { pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }

    /// Whether it holds first-order ambisonics, by its mark.
    fileprivate var isAmbisonic: Bool {
        let layout = pointee.codecpar.pointee.ch_layout
        return isSound && layout.order == AV_CHANNEL_ORDER_AMBISONIC && layout.nb_channels == 4
    }
}
