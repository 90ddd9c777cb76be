internal import CFFmpeg
import Foundation
import Pipeline
import Support
import Synchronization

/// Error codes of FFmpeg as text, and capture of the lines it would print on stderr.
enum FFmpeg {
    static let endOfFile = RF_AVERROR_EOF

    private struct Log {
        var watched: Set<UInt> = []
        var lines: [UInt: [String]] = [:]
    }

    private static let log = Mutex(Log())
    private static let logHandler: Void = av_log_set_callback { object, level, format, arguments in
        guard level <= AV_LOG_ERROR, let object, let format else { return }
        FFmpeg.keep(UInt(bitPattern: object), format, arguments)
    }

    static func text(_ code: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: Int(AV_ERROR_MAX_STRING_SIZE))
        av_strerror(code, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// AVERROR of an errno.
    static func code(errno number: Int32) -> Int32 { rf_averror(number) }

    /// Silences FFmpeg on stderr for the whole process.
    static func silence() { _ = logHandler }

    /// Captures the error lines of this context, until `unwatch`.
    static func watch(_ context: UnsafeMutableRawPointer) {
        silence()
        _ = log.withLock { $0.watched.insert(UInt(bitPattern: context)) }
    }

    static func unwatch(_ context: UnsafeMutableRawPointer) {
        log.withLock {
            $0.watched.remove(UInt(bitPattern: context))
            $0.lines[UInt(bitPattern: context)] = nil
        }
    }

    /// Takes the error lines that a watched context wrote since the last call, joined; nil without any.
    static func takeLines(of context: UnsafeMutableRawPointer) -> String? {
        let lines = log.withLock { $0.lines.removeValue(forKey: UInt(bitPattern: context)) } ?? []
        return lines.isEmpty ? nil : lines.joined(separator: "; ")
    }

    /// Throws when a step of writing failed: `OutputError` for the file system, `MediaError` for FFmpeg's own errors.
    static func check(_ result: Int32, _ action: String, path: String, _ contexts: UnsafeMutableRawPointer...) throws {
        guard result < 0 else { return }
        if result == rf_averror(ENOMEM) { throw outOfMemory(path) }
        let number = 0 &- result
        if [ENOSPC, EDQUOT, EFBIG, EIO, EACCES, EROFS, ENOENT, EPERM].contains(number) {
            throw OutputError(errno: number, path: path, action: action)
        }
        // Taken once: a lazy sequence would ask twice, and find nothing the second time.
        let lines = contexts.compactMap(takeLines)
        throw MediaError(
            code: .encodingFailed, path: path, reason: "cannot \(action)", underlying: result, underlyingText: lines.first ?? text(result))
    }

    /// Throws when a step failed for want of memory; whatever else it says is no failure.
    static func checkMemory(_ result: Int32, path: String) throws(MediaError) {
        if result == rf_averror(ENOMEM) { throw outOfMemory(path) }
    }

    static func outOfMemory(_ path: String) -> MediaError {
        MediaError(code: .outOfMemory, path: path, reason: "there is not enough memory", underlying: rf_averror(ENOMEM))
    }

    private static func keep(_ context: UInt, _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer?) {
        guard let arguments, log.withLock({ $0.watched.contains(context) }) else { return }
        var buffer = [CChar](repeating: 0, count: 512)
        vsnprintf(&buffer, buffer.count, format, arguments)
        let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        log.withLock { if !line.isEmpty, $0.lines[context, default: []].count < 4 { $0.lines[context, default: []].append(line) } }
    }
}

extension AVPixelFormat {
    /// Whether FFmpeg's description of the format has a flag; false of an unknown one.
    func has(_ flag: Int32) -> Bool { (av_pix_fmt_desc_get(self)?.pointee.flags ?? 0) & UInt64(flag) != 0 }
}

/// Owner of an `AVFrame`: one decoded picture or buffer of sound.
final class FFmpegFrame {
    let pointer: UnsafeMutablePointer<AVFrame>

    /// - Parameter path: of the file it belongs to, for the error.
    init(for path: String) throws(MediaError) {
        guard let frame = av_frame_alloc() else { throw FFmpeg.outOfMemory(path) }
        pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    var width: Int { Int(pointer.pointee.width) }
    var height: Int { Int(pointer.pointee.height) }
    var pixelFormatName: String {
        av_get_pix_fmt_name(AVPixelFormat(pointer.pointee.format)).map { String(cString: $0) } ?? "unknown"
    }
    /// Whether its samples are floating-point numbers.
    var isFloat: Bool { AVPixelFormat(pointer.pointee.format).has(AV_PIX_FMT_FLAG_FLOAT) }
    /// Whether it has alpha.
    var hasAlpha: Bool { AVPixelFormat(pointer.pointee.format).has(AV_PIX_FMT_FLAG_ALPHA) }
    /// Colour tags: range, matrix, transfer function, primaries and chroma position, in FFmpeg's words.
    var colorTags: String {
        func word(_ name: UnsafePointer<CChar>?) -> String { name.map { String(cString: $0) } ?? "unknown" }
        let picture = pointer.pointee
        return [
            word(av_color_range_name(picture.color_range)), word(av_color_space_name(picture.colorspace)),
            word(av_color_transfer_name(picture.color_trc)), word(av_color_primaries_name(picture.color_primaries)),
            word(av_chroma_location_name(picture.chroma_location)),
        ].joined(separator: " ")
    }
    /// Best-effort timestamp in the stream's time base; nil when the file has none.
    var timestamp: Int64? {
        let time = pointer.pointee.best_effort_timestamp
        return time == RF_AV_NOPTS_VALUE ? nil : time
    }
    /// Display matrix of the picture (from EXIF, for one), nine 16.16 numbers; nil for none.
    var displayMatrix: [Int32]? {
        guard let side = av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX), let data = side.pointee.data else { return nil }
        return data.withMemoryRebound(to: Int32.self, capacity: 9) { Array(UnsafeBufferPointer(start: $0, count: 9)) }
    }
    /// Side data of a kind, as FFmpeg's structure for it; nil for none.
    func sideData<Value: BitwiseCopyable>(_ kind: AVFrameSideDataType, as type: Value.Type) -> Value? {
        guard let side = av_frame_get_side_data(pointer, kind), let data = side.pointee.data, side.pointee.size >= MemoryLayout<Value>.size else {
            return nil
        }
        return UnsafeRawPointer(data).loadUnaligned(as: Value.self)
    }
    /// Turns a picture without subsampling upside down: its planes are read from the last row on.
    func flip() {
        let planes = Int(av_pix_fmt_count_planes(AVPixelFormat(pointer.pointee.format)))
        withUnsafeMutablePointer(to: &pointer.pointee.data) { data in
            withUnsafeMutablePointer(to: &pointer.pointee.linesize) { strides in
                let (data, strides) = (UnsafeMutableRawPointer(data), UnsafeMutableRawPointer(strides))
                for plane in 0..<planes {
                    let start = data.assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self) + plane
                    let stride = strides.assumingMemoryBound(to: Int32.self) + plane
                    start.pointee = start.pointee.map { $0 + (height - 1) * Int(stride.pointee) }
                    stride.pointee = -stride.pointee
                }
            }
        }
    }
    /// Whether the decoder concealed errors in the picture.
    var isDamaged: Bool { pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 }
}

/// Owner of an `AVPacket`: one coded packet.
final class FFmpegPacket {
    let pointer: UnsafeMutablePointer<AVPacket>

    /// - Parameter path: of the file it belongs to, for the error.
    init(for path: String) throws(MediaError) {
        guard let packet = av_packet_alloc() else { throw FFmpeg.outOfMemory(path) }
        pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    /// Times of presentation and of decoding, ticks.
    typealias Times = (pts: Int64, dts: Int64)

    var times: Times { (pointer.pointee.pts, pointer.pointee.dts) }

    /// Coded data, valid while the packet holds it.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)) }

    /// Changes the coded data, in a copy where others hold it, too.
    func change(path: String, _ change: (UnsafeMutableBufferPointer<UInt8>) -> Void) throws(MediaError) {
        try FFmpeg.checkMemory(av_packet_make_writable(pointer), path: path)
        change(UnsafeMutableBufferPointer(start: pointer.pointee.data, count: Int(pointer.pointee.size)))
    }

    /// A packet of its own of what this one holds, which is empty then.
    func moved(for path: String) throws(MediaError) -> FFmpegPacket {
        let packet = try FFmpegPacket(for: path)
        av_packet_move_ref(packet.pointer, pointer)
        return packet
    }

    /// Lets the last packet of pictures, which may not be the last of them, at `lastPicture`, end the track at a time. In a MOV or MP4 file the durations of
    /// all samples, in the order of decoding, make the length; where frames come unevenly, decoding lags by more than at the beginning and is put off.
    /// `first` are the times of the first packet.
    func end(at end: Int64, first: Times, lastPicture: Int64) {
        let decodingEnd = end - (first.pts - first.dts)
        let rest = times.pts < lastPicture ? decodingEnd - times.dts : .max
        pointer.pointee.duration = max(min(rest, end - times.pts), 1)
        pointer.pointee.dts = max(times.dts, decodingEnd - pointer.pointee.duration)
    }
}
