internal import CFFmpeg
import Foundation

/// Pictures in the memory of a VA-API device, whose encoders take no others.
final class HardwareFrames {
    private let path: String
    private var device: UnsafeMutablePointer<AVBufferRef>?
    private var frames: UnsafeMutablePointer<AVBufferRef>?

    /// Opens the first device, and ties an encoder that is not open yet to its memory. Throws `MediaError` where there is none.
    ///
    /// - Parameter format: of the pictures that are uploaded.
    init(for encoder: UnsafeMutablePointer<AVCodecContext>, format: AVPixelFormat, path: String) throws {
        self.path = path
        let opened = av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VAAPI, nil, nil, 0)
        guard opened >= 0 else {
            throw MediaError(
                code: .missingEncoder, path: path, reason: "there is no VA-API device that opens", underlying: opened,
                underlyingText: "no VA-API device: \(FFmpeg.text(opened))")
        }
        frames = av_hwframe_ctx_alloc(device)
        guard let frames else { throw FFmpeg.outOfMemory(path) }
        UnsafeMutableRawPointer(frames.pointee.data).withMemoryRebound(to: AVHWFramesContext.self, capacity: 1) { pool in
            (pool.pointee.format, pool.pointee.sw_format) = (AV_PIX_FMT_VAAPI, format)
            (pool.pointee.width, pool.pointee.height) = (encoder.pointee.width, encoder.pointee.height)
            pool.pointee.initial_pool_size = 20
        }
        try FFmpeg.check(av_hwframe_ctx_init(frames), "make pictures of a VA-API device", path: path)
        encoder.pointee.hw_frames_ctx = av_buffer_ref(frames)
    }

    deinit {
        av_buffer_unref(&frames)
        av_buffer_unref(&device)
    }

    /// Copies a picture to the device.
    func upload(_ picture: FFmpegFrame) throws -> FFmpegFrame {
        let copy = try FFmpegFrame(for: path)
        try FFmpeg.check(av_hwframe_get_buffer(frames, copy.pointer, 0), "encode", path: path)
        try FFmpeg.check(av_hwframe_transfer_data(copy.pointer, picture.pointer, 0), "encode", path: path)
        try FFmpeg.check(av_frame_copy_props(copy.pointer, picture.pointer), "encode", path: path)
        return copy
    }
}
