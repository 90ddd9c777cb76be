import CoreMedia
import Foundation

/// Presentation timestamps of a file's frames, as exact fractions that begin at zero.
///
/// A constant rate gives index × frame duration, also where the container rounds (Matroska: to milliseconds); a frame more than one tick of
/// the time base off that keeps the file's own time.
struct Timeline {
    let timeBase: TimeBase
    let frameDuration: CMTime
    private var first: Int64?
    private var last: CMTime?
    /// Number of the next frame.
    private(set) var index: Int64 = 0
    /// Whether the next frame is another than the one after the last.
    private var hasSought = false

    init(timeBase: TimeBase, frameDuration: CMTime) {
        self.timeBase = timeBase
        self.frameDuration = frameDuration
    }

    /// The time of the next frame; `timestamp` is the file's, in its time base. Nil where that is no time a movie can have.
    mutating func next(timestamp: Int64?) -> CMTime? {
        if hasSought, let timestamp, let first, let stored = timeBase.time(timestamp, since: first) {
            (index, last, hasSought) = (Int64((stored.seconds / frameDuration.seconds).rounded()), nil, false)
        }
        let regular = CMTime(value: index * frameDuration.value, timescale: frameDuration.timescale)
        var time = regular
        if let timestamp {
            guard let start = first ?? timeBase.ticks(regular, before: timestamp), let stored = timeBase.time(timestamp, since: start) else {
                return nil
            }
            first = start
            let offset = stored < regular ? regular - stored : stored - regular
            if offset > timeBase.tick { time = stored }
        }
        if let last, time <= last { time = last + frameDuration }
        last = time
        index += 1
        return time
    }

    /// Ticks of a time in a file whose first picture is at `start`, from which the next frame may come; nil where that is no time of a file.
    mutating func seek(to time: CMTime, start: Int64) -> Int64? {
        let zero = first ?? start
        guard let ticks = timeBase.ticks(time).flatMap({ $0.addingReportingOverflow(zero).overflow ? nil : $0 + zero }) else { return nil }
        (first, hasSought) = (zero, true)
        return ticks
    }

    /// Makes the frame of a number the next one.
    mutating func move(to number: Int64) { (index, last) = (number, nil) }

    /// Number of the first frame of a constant rate from a time on.
    func number(from time: CMTime) -> Int64 {
        let (value, scale) = (Int128(time.value) * Int128(frameDuration.timescale), Int128(time.timescale) * Int128(frameDuration.value))
        return scale > 0 ? Int64(clamping: max((value + scale - 1) / scale, 0)) : 0
    }

    /// Seconds that a frame of a constant rate can last: a day.
    private static let longestFrame: Int64 = 86_400

    /// Exact frame duration. The rate that the timestamps suggest is preferred to the average where they all but agree, and a rate within 0.03 % of a
    /// usual one becomes that one.
    static func frameDuration(average: (Int64, Int64)?, real: (Int64, Int64)?) -> CMTime? {
        guard var rate = average ?? real else { return nil }
        if let real, !isRateVariable(average: average, real: real) { rate = real }
        let usual: [(Int64, Int64)] = [24000, 30000, 48000, 60000, 120_000].map { ($0, 1001) } + (1...240).map { ($0, 1) }
        if let near = usual.first(where: { abs(value(rate) / value($0) - 1) < 0.0003 }) { rate = near }
        guard let scale = CMTimeScale(exactly: rate.0), scale > 0, rate.1 > 0, rate.1 / rate.0 < longestFrame else { return nil }
        return CMTime(value: rate.1, timescale: scale)
    }

    private static func value(_ rate: (Int64, Int64)) -> Double { Double(rate.0) / Double(rate.1) }

    /// Whether a file's average rate is another than that which its timestamps suggest, by 1 % at least.
    static func isRateVariable(average: (Int64, Int64)?, real: (Int64, Int64)?) -> Bool {
        guard let average, let real else { return false }
        return abs(value(real) / value(average) - 1) >= 0.01
    }
}

/// The unit of a stream's times, seconds as a fraction. What comes out is checked, since both factors come from a file.
struct TimeBase: Equatable {
    let numerator: Int64
    let denominator: CMTimeScale

    /// Nil for what is no length of time.
    init?(numerator: Int32, denominator: Int32) {
        guard numerator > 0, denominator > 0 else { return nil }
        (self.numerator, self.denominator) = (Int64(numerator), denominator)
    }

    var seconds: Double { Double(numerator) / Double(denominator) }
    var tick: CMTime { CMTime(value: numerator, timescale: denominator) }

    /// Seconds that no movie lasts: 68 years.
    private static let longest: Double = 0x1p31

    /// Nil for more than 68 years.
    func time(_ ticks: Int64, since start: Int64 = 0) -> CMTime? {
        let (count, isOver) = ticks.subtractingReportingOverflow(start)
        let (value, isTooLarge) = count.multipliedReportingOverflow(by: numerator)
        guard !isOver, !isTooLarge, abs(Double(value)) / Double(denominator) < Self.longest else { return nil }
        return CMTime(value: value, timescale: denominator)
    }

    /// Ticks of a time, rounded down; nil where that overflows.
    func ticks(_ time: CMTime) -> Int64? {
        let (ticks, scale) = (Int128(time.value) * Int128(denominator), Int128(time.timescale) * Int128(numerator))
        return scale > 0 ? Int64(exactly: ticks / scale) : nil
    }

    /// `timestamp` less the ticks of a time, rounded down; nil where that overflows.
    fileprivate func ticks(_ time: CMTime, before timestamp: Int64) -> Int64? {
        let ticks = Int128(time.value) * Int128(denominator) / (Int128(time.timescale) * Int128(numerator))
        return Int64(exactly: Int128(timestamp) - ticks)
    }
}
