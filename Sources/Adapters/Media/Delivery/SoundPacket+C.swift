internal import CFFmpeg
import CoreMedia
import Foundation

/// Coded sound of a track, at its time in a movie.
struct SoundPacket {
    let packet: FFmpegPacket
    /// Place of its track among those of the movie's sound.
    let track: Int
    /// Time of its first sample.
    let start: CMTime
    /// Time after its last sample.
    let end: CMTime

    /// Moves a packet to the movie's time, whose zero is at `zero` ticks; nil where it has none that a movie can have.
    init?(_ packet: FFmpegPacket, of track: Int, _ stream: UnsafeMutablePointer<AVStream>, after zero: Int64) {
        let own = packet.pointer.pointee
        guard own.pts != RF_AV_NOPTS_VALUE, own.dts != RF_AV_NOPTS_VALUE, own.duration >= 0, let base = stream.timeBase,
            let start = base.time(own.pts, since: zero), base.time(own.dts, since: zero) != nil, let duration = base.time(own.duration)
        else { return nil }
        (packet.pointer.pointee.pts, packet.pointer.pointee.dts) = (own.pts - zero, own.dts - zero)
        (self.packet, self.track, self.start, end) = (packet, track, start, start + duration)
    }

    /// Samples before a time that have to be decoded and not heard; 0 of PCM, which is cut.
    func samples(before time: CMTime, _ stream: UnsafeMutablePointer<AVStream>) -> Int32 {
        guard start < time, Self.bytesPerSample(stream) == nil else { return 0 }
        return Int32(clamping: Self.count(time - start, stream))
    }

    /// Cuts what lies before the movie's first picture and from `end` on; false where nothing is left.
    ///
    /// PCM loses the bytes themselves. Other codings stay whole: of the first packet an edit list, or the padding at the head, leaves out what is early; the
    /// last one becomes shorter by its duration and, with `marksEnd`, by a mark of the samples to be dropped.
    func cut(until end: CMTime?, _ stream: UnsafeMutablePointer<AVStream>, marksEnd: Bool, path: String) throws -> Bool {
        let bytes = Self.bytesPerSample(stream)
        if let bytes, start < .zero { Self.dropHead(packet, samples: Self.count(.zero - start, stream), bytes, stream) }
        if let end, self.end > end {
            let kept = Self.count(end - max(start, bytes == nil ? start : .zero), stream)
            if let bytes {
                av_shrink_packet(packet.pointer, Int32(clamping: kept * bytes))
            } else if marksEnd {
                guard let mark = av_packet_new_side_data(packet.pointer, AV_PKT_DATA_SKIP_SAMPLES, 10) else { throw FFmpeg.outOfMemory(path) }
                // Samples to skip at the head and, little-endian, at the end; the reasons.
                let dropped = UInt32(clamping: Self.count(self.end - end, stream))
                for place in 0..<10 { mark[place] = (4..<8).contains(place) ? UInt8(truncatingIfNeeded: dropped >> (8 * (place - 4))) : 0 }
            }
            packet.pointer.pointee.duration = Self.ticks(kept, stream)
        }
        return packet.pointer.pointee.size > 0
    }

    private static func dropHead(_ packet: FFmpegPacket, samples: Int, _ bytes: Int, _ stream: UnsafeMutablePointer<AVStream>) {
        let dropped = min(samples * bytes, Int(packet.pointer.pointee.size))
        packet.pointer.pointee.data += dropped
        packet.pointer.pointee.size -= Int32(dropped)
        packet.pointer.pointee.duration = max(packet.pointer.pointee.duration - ticks(samples, stream), 0)
        (packet.pointer.pointee.pts, packet.pointer.pointee.dts) = (0, 0)
    }

    /// Bytes of one sample of all channels; nil for what is not PCM.
    private static func bytesPerSample(_ stream: UnsafeMutablePointer<AVStream>) -> Int? {
        let parameters = stream.pointee.codecpar.pointee
        let bits = Int(av_get_bits_per_sample(parameters.codec_id))
        guard bits >= 8, bits % 8 == 0, String(cString: avcodec_get_name(parameters.codec_id)).hasPrefix("pcm_") else { return nil }
        return bits / 8 * Int(parameters.ch_layout.nb_channels)
    }

    /// Nearest number of samples in a time.
    private static func count(_ time: CMTime, _ stream: UnsafeMutablePointer<AVStream>) -> Int {
        let (rate, scale) = (Int128(stream.pointee.codecpar.pointee.sample_rate), Int128(time.timescale))
        return Int(clamping: (2 * Int128(time.value) * rate + scale) / (2 * scale))
    }

    private static func ticks(_ samples: Int, _ stream: UnsafeMutablePointer<AVStream>) -> Int64 {
        av_rescale_q(Int64(samples), AVRational(num: 1, den: max(stream.pointee.codecpar.pointee.sample_rate, 1)), stream.pointee.time_base)
    }
}
