import Foundation
import ScenarioFormat
import Support

/// Two traces of one scenario side by side: which decisions each takes, when their subjects are sharp, how far apart focus is.
///
///     decision                          live sharp at  post sharp at
///        4.033 s  ben weak entered            4.433 s        4.033 s
///     1 decision, the same in both; focus is up to 0.269 1/m apart, at 4.033 s
public struct TraceComparison: Sendable {
    /// A trace that cannot be read.
    public struct BadTrace: Error, CustomStringConvertible {
        /// Path of the trace.
        public let name: String
        /// Path and fault in words.
        public let description: String

        /// Creates an error about a path.
        public init(_ path: String, _ reason: String) { (name, description) = (path, "\(path): \(reason)") }

        fileprivate init(_ path: String, line: Int) {
            (name, description) = (path, "\(path):\(line): this is no line of a trace; give trace.jsonl as `rackfocus test` left it")
        }
    }

    /// Report: both names, the table, and the summary.
    public let text: String
    /// Whether both take the same decisions, at the same times.
    public let decidesTheSame: Bool

    /// `first` and `second` are the texts of two `trace.jsonl`, of the paths given. Throws `BadTrace`.
    public init(_ first: String, named path: String, with second: String, named other: String) throws {
        let (a, b) = (try Run(first, path), try Run(second, other))
        decidesTheSame = a.decisions == b.decisions
        let titles = [path, other].map { "\(Self.title($0)) sharp at" }
        func columns(_ texts: [String]) -> String {
            zip(texts, titles).map { text, title in String(repeating: " ", count: max(16, title.count + 2) - text.count) + text }.joined()
        }
        func row(_ decision: Decision, _ times: [String]) -> String {
            let time = TimelineClock.seconds(decision.t)
            let who =
                "\(decision.label ?? decision.subject.map { "object \($0)" } ?? "nobody") \(decision.mode) \(decision.why)"
            let head = String(repeating: " ", count: max(12 - time.count, 0)) + "\(time)  \(who)"
            return head.padding(toLength: max(head.count, 44), withPad: " ", startingAt: 0)
                + columns(times)
        }
        var lines = ["decision".padding(toLength: 44, withPad: " ", startingAt: 0) + columns(titles)]
        let known = Set(a.decisions)
        let all = (a.decisions + b.decisions.filter { !known.contains($0) }).enumerated()
            .sorted { ($0.element.t, $0.offset) < ($1.element.t, $1.offset) }.map(\.element)
        let sharp = (a.sharpTimes(), b.sharpTimes())
        for decision in all {
            lines.append(row(decision, [sharp.0[decision] ?? "-", sharp.1[decision] ?? "-"]))
        }
        let apart = a.distance(to: b)
        lines.append(
            "\(all.count.counted("decision")), \(decidesTheSame ? "the same in both" : "not the same in both"); "
                + (apart.most > 0
                    ? "focus is up to \(Self.thousandths(apart.most)) 1/m apart, at \(TimelineClock.seconds(apart.time))"
                    : "focus is the same"))
        text = lines.joined(separator: "\n")
    }

    /// Last part of a path, at most 20 characters of it.
    private static func title(_ path: String) -> String {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return name.count > 20 ? String(name.prefix(19)) + "…" : name
    }

    private static func thousandths(_ value: UInt) -> String {
        "\((Double(value) / 65.536).rounded() / 1000)"
    }

    private struct Decision: Decodable, Sendable, Hashable {
        let t: Int64
        let why: String
        let mode: String
        let subject: Int?
        let label: String?
    }

    /// Line of a trace about a frame.
    private struct Moment: Decodable, Sendable {
        let t: Int64
        /// Focus disparity in 1/65536 of 1/m; nil in lines about something else.
        let focus: Int?
        let subject: Int?
        let isRacking: Bool
        let decisions: [Decision]

        private enum Key: String, CodingKey { case t, focus, subject, rack, decisions }

        init(from decoder: any Decoder) throws {
            let line = try decoder.container(keyedBy: Key.self)
            t = try line.decodeIfPresent(Int64.self, forKey: .t) ?? -1
            focus = try line.decodeIfPresent(Int.self, forKey: .focus)
            subject = try line.decodeIfPresent(Int.self, forKey: .subject)
            isRacking = focus != nil && (try? line.decode(Bool.self, forKey: .rack)) == nil
            decisions = try line.decodeIfPresent([Decision].self, forKey: .decisions) ?? []
        }
    }

    private struct Run: Sendable {
        private(set) var moments: [Moment] = []
        let decisions: [Decision]

        init(_ text: String, _ path: String) throws(BadTrace) {
            let decoder = JSONDecoder()
            for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n")).enumerated() {
                guard let moment = try? decoder.decode(Moment.self, from: Data(line)) else {
                    throw BadTrace(path, line: index + 1)
                }
                guard moment.focus != nil else { continue }
                guard moments.last.map({ $0.t <= moment.t }) ?? true else { throw BadTrace(path, line: index + 1) }
                moments.append(moment)
            }
            if moments.isEmpty { throw BadTrace(path, line: 1) }
            decisions = moments.flatMap(\.decisions)
        }

        /// Time at which focus reaches what was decided, before the next decision; for each decision.
        func sharpTimes() -> [Decision: String] {
            var times: [Decision: String] = [:]
            /// Of each subject, when it is sharp next; walked from the end, so that each frame is looked at once.
            var next: [Int?: Int64] = [:]
            for moment in moments.reversed() {
                if !moment.isRacking { next[moment.subject] = moment.t }
                guard !moment.decisions.isEmpty else { continue }
                for decision in moment.decisions { times[decision] = next[decision.subject].map(TimelineClock.seconds) ?? "never" }
                next = [:]
            }
            return times
        }

        /// Largest distance of focus, in 1/65536 of 1/m; a line holds until the next.
        func distance(to other: Run) -> (most: UInt, time: Int64) {
            var (most, when): (UInt, Int64) = (0, 0)
            var (mine, its) = (moments[...], other.moments[...])
            var (here, there): (Int?, Int?)
            while let time = [mine.first?.t, its.first?.t].compactMap({ $0 }).min() {
                if mine.first?.t == time { here = mine.removeFirst().focus }
                if its.first?.t == time { there = its.removeFirst().focus }
                guard let here, let there else { continue }
                let apart = here > there ? UInt(bitPattern: here &- there) : UInt(bitPattern: there &- here)
                if apart > most { (most, when) = (apart, time) }
            }
            return (most, when)
        }
    }
}
