import CoreMedia
import Media
import Pipeline
import Synchronization

/// Part of a source, whose first frame is at time zero. Frames before it that the source gives are read when it is opened.
final class TrimmedSource: FrameSource {
    let description: SourceDescription
    var remarks: [String] { source.remarks + [state.withLock(\.early)].compactMap { $0 } }
    private let source: any FrameSource
    private let path: String
    private let span: FootageSpan
    private let state: Mutex<State>

    private struct State {
        /// Read already, and not delivered.
        var first: Frame?
        let start: (index: Int, time: CMTime)
        /// The last frame that was read, as it is in the source.
        var last: (index: Int, time: CMTime)
        /// Remark on a source that ended before the part did; nil as long as it did not.
        var early: String?
        var isOver = false
    }

    /// Throws `MediaError` where the footage ends before the part begins, or has no such timecode. `path` is of the footage, for errors.
    init(_ source: any FrameSource, _ span: FootageSpan, path: String) throws {
        (self.source, self.span, self.path) = (source, span, path)
        var first = try source.nextFrame()
        while let frame = first, let from = span.from, !(try Self.isReached(from, by: frame, of: source.description, path)) {
            first = try source.nextFrame()
        }
        try Self.checkOrder(of: span, in: source.description, path, first)
        guard let first else {
            throw MediaError(code: .mismatch, path: path, reason: Self.reasonOfEnd(source.description, span))
        }
        var description = source.description
        description.timecode = description.timecode(at: first.presentationTime) ?? description.timecode
        description.footageStart = first.presentationTime
        description.end = span.end(in: source.description).map { $0 - first.presentationTime }
        description.frameCount = span.to == nil ? description.frameCount.map { max($0 - first.index, 0) } : nil
        self.description = description
        let start = (first.index, first.presentationTime)
        state = Mutex(State(first: first, start: start, last: start))
    }

    /// Throws where the part ends before its first frame, so that it has none; `first` is nil where the source ended, which may do so at the part's end.
    private static func checkOrder(of span: FootageSpan, in source: SourceDescription, _ path: String, _ first: Frame?) throws {
        guard let to = span.to else { return }
        let start: CMTime? = if let from = span.from { from.end(in: source) } else { .zero }
        let isEmpty =
            try first.map { try isReached(to, by: $0, of: source, path) } ?? to.end(in: source).flatMap { end in start.map { end <= $0 } } ?? false
        guard isEmpty else { return }
        throw MediaError(code: .mismatch, path: path, reason: span.reasonOfNone)
    }

    /// Why the part begins behind the last frame, with the footage's end where that is known without reading: frames before the part are passed over.
    private static func reasonOfEnd(_ source: SourceDescription, _ span: FootageSpan) -> String {
        guard let count = source.frameCount else {
            return "ends before \(span.from?.description ?? "its first frame"), from which it is to be used\(span.noteOnTimecode(in: source))"
        }
        let last = CMTimeMultiply(source.frameDuration, multiplier: Int32(clamping: count - 1))
        return span.reason(forEndAfter: count - 1, at: last, of: source)
    }

    private static func isReached(_ point: FootageSpan.Point, by frame: Frame, of source: SourceDescription, _ path: String) throws(MediaError)
        -> Bool
    {
        if let isReached = point.isReached(by: frame, of: source) { return isReached }
        throw MediaError(code: .mismatch, path: path, reason: point.reasonOfNone(in: source))
    }

    func nextFrame() throws -> Frame? {
        try state.withLock { state in
            guard !state.isOver else { return nil }
            let next = try state.first ?? source.nextFrame()
            state.first = nil
            if next == nil { state.early = span.remark(onEndAfter: state.last.index, at: state.last.time, of: source.description, path) }
            guard var frame = next, try !(span.to.map { try Self.isReached($0, by: frame, of: source.description, path) } ?? false) else {
                state.isOver = true
                return nil
            }
            state.last = (frame.index, frame.presentationTime)
            frame.index -= state.start.index
            frame.presentationTime = frame.presentationTime - state.start.time
            return frame
        }
    }
}
