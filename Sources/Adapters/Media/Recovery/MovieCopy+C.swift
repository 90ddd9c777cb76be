internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// Remux of a movie: its packets in another file, untouched, with one index before them.
enum MovieCopy {
    /// Outcome of a copy.
    struct Result {
        /// End of the last sample, seconds.
        var seconds: Double
        /// Bytes of all samples.
        var mediaSize: Int64
        /// Place in the copied file behind the last sample that was kept.
        var mediaEnd: Int64
        /// Tracks in the order of the file.
        var tracks: [RecoveredTrack]
    }

    /// Copies a movie; throws `OutputError` or `MediaError`.
    ///
    /// - Parameters:
    ///   - name: final name of the copy, whose extension decides between MOV and MP4; `file` is the path written.
    ///   - movie: the recording's description, whose display matrix and metadata go along; nil reads them from the movie.
    ///   - footage: tracks that are added, and chapters; nil for none.
    ///   - pictureEnd: end of the last picture, of which FFmpeg takes an average length in a file of fragments; nil for that.
    ///   - soundEnd: end of the sound, inside of its last packet, which FFmpeg takes for a whole one in a file of fragments; nil for that of the packet.
    ///   - isCut: whether samples of the index may lie behind the end of the file; they are left out.
    static func copy(
        _ input: Input, as name: String, to file: String, movie: MovieDescription?, footage: FootageTracks? = nil, pictureEnd: CMTime? = nil,
        soundEnd: CMTime? = nil, isCut: Bool = false
    ) throws -> Result {
        let movie = movie ?? description(of: input)
        // Streams that are neither picture nor sound nor metadata of ours are left out.
        let streams = input.streams.filter(isKept)
        guard !streams.isEmpty else { throw damaged(input, "it holds neither pictures nor sound that can be told", nil) }
        let keys = streams.map(\.metadataKeys)
        let muxer = try MovieMuxer(
            path: name, file: file, movie: movie, chapters: footage?.chapters ?? [], isCut: footage != nil,
            tracks: zip(streams, keys).map { stream, keys in
                { copy in
                    try FFmpeg.check(avcodec_parameters_copy(copy.pointee.codecpar, stream.pointee.codecpar), "describe", path: name)
                    copy.pointee.time_base = stream.pointee.time_base
                    copy.pointee.avg_frame_rate = stream.pointee.avg_frame_rate
                    if stream.pointee.sample_aspect_ratio.num > 0 {
                        copy.pointee.codecpar.pointee.sample_aspect_ratio = stream.pointee.sample_aspect_ratio
                    }
                    if let mark = stream.mark { try copy.name(mark, path: name) }
                    if let keys { try copy.name(MetadataMark(keys: keys).roomyName, path: name) }
                }
            } + (footage?.tracks ?? []))
        let packet = try FFmpegPacket(for: name)
        var (end, mediaSize, mediaEnd) = (pictureEnd?.seconds ?? 0, Int64(0), Int64(0))
        var mostMissing = isCut ? input.streams.reduce(0) { $0 + Int(avformat_index_get_entries_count($1)) } : 0
        /// Length of the last picture.
        var lasting: (ticks: Int64, base: AVRational)?
        /// Samples of frames, and timed metadata, that last to the next sample of their track or, the last of them, to the end.
        var held: [Int: FFmpegPacket] = [:]
        var tracks = streams.map { RecoveredTrack(kind: .init($0)) }
        while true {
            av_packet_unref(packet.pointer)
            let read = av_read_frame(input.context, packet.pointer)
            if read == RF_AVERROR_EOF { break }
            if read == RF_AVERROR_INVALIDDATA, mostMissing > 0 {
                mostMissing -= 1
                continue
            }
            guard read >= 0 else { throw damaged(input, "its media cannot be read on", read) }
            let index = packet.pointer.pointee.stream_index
            guard packet.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT == 0, let track = streams.firstIndex(where: { $0.pointee.index == index })
            else { continue }
            let isPicture = streams[track].mark == nil && streams[track].pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
            // FFmpeg tells no length of pictures that are decoded in another order than shown, and writes the average one.
            let rate = streams[track].pointee.avg_frame_rate
            if isPicture, packet.pointer.pointee.duration == 0, rate.num > 0, rate.den > 0 {
                packet.pointer.pointee.duration = av_rescale_q(1, av_inv_q(rate), streams[track].pointee.time_base)
            }
            if streams[track].mark == .cinematicMetadata {
                // FFmpeg tells no length of a fragment's metadata, and the last one would end as it begins, outside of its track.
                if packet.pointer.pointee.duration == 0, let lasting {
                    packet.pointer.pointee.duration = av_rescale_q(lasting.ticks, lasting.base, streams[track].pointee.time_base)
                }
            } else if isPicture {
                lasting = (packet.pointer.pointee.duration, streams[track].pointee.time_base)
            }
            if let soundEnd, streams[track].pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO,
                let ticks = streams[track].timeBase?.ticks(soundEnd)
            {
                packet.pointer.pointee.duration = max(min(packet.pointer.pointee.duration, ticks - packet.times.pts), 1)
            }
            guard let packetEnd = self.end(of: packet.pointer.pointee, in: streams[track]) else { throw damaged(input, "a sample has no time", nil) }
            // Each frame has a sample in each of these tracks.
            let isOfFrame = streams[track].pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO || streams[track].mark == .cinematicMetadata
            if !isOfFrame || pictureEnd == nil { end = max(end, packetEnd.seconds) }
            mediaSize += Int64(packet.pointer.pointee.size)
            mediaEnd = max(mediaEnd, packet.pointer.pointee.pos + Int64(packet.pointer.pointee.size))
            tracks[track].samples += 1
            tracks[track].end = max(tracks[track].end, packetEnd)
            if isPicture, let time = streams[track].timeBase?.time(packet.times.pts) {
                try footage?.write(until: time, to: muxer, from: streams.count)
            }
            let base = streams[track].pointee.time_base
            if let held = held.removeValue(forKey: track) {
                // Of the last sample of a fragment FFmpeg tells another length.
                if isOfFrame { held.pointer.pointee.duration = packet.times.dts - held.times.dts }
                try muxer.write(held, track: track, timeBase: base)
            }
            if (isOfFrame && pictureEnd != nil) || (keys[track] != nil && packet.pointer.pointee.duration == 0) {
                held[track] = try packet.moved(for: name)
            } else {
                try muxer.write(packet, track: track, timeBase: base)
            }
        }
        for (track, held) in held.sorted(by: { $0.key < $1.key }) {
            let base = streams[track].pointee.time_base
            let last = keys[track] == nil ? pictureEnd?.seconds ?? end : end
            let start = Double(held.pointer.pointee.pts) * Double(base.num) / Double(base.den)
            held.pointer.pointee.duration = max(Int64(((last - start) * Double(base.den) / Double(base.num)).rounded()), 1)
            try muxer.write(held, track: track, timeBase: base)
        }
        try footage?.finish(at: pictureEnd ?? CMTime(seconds: end, preferredTimescale: 1_000_000_000), to: muxer, from: streams.count)
        try input.checkReads()
        try muxer.finish()
        try TrackMarks.write(to: file)
        return Result(seconds: end, mediaSize: mediaSize, mediaEnd: mediaEnd, tracks: tracks)
    }

    /// Whether every stream is picture, sound or metadata of ours.
    static func keepsAll(of input: Input) -> Bool { input.streams.allSatisfy(isKept) }

    private static func isKept(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO].contains(stream.pointee.codecpar.pointee.codec_type) || stream.mark == .cinematicMetadata
            || stream.metadataKeys != nil
    }

    /// Nil where a packet has no time that a movie can have.
    private static func end(of packet: AVPacket, in stream: UnsafeMutablePointer<AVStream>) -> CMTime? {
        guard packet.pts != RF_AV_NOPTS_VALUE, packet.dts != RF_AV_NOPTS_VALUE, packet.duration >= 0, let base = stream.timeBase,
            base.time(packet.dts) != nil, let start = base.time(packet.pts), let duration = base.time(packet.duration)
        else { return nil }
        return start + duration
    }

    private static func damaged(_ input: Input, _ reason: String, _ code: Int32?) -> MediaError {
        MediaError(
            code: .corrupt, path: input.path, reason: "is damaged: \(reason)", underlying: code,
            underlyingText: code.map { FFmpeg.takeLines(of: input.context) ?? FFmpeg.text($0) })
    }

    /// Posture, metadata and ambisonics, as far as a copy has to repeat them.
    private static func description(of input: Input) -> MovieDescription {
        var movie = MovieDescription(width: 0, height: 0, frameDuration: CMTime(value: 1, timescale: 30))
        for stream in input.streams {
            let parameters = stream.pointee.codecpar.pointee
            if parameters.codec_type == AVMEDIA_TYPE_VIDEO, stream.mark == nil {
                (movie.width, movie.height) = (Int(parameters.width), Int(parameters.height))
                guard let matrix = stream.displayMatrix else { continue }
                (movie.rotation, movie.isMirrored) = Orientation(displayMatrix: matrix)?.posture ?? (0, false)
            } else if parameters.codec_type == AVMEDIA_TYPE_AUDIO, parameters.ch_layout.nb_channels == 4 {
                movie.sound = .init(layout: .firstOrderAmbisonics, sampleRate: Int(parameters.sample_rate))
            }
        }
        movie.metadata = input.movieMetadata
        return movie
    }
}
