internal import CFFmpeg
import Foundation
import Pipeline

/// Sound encoder: AAC, or PCM of 16 or 24 bits, in which ambisonics are, too, which AAC cannot name.
final class SoundEncoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let path: String
    private let packet: FFmpegPacket
    private let channels: Int
    /// Samples that do not fill a frame of the encoder yet, interleaved.
    private var pending: [Float] = []
    /// Samples per channel passed to the encoder so far.
    private var position: Int64 = 0

    init(path: String, track: MovieDescription.SoundTrack) throws {
        packet = try FFmpegPacket(for: path)
        let isAmbisonic = track.layout == .firstOrderAmbisonics
        let bits: Int? = if case .pcm(let bits) = track.coding { bits } else { isAmbisonic ? 24 : nil }
        let codec = bits == nil ? AV_CODEC_ID_AAC : bits == 16 ? AV_CODEC_ID_PCM_S16LE : AV_CODEC_ID_PCM_S24LE
        guard let encoder = avcodec_find_encoder(codec), let fresh = avcodec_alloc_context3(encoder) else {
            throw MediaError(code: .missingEncoder, path: path, reason: "this FFmpeg cannot encode sound; install the Debian package libavcodec59")
        }
        (self.path, context, channels) = (path, fresh, track.layout.channelCount)
        FFmpeg.watch(context)
        context.pointee.sample_rate = Int32(clamping: track.sampleRate)
        context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: track.sampleRate))
        context.pointee.sample_fmt = bits == nil ? AV_SAMPLE_FMT_FLTP : bits == 16 ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_S32
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        context.pointee.bit_rate = Int64(96_000 * channels)
        if case .aac(let rate?) = track.coding { context.pointee.bit_rate = Int64(rate) }
        context.pointee.thread_count = 1
        if isAmbisonic {
            av_channel_layout_from_string(&context.pointee.ch_layout, "ambisonic 1")
        } else {
            av_channel_layout_default(&context.pointee.ch_layout, Int32(channels))
        }
        try FFmpeg.check(avcodec_open2(context, encoder, nil), "open the sound encoder", path: path, context)
    }

    deinit {
        FFmpeg.unwatch(context)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    /// Encodes interleaved samples that follow the ones before, and passes finished packets to `write`.
    func encode(_ samples: some Sequence<Float>, write: (FFmpegPacket) throws -> Void) throws {
        pending += samples
        try sendFrames(write)
    }

    /// Encodes the pending samples that fill frames, and drops each frame from them once the encoder has taken it.
    private func sendFrames(_ write: (FFmpegPacket) throws -> Void) throws {
        // PCM takes frames of any length.
        let frame = context.pointee.frame_size > 0 ? Int(context.pointee.frame_size) * channels : pending.count
        var start = 0
        defer { pending.removeFirst(start) }
        while frame > 0, pending.count - start >= frame {
            try send(pending[start..<start + frame])
            start += frame
            try receive(write)
        }
    }

    /// Flushes the encoder, and passes the remaining packets to `write`.
    func finish(write: (FFmpegPacket) throws -> Void) throws {
        try sendFrames(write)
        if !pending.isEmpty { try send(pending[...]) }
        pending = []
        try FFmpeg.check(avcodec_send_frame(context, nil), "encode the sound", path: path, context)
        try receive(write)
    }

    private func send(_ samples: ArraySlice<Float>) throws {
        let frame = try FFmpegFrame(for: path)
        let count = samples.count / channels
        frame.pointer.pointee.nb_samples = Int32(count)
        frame.pointer.pointee.format = context.pointee.sample_fmt.rawValue
        frame.pointer.pointee.sample_rate = context.pointee.sample_rate
        frame.pointer.pointee.pts = position
        try FFmpeg.check(av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &context.pointee.ch_layout), "encode the sound", path: path)
        try FFmpeg.check(av_frame_get_buffer(frame.pointer, 0), "encode the sound", path: path)
        samples.withUnsafeBufferPointer { fill(frame.pointer.pointee, with: $0, count: count) }
        try FFmpeg.check(avcodec_send_frame(context, frame.pointer), "encode the sound", path: path, context)
        position += Int64(count)
    }

    private func fill(_ frame: AVFrame, with samples: UnsafeBufferPointer<Float>, count: Int) {
        if context.pointee.sample_fmt == AV_SAMPLE_FMT_S32 {
            frame.data.0!.withMemoryRebound(to: Int32.self, capacity: samples.count) { target in
                for index in samples.indices { target[index] = Int32((max(-1, min(1, samples[index])) * 8_388_607).rounded()) << 8 }
            }
            return
        }
        if context.pointee.sample_fmt == AV_SAMPLE_FMT_S16 {
            frame.data.0!.withMemoryRebound(to: Int16.self, capacity: samples.count) { target in
                for index in samples.indices { target[index] = Int16((max(-1, min(1, samples[index])) * 32_767).rounded()) }
            }
            return
        }
        for channel in 0..<channels {
            frame.extended_data[channel]!.withMemoryRebound(to: Float.self, capacity: count) { target in
                for index in 0..<count { target[index] = samples[index * channels + channel] }
            }
        }
    }

    private func receive(_ write: (FFmpegPacket) throws -> Void) throws {
        while true {
            let received = avcodec_receive_packet(context, packet.pointer)
            if received == rf_averror(EAGAIN) || received == RF_AVERROR_EOF { return }
            try FFmpeg.check(received, "encode the sound", path: path, context)
            try write(packet)
        }
    }
}
