internal import CFFmpeg
import Foundation
import Pipeline

/// The packets of one movie in another file, untouched, with one index before them.
enum MovieCopy {
    /// - Parameter movie: what was recorded; its posture and metadata go along.
    static func copy(_ path: String, to file: String, movie: MovieDescription) throws {
        var context: UnsafeMutablePointer<AVFormatContext>?
        try FFmpeg.check(avformat_open_input(&context, "file:" + path, nil, nil), "read again", path: path)
        defer { avformat_close_input(&context) }
        guard let source = context else { return }
        try FFmpeg.check(avformat_find_stream_info(source, nil), "read again", path: path)
        let streams = (0..<Int(source.pointee.nb_streams)).map { source.pointee.streams[$0]! }
        let muxer = try MovieMuxer(
            path: path, file: file, movie: movie, layout: .indexFirst,
            tracks: streams.map { stream in
                { copy in
                    try FFmpeg.check(avcodec_parameters_copy(copy.pointee.codecpar, stream.pointee.codecpar), "describe", path: path)
                    copy.pointee.time_base = stream.pointee.time_base
                    copy.pointee.avg_frame_rate = stream.pointee.avg_frame_rate
                }
            })
        let packet = FFmpegPacket()
        while true {
            let read = av_read_frame(source, packet.pointer)
            if read == RF_AVERROR_EOF { break }
            try FFmpeg.check(read, "read again", path: path)
            let track = Int(packet.pointer.pointee.stream_index)
            try muxer.write(packet, track: track, timeBase: streams[track].pointee.time_base)
        }
        try muxer.finish()
    }
}
