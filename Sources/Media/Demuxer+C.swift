internal import CFFmpeg
import Foundation

/// The packets of one file's video stream, and what the container promised of it.
final class Demuxer {
    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private let streamIndex: Int32
    private let packet = FFmpegPacket()
    /// Where the data of any stream ended so far, seconds.
    private var dataEnd = 0.0
    private var packetCount = 0

    var stream: UnsafeMutablePointer<AVStream> { context.pointee.streams[Int(streamIndex)]! }

    init(path: String) throws(MediaError) {
        context = try Self.open(path)
        self.path = path
        let found = av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        let isCover = found >= 0 && context.pointee.streams[Int(found)]!.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        streamIndex = found
        guard found >= 0, !isCover else {
            guard hasSound || isCover else {
                throw MediaError(code: .corrupt, path: path, reason: "holds no streams that can be told; it is empty, damaged or cut short")
            }
            throw MediaError(code: .noVideoStream, path: path, reason: "holds no video; give a file with a video stream")
        }
    }

    deinit {
        FFmpeg.unwatch(context)
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    private var hasSound: Bool {
        (0..<Int(context.pointee.nb_streams)).contains {
            context.pointee.streams[$0]?.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
        }
    }

    private static func open(_ path: String) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw MediaError(code: .missingFile, path: path, reason: "cannot be read: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw MediaError(code: .missingFile, path: path, reason: "is a directory, not a file")
        }
        let address = ContainerEnd.address(of: path)
        if address.hasPrefix("file:"), let shortfall = ContainerEnd.shortfall(of: path) {
            throw MediaError(code: .truncated, path: path, reason: "is cut short: \(shortfall); copy or download it again")
        }
        guard let fresh = avformat_alloc_context() else { preconditionFailure("out of memory") }
        FFmpeg.watch(fresh)
        // A percent sign in a picture's name is just that.
        var options: OpaquePointer?
        av_dict_set(&options, "pattern_type", "none", 0)
        defer { av_dict_free(&options) }
        var context: UnsafeMutablePointer<AVFormatContext>? = fresh
        let opened = avformat_open_input(&context, address, nil, &options)
        guard opened >= 0, let context else {
            defer { FFmpeg.unwatch(fresh) }
            throw MediaError(
                code: .unknownFormat, path: path, reason: "is no video or picture FFmpeg can open, or it is damaged", underlying: opened,
                underlyingText: FFmpeg.takeLines(of: fresh) ?? FFmpeg.text(opened))
        }
        let probed = avformat_find_stream_info(context, nil)
        guard probed >= 0 else {
            FFmpeg.unwatch(context)
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
            throw MediaError(
                code: .corrupt, path: path, reason: "its streams cannot be understood", underlying: probed, underlyingText: FFmpeg.text(probed))
        }
        return context
    }

    /// The next packet of the video stream; nil at the end of the file.
    func next() throws(Failure) -> FFmpegPacket? {
        while true {
            av_packet_unref(packet.pointer)
            let result = av_read_frame(context, packet.pointer)
            if result == RF_AVERROR_EOF { return nil }
            guard result >= 0 else { throw Failure(code: result, text: FFmpeg.takeLines(of: context) ?? FFmpeg.text(result)) }
            noteEnd()
            guard packet.pointer.pointee.stream_index == streamIndex else { continue }
            if packet.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 {
                throw Failure(code: rf_averror(EIO), text: "the data of a frame is cut off")
            }
            packetCount += 1
            return packet
        }
    }

    struct Failure: Error {
        var code: Int32
        var text: String
    }

    /// What the container says of itself, under its own keys.
    var metadata: [String: String] {
        var (metadata, entry): ([String: String], UnsafeMutablePointer<AVDictionaryEntry>?) = ([:], nil)
        while let next = av_dict_get(context.pointee.metadata, "", entry, AV_DICT_IGNORE_SUFFIX) {
            metadata[String(cString: next.pointee.key)] = String(cString: next.pointee.value)
            entry = next
        }
        return metadata
    }

    private func noteEnd() {
        let packet = packet.pointer.pointee
        let time = packet.pts == RF_AV_NOPTS_VALUE ? packet.dts : packet.pts
        guard time != RF_AV_NOPTS_VALUE, let stream = context.pointee.streams[Int(packet.stream_index)] else { return }
        let base = stream.pointee.time_base
        dataEnd = max(dataEnd, Double(time + packet.duration) * Double(base.num) / Double(base.den))
    }
}

extension Demuxer {
    private var isMOV: Bool { String(cString: context.pointee.iformat.pointee.name).contains("mov") }

    /// How many frames the container's index lists, less those an edit list hides; nil where there is no complete index.
    var promisedFrames: Int? {
        guard isMOV, stream.pointee.nb_frames > 0 else { return nil }
        let count = avformat_index_get_entries_count(stream)
        guard count > 0 else { return nil }
        return (0..<count).reduce(0) { sum, index in
            guard let entry = avformat_index_get_entry(stream, index) else { return sum }
            return sum + (entry.pointee.flags & AVINDEX_DISCARD_FRAME == 0 ? 1 : 0)
        }
    }

    /// How many frames are to be expected: promised by an index, or by the header; nil when the container does not say.
    var expectedFrames: Int? {
        if let promisedFrames { return promisedFrames }
        return stream.pointee.nb_frames > 0 ? Int(stream.pointee.nb_frames) : nil
    }

    /// What is missing at the end of the file, in words; nil when all that the container promised was there.
    func shortfall(after frameCount: Int, frameSeconds: Double) -> String? {
        if let promised = promisedFrames {
            return frameCount < promised ? "it ends after frame \(frameCount) of \(promised)" : nil
        }
        guard context.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE, context.pointee.duration > 0 else { return nil }
        let promised = Double(context.pointee.duration) / Double(AV_TIME_BASE)
        let start = context.pointee.start_time == RF_AV_NOPTS_VALUE ? 0 : Double(context.pointee.start_time) / Double(AV_TIME_BASE)
        guard dataEnd - min(start, 0) < promised - 2 * frameSeconds - 0.1 else { return nil }
        let ends = String(format: "%.3f s of %.3f s", dataEnd, promised)
        return "it ends after frame \(frameCount), at \(ends)"
    }
}
