internal import CFFmpeg
import CoreMedia
import Foundation

/// Demuxer of one stream of a file: its packets, and the number of frames that the container promises.
final class Demuxer {
    let path: String
    let stream: UnsafeMutablePointer<AVStream>
    let timeBase: TimeBase
    private let input: Input
    private let packet: FFmpegPacket
    /// Latest end of any stream's packets so far, seconds.
    private var dataEnd = 0.0
    /// Whether some packets were passed over, so that nobody can say whether all were there.
    private(set) var hasSought = false

    private var context: UnsafeMutablePointer<AVFormatContext> { input.context }

    /// Stream of a file to read.
    enum Choice {
        case pictures
        case marked(TrackMarks.Mark)
        /// By its place in the file, from 0.
        case place(Int)
    }

    /// - Parameter opened: the file, opened before and not read from; nil opens it.
    init(path: String, _ choice: Choice = .pictures, opened: Input? = nil) throws(MediaError) {
        input = if let opened { opened } else { try Input(.footage(path)) }
        packet = try FFmpegPacket(for: path)
        let found =
            switch choice {
            case .pictures: input.bestStream(AVMEDIA_TYPE_VIDEO)
            case .marked(let mark): input.streams.first { $0.mark == mark }
            case .place(let place): input.streams.first { Int($0.pointee.index) == place }
            }
        let isCover = found.map { $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 } ?? false
        guard let found, !isCover else {
            if case .marked(let mark) = choice {
                let lacking = mark == .disparity ? "disparity" : "metadata"
                throw MediaError(code: .unsupported, path: path, reason: "is no cinematic movie of ours: it lacks \(lacking)")
            }
            guard input.bestStream(AVMEDIA_TYPE_AUDIO) != nil || isCover else {
                throw MediaError(code: .corrupt, path: path, reason: "holds no streams that can be told; it is empty, damaged or cut short")
            }
            throw MediaError(code: .noVideoStream, path: path, reason: "holds no video; give a file with a video stream")
        }
        guard let timeBase = found.timeBase else {
            throw MediaError(code: .corrupt, path: path, reason: "is damaged: its times have no unit")
        }
        (self.path, stream, self.timeBase) = (path, found, timeBase)
    }

    var metadata: [String: String] { input.metadata }

    /// Leaves the media of the other streams unread; for a reader that does not ask for a shortfall.
    func passOverOthers() {
        for other in input.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
    }

    /// Reads the next packet of the stream; nil at the end of the file. The packet is reused by the next call.
    func next() throws(Failure) -> FFmpegPacket? {
        while true {
            av_packet_unref(packet.pointer)
            let result = av_read_frame(context, packet.pointer)
            if result == RF_AVERROR_EOF {
                do { try input.checkReads() } catch { throw Failure(code: rf_averror(EIO), text: error.reason) }
                return nil
            }
            let lines = FFmpeg.takeLines(of: context)
            guard result >= 0 else { throw Failure(code: result, text: lines ?? FFmpeg.text(result)) }
            // Matroska's demuxer looks for the next cluster it understands, and says no more of it; where there is none, the file has ended.
            if let lines, avio_feof(context.pointee.pb) == 0 { throw Failure(code: RF_AVERROR_INVALIDDATA, text: lines) }
            noteEnd()
            guard packet.pointer.pointee.stream_index == stream.pointee.index else { continue }
            if packet.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 {
                throw Failure(code: rf_averror(EIO), text: "the data of a frame is cut off")
            }
            return packet
        }
    }

    /// Makes the last key frame at or before a time the next packet; before the first packet is read. Reads from the beginning on where the file has no
    /// index to go by.
    func seek(to time: CMTime) {
        guard let ticks = timeBase.ticks(time), ticks > 0 else { return }
        seek(to: ticks)
    }

    /// Makes the last key frame at or before a time the next packet; false where the container has no index to find it by.
    @discardableResult
    func seek(to ticks: Int64) -> Bool {
        guard av_seek_frame(context, stream.pointee.index, ticks, AVSEEK_FLAG_BACKWARD) >= 0 else { return false }
        hasSought = true
        return true
    }

    struct Failure: Error {
        var code: Int32
        var text: String
    }

    private func noteEnd() {
        let packet = packet.pointer.pointee
        let time = packet.pts == RF_AV_NOPTS_VALUE ? packet.dts : packet.pts
        guard time != RF_AV_NOPTS_VALUE, let base = context.pointee.streams[Int(packet.stream_index)]?.timeBase else { return }
        dataEnd = max(dataEnd, (Double(time) + Double(packet.duration)) * base.seconds)
    }
}

extension Demuxer {
    private var format: String { String(cString: context.pointee.iformat.pointee.name) }
    private var isMOV: Bool { format.contains("mov") }
    /// Whether the file is a single picture, to which FFmpeg gives 1/25 s.
    var isStill: Bool { format.hasSuffix("_pipe") || format == "image2" }

    /// Number of frames in the container's index, less those an edit list hides; nil without a complete index.
    var promisedFrames: Int? {
        guard isMOV, stream.pointee.nb_frames > 0 else { return nil }
        let count = avformat_index_get_entries_count(stream)
        guard count > 0 else { return nil }
        return (0..<count).reduce(0) { sum, index in
            guard let entry = avformat_index_get_entry(stream, index) else { return sum }
            return sum + (entry.pointee.flags & AVINDEX_DISCARD_FRAME == 0 ? 1 : 0)
        }
    }

    /// Length by the header of the container, seconds; nil where it does not say.
    private var promisedSeconds: Double? {
        guard context.pointee.duration_estimation_method != AVFMT_DURATION_FROM_BITRATE, context.pointee.duration > 0 else { return nil }
        return Double(context.pointee.duration) / Double(AV_TIME_BASE)
    }

    /// Number of frames by the index, else by the header, else as many as its length has at the average rate; nil when the container does not say.
    var expectedFrames: Int? {
        if let promisedFrames { return promisedFrames }
        if stream.pointee.nb_frames > 0 { return Int(stream.pointee.nb_frames) }
        let rate = stream.pointee.avg_frame_rate
        guard let promisedSeconds, rate.num > 0, rate.den > 0 else { return nil }
        let frames = (promisedSeconds * Double(rate.num) / Double(rate.den)).rounded()
        return (1..<1e8).contains(frames) ? Int(frames) : nil
    }

    /// Missing end of the file, in words; nil when all that the container promised was there.
    func shortfall(after frameCount: Int, frameSeconds: Double) -> String? {
        if hasSought { return nil }
        if let promised = promisedFrames {
            return frameCount < promised ? "it ends after frame \(frameCount) of \(promised)" : nil
        }
        guard let promised = promisedSeconds else { return nil }
        let start = context.pointee.start_time == RF_AV_NOPTS_VALUE ? 0 : Double(context.pointee.start_time) / Double(AV_TIME_BASE)
        guard dataEnd - min(start, 0) < promised - 2 * frameSeconds - 0.1 else { return nil }
        let ends = String(format: "%.3f s of %.3f s", dataEnd, promised)
        return "it ends after frame \(frameCount), at \(ends)"
    }
}
