import Pipeline

/// Reason for which an edit cannot be applied to a movie.
public enum FocusScriptError: Error, Sendable, Equatable, CustomStringConvertible {
    /// No subject has this name; those there are, the nearest spelling first.
    case unknownSubject(String, known: [String])
    /// The subject is not in the picture then, but between two times, seconds.
    case absent(String, at: Double, from: Double, to: Double)
    /// No frame is there; the movie's length in seconds, and the timecode of its first frame, nil for none.
    case outside(FootageSpan.Point, seconds: Double, begin: Timecode?)
    /// No decision of the user is there; the times of those there are, seconds.
    case noDecision(at: Double, known: [Double])
    /// Only what is metric has distances.
    case notMetric
    /// Nobody has looked for what is at the point.
    case unresolved

    /// The reason in words, with what to do.
    public var description: String {
        switch self {
        case .unknownSubject(let name, let known):
            return known.isEmpty
                ? "there is no `\(name)`: nobody was detected in this movie; give a place, {at: [x, y]}"
                : "there is no `\(name)` in this movie; there are \(known.joined(separator: ", "))"
        case .absent(let name, let time, let from, let to):
            return "\(name) is not in the picture at \(Self.text(time)), only from \(Self.text(from)) to \(Self.text(to))"
        case .outside(.timecode(let timecode), let seconds, let begin?):
            return "\(timecode) is outside of the movie, which begins at \(begin) and is \(Self.text(seconds)) long"
        case .outside(let point, let seconds, _): return "\(point) is outside of the movie, which is \(Self.text(seconds)) long"
        case .noDecision(let time, let known):
            let times = known.isEmpty ? "there is none" : "those there are: " + known.map(Self.text).joined(separator: ", ")
            return "there is no decision of the user at \(Self.text(time)); \(times). An automatic one is changed by a decision in its place"
        case .notMetric: return "the depth of this movie is not in metres, so a distance is nowhere; give a place, {at: [x, y]}"
        case .unresolved: return "nobody has looked yet for what is at this place; `rackfocus edit` does"
        }
    }

    /// Seconds with three decimals.
    private static func text(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
    }
}
