internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// One MOV or MP4 file: pictures in track 0, sound in the next.
final class MovieMuxer {
    /// How the index lies in the file.
    enum Layout {
        /// One index, before the media; nothing can be read until the file is finished.
        case indexFirst
        /// Every so often a piece with an index of its own: readable up to the last whole one at any time.
        case fragments(CMTime)
    }

    /// Fills in what a track holds.
    typealias Track = (UnsafeMutablePointer<AVStream>) throws -> Void

    private let path: String
    private let context: UnsafeMutablePointer<AVFormatContext>
    /// Bytes of packets so far, also of those that wait for their fragment to be complete.
    private(set) var mediaBytes: Int64 = 0

    /// - Parameters:
    ///   - path: the name the movie will have, for errors; `file` is what is written.
    init(path: String, file: String, movie: MovieDescription, layout: Layout, tracks: [Track]) throws {
        var container: UnsafeMutablePointer<AVFormatContext>?
        let name = Self.isQuickTime(path) ? "mov" : "mp4"
        guard avformat_alloc_output_context2(&container, nil, name, file) >= 0, let container else {
            throw MediaError(code: .missingEncoder, path: path, reason: "this FFmpeg cannot write \(name); install the Debian package libavformat59")
        }
        (self.path, context) = (path, container)
        FFmpeg.watch(context)
        context.pointee.flags |= AVFMT_FLAG_BITEXACT
        for fill in tracks {
            guard let stream = avformat_new_stream(context, nil) else { preconditionFailure("out of memory") }
            try fill(stream)
            if stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO { setPosture(of: stream, movie) }
            if stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO, movie.sound?.layout == .firstOrderAmbisonics {
                av_dict_set(&stream.pointee.metadata, "handler_name", AmbisonicMark.roomyName, 0)
            }
        }
        for (key, text) in movie.metadata.sorted(by: { $0.key < $1.key }) { av_dict_set(&context.pointee.metadata, key, text, 0) }
        try check(avio_open(&context.pointee.pb, "file:" + file, AVIO_FLAG_WRITE), "create")
        try writeHeader(layout, hasMetadata: !movie.metadata.isEmpty)
    }

    deinit {
        FFmpeg.unwatch(context)
        avio_closep(&context.pointee.pb)
        avformat_free_context(context)
    }

    /// By its extension a movie is QuickTime's own; all else is MP4.
    static func isQuickTime(_ path: String) -> Bool { ["mov", "qt"].contains((path as NSString).pathExtension.lowercased()) }

    private func writeHeader(_ layout: Layout, hasMetadata: Bool) throws {
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        let tags = hasMetadata ? "+use_metadata_tags" : ""
        switch layout {
        case .indexFirst: av_dict_set(&options, "movflags", "+faststart+write_colr" + tags, 0)
        case .fragments(let interval):
            // The index of the first fragment comes late, so that it can tell what a coder put ahead of the first sound.
            av_dict_set(&options, "movflags", "+delay_moov+default_base_moof+write_colr" + tags, 0)
            av_dict_set_int(&options, "frag_duration", max(1, Int64(interval.seconds * 1_000_000)), 0)
            context.pointee.flags |= AVFMT_FLAG_FLUSH_PACKETS
            // A track that falls silent must not hold back the others.
            context.pointee.max_interleave_delta = 200_000
        }
        try check(avformat_write_header(context, &options), "write the header")
    }

    /// Writes a packet whose times are in `timeBase`; the packet is used up.
    func write(_ packet: FFmpegPacket, track: Int, timeBase: AVRational) throws {
        mediaBytes += Int64(packet.pointer.pointee.size)
        packet.pointer.pointee.stream_index = Int32(track)
        packet.pointer.pointee.pos = -1
        av_packet_rescale_ts(packet.pointer, timeBase, context.pointee.streams[track]!.pointee.time_base)
        try check(av_interleaved_write_frame(context, packet.pointer), "write")
        try check(context.pointee.pb.pointee.error, "write")
    }

    /// Writes the rest and the index; the file is complete then, and closed.
    func finish() throws {
        try check(av_write_trailer(context), "write the index")
        avio_flush(context.pointee.pb)
        try check(context.pointee.pb.pointee.error, "write")
        try check(avio_closep(&context.pointee.pb), "write")
    }

    private func check(_ result: Int32, _ action: String) throws { try FFmpeg.check(result, action, path: path, context) }
}

extension MovieMuxer {
    /// Tells players how to turn the pictures, as a matrix over QuickTime's axes: x to the right, y down, 16.16 numbers.
    private func setPosture(of stream: UnsafeMutablePointer<AVStream>, _ movie: MovieDescription) {
        guard movie.rotation != 0 || movie.isMirrored else { return }
        var (a, b, c, d): (Int32, Int32, Int32, Int32) =
            switch movie.rotation {
            case 90: (0, 1, -1, 0)
            case 180: (-1, 0, 0, -1)
            case 270: (0, -1, 1, 0)
            default: (1, 0, 0, 1)
            }
        if movie.isMirrored { (a, c) = (-a, -c) }
        let (width, height) = (Int32(movie.width), Int32(movie.height))
        // Moves what the turn took to the negative side back into view.
        let x = (a < 0 ? width : 0) + (c < 0 ? height : 0)
        let y = (b < 0 ? width : 0) + (d < 0 ? height : 0)
        let matrix = [a << 16, b << 16, 0, c << 16, d << 16, 0, x << 16, y << 16, 1 << 30]
        guard let data = av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, MemoryLayout<Int32>.size * matrix.count) else {
            preconditionFailure("out of memory")
        }
        data.withMemoryRebound(to: Int32.self, capacity: matrix.count) { $0.update(from: matrix, count: matrix.count) }
    }
}

extension PictureEncoder {
    /// The track of its pictures.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws {
        try FFmpeg.check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "describe the pictures", path: "movie")
        stream.pointee.time_base = context.pointee.time_base
        stream.pointee.avg_frame_rate = context.pointee.framerate
    }
}

extension SoundEncoder {
    /// The track of its sound.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws {
        try FFmpeg.check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "describe the sound", path: "movie")
        stream.pointee.time_base = context.pointee.time_base
    }
}
