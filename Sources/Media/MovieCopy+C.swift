internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline

/// The packets of one movie in another file, untouched, with one index before them.
enum MovieCopy {
    /// - Parameters:
    ///   - name: what the copy will be called, which decides between MOV and MP4; `file` is what is written.
    ///   - movie: what was recorded; its posture and metadata go along. Nil: what the movie says of itself.
    /// - Returns: seconds of the copy.
    @discardableResult
    static func copy(_ path: String, as name: String, to file: String, movie: MovieDescription?) throws -> Double {
        var context: UnsafeMutablePointer<AVFormatContext>?
        try FFmpeg.check(avformat_open_input(&context, ContainerEnd.address(of: path), nil, nil), "read again", path: path)
        defer { avformat_close_input(&context) }
        guard let source = context else { return 0 }
        try FFmpeg.check(avformat_find_stream_info(source, nil), "read again", path: path)
        let streams = (0..<Int(source.pointee.nb_streams)).map { source.pointee.streams[$0]! }
        let movie = movie ?? description(of: source, streams)
        let muxer = try MovieMuxer(
            path: name, file: file, movie: movie, layout: .indexFirst,
            tracks: streams.map { stream in
                { copy in
                    try FFmpeg.check(avcodec_parameters_copy(copy.pointee.codecpar, stream.pointee.codecpar), "describe", path: path)
                    copy.pointee.time_base = stream.pointee.time_base
                    copy.pointee.avg_frame_rate = stream.pointee.avg_frame_rate
                }
            })
        let packet = FFmpegPacket()
        var end = 0.0
        while true {
            let read = av_read_frame(source, packet.pointer)
            if read == RF_AVERROR_EOF { break }
            try FFmpeg.check(read, "read again", path: path)
            let track = Int(packet.pointer.pointee.stream_index)
            let base = streams[track].pointee.time_base
            let packetEnd = packet.pointer.pointee.pts + packet.pointer.pointee.duration
            end = max(end, Double(packetEnd) * Double(base.num) / Double(base.den))
            try muxer.write(packet, track: track, timeBase: base)
        }
        try muxer.finish()
        if movie.sound?.layout == .firstOrderAmbisonics { try AmbisonicMark.write(to: file) }
        return end
    }

    /// Posture, metadata and ambisonics, as far as a copy has to repeat them.
    private static func description(
        of source: UnsafeMutablePointer<AVFormatContext>, _ streams: [UnsafeMutablePointer<AVStream>]
    ) -> MovieDescription {
        var movie = MovieDescription(width: 0, height: 0, frameDuration: CMTime(value: 1, timescale: 30))
        for stream in streams {
            let parameters = stream.pointee.codecpar.pointee
            if parameters.codec_type == AVMEDIA_TYPE_VIDEO {
                (movie.width, movie.height) = (Int(parameters.width), Int(parameters.height))
                guard let data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, nil) else { continue }
                let matrix = data.withMemoryRebound(to: Int32.self, capacity: 9) { Array(UnsafeBufferPointer(start: $0, count: 9)) }
                (movie.rotation, movie.isMirrored) = Orientation(displayMatrix: matrix)?.posture ?? (0, false)
            } else if parameters.codec_type == AVMEDIA_TYPE_AUDIO, parameters.ch_layout.nb_channels == 4 {
                movie.sound = .init(layout: .firstOrderAmbisonics, sampleRate: Int(parameters.sample_rate))
            }
        }
        var entry: UnsafeMutablePointer<AVDictionaryEntry>?
        while let next = av_dict_get(source.pointee.metadata, "", entry, AV_DICT_IGNORE_SUFFIX) {
            let key = String(cString: next.pointee.key)
            if !["major_brand", "minor_version", "compatible_brands", "encoder"].contains(key) {
                movie.metadata[key] = String(cString: next.pointee.value)
            }
            entry = next
        }
        return movie
    }
}
