internal import CFFmpeg
import Foundation

/// Encoder of single pictures: PNG, TIFF and OpenEXR.
enum StillEncoder {
    /// Encodes a picture; throws `MediaError`.
    ///
    /// - Parameters:
    ///   - options: of FFmpeg's encoder.
    ///   - profile: goes into the file, where it is PNG.
    ///   - alignment: bytes to which rows are padded.
    ///   - fill: writes the pixels into the frame's planes.
    static func encode(
        _ codec: DeliveryOptions.Codec, as format: AVPixelFormat, width: Int, height: Int, options: [String: String] = [:],
        profile: ICCProfile? = nil, alignment: Int32 = 0, path: String, fill: (FFmpegFrame) throws(MediaError) -> Void
    ) throws(MediaError) -> Data {
        FFmpeg.silence()
        guard let encoder = avcodec_find_encoder_by_name(codec.rawValue), let fresh = avcodec_alloc_context3(encoder) else {
            throw MediaError(
                code: .missingEncoder, path: path, reason: "this FFmpeg has no \(codec.rawValue.uppercased()) encoder; install libavcodec59")
        }
        var context: UnsafeMutablePointer<AVCodecContext>? = fresh
        defer { avcodec_free_context(&context) }
        fresh.pointee.width = Int32(width)
        fresh.pointee.height = Int32(height)
        fresh.pointee.pix_fmt = format
        fresh.pointee.time_base = AVRational(num: 1, den: 1)
        fresh.pointee.compression_level = 4
        fresh.pointee.thread_count = 1
        for (name, value) in options { av_opt_set(fresh.pointee.priv_data, name, value, 0) }
        try check(avcodec_open2(fresh, encoder, nil), codec, path)

        let frame = try FFmpegFrame(for: path)
        frame.pointer.pointee.width = Int32(width)
        frame.pointer.pointee.height = Int32(height)
        frame.pointer.pointee.format = format.rawValue
        try check(av_frame_get_buffer(frame.pointer, alignment), codec, path)
        try fill(frame)
        try profile?.attach(to: frame, path: path)

        try check(avcodec_send_frame(fresh, frame.pointer), codec, path)
        try check(avcodec_send_frame(fresh, nil), codec, path)
        let packet = try FFmpegPacket(for: path)
        try check(avcodec_receive_packet(fresh, packet.pointer), codec, path)
        return Data(bytes: packet.pointer.pointee.data, count: Int(packet.pointer.pointee.size))
    }

    private static func check(_ result: Int32, _ codec: DeliveryOptions.Codec, _ path: String) throws(MediaError) {
        guard result < 0 else { return }
        throw MediaError(
            code: .encodingFailed, path: path, reason: "the picture could not be coded as \(codec.rawValue.uppercased())", underlying: result,
            underlyingText: FFmpeg.text(result))
    }
}
