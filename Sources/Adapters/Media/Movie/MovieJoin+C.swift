internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline
import Support

/// Joins movies of pictures alone, coded alike, to one: their packets are copied, and the sound, timecode and chapters of the footage go along.
public enum MovieJoin {
    /// One of the movies.
    public struct Segment: Sendable {
        /// Path of its file.
        public var path: String
        /// Time of its first picture in the whole.
        public var start: CMTime

        /// Creates a reference to a movie.
        public init(path: String, start: CMTime) { (self.path, self.start) = (path, start) }
    }

    /// Joins segments in their order; returns what of the footage is left out or in another coding. Throws `MediaError` for segments that are coded in
    /// different ways, `OutputError` where the movie cannot be written.
    ///
    /// - Parameter movie: description of the whole.
    public static func join(
        _ segments: [Segment], to path: String, movie: MovieDescription, footage: MovieFileWriter.Footage? = nil, replacingExisting: Bool = false,
        with others: [any PendingOutput] = []
    ) throws -> [String] {
        guard let first = segments.first else {
            throw MediaError(code: .encodingFailed, path: path, reason: "a movie without a single frame is not written")
        }
        let sound = try footage.flatMap { try FootageTracks(of: $0, for: path) }
        var movie = movie
        if let sound { movie.metadata.merge(sound.metadata) { own, _ in own } }
        let output = try OutputFile(path: path, replacingExisting: replacingExisting)
        do {
            let pattern = try PictureSegment(first)
            let muxer = try MovieMuxer(
                path: path, file: output.temporaryPath, movie: movie, chapters: sound?.chapters ?? [], isCut: sound != nil,
                tracks: [{ try pattern.describe($0) }] + (sound?.tracks ?? []))
            var (last, end): (Int64?, CMTime) = (nil, .zero)
            let final = movie.end.flatMap { pattern.base.ticks($0) }
            for (index, segment) in segments.enumerated() {
                let pictures = index == 0 ? pattern : try PictureSegment(segment)
                guard pictures.isCoded(like: pattern) else {
                    throw MediaError(
                        code: .mismatch, path: segment.path, reason: "is coded in another way than the segments before; export without --resume")
                }
                while let packet = try pictures.next() {
                    // At a variable rate the decoding times of two coders may meet.
                    if let last, packet.pointer.pointee.dts <= last { packet.pointer.pointee.dts = last + 1 }
                    last = packet.pointer.pointee.dts
                    let time = pictures.base.time(packet.pointer.pointee.pts) ?? .zero
                    end = max(end, time)
                    // Any may be the last to be shown; the muxer takes the latest end.
                    if let final, final > packet.times.pts { packet.pointer.pointee.duration = final - packet.times.pts }
                    try muxer.write(packet, track: 0, timeBase: pictures.timeBase)
                    try sound?.write(until: time, to: muxer, from: 1)
                }
            }
            try sound?.write(until: movie.end(after: end), to: muxer, from: 1)
            try sound?.finish(at: movie.end(after: end), to: muxer, from: 1)
            try muxer.finish()
            try TrackMarks.write(to: output.temporaryPath)
            try output.commit(with: others)
            return sound?.remarks ?? []
        } catch {
            output.discard()
            throw error
        }
    }
}

/// Packets of a segment's pictures, at their times in the whole.
private final class PictureSegment {
    let base: TimeBase
    private let input: Input
    private let stream: UnsafeMutablePointer<AVStream>
    private let packet: FFmpegPacket
    private let offset: Int64

    init(_ segment: MovieJoin.Segment) throws(MediaError) {
        input = try Input(.footage(segment.path))
        packet = try FFmpegPacket(for: segment.path)
        guard let stream = input.bestStream(AVMEDIA_TYPE_VIDEO), let base = stream.timeBase, let offset = base.ticks(segment.start) else {
            throw MediaError(code: .corrupt, path: segment.path, reason: "holds no pictures; remove it, and --resume makes it again")
        }
        (self.stream, self.base, self.offset) = (stream, base, offset)
    }

    var timeBase: AVRational { stream.pointee.time_base }

    func describe(_ track: UnsafeMutablePointer<AVStream>) throws {
        try FFmpeg.check(avcodec_parameters_copy(track.pointee.codecpar, stream.pointee.codecpar), "describe the pictures", path: input.path)
        track.pointee.time_base = stream.pointee.time_base
        track.pointee.avg_frame_rate = stream.pointee.avg_frame_rate
    }

    func isCoded(like other: PictureSegment) -> Bool {
        let (own, its) = (stream.pointee.codecpar.pointee, other.stream.pointee.codecpar.pointee)
        guard own.codec_id == its.codec_id, own.width == its.width, own.height == its.height, own.extradata_size == its.extradata_size else {
            return false
        }
        guard timeBase.num == other.timeBase.num, timeBase.den == other.timeBase.den else { return false }
        return own.extradata_size == 0 || memcmp(own.extradata, its.extradata, Int(own.extradata_size)) == 0
    }

    /// The next packet; nil at the end of a whole file. It is reused by the next call.
    func next() throws -> FFmpegPacket? {
        while true {
            av_packet_unref(packet.pointer)
            let read = av_read_frame(input.context, packet.pointer)
            if read == RF_AVERROR_EOF {
                try input.checkReads()
                return nil
            }
            try FFmpeg.check(read, "read a segment", path: input.path)
            guard packet.pointer.pointee.stream_index == stream.pointee.index else { continue }
            packet.pointer.pointee.pts += offset
            packet.pointer.pointee.dts += offset
            return packet
        }
    }
}
