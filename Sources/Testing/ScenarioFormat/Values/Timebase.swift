import CoreMedia
import Foundation
import Pipeline

/// Time base of a clip: converts written times to integer nanoseconds.
struct Timebase {
    /// Nil for footage that brings its own rate.
    var frameDuration: CMTime?
    /// Counting of the footage's frames, asked for where a time is a frame or a timecode; nil for anything else.
    var footage: (@Sendable () throws -> FootageTiming)?
    /// Advice where a time is in frames and the rate is not known.
    private var advice = "give the clip its `fps`, or write seconds"

    /// Time base of what is no clip: durations are not in frames.
    static var ofSeconds: Timebase {
        var base = Timebase(frameDuration: nil)
        base.advice = "write seconds"
        return base
    }

    init(frameDuration: CMTime?) { self.frameDuration = frameDuration }

    /// Time base of a clip, whose footage can be asked for its rate where the options say how.
    init(_ clip: ScenarioFile.Clip, _ options: ReadingOptions) {
        frameDuration = clip.frameDuration
        guard !clip.source.isSynthetic, clip.frameDuration == nil, let timing = options.timing else { return }
        footage = { try timing(clip.source) }
    }

    /// A day: no time of a scenario reaches it, so that sums of a few never leave 64 bits. Nanoseconds.
    static let longest: Int64 = 86_400_000_000_000

    /// Written durations: `1.5s`, `250ms`, `45f`.
    func duration(_ node: Node, _ what: String = "a time") throws(ScenarioError) -> Int64 {
        try parse(try node.text(what), at: node, what)
    }

    /// A point of the clip: a duration from its first frame, or a timecode of its source. Half a frame before the frame that is meant, where the
    /// source is footage, whose container may have rounded its times.
    func moment(_ text: String, at node: Node) throws(ScenarioError) -> Int64 {
        let timecode = Timecode(text)
        guard timecode != nil || text.hasSuffix("f"), let counting = try counting(at: node) else { return try parse(text, at: node) }
        let frame: Int
        if let timecode {
            guard let number = counting.frame(of: timecode) else {
                throw node.error(
                    "there is no frame of timecode \(text): the clip begins at \(counting.begin), with \(counting.frameDuration.rateText) frames/s")
            }
            frame = number
        } else {
            guard let number = Int(text.dropLast()), (0..<100_000_000).contains(number) else { return try parse(text, at: node) }
            frame = number
        }
        let duration = counting.frameDuration
        let time = CMTime(value: duration.value * Int64(frame), timescale: duration.timescale).nanoseconds
        guard time < Self.longest else { throw node.error("a scenario is shorter than a day") }
        return footage == nil ? time : max(0, time - duration.nanoseconds / 2)
    }

    private func counting(at node: Node) throws(ScenarioError) -> FootageTiming? {
        guard let footage else { return frameDuration.map { FootageTiming(frameDuration: $0) } }
        do { return try footage() } catch { throw node.error("the rate of the footage is not known: \(error)") }
    }

    func parse(_ text: String, at node: Node, _ what: String = "a time") throws(ScenarioError) -> Int64 {
        guard let quantity = Quantity(text) else { throw node.error("\(what) is written like 1.5s, 250ms or 45f, not `\(text)`") }
        guard !quantity.number.hasPrefix("-") else { throw node.error("\(what) is never negative, unlike `\(text)`") }
        switch quantity.unit {
        case "s": return try nanoseconds(quantity.number, unit: 1_000_000_000, at: node)
        case "ms": return try nanoseconds(quantity.number, unit: 1_000_000, at: node)
        case "f":
            guard let frames = Int64(quantity.number), frames < 100_000_000 else {
                throw node.error("frames are counted whole, unlike `\(text)`")
            }
            guard let frameDuration = try counting(at: node)?.frameDuration else {
                throw node.error("`\(text)` needs to know the frame rate", suggestion: advice)
            }
            let time = CMTime(value: frameDuration.value * frames, timescale: frameDuration.timescale).nanoseconds
            guard time < Self.longest else { throw node.error("a scenario is shorter than a day") }
            return time
        case "":
            throw node.error("\(what) needs its unit", suggestion: "did you mean `\(text)s`?")
        default:
            throw node.error("`\(quantity.unit)` is not a unit of time", suggestion: "write seconds (1.5s), milliseconds (250ms) or frames (45f)")
        }
    }

    /// Exact: the digits are never a floating-point number.
    private func nanoseconds(_ digits: String, unit: Int64, at node: Node) throws(ScenarioError) -> Int64 {
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let written = parts[0].drop { $0 == "+" }
        let longest = 86_400 * (1_000_000_000 / unit)
        guard var whole = written.isEmpty ? 0 : Int64(written), whole < longest else { throw node.error("a scenario is shorter than a day") }
        var scale = unit
        whole *= unit
        for digit in parts.dropFirst().joined() {
            guard scale % 10 == 0 else { throw node.error("`\(digits)` is finer than a nanosecond") }
            scale /= 10
            whole += Int64(digit.wholeNumberValue ?? 0) * scale
        }
        return whole
    }

    /// Number of frames with a presentation time before `end`; nil without a rate.
    func frameCount(before end: Int64) -> Int? {
        guard let frameDuration else { return nil }
        let (product, unit) = (end.multipliedFullWidth(by: Int64(frameDuration.timescale)), frameDuration.value * 1_000_000_000)
        let (quotient, remainder) = unit.dividingFullWidth(product)
        return Int(quotient) + (remainder > 0 ? 1 : 0)
    }
}
