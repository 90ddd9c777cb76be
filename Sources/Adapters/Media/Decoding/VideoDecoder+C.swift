internal import CFFmpeg
import CoreMedia
import Foundation
import Pipeline
import Support

/// Decoder of one file's video stream, in order of presentation; damage and missing frames are errors.
final class VideoDecoder {
    private let demuxer: Demuxer
    private let context: UnsafeMutablePointer<AVCodecContext>
    private var isDraining = false
    /// Whether the first packet holds a key frame; nil before it.
    private var beginsWithKey: Bool?
    /// Number of frames decoded so far.
    private(set) var frameCount = 0

    var path: String { demuxer.path }
    var width: Int { Int(context.pointee.width) }
    var height: Int { Int(context.pointee.height) }
    var metadata: [String: String] { demuxer.metadata }
    var expectedFrames: Int? { demuxer.expectedFrames }
    var isFrameCountExact: Bool { demuxer.promisedFrames != nil }
    /// Length of the stream by a complete index; nil without one.
    var exactDuration: CMTime? {
        guard isFrameCountExact, demuxer.stream.pointee.duration > 0 else { return nil }
        return demuxer.timeBase.time(demuxer.stream.pointee.duration)
    }

    /// Threads of a decoder of film, one of `files` that are read side by side: half of the processor's, from two to eight. Each holds a picture.
    static func threads(beside files: Int = 1) -> Int { max(2, min(8, ProcessInfo.processInfo.activeProcessorCount / 2)) / files }

    /// Opens the video stream and its decoder; throws `MediaError`.
    ///
    /// - Parameters:
    ///   - threads: decoder threads; 1 for a single picture.
    ///   - choice: stream of the file.
    ///   - codesLight: whether linear light (OpenEXR) becomes codes of sRGB.
    init(path: String, threads: Int, _ choice: Demuxer.Choice = .pictures, codesLight: Bool = false) throws(MediaError) {
        demuxer = try Demuxer(path: path, choice)
        let parameters = demuxer.stream.pointee.codecpar!
        let name = Self.codecName(parameters)
        let (size, most) = ((width: parameters.pointee.width, height: parameters.pointee.height), Self.mostPixels(of: parameters.pointee.codec_id))
        guard Int64(size.width) * Int64(size.height) <= most else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "has pictures of \(size.width) x \(size.height) in \(name), of which \(most) pixels are the most")
        }
        // FFmpeg reads still ones alone, and of others not even the size.
        guard parameters.pointee.codec_id != AV_CODEC_ID_WEBP || size.width > 0 else {
            throw MediaError(
                code: .unsupported, path: path, reason: "is an animated WebP, which FFmpeg cannot decode; convert it to a GIF or a video first")
        }
        guard let decoder = avcodec_find_decoder(parameters.pointee.codec_id), let fresh = avcodec_alloc_context3(decoder) else {
            throw MediaError(code: .unknownCodec, path: path, reason: "is coded as \(name), which this FFmpeg cannot decode; convert it first")
        }
        context = fresh
        FFmpeg.watch(context)
        try FFmpeg.checkMemory(avcodec_parameters_to_context(context, parameters), path: path)
        context.pointee.pkt_timebase = demuxer.stream.pointee.time_base
        context.pointee.thread_count = Int32(threads)
        // FFmpeg's reader of TIFF takes every tag that it does not know for damage, those of its own writer among them.
        context.pointee.err_recognition = parameters.pointee.codec_id == AV_CODEC_ID_TIFF ? AV_EF_CRCCHECK : AV_EF_CRCCHECK | AV_EF_EXPLODE
        context.pointee.max_pixels = most
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if codesLight, isOfLight { av_dict_set_int(&options, "apply_trc", Int64(AVCOL_TRC_IEC61966_2_1.rawValue), 0) }
        let opened = avcodec_open2(context, decoder, &options)
        guard opened >= 0 else {
            throw MediaError(
                code: .unknownCodec, path: path, reason: "its \(name) video cannot be decoded", underlying: opened,
                underlyingText: FFmpeg.takeLines(of: context) ?? FFmpeg.text(opened))
        }
    }

    /// Of a picture, as a bound on memory: 16K UHD has 133 million. Codings that keep pictures for those to come, H.264 five and more, may have half as
    /// many, nearly twice what level 6.2 of H.264 and HEVC allows.
    static func mostPixels(of coding: AVCodecID) -> Int64 {
        let isIntraOnly = avcodec_descriptor_get(coding).map { $0.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0 }
        return isIntraOnly == true ? 1 << 27 : 1 << 26
    }

    deinit {
        FFmpeg.unwatch(context)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    private static func codecName(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> String {
        guard parameters.pointee.codec_id == AV_CODEC_ID_NONE else { return String(cString: avcodec_get_name(parameters.pointee.codec_id)) }
        var buffer = [CChar](repeating: 0, count: Int(AV_FOURCC_MAX_STRING_SIZE))
        return "'" + String(cString: av_fourcc_make_string(&buffer, parameters.pointee.codec_tag)) + "'"
    }

    /// Goes to the last key frame at or before a time; for before the first frame.
    func seek(to time: CMTime) { demuxer.seek(to: time) }

    /// Decodes the next frame; nil at the end of a complete file.
    func next() throws(MediaError) -> FFmpegFrame? {
        let frame = try FFmpegFrame(for: path)
        while true {
            let received = avcodec_receive_frame(context, frame.pointer)
            if received == 0 {
                guard !frame.isDamaged else { throw damaged(code: rf_averror(EIO), text: "the picture is damaged") }
                frameCount += 1
                // Rows of PFM are stored from the lowest to the highest, and FFmpeg leaves them so.
                if context.pointee.codec_id == AV_CODEC_ID_PFM { frame.flip() }
                return frame
            }
            if received == RF_AVERROR_EOF {
                try checkComplete()
                return nil
            }
            guard received == rf_averror(EAGAIN) else { throw damaged(code: received, text: FFmpeg.text(received)) }
            try feed()
        }
    }

    /// Sends the decoder one packet, or the end of the stream.
    private func feed() throws(MediaError) {
        let packet: FFmpegPacket?
        do {
            packet = try demuxer.next()
        } catch {
            throw damaged(code: error.code, text: error.text)
        }
        if packet == nil, isDraining { return }
        if let packet, beginsWithKey == nil { beginsWithKey = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
        if let packet, isOfLight {
            guard !EXRHeader.lacksChunks(packet.bytes) else {
                throw MediaError(
                    code: .truncated, path: path, reason: "is damaged or cut short: lines of its picture are missing; copy or download it again")
            }
            if let name = EXRHeader.nameOfOnlyChannel(packet.bytes) { try packet.change(path: path) { $0[name] = UInt8(ascii: "Y") } }
        }
        isDraining = packet == nil
        let sent = avcodec_send_packet(context, packet?.pointer)
        guard sent >= 0 else { throw damaged(code: sent, text: FFmpeg.text(sent)) }
    }

    /// Goes to the last key frame at or before a time in ticks; false where the container cannot find it.
    func seek(to ticks: Int64) -> Bool {
        guard demuxer.seek(to: ticks) else { return false }
        avcodec_flush_buffers(context)
        isDraining = false
        return true
    }

    private func checkComplete() throws(MediaError) {
        if let shortfall = demuxer.shortfall(after: frameCount, frameSeconds: frameSeconds) {
            throw MediaError(code: .truncated, path: path, reason: "is cut short: \(shortfall); copy or download it again")
        }
    }

    private func damaged(code: Int32, text: String) -> MediaError {
        let lines = FFmpeg.takeLines(of: context)
        if frameCount == 0, beginsWithKey == false, !demuxer.hasSought {
            return MediaError(
                code: .corrupt, path: path,
                reason:
                    "begins between two key frames, as a recorded broadcast does; copy it from the first one on: ffmpeg -i \(path) -c copy whole.mkv",
                underlying: code, underlyingText: text)
        }
        let place =
            demuxer.hasSought
            ? "\(frameCount.counted("frame")) behind the key frame from which it is read"
            : String(format: "at frame %d (%.3f s)", frameCount, Double(frameCount) * frameSeconds)
        return MediaError(
            code: .corrupt, path: path, reason: "is damaged or cut short \(place)", underlying: code,
            underlyingText: lines.map { "\(text): \($0)" } ?? text)
    }
}

extension VideoDecoder {
    /// Time of the first picture in ticks; nil where the file does not say.
    var startTime: Int64? { demuxer.stream.pointee.start_time == RF_AV_NOPTS_VALUE ? nil : demuxer.stream.pointee.start_time }

    /// Whether pictures have alpha; not of GIF, whose decoder always says so.
    var hasAlpha: Bool { context.pointee.codec_id != AV_CODEC_ID_GIF && context.pointee.pix_fmt.has(AV_PIX_FMT_FLAG_ALPHA) }

    /// Whether pictures are of floating-point numbers.
    var holdsFloats: Bool { isOfLight || context.pointee.codec_id == AV_CODEC_ID_PFM }

    /// Whether pictures are stored as linear light.
    var isOfLight: Bool { context.pointee.codec_id == AV_CODEC_ID_EXR }

    /// The stream's time base.
    var timeBase: TimeBase { demuxer.timeBase }

    /// Frames per second as the container averages them, and as its timestamps suggest; nil when unknown, as of a single picture.
    var frameRates: (average: (Int64, Int64)?, real: (Int64, Int64)?) {
        guard !demuxer.isStill else { return (nil, nil) }
        func rate(_ value: AVRational) -> (Int64, Int64)? { value.num > 0 && value.den > 0 ? (Int64(value.num), Int64(value.den)) : nil }
        return (rate(demuxer.stream.pointee.avg_frame_rate), rate(demuxer.stream.pointee.r_frame_rate))
    }

    /// Approximate duration of a frame, seconds.
    private var frameSeconds: Double {
        guard let rate = frameRates.average ?? frameRates.real else { return 0.04 }
        return Double(rate.1) / Double(rate.0)
    }

    /// Timecode of the first picture as the file gives it; nil for none.
    var timecode: String? { demuxer.stream.timecode ?? demuxer.metadata["timecode"] }

    /// Shape of a stored pixel: the container's word, else the coding's.
    var pixelAspect: PixelAspect {
        let ratios = [demuxer.stream.pointee.sample_aspect_ratio, demuxer.stream.pointee.codecpar.pointee.sample_aspect_ratio]
        return ratios.first { $0.num > 0 && $0.den > 0 }.map { PixelAspect(width: Int($0.num), height: Int($0.den)) } ?? .square
    }

    /// Codec parameters of the stream, from its headers.
    var parameters: AVCodecParameters { demuxer.stream.pointee.codecpar.pointee }

    /// Coding of the pictures as the headers say it.
    var coding: PictureCoding { PictureCoding(demuxer.stream) }

    /// The rotation the container asks for; nil for none.
    var displayMatrix: [Int32]? { demuxer.stream.displayMatrix }
}
