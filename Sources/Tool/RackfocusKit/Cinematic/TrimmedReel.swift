import Cinematic
import CoreMedia
import Media
import Pipeline

/// Part of a cinematic movie's frames, opened at its first one.
final class TrimmedReel {
    /// Time of the first frame in the movie.
    let start: CMTime
    private let movie: EditedMovie
    private let source: any CinematicFrameSource
    private let span: FootageSpan
    private var isOver = false
    private var pending: (frame: Frame, sample: CinematicSample)?
    /// The last frame that was given.
    private var last: (index: Int, time: CMTime)?
    /// Remark on a movie that ended before the part did; nil as long as it did not.
    private(set) var early: String?

    /// Throws `MediaError` for a span that holds no frame, or a timecode that the movie cannot have.
    init(_ movie: EditedMovie, _ source: any CinematicFrameSource, _ span: FootageSpan) throws {
        (self.movie, self.source, self.span) = (movie, source, span)
        let times = movie.script.times
        if let number = span.from.flatMap({ Self.frame(at: $0, of: times) }) { try source.seek(to: number, at: times[number]) }
        while let next = try source.next() {
            guard try span.from.map({ try Self.isReached($0, next.frame, source, movie.path) }) ?? true else { continue }
            pending = next
            break
        }
        guard let pending else {
            let reason = span.reason(forEndAfter: times.count - 1, at: times.last ?? .zero, of: source.description)
            throw MediaError(code: .mismatch, path: movie.path, reason: reason)
        }
        if let to = span.to, try Self.isReached(to, pending.frame, source, movie.path) {
            throw MediaError(code: .mismatch, path: movie.path, reason: span.reasonOfNone)
        }
        start = pending.frame.presentationTime
    }

    /// Makes a frame of the movie the next one, by its number; there is none behind the last.
    func seek(to number: Int) throws {
        let times = movie.script.times
        (pending, isOver) = (nil, !times.indices.contains(number))
        if !isOver { try source.seek(to: number, at: times[number]) }
    }

    func next() throws -> (frame: Frame, sample: CinematicSample)? {
        guard !isOver else { return nil }
        let next = try pending ?? source.next()
        pending = nil
        if next == nil, let last { early = span.remark(onEndAfter: last.index, at: last.time, of: source.description, movie.path) }
        guard let next, try !(span.to.map { try Self.isReached($0, next.frame, source, movie.path) } ?? false) else {
            isOver = true
            return nil
        }
        last = (next.frame.index, next.frame.presentationTime)
        return next
    }

    /// Number of the first frame at a point; nil where it takes the pictures to tell, or nothing lies before it.
    private static func frame(at point: FootageSpan.Point, of times: [CMTime]) -> Int? {
        switch point {
        case .frame(let number): times.indices.contains(number) && number > 0 ? number : nil
        case .time(let time): times.firstIndex { $0 >= time }.flatMap { $0 > 0 ? $0 : nil }
        case .timecode: nil
        }
    }

    private static func isReached(_ point: FootageSpan.Point, _ frame: Frame, _ source: any FrameSource, _ path: String) throws -> Bool {
        if let isReached = point.isReached(by: frame, of: source.description) { return isReached }
        throw MediaError(code: .mismatch, path: path, reason: point.reasonOfNone(in: source.description))
    }
}
