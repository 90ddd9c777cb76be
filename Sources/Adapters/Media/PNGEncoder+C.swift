internal import CFFmpeg
import Foundation

/// PNG encoder of one picture.
enum PNGEncoder {
    enum Layout: Equatable {
        case rgb, rgba
        /// 16-bit grey, rows in PNG's big-endian order.
        case gray16
    }

    /// Encodes a picture; throws `MediaError`.
    ///
    /// - Parameter fill: writes row after row of the picture, `stride` bytes apart.
    static func encode(
        width: Int, height: Int, layout: Layout, path: String, fill: (UnsafeMutablePointer<UInt8>, _ stride: Int) throws(MediaError) -> Void
    ) throws(MediaError) -> Data {
        FFmpeg.silence()
        guard let encoder = avcodec_find_encoder(AV_CODEC_ID_PNG), let fresh = avcodec_alloc_context3(encoder) else {
            throw MediaError(code: .missingEncoder, path: path, reason: "this FFmpeg has no PNG encoder; install libavcodec59")
        }
        var context: UnsafeMutablePointer<AVCodecContext>? = fresh
        defer { avcodec_free_context(&context) }
        let format = pixelFormat(layout)
        fresh.pointee.width = Int32(width)
        fresh.pointee.height = Int32(height)
        fresh.pointee.pix_fmt = format
        fresh.pointee.time_base = AVRational(num: 1, den: 1)
        fresh.pointee.compression_level = 4
        fresh.pointee.thread_count = 1
        av_opt_set(fresh.pointee.priv_data, "pred", "paeth", 0)
        try check(avcodec_open2(fresh, encoder, nil), path)

        let frame = try FFmpegFrame(for: path)
        frame.pointer.pointee.width = Int32(width)
        frame.pointer.pointee.height = Int32(height)
        frame.pointer.pointee.format = format.rawValue
        // Rows without padding, so that `fill` may treat them as one run.
        try check(av_frame_get_buffer(frame.pointer, 1), path)
        let stride = Int(frame.pointer.pointee.linesize.0)
        try fill(frame.pointer.pointee.data.0!, stride)

        try check(avcodec_send_frame(fresh, frame.pointer), path)
        try check(avcodec_send_frame(fresh, nil), path)
        let packet = try FFmpegPacket(for: path)
        try check(avcodec_receive_packet(fresh, packet.pointer), path)
        return Data(bytes: packet.pointer.pointee.data, count: Int(packet.pointer.pointee.size))
    }

    private static func pixelFormat(_ layout: Layout) -> AVPixelFormat {
        switch layout {
        case .rgb: AV_PIX_FMT_RGB24
        case .rgba: AV_PIX_FMT_RGBA
        case .gray16: AV_PIX_FMT_GRAY16BE
        }
    }

    private static func check(_ result: Int32, _ path: String) throws(MediaError) {
        guard result < 0 else { return }
        throw MediaError(
            code: .encodingFailed, path: path, reason: "the picture could not be coded as PNG", underlying: result,
            underlyingText: FFmpeg.text(result))
    }
}
