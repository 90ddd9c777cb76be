import Foundation
import Support

/// Resolves the times of the timeline, which refer to each other.
package struct TimelineClock {
    /// Time of the end of the clip, in events and expectations.
    package static let end = Int64.max

    let timebase: Timebase
    /// Nanoseconds of the event above, and where it stands.
    private(set) var latest: (time: Int64, line: Int) = (0, 0)
    private var marks: [String: Int64] = [:]

    init(_ timebase: Timebase) { self.timebase = timebase }

    /// The time of the next event: `1.5s`, `45f`, `00:00:03:12`, `+0.4s`, `locked+350ms`, `locked` or `end`.
    mutating func time(_ node: Node) throws(ScenarioError) -> Int64 {
        let time = try resolve(try node.text("the time of an event"), at: node)
        guard time >= latest.time else {
            throw node.error("time goes backwards: \(Self.name(of: time)) comes after \(Self.name(of: latest.time)) of line \(latest.line)")
        }
        latest = (time, node.mark.line)
        return time
    }

    /// A time that an event refers to, its own not changed: `9s`, `+1s` after the event, a mark, `end`.
    func moment(_ node: Node) throws(ScenarioError) -> Int64 { try resolve(try node.text("a time"), at: node) }

    mutating func mark(_ node: Node, at time: Int64) throws(ScenarioError) -> String {
        let name = try node.text("a mark")
        guard Self.isName(name), name != "end" else {
            throw node.error("`\(name)` is no name for a mark", suggestion: "use letters, digits, - and _, and start with a letter")
        }
        guard marks[name] == nil else { throw node.error("the mark `\(name)` is set twice") }
        marks[name] = time
        return name
    }

    private func resolve(_ text: String, at node: Node) throws(ScenarioError) -> Int64 {
        if text == "end" { return Self.end }
        if text.hasPrefix("+") {
            return try later(than: latest.time, by: String(text.dropFirst()), at: node)
        }
        guard let first = text.first, first.isLetter else { return try timebase.moment(text, at: node) }
        let plus = text.firstIndex(of: "+")
        let name = String(text[..<(plus ?? text.endIndex)])
        guard let mark = marks[name] else {
            let near = Suggestion.didYouMean(name, among: marks.keys.sorted() + ["end"])
            throw node.error("the mark `\(name)` is not set above this line", suggestion: near ?? "set it above with `mark: \(name)`")
        }
        guard let plus else { return mark }
        return try later(than: mark, by: String(text[text.index(after: plus)...]), at: node)
    }

    private func later(than time: Int64, by text: String, at node: Node) throws(ScenarioError) -> Int64 {
        guard time != Self.end else { throw node.error("nothing comes after the end") }
        let sum = time + (try timebase.parse(text, at: node))
        guard sum < Timebase.longest else { throw node.error("a scenario is shorter than a day") }
        return sum
    }

    static func isName(_ text: String) -> Bool {
        guard let first = text.first, first.isLetter, text.utf8.count <= Limits.name else { return false }
        return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    /// `the end`, or seconds.
    package static func name(of time: Int64) -> String { time == end ? "the end" : seconds(time) }

    /// Seconds with three decimals, as every message prints them; of any time at all.
    package static func seconds(_ time: Int64) -> String {
        let milliseconds = (time.magnitude + 500_000) / 1_000_000
        let fraction = String(milliseconds % 1000)
        let sign = time < 0 && milliseconds > 0 ? "-" : ""
        return "\(sign)\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) s"
    }
}
