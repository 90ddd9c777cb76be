internal import CFFmpeg
import Foundation
import Pipeline
import Synchronization

/// FFmpeg's error codes as text, and the lines it would otherwise print on stderr.
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

    /// The code of an errno.
    static func code(errno number: Int32) -> Int32 { rf_averror(number) }

    /// From now on FFmpeg writes nothing on stderr.
    static func silence() { _ = logHandler }

    /// Keeps the error lines of this context, until `unwatch`.
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

    /// The error lines a watched context wrote since the last call, joined.
    static func takeLines(of context: UnsafeMutableRawPointer) -> String? {
        let lines = log.withLock { $0.lines.removeValue(forKey: UInt(bitPattern: context)) } ?? []
        return lines.isEmpty ? nil : lines.joined(separator: "; ")
    }

    /// Refuses a failed step of writing: an error of the file system is an `OutputError`, FFmpeg's own a `MediaError`.
    static func check(_ result: Int32, _ action: String, path: String, _ contexts: UnsafeMutableRawPointer...) throws {
        guard result < 0 else { return }
        if [ENOSPC, EDQUOT, EFBIG, EIO, EACCES, EROFS, ENOENT, EPERM].contains(-result) {
            throw OutputError(errno: -result, path: path, action: action)
        }
        throw MediaError(
            code: .encodingFailed, path: path, reason: "cannot \(action)", underlying: result,
            underlyingText: contexts.lazy.compactMap(takeLines).first ?? text(result))
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

/// One decoded picture in FFmpeg's memory.
final class FFmpegFrame {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() {
        guard let frame = av_frame_alloc() else { preconditionFailure("out of memory") }
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
    /// Range, matrix, transfer function, primaries and chroma position, in FFmpeg's words.
    var colorTags: String {
        func word(_ name: UnsafePointer<CChar>?) -> String { name.map { String(cString: $0) } ?? "unknown" }
        let picture = pointer.pointee
        return [
            word(av_color_range_name(picture.color_range)), word(av_color_space_name(picture.colorspace)),
            word(av_color_transfer_name(picture.color_trc)), word(av_color_primaries_name(picture.color_primaries)),
            word(av_chroma_location_name(picture.chroma_location)),
        ].joined(separator: " ")
    }
    /// In the stream's time base; nil when the file says none.
    var timestamp: Int64? {
        let time = pointer.pointee.best_effort_timestamp
        return time == RF_AV_NOPTS_VALUE ? nil : time
    }
    /// The rotation the picture asks for (EXIF, for one); nil for none.
    var displayMatrix: [Int32]? {
        guard let side = av_frame_get_side_data(pointer, AV_FRAME_DATA_DISPLAYMATRIX), let data = side.pointee.data else { return nil }
        return data.withMemoryRebound(to: Int32.self, capacity: 9) { Array(UnsafeBufferPointer(start: $0, count: 9)) }
    }
    /// True when the decoder had to make up parts of the picture.
    var isDamaged: Bool { pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0 }
}

/// One coded packet in FFmpeg's memory.
final class FFmpegPacket {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() {
        guard let packet = av_packet_alloc() else { preconditionFailure("out of memory") }
        pointer = packet
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }
}
