import CoreMedia
import Media
import Pipeline

/// Part of a cinematic movie's frames, opened at its first one.
final class TrimmedReel {
    /// Time of the first frame in the movie.
    let start: CMTime
    private let source: CinematicFileSource
    private let span: FootageSpan
    private var isOver = false
    private var pending: (frame: Frame, sample: CinematicSample)?

    /// Throws `MediaError` for a span that holds no frame, or a timecode that the movie cannot have.
    init(_ source: CinematicFileSource, _ span: FootageSpan) throws {
        (self.source, self.span) = (source, span)
        if let number = span.from.flatMap({ Self.entry(at: $0, of: source.movie) }) { try source.seek(to: number) }
        while let next = try source.next() {
            guard try span.from.map({ try Self.isReached($0, next.frame, source) }) ?? true else { continue }
            pending = next
            break
        }
        guard let pending, try !(span.to.map { try Self.isReached($0, pending.frame, source) } ?? false) else {
            throw MediaError(code: .unsupported, path: source.movie.path, reason: "has no frame in the part that is asked for")
        }
        start = pending.frame.presentationTime
    }

    /// Makes the frame of an entry the next one; there is none behind the last entry.
    func seek(to number: Int) throws {
        (pending, isOver) = (nil, !source.movie.entries.indices.contains(number))
        if !isOver { try source.seek(to: number) }
    }

    func next() throws -> (frame: Frame, sample: CinematicSample)? {
        if let first = pending {
            pending = nil
            return first
        }
        guard !isOver, let next = try source.next(), try !(span.to.map { try Self.isReached($0, next.frame, source) } ?? false) else { return nil }
        return next
    }

    /// Number of the first frame at a point; nil where it takes the pictures to tell, or nothing lies before it.
    private static func entry(at point: FootageSpan.Point, of movie: CinematicMovie) -> Int? {
        switch point {
        case .frame(let number): movie.entries.indices.contains(number) && number > 0 ? number : nil
        case .time(let time): movie.entries.firstIndex { $0.time >= time }.flatMap { $0 > 0 ? $0 : nil }
        case .timecode: nil
        }
    }

    private static func isReached(_ point: FootageSpan.Point, _ frame: Frame, _ source: CinematicFileSource) throws -> Bool {
        guard let isReached = point.isReached(by: frame, of: source.description) else {
            throw MediaError(code: .unsupported, path: source.movie.path, reason: "has no frame \(point): there are fewer frames in a second")
        }
        return isReached
    }
}
