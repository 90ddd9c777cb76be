internal import CFFmpeg
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Video encoder: libx264 or libx265 on the caller's thread.
final class PictureEncoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let path: String
    private let packet: FFmpegPacket
    private let movie: MovieDescription
    private let frameTicks: Int64

    /// Opens the encoder; throws `MediaError`.
    ///
    /// - Parameters:
    ///   - path: final name of the movie, for errors.
    ///   - timescale: ticks per second of the movie's times.
    init(path: String, movie: MovieDescription, timescale: Int32, settings: MovieFileWriter.Settings) throws {
        packet = try FFmpegPacket(for: path)
        let name = settings.encoder ?? Self.encoderName(movie.codec)
        guard let encoder = avcodec_find_encoder_by_name(name), let fresh = avcodec_alloc_context3(encoder) else {
            throw MediaError(
                code: .missingEncoder, path: path,
                reason: "this FFmpeg has no encoder \(name); install the Debian package libavcodec59 (or libavcodec-extra59)")
        }
        (self.path, self.movie, context) = (path, movie, fresh)
        frameTicks = movie.frameDuration.value * Int64(timescale) / Int64(movie.frameDuration.timescale)
        FFmpeg.watch(context)
        describe(timescale: timescale)
        try configure(settings)
        try FFmpeg.check(avcodec_open2(context, encoder, nil), "open the encoder", path: path, context)
    }

    deinit {
        FFmpeg.unwatch(context)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    static func encoderName(_ codec: MovieDescription.Codec) -> String { codec == .hevc ? "libx265" : "libx264" }
    static func isAvailable(_ codec: MovieDescription.Codec) -> Bool { avcodec_find_encoder_by_name(encoderName(codec)) != nil }

    private func describe(timescale: Int32) {
        let isFullRange = movie.pixelFormat == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        context.pointee.width = Int32(movie.width)
        context.pointee.height = Int32(movie.height)
        context.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        context.pointee.pix_fmt = pixelFormat
        context.pointee.color_range = isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        context.pointee.color_primaries = AVCOL_PRI_BT709
        context.pointee.color_trc = AVCOL_TRC_BT709
        context.pointee.colorspace = AVCOL_SPC_BT709
        context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
        context.pointee.time_base = AVRational(num: 1, den: timescale)
        context.pointee.framerate = AVRational(num: movie.frameDuration.timescale, den: Int32(clamping: movie.frameDuration.value))
    }

    private func configure(_ settings: MovieFileWriter.Settings) throws(MediaError) {
        context.pointee.gop_size = Int32(clamping: Int64((2 / movie.frameDuration.seconds).rounded(.up)))
        // With two threads Debian's x264 gives about one small movie in a hundred other bits.
        context.pointee.thread_count = 1
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        try set("preset", settings.preset.rawValue)
        try set("crf", String(settings.quality))
        // A picture held back by the encoder is in no fragment.
        if movie.fragments != .none { try set("tune", "zerolatency") }
        if movie.codec == .hevc {
            context.pointee.codec_tag = 0x3163_7668  // hvc1: the parameter sets lie in the container alone
            try set("x265-params", "log-level=none:pools=none:frame-threads=1:info=0")
        }
    }

    /// Options that an encoder does not have are left out.
    private func set(_ option: String, _ value: String) throws(MediaError) {
        try FFmpeg.checkMemory(av_opt_set(context.pointee.priv_data, option, value, 0), path: path)
    }

    /// Encodes a picture at a time in ticks, and passes finished packets to `write`.
    func encode(_ image: CVPixelBuffer, at ticks: Int64, write: (FFmpegPacket) throws -> Void) throws {
        let frame = try FFmpegFrame(for: path)
        frame.pointer.pointee.width = context.pointee.width
        frame.pointer.pointee.height = context.pointee.height
        frame.pointer.pointee.format = context.pointee.pix_fmt.rawValue
        frame.pointer.pointee.pts = ticks
        if context.pointee.pix_fmt == AV_PIX_FMT_NV12 { try lend(image, to: frame) } else { try copy(image, to: frame) }
        try FFmpeg.check(avcodec_send_frame(context, frame.pointer), "encode", path: path, context)
        try receive(write)
    }

    /// Flushes the encoder, and passes the remaining packets to `write`.
    func finish(write: (FFmpegPacket) throws -> Void) throws {
        try FFmpeg.check(avcodec_send_frame(context, nil), "encode", path: path, context)
        try receive(write)
    }

    private func receive(_ write: (FFmpegPacket) throws -> Void) throws {
        while true {
            let received = avcodec_receive_packet(context, packet.pointer)
            if received == rf_averror(EAGAIN) || received == RF_AVERROR_EOF { return }
            try FFmpeg.check(received, "encode", path: path, context)
            packet.pointer.pointee.duration = frameTicks
            try write(packet)
        }
    }
}

extension PictureEncoder {
    /// Pixel format of the encoder: two planes for x264, three for x265.
    private var pixelFormat: AVPixelFormat {
        if movie.codec == .h264 { return AV_PIX_FMT_NV12 }
        return movie.pixelFormat == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
    }

    /// Lends the buffer without copying; the encoder holds it for as long as it needs the pixels.
    private func lend(_ image: CVPixelBuffer, to frame: FFmpegFrame) throws(MediaError) {
        let owner = Unmanaged.passRetained(image).toOpaque()
        let plane = image.plane(0)
        frame.pointer.pointee.buf.0 = av_buffer_create(
            plane.row(0, as: UInt8.self), plane.bytesPerRow * plane.height,
            { owner, _ in Unmanaged<CVPixelBuffer>.fromOpaque(owner!).release() }, owner, AV_BUFFER_FLAG_READONLY)
        guard frame.pointer.pointee.buf.0 != nil else {
            Unmanaged<CVPixelBuffer>.fromOpaque(owner).release()
            throw FFmpeg.outOfMemory(path)
        }
        frame.pointer.pointee.data.0 = plane.row(0, as: UInt8.self)
        frame.pointer.pointee.data.1 = image.plane(1).row(0, as: UInt8.self)
        frame.pointer.pointee.linesize.0 = Int32(plane.bytesPerRow)
        frame.pointer.pointee.linesize.1 = Int32(image.plane(1).bytesPerRow)
    }

    private func copy(_ image: CVPixelBuffer, to frame: FFmpegFrame) throws {
        try FFmpeg.check(av_frame_get_buffer(frame.pointer, 0), "encode", path: path)
        if context.pointee.pix_fmt == AV_PIX_FMT_YUV420P {
            copy(image, to: frame.pointer.pointee) { (value: UInt8) in value }
        } else {
            // The ten bits are the upper ones there, the lower ones here.
            copy(image, to: frame.pointer.pointee) { (value: UInt16) in value >> 6 }
        }
        PictureCopies.count(.encoderPlanes, of: image)
    }

    private func copy<Value>(_ image: CVPixelBuffer, to picture: AVFrame, _ convert: (Value) -> Value) {
        let (luma, chroma) = (image.plane(0), image.plane(1))
        let targets = [(picture.data.0!, picture.linesize.0), (picture.data.1!, picture.linesize.1), (picture.data.2!, picture.linesize.2)]
        func row(_ plane: Int, _ y: Int) -> UnsafeMutablePointer<Value> {
            UnsafeMutableRawPointer(targets[plane].0 + y * Int(targets[plane].1)).assumingMemoryBound(to: Value.self)
        }
        for y in 0..<luma.height {
            let (from, to) = (luma.row(y, as: Value.self), row(0, y))
            for x in 0..<luma.width { to[x] = convert(from[x]) }
        }
        for y in 0..<chroma.height {
            let (from, blue, red) = (chroma.row(y, as: Value.self), row(1, y), row(2, y))
            for x in 0..<chroma.width { (blue[x], red[x]) = (convert(from[2 * x]), convert(from[2 * x + 1])) }
        }
    }
}
