internal import CFFmpeg
import CoreVideo
import Foundation

/// JPEG encoder of one picture, in JFIF's colours: full range, BT.601.
enum JPEGEncoder {
    /// Quantiser on FFmpeg's scale, 1…31; lower is better.
    private static let quality: Int32 = 2

    static func encode(_ picture: CVPixelBuffer, path: String) throws(MediaError) -> Data {
        FFmpeg.silence()
        guard let encoder = avcodec_find_encoder(AV_CODEC_ID_MJPEG), let fresh = avcodec_alloc_context3(encoder) else {
            throw MediaError(code: .missingEncoder, path: path, reason: "this FFmpeg has no JPEG encoder; install libavcodec59")
        }
        var context: UnsafeMutablePointer<AVCodecContext>? = fresh
        defer { avcodec_free_context(&context) }
        fresh.pointee.width = Int32(picture.size.width)
        fresh.pointee.height = Int32(picture.size.height)
        fresh.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
        fresh.pointee.time_base = AVRational(num: 1, den: 1)
        fresh.pointee.thread_count = 1
        fresh.pointee.flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT
        fresh.pointee.global_quality = FF_QP2LAMBDA * quality
        try check(avcodec_open2(fresh, encoder, nil), path)

        let frame = try FFmpegFrame(for: path)
        frame.pointer.pointee.width = fresh.pointee.width
        frame.pointer.pointee.height = fresh.pointee.height
        frame.pointer.pointee.format = fresh.pointee.pix_fmt.rawValue
        frame.pointer.pointee.quality = fresh.pointee.global_quality
        try check(av_frame_get_buffer(frame.pointer, 0), path)
        try PictureConverter().fillJPEG(frame, from: picture, path: path)
        try check(avcodec_send_frame(fresh, frame.pointer), path)
        try check(avcodec_send_frame(fresh, nil), path)
        let packet = try FFmpegPacket(for: path)
        try check(avcodec_receive_packet(fresh, packet.pointer), path)
        return Data(bytes: packet.pointer.pointee.data, count: Int(packet.pointer.pointee.size))
    }

    private static func check(_ result: Int32, _ path: String) throws(MediaError) {
        guard result < 0 else { return }
        throw MediaError(
            code: .encodingFailed, path: path, reason: "the picture could not be coded as JPEG", underlying: result,
            underlyingText: FFmpeg.text(result))
    }
}
