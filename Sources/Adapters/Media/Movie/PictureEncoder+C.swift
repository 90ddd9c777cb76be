internal import CFFmpeg
import CoreMedia
import CoreVideo
import Foundation
import Pipeline

/// Video encoder: libx264, libx265, ProRes or FFV1 on the caller's thread, or one of the machine's hardware.
final class PictureEncoder {
    let context: UnsafeMutablePointer<AVCodecContext>
    private let path: String
    private let packet: FFmpegPacket
    private let movie: MovieDescription
    private let frameTicks: Int64
    /// Latest picture where it is shown for another time than the rest, and that time, ticks; nil for none.
    var longPicture: (time: Int64, duration: Int64)?
    /// Times of the first packet.
    private var first: FFmpegPacket.Times?
    private let container: MovieContainer
    /// Pixel format asked for.
    private let wanted: DeliveryOptions.PixelFormat?
    private let converter = PictureConverter()
    /// Pictures on the device of an encoder that takes no others; nil for one that takes ours.
    private var device: HardwareFrames?
    /// Ticks from one key frame to the next, at most; nil where only frames are counted.
    private let keyframeTicks: Int64?
    /// Ticks of the last key frame that was asked for.
    private var lastKeyframe: Int64 = 0
    /// Pictures taken.
    private var pictures = 0
    /// Time of the last picture taken, ticks.
    private var lastPicture: Int64 = 0
    /// Whether it is another encoder than the usual one of the codec.
    private var isForeign = false

    /// Opens the encoder that the settings ask for, or take in its place; throws `MediaError`.
    static func choose(
        path: String, movie: MovieDescription, timescale: Int32, settings: MovieFileWriter.Settings
    ) throws -> EncoderChoice<PictureEncoder> {
        try EncoderChoice(among: settings.encoder.names(for: movie.codec)) {
            try PictureEncoder($0, path: path, movie: movie, timescale: timescale, settings: settings)
        }
    }

    /// Opens an encoder; throws `MediaError`.
    ///
    /// - Parameters:
    ///   - name: FFmpeg's.
    ///   - path: final name of the movie, for errors.
    ///   - timescale: ticks per second of the movie's times.
    private init(_ name: String, path: String, movie: MovieDescription, timescale: Int32, settings: MovieFileWriter.Settings) throws {
        packet = try FFmpegPacket(for: path)
        guard let encoder = avcodec_find_encoder_by_name(name), let fresh = avcodec_alloc_context3(encoder) else {
            throw MediaError(
                code: .missingEncoder, path: path,
                reason: "this FFmpeg has no encoder \(name); install the Debian package libavcodec59 (or libavcodec-extra59)")
        }
        (self.path, self.movie, context, wanted) = (path, movie, fresh, settings.pixelFormat)
        container = MovieContainer(path) ?? .mp4
        keyframeTicks = settings.keyframeInterval.map { Int64($0 * Double(timescale)) }
        frameTicks = movie.frameDuration.value * Int64(timescale) / Int64(movie.frameDuration.timescale)
        FFmpeg.watch(context)
        guard encoder.pointee.id == avcodec_find_encoder_by_name(Self.encoderName(movie.codec))?.pointee.id else {
            let own = String(cString: avcodec_get_name(encoder.pointee.id))
            throw MediaError(code: .unsupported, path: path, reason: "\(name) codes \(own), not \(movie.codec.rawValue)")
        }
        describe(timescale: timescale)
        isForeign = name != Self.encoderName(movie.codec)
        if isForeign { try prepareForeign(encoder) }
        try configure(settings)
        let opened = avcodec_open2(context, encoder, nil)
        try FFmpeg.checkMemory(opened, path: path)
        if opened < 0, isForeign {
            throw MediaError(
                code: .missingEncoder, path: path, reason: "\(name) does not open", underlying: opened,
                underlyingText: FFmpeg.takeLines(of: context) ?? FFmpeg.text(opened))
        }
        try FFmpeg.check(opened, "open the encoder", path: path, context)
    }

    deinit {
        FFmpeg.unwatch(context)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&context)
    }

    static func encoderName(_ codec: MovieDescription.Codec) -> String {
        switch codec {
        case .h264: "libx264"
        case .hevc: "libx265"
        case .prores: "prores_ks"
        case .ffv1: "ffv1"
        }
    }

    static func isAvailable(_ codec: MovieDescription.Codec) -> Bool { avcodec_find_encoder_by_name(encoderName(codec)) != nil }

    private func describe(timescale: Int32) {
        context.pointee.width = Int32(movie.width)
        context.pointee.height = Int32(movie.height)
        context.pointee.sample_aspect_ratio = AVRational(num: Int32(movie.pixelAspect.width), den: Int32(movie.pixelAspect.height))
        context.pointee.pix_fmt = pixelFormat
        context.pointee.color_range = isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        context.pointee.color_primaries = AVColorPrimaries(UInt32(movie.colors.primaries))
        context.pointee.color_trc = AVColorTransferCharacteristic(UInt32(movie.colors.transfer))
        context.pointee.colorspace = AVColorSpace(UInt32(movie.colors.matrix))
        context.pointee.chroma_sample_location = AVCHROMA_LOC_LEFT
        context.pointee.time_base = AVRational(num: 1, den: timescale)
        context.pointee.framerate = AVRational(num: movie.frameDuration.timescale, den: Int32(clamping: movie.frameDuration.value))
    }

    /// Whether the encoder may hold pictures back: one that it does is in no fragment.
    private var mayHoldBack: Bool { movie.fragments.areNamedAtEnd }

    /// Threads of the encoder, each with a picture of its own. Those of x264 are as many on every machine, as its bits depend on their number, and x265
    /// has its own.
    private var threads: Int32 {
        guard mayHoldBack, !isForeign else { return 1 }
        switch movie.codec {
        case .h264: return 8
        case .hevc: return 1
        case .prores, .ffv1: return Int32(ProcessInfo.processInfo.activeProcessorCount)
        }
    }

    private func configure(_ settings: MovieFileWriter.Settings) throws(MediaError) {
        context.pointee.gop_size = Int32(clamping: Int64(((settings.keyframeInterval ?? 2) / movie.frameDuration.seconds).rounded(.up)))
        context.pointee.thread_count = threads
        context.pointee.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        // In fragments the last picture in the file is the last one that is shown.
        if movie.fragments == .beside { context.pointee.max_b_frames = 0 }
        switch movie.codec {
        case _ where isForeign: try configureForeign(settings.rate)
        case .h264, .hevc: try configureMPEG(settings)
        case .prores: try configureProRes(settings.rate)
        case .ffv1:
            context.pointee.level = 3
            context.pointee.gop_size = 1
            try set("slicecrc", "1")
        }
    }

    private func configureMPEG(_ settings: MovieFileWriter.Settings) throws(MediaError) {
        try set("preset", (movie.codec == .hevc ? settings.preset.ofHEVC : settings.preset).rawValue)
        switch settings.rate ?? .quality(DeliveryOptions.defaultQuality) {
        case .quality(let quality): try set("crf", String(DeliveryOptions.rateFactor(ofQuality: quality)))
        case .bitrate(let bits): context.pointee.bit_rate = Int64(bits)
        }
        if movie.codec == .h264 {
            // With AVX-512 Debian's x264 164 reads memory that it never wrote, in the tree of macroblocks of 960x540: one movie in three had other bits.
            if av_get_cpu_flags() & AV_CPU_FLAG_AVX512 != 0 { try set("x264-params", "asm=AVX2,BMI2,LZCNT,FMA3") }
            for (option, value) in settings.preset.searches {
                try FFmpeg.checkMemory(av_opt_set(context, option, value, AV_OPT_SEARCH_CHILDREN), path: path)
            }
        }
        try set("forced-idr", "1")
        if !mayHoldBack { try set("tune", "zerolatency") }
        if movie.codec == .hevc {
            // hvc1: the parameter sets lie in the container alone.
            if container.isBoxed { context.pointee.codec_tag = 0x3163_7668 }
            // Wavefronts give the same bits on any number of threads, which share the pictures under way; one such picture and several give others.
            let pictures = mayHoldBack ? 4 : 1
            let threads = "pools=\(ProcessInfo.processInfo.activeProcessorCount):frame-threads=\(pictures)"
            try set("x265-params", "log-level=none:\(threads):info=0" + Self.hdrParameters(of: movie.colors))
        }
    }

    /// Parameters of x265 for the metadata of HDR, which FFmpeg 5.1 does not pass on: chromaticities in 1/50000, luminance in 1/10000 cd/m².
    private static func hdrParameters(of colors: PictureColors) -> String {
        var text = ""
        if let display = colors.masteringDisplay, display.chromaticities.count == 8 {
            let c = display.chromaticities
            text += ":master-display=G(\(c[2]),\(c[3]))B(\(c[4]),\(c[5]))R(\(c[0]),\(c[1]))WP(\(c[6]),\(c[7]))"
            text += "L(\(display.luminance.upperBound),\(display.luminance.lowerBound))"
        }
        if let light = colors.lightLevel { text += ":max-cll=\(light.maximum),\(light.maximumAverage)" }
        return text
    }

    /// Chooses the profile, Proxy to HQ, or 4444.
    private func configureProRes(_ rate: DeliveryOptions.Rate?) throws(MediaError) {
        var quality = DeliveryOptions.defaultQuality
        if case .quality(let asked) = rate { quality = asked }
        let profile = context.pointee.pix_fmt == AV_PIX_FMT_YUV444P10LE ? 4 : quality < 20 ? 0 : quality < 40 ? 1 : quality < 65 ? 2 : 3
        try set("profile", String(profile))
        try set("vendor", "apl0")
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
        frame.pointer.pointee.format = (device == nil ? context.pointee.pix_fmt : planarFormat).rawValue
        frame.pointer.pointee.pts = ticks
        frame.pointer.pointee.color_range = context.pointee.color_range
        frame.pointer.pointee.color_primaries = context.pointee.color_primaries
        frame.pointer.pointee.color_trc = context.pointee.color_trc
        frame.pointer.pointee.colorspace = context.pointee.colorspace
        if let keyframeTicks, ticks + frameTicks - lastKeyframe > keyframeTicks {
            frame.pointer.pointee.pict_type = AV_PICTURE_TYPE_I
            lastKeyframe = ticks
        }
        switch context.pointee.pix_fmt {
        case _ where movie.pixelFormat == kCVPixelFormatType_32BGRA: try convert(image, to: frame)
        case AV_PIX_FMT_VAAPI, AV_PIX_FMT_P010LE, AV_PIX_FMT_NV12: try lend(image, to: frame)
        case AV_PIX_FMT_YUV420P where !isDeep && keepsRange, AV_PIX_FMT_YUV420P10LE where isDeep: try copy(image, to: frame)
        default: try convert(image, to: frame)
        }
        let ready = try device?.upload(frame) ?? frame
        try FFmpeg.check(avcodec_send_frame(context, ready.pointer), "encode", path: path, context)
        pictures += 1
        lastPicture = ticks
        try receive(write)
    }

    /// Flushes the encoder, and passes the remaining packets to `write`.
    func finish(write: (FFmpegPacket) throws -> Void) throws {
        try FFmpeg.check(avcodec_send_frame(context, nil), "encode", path: path, context)
        var last: FFmpegPacket?
        try receive {
            if let last { try write(last) }
            last = try $0.moved(for: path)
        }
        guard let last, let first else { return }
        last.end(at: lastPicture + duration(ofPictureAt: lastPicture), first: first, lastPicture: lastPicture)
        try write(last)
    }

    /// Ticks for which a picture is shown.
    private func duration(ofPictureAt time: Int64) -> Int64 {
        guard let longPicture else { return frameTicks }
        // An end may come too early, as of a track whose index has lengths in the order of decoding: the last pictures are shown as long as others.
        let rest = longPicture.time + longPicture.duration - time
        return time == longPicture.time ? rest : rest > 0 ? min(frameTicks, rest) : frameTicks
    }

    private func receive(_ write: (FFmpegPacket) throws -> Void) throws {
        while true {
            let received = avcodec_receive_packet(context, packet.pointer)
            if received == rf_averror(EAGAIN) || received == RF_AVERROR_EOF { return }
            try FFmpeg.check(received, "encode", path: path, context)
            packet.pointer.pointee.duration = duration(ofPictureAt: packet.pointer.pointee.pts)
            // x265 3.5 makes their decoding times of memory that it never set (`m_bframeDelayTime`); two pictures are never reordered.
            if movie.codec == .hevc, pictures <= 2, !isForeign { packet.pointer.pointee.dts = packet.pointer.pointee.pts }
            first = first ?? packet.times
            try write(packet)
        }
    }
}

extension PictureEncoder {
    /// Two planes as pictures have them.
    private var planarFormat: AVPixelFormat { isDeep ? AV_PIX_FMT_P010LE : AV_PIX_FMT_NV12 }

    /// Chooses the pixel format of an encoder that is not ours, and opens the device of one that codes what lies on that.
    private func prepareForeign(_ encoder: UnsafePointer<AVCodec>) throws {
        var formats: [AVPixelFormat] = []
        while let list = encoder.pointee.pix_fmts, list[formats.count] != AV_PIX_FMT_NONE { formats.append(list[formats.count]) }
        if formats.contains(AV_PIX_FMT_VAAPI) {
            context.pointee.pix_fmt = AV_PIX_FMT_VAAPI
            device = try HardwareFrames(for: context, format: planarFormat, path: path)
        } else {
            let own = isDeep ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
            context.pointee.pix_fmt = formats.isEmpty || formats.contains(planarFormat) ? planarFormat : own
        }
    }

    /// Sets a constant quantiser of the constant rate factor's number, the nearest that hardware has to it, or the bit rate.
    private func configureForeign(_ rate: DeliveryOptions.Rate?) throws(MediaError) {
        try set("forced-idr", "1")
        if movie.codec == .hevc, container.isBoxed { context.pointee.codec_tag = 0x3163_7668 }
        let name = String(cString: context.pointee.codec.pointee.name)
        switch rate ?? .quality(DeliveryOptions.defaultQuality) {
        case .bitrate(let bits): context.pointee.bit_rate = Int64(bits)
        case .quality where name.hasSuffix("v4l2m2m"):
            throw MediaError(code: .unsupported, path: path, reason: "knows bit rates alone; give --bitrate")
        case .quality(let quality):
            let quantiser = Int32(DeliveryOptions.rateFactor(ofQuality: quality).rounded())
            if name.hasSuffix("nvenc") {
                try set("rc", "constqp")
                try set("qp", String(quantiser))
            } else {
                try set("rc_mode", "CQP")
                // VA-API takes the number itself, everything else in units of lambda.
                context.pointee.global_quality = device == nil ? quantiser * FF_QP2LAMBDA : quantiser
                if device == nil { context.pointee.flags |= AV_CODEC_FLAG_QSCALE }
            }
        }
    }

    /// Whether pictures come with ten bits.
    private var isDeep: Bool { movie.pixelFormat == kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange }

    /// Whether codes span their full range: where pictures do and the coding can say so.
    private var isFullRange: Bool {
        guard movie.pixelFormat == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange else { return false }
        return [.h264, .hevc].contains(movie.codec) || (movie.codec == .ffv1 && container == .mkv)
    }

    /// Whether codes stay as they are: full range becomes video range where the coding cannot say so.
    private var keepsRange: Bool { movie.pixelFormat != kCVPixelFormatType_420YpCbCr8BiPlanarFullRange || isFullRange }

    /// Pixel format of the encoder: for x264 two planes where the pictures have them, for ProRes 4:2:2 of ten bits unless another was asked for. Few players
    /// show H.264 of ten bits, which is written only where it is asked for.
    private var pixelFormat: AVPixelFormat {
        switch wanted ?? (movie.codec == .prores ? .yuv422p10 : isDeep && movie.codec != .h264 ? .yuv420p10 : .yuv420p) {
        case .yuv420p: movie.codec == .h264 && !isDeep ? AV_PIX_FMT_NV12 : AV_PIX_FMT_YUV420P
        case .yuv422p: AV_PIX_FMT_YUV422P
        case .yuv444p: AV_PIX_FMT_YUV444P
        case .yuv420p10: AV_PIX_FMT_YUV420P10LE
        case .yuv422p10: AV_PIX_FMT_YUV422P10LE
        case .yuv444p10: AV_PIX_FMT_YUV444P10LE
        case .rgb24, .rgb48, .rgbHalf: preconditionFailure("is a format of single pictures")
        }
    }

    /// Converts depth, chroma sampling and range, with the matrix as it is.
    private func convert(_ image: CVPixelBuffer, to frame: FFmpegFrame) throws {
        try FFmpeg.check(av_frame_get_buffer(frame.pointer, 0), "encode", path: path)
        try converter.fill(frame, from: image, isFullRange: isFullRange, path: path)
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
