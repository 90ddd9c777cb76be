import CoreMedia
import Foundation

/// Presentation times of a file's frames, as exact fractions that begin at zero.
///
/// A constant rate gives index × frame duration, also where the container rounds (Matroska: to milliseconds); a frame more than one tick of
/// the time base off that keeps the file's own time.
struct Timeline {
    let timeBase: (numerator: Int64, denominator: Int64)
    let frameDuration: CMTime
    private var first: Int64?
    private var last: CMTime?
    private var index: Int64 = 0

    init(timeBase: (numerator: Int64, denominator: Int64), frameDuration: CMTime) {
        self.timeBase = timeBase
        self.frameDuration = frameDuration
    }

    /// The time of the next frame; `timestamp` is the file's, in its time base.
    mutating func next(timestamp: Int64?) -> CMTime {
        let regular = CMTime(value: index * frameDuration.value, timescale: frameDuration.timescale)
        var time = regular
        if let timestamp, let scale = CMTimeScale(exactly: timeBase.denominator) {
            let start = first ?? timestamp - regular.ticks(of: timeBase)
            first = start
            let stored = CMTime(value: (timestamp - start) * timeBase.numerator, timescale: scale)
            let offset = stored < regular ? regular - stored : stored - regular
            if offset > CMTime(value: timeBase.numerator, timescale: scale) { time = stored }
        }
        if let last, time <= last { time = last + frameDuration }
        last = time
        index += 1
        return time
    }

    /// The exact time of one frame. The rate the time stamps suggest is preferred to the average where they all but agree,
    /// and a rate within 0.03 % of a usual one is that one.
    static func frameDuration(average: (Int64, Int64)?, real: (Int64, Int64)?) -> CMTime? {
        func value(_ rate: (Int64, Int64)) -> Double { Double(rate.0) / Double(rate.1) }
        guard var rate = average ?? real else { return nil }
        if let average, let real, abs(value(real) / value(average) - 1) < 0.01 { rate = real }
        let usual: [(Int64, Int64)] = [24000, 30000, 48000, 60000, 120_000].map { ($0, 1001) } + (1...240).map { ($0, 1) }
        if let near = usual.first(where: { abs(value(rate) / value($0) - 1) < 0.0003 }) { rate = near }
        guard let scale = CMTimeScale(exactly: rate.0), scale > 0, rate.1 > 0 else { return nil }
        return CMTime(value: rate.1, timescale: scale)
    }
}

extension CMTime {
    /// Rounded down.
    fileprivate func ticks(of base: (numerator: Int64, denominator: Int64)) -> Int64 {
        value * base.denominator / (Int64(timescale) * base.numerator)
    }
}
