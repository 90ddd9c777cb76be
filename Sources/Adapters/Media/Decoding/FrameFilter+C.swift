internal import CFFmpeg
import Foundation

/// Filter graph of libavfilter for decoded pictures, with one input and one output.
final class FrameFilter {
    private let path: String
    private let timeBase: TimeBase
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private let source: UnsafeMutablePointer<AVFilterContext>
    private let sink: UnsafeMutablePointer<AVFilterContext>

    /// Opens a graph for pictures like `frame`; throws `MediaError`.
    ///
    /// - Parameters:
    ///   - filters: as FFmpeg's `-vf` takes them.
    ///   - timeBase: unit of the pictures' times, before and behind.
    ///   - path: of the footage, for errors.
    init(_ filters: String, like frame: FFmpegFrame, timeBase: TimeBase, path: String) throws(MediaError) {
        FFmpeg.silence()
        guard let fresh = avfilter_graph_alloc() else { throw FFmpeg.outOfMemory(path) }
        (graph, self.path, self.timeBase) = (fresh, path, timeBase)
        fresh.pointee.nb_threads = 1
        let picture = frame.pointer.pointee
        let input =
            "video_size=\(picture.width)x\(picture.height):pix_fmt=\(picture.format):pixel_aspect=1/1"
            + ":time_base=\(timeBase.numerator)/\(timeBase.denominator)"
        var ends: [UnsafeMutablePointer<AVFilterContext>?] = [nil, nil]
        var (outputs, inputs) = (avfilter_inout_alloc(), avfilter_inout_alloc())
        defer {
            avfilter_inout_free(&outputs)
            avfilter_inout_free(&inputs)
        }
        var result = avfilter_graph_create_filter(&ends[0], avfilter_get_by_name("buffer"), "in", input, nil, fresh)
        if result >= 0 { result = avfilter_graph_create_filter(&ends[1], avfilter_get_by_name("buffersink"), "out", nil, nil, fresh) }
        if result >= 0, outputs == nil || inputs == nil { result = rf_averror(ENOMEM) }
        if result >= 0 {
            outputs?.pointee.name = av_strdup("in")
            outputs?.pointee.filter_ctx = ends[0]
            inputs?.pointee.name = av_strdup("out")
            inputs?.pointee.filter_ctx = ends[1]
            result = avfilter_graph_parse_ptr(fresh, filters, &inputs, &outputs, nil)
        }
        if result >= 0 { result = avfilter_graph_config(fresh, nil) }
        guard result >= 0, let first = ends[0], let last = ends[1] else {
            avfilter_graph_free(&graph)
            throw MediaError(
                code: result == rf_averror(ENOMEM) ? .outOfMemory : .unsupported, path: path,
                reason: "its pictures cannot be filtered by \(filters)", underlying: result, underlyingText: FFmpeg.text(result))
        }
        (source, sink) = (first, last)
    }

    deinit { avfilter_graph_free(&graph) }

    /// Puts a picture in, or nil at the end.
    func send(_ frame: FFmpegFrame?) throws(MediaError) {
        if let frame { frame.pointer.pointee.pts = frame.pointer.pointee.best_effort_timestamp }
        try check(av_buffersrc_add_frame_flags(source, frame?.pointer, Int32(AV_BUFFERSRC_FLAG_KEEP_REF)))
    }

    /// Takes a picture out; nil where another has to be put in first, or none is left.
    func receive() throws(MediaError) -> FFmpegFrame? {
        let frame = try FFmpegFrame(for: path)
        let result = av_buffersink_get_frame(sink, frame.pointer)
        if result == rf_averror(EAGAIN) || result == RF_AVERROR_EOF { return nil }
        try check(result)
        let time = frame.pointer.pointee.pts
        let unit = AVRational(num: Int32(timeBase.numerator), den: timeBase.denominator)
        frame.pointer.pointee.best_effort_timestamp =
            time == RF_AV_NOPTS_VALUE ? time : av_rescale_q(time, av_buffersink_get_time_base(sink), unit)
        return frame
    }

    private func check(_ result: Int32) throws(MediaError) {
        guard result < 0 else { return }
        throw MediaError(
            code: result == rf_averror(ENOMEM) ? .outOfMemory : .unsupported, path: path, reason: "a picture cannot be filtered",
            underlying: result, underlyingText: FFmpeg.text(result))
    }
}
