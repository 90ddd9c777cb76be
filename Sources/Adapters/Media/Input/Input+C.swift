internal import CFFmpeg
import CoreMedia
import Foundation

/// A file that FFmpeg demuxes through our own descriptor: it opens nothing itself, whatever a container or a playlist names.
final class Input {
    let path: String
    let context: UnsafeMutablePointer<AVFormatContext>
    private let reader: Reader

    /// File that FFmpeg reads through, and its position.
    private final class Reader {
        let file: InputFile
        private(set) var io: UnsafeMutablePointer<AVIOContext>?
        private var position: Int64 = 0

        init(_ file: InputFile) {
            self.file = file
            let size = 1 << 16
            let buffer = av_malloc(size)?.assumingMemoryBound(to: UInt8.self)
            io = buffer.flatMap {
                avio_alloc_context(
                    $0, Int32(size), 0, Unmanaged.passUnretained(self).toOpaque(), { Reader.of($0).read($1, $2) }, nil,
                    { Reader.of($0).seek($1, $2) })
            }
            if io == nil { av_free(buffer) }
        }

        deinit {
            if let io { av_freep(&io.pointee.buffer) }
            avio_context_free(&io)
        }

        private static func of(_ pointer: UnsafeMutableRawPointer?) -> Reader { Unmanaged<Reader>.fromOpaque(pointer!).takeUnretainedValue() }

        private func read(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
            let read = file.read(at: position, into: UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            guard read != 0 else { return RF_AVERROR_EOF }
            guard read > 0 else { return rf_averror(Int32(-read)) }
            position += Int64(read)
            return Int32(read)
        }

        private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
            if whence & AVSEEK_SIZE != 0 { return file.end }
            let start: Int64 =
                switch whence & ~AVSEEK_FORCE {
                case SEEK_CUR: position
                case SEEK_END: file.end
                default: 0
                }
            let (target, isOver) = start.addingReportingOverflow(offset)
            guard !isOver, target >= 0 else { return Int64(rf_averror(EINVAL)) }
            position = target
            return target
        }
    }

    init(_ file: InputFile) throws(MediaError) {
        FFmpeg.silence()
        path = file.path
        reader = Reader(file)
        guard let io = reader.io, let fresh = avformat_alloc_context() else { throw FFmpeg.outOfMemory(path) }
        FFmpeg.watch(fresh)
        fresh.pointee.pb = io
        fresh.pointee.io_open = { _, _, _, _, _ in rf_averror(EACCES) }
        var context: UnsafeMutablePointer<AVFormatContext>? = fresh
        do throws(MediaError) {
            let format = try Self.format(of: io, path: path)
            let opened = avformat_open_input(&context, nil, format, nil)
            guard opened >= 0, context != nil else { throw Self.unreadable(path, opened, FFmpeg.takeLines(of: fresh)) }
        } catch {
            FFmpeg.unwatch(fresh)
            avformat_free_context(context)
            throw error
        }
        self.context = fresh
        // The same as `FragmentScan.damage`, for an index that only FFmpeg finds.
        if String(cString: fresh.pointee.iformat.pointee.name).contains("mov"), streams.contains(where: { $0.pointee.id < 0 }) {
            throw MediaError(code: .corrupt, path: path, reason: "is damaged: a track of it has no number")
        }
        // Named as a cinematic movie's, by which it is found.
        if let number = file.disparityTrack, let stream = streams.first(where: { $0.pointee.id == Int32(clamping: number) }) {
            try stream.name(.disparity, path: path)
        }
        // It decodes pictures, too.
        var bounds: [OpaquePointer?] = streams.map { stream in
            var options: OpaquePointer?
            av_dict_set_int(&options, "max_pixels", VideoDecoder.mostPixels(of: stream.pointee.codecpar.pointee.codec_id), 0)
            return options
        }
        let probed = avformat_find_stream_info(fresh, &bounds)
        for index in bounds.indices { av_dict_free(&bounds[index]) }
        guard probed >= 0 else {
            throw MediaError(
                code: .corrupt, path: path, reason: "its streams cannot be understood", underlying: probed, underlyingText: FFmpeg.text(probed))
        }
    }

    deinit {
        FFmpeg.unwatch(context)
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    private static func unreadable(_ path: String, _ code: Int32, _ lines: String?) -> MediaError {
        MediaError(
            code: .unknownFormat, path: path, reason: "is no video or picture FFmpeg can open, or it is damaged", underlying: code,
            underlyingText: lines ?? FFmpeg.text(code))
    }

    /// The format that the file's content shows; its name has no say.
    private static func format(of io: UnsafeMutablePointer<AVIOContext>, path: String) throws(MediaError) -> UnsafePointer<AVInputFormat> {
        var format: UnsafePointer<AVInputFormat>?
        let probed = av_probe_input_buffer2(io, &format, nil, nil, 0, 0)
        guard probed >= 0, let format else { throw unreadable(path, probed, nil) }
        let names = String(cString: format.pointee.name)
        guard names.hasSuffix("_pipe") || names.split(separator: ",").contains(where: { selfContained.contains(String($0)) }) else {
            throw MediaError(
                code: .unsupported, path: path,
                reason: "is of the format \(names), which is not read: it may name other files; give the movie, sound or picture itself")
        }
        return format
    }

    /// FFmpeg's names of the formats that hold their media in one file; single pictures (`png_pipe`) come besides.
    private static let selfContained: Set<String> = [
        "aac", "ac3", "aiff", "apng", "asf", "au", "avi", "caf", "dv", "eac3", "flac", "flv", "gif", "h264", "hevc", "ivf", "m4v", "matroska",
        "mjpeg", "mov", "mp3", "mpeg", "mpegts", "mpegvideo", "mxf", "nut", "obu", "ogg", "rm", "vc1", "w64", "wav", "webm", "yuv4mpegpipe",
    ]

    /// Whether there is disparity as a phone keeps it, whose codes have one scale for all of the movie.
    var hasPhoneDisparity: Bool { reader.file.disparityTrack != nil }

    /// Table of the keys of a track of timed metadata; nil for other media.
    func metadataKeys(of stream: UnsafeMutablePointer<AVStream>) -> Data? {
        stream.metadataKeys ?? reader.file.metadataKeys[UInt32(clamping: stream.pointee.id)]
    }

    /// Throws when a read has failed, which demuxers take for the end of the file.
    func checkReads() throws(MediaError) { try reader.file.checkReads() }

    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
    }

    /// The best stream of a kind; nil when there is none. A picture of a sound's cover is none, nor is the disparity of a cinematic movie.
    func bestStream(_ kind: AVMediaType) -> UnsafeMutablePointer<AVStream>? {
        let found = av_find_best_stream(context, kind, -1, -1, nil, 0)
        guard found >= 0, let best = context.pointee.streams[Int(found)] else { return nil }
        guard best.mark == .disparity else { return best }
        // One that is alone was taken out of its movie.
        return streams.first { $0.pointee.codecpar.pointee.codec_type == kind && $0.mark == nil } ?? best
    }

    /// The best video stream and when it begins, in its ticks; nil without one, or where the file does not say.
    var pictureStart: (stream: UnsafeMutablePointer<AVStream>, ticks: Int64)? {
        guard let pictures = bestStream(AVMEDIA_TYPE_VIDEO), pictures.pointee.start_time != RF_AV_NOPTS_VALUE else { return nil }
        return (pictures, pictures.pointee.start_time)
    }

    /// Time at which the best video stream begins, after the container's zero; zero without one, or where the file does not say.
    var pictureTime: CMTime { pictureStart.flatMap { $0.stream.timeBase?.time($0.ticks) } ?? .zero }

    /// Metadata of the container, under its own keys.
    var metadata: [String: String] {
        var (metadata, entry): ([String: String], UnsafeMutablePointer<AVDictionaryEntry>?) = ([:], nil)
        while let next = av_dict_get(context.pointee.metadata, "", entry, AV_DICT_IGNORE_SUFFIX) {
            metadata[String(cString: next.pointee.key)] = String(cString: next.pointee.value)
            entry = next
        }
        return metadata
    }

    /// Metadata of the movie itself, which a movie made of it keeps: title, date, place, camera; not what the container says of its own making.
    var movieMetadata: [String: String] {
        let ofContainer: Set = ["major_brand", "minor_version", "compatible_brands", "encoder", "duration"]
        return metadata.filter { !ofContainer.contains($0.key.lowercased()) }
    }
}

extension UnsafeMutablePointer<AVStream> {
    /// Nil where the file gives one that is no time.
    var timeBase: TimeBase? { TimeBase(numerator: pointee.time_base.num, denominator: pointee.time_base.den) }

    /// Side data of a kind, as FFmpeg's structure for it; nil for none.
    func sideData<Value: BitwiseCopyable>(_ kind: AVPacketSideDataType, as type: Value.Type) -> Value? {
        var size = 0
        guard let data = av_stream_get_side_data(self, kind, &size), size >= MemoryLayout<Value>.size else { return nil }
        return UnsafeRawPointer(data).loadUnaligned(as: Value.self)
    }

    /// Timecode of the first picture; nil where the stream names none.
    var timecode: String? { av_dict_get(pointee.metadata, "timecode", nil, 0).map { String(cString: $0.pointee.value) } }

    /// The matrix by which pictures are to be turned; nil for none.
    var displayMatrix: [Int32]? {
        var size = 0
        guard let data = av_stream_get_side_data(self, AV_PKT_DATA_DISPLAYMATRIX, &size), size >= 9 * MemoryLayout<Int32>.size else { return nil }
        return data.withMemoryRebound(to: Int32.self, capacity: 9) { Array(UnsafeBufferPointer(start: $0, count: 9)) }
    }
}

extension InputFile {
    /// Whether an open file lies in procfs, sysfs, debugfs, tracefs, securityfs or a control group: the magic numbers of linux/magic.h.
    static func isOfKernel(_ descriptor: Int32) -> Bool {
        [0x9FA0, 0x6265_6572, 0x6462_6720, 0x7472_6163, 0x7363_6673, 0x27_E0EB, 0x6367_7270].contains(rf_file_system(descriptor))
    }
}
