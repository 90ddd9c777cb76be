import CoreMedia
import Testing

@Suite("CMTime")
struct CMTimeTests {
    private func time(_ value: Int64, _ timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

    @Test("orders as Apple's does: -infinity, numbers, indefinite, +infinity, invalid")
    func order() {
        let ascending: [CMTime] = [.negativeInfinity, time(-1, 30), .zero, time(1, 30), time(1001, 30000), .indefinite, .positiveInfinity, .invalid]
        for (i, a) in ascending.enumerated() {
            for (j, b) in ascending.enumerated() {
                #expect(CMTimeCompare(a, b) == (i < j ? -1 : i == j ? 0 : 1))
                #expect((a < b) == (i < j))
            }
        }
    }

    @Test("compares exactly, where products overflow and doubles round")
    func exactly() {
        #expect(time(Int64.max, 2) > time(Int64.max - 1, 2))
        #expect(time(Int64.max, Int32.max) > time(Int64.max - 1, Int32.max))
        #expect(time(1, 3) < time(33_333_334, 100_000_000))
        #expect(CMTime(value: 0, timescale: 30, flags: .valid, epoch: 1) > time(1_000_000, 1))
    }

    @Test("equal times hash alike")
    func hash() {
        #expect(time(1, 2) == time(15, 30))
        #expect(Set([time(1, 2), time(15, 30), time(300, 600)]).count == 1)
        #expect(Set([time(0, 1), time(0, 30), .zero]).count == 1)
        #expect(Set([CMTime.invalid, CMTime(value: 5, timescale: 0), .indefinite]).count == 2)
    }

    @Test("adds in the least common timescale, exactly")
    func add() {
        let sum = time(1, 30) + time(1, 25)
        #expect(sum.value == 11)
        #expect(sum.timescale == 150)
        #expect((time(1001, 30000) + time(1001, 30000)).timescale == 30000)
        #expect(time(7, 30) - time(10, 30) == time(-1, 10))
        let frames = (0..<1000).reduce(CMTime.zero) { sum, _ in sum + time(1001, 30000) }
        #expect(frames == time(1_001_000, 30000))
        #expect(!frames.flags.contains(.hasBeenRounded))
    }

    @Test("a sum whose timescale grows too large is rounded and says so; one too large becomes infinite")
    func overflow() {
        let fine = time(1, Int32.max) + time(1, Int32.max - 1)
        #expect(fine.timescale == Int32.max)
        #expect(fine.value == 2)
        #expect(fine.flags.contains(.hasBeenRounded))
        let large = time(Int64.max, 4) + time(Int64.max - 1, 4)
        #expect(large.timescale == 2)
        #expect(large.flags.contains(.hasBeenRounded))
        #expect(time(Int64.max, 1) + time(Int64.max, 1) == .positiveInfinity)
        #expect(time(-Int64.max, 1) - time(Int64.max, 1) == .negativeInfinity)
    }

    @Test("infinite, indefinite and invalid times add as Apple's do")
    func nonNumeric() {
        #expect(.positiveInfinity + time(1, 30) == CMTime.positiveInfinity)
        #expect(time(1, 30) - .positiveInfinity == .negativeInfinity)
        #expect(.positiveInfinity + .positiveInfinity == CMTime.positiveInfinity)
        #expect(.positiveInfinity - .positiveInfinity == CMTime.invalid)
        #expect(.positiveInfinity + .negativeInfinity == CMTime.invalid)
        #expect(.indefinite + time(1, 30) == CMTime.indefinite)
        #expect(.indefinite + .negativeInfinity == CMTime.negativeInfinity)
        #expect(.invalid + time(1, 30) == CMTime.invalid)
    }

    @Test("durations add to times of any epoch; two epochs do not mix")
    func epochs() {
        func epoch(_ value: Int64, _ epoch: Int64) -> CMTime { CMTime(value: value, timescale: 30, flags: .valid, epoch: epoch) }
        #expect((epoch(1, 2) + epoch(1, 0)).epoch == 2)
        #expect((epoch(3, 2) - epoch(1, 2)).epoch == 0)
        #expect(!(epoch(3, 2) - epoch(1, 1)).isValid)
    }

    @Test("answers C's questions")
    func questions() {
        let third = CMTime(seconds: 1.0 / 3, preferredTimescale: 1000)
        let times: [CMTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity, .zero, third]
        #expect(times.map(CMTIME_IS_VALID) == [false, true, true, true, true, true])
        #expect(times.map(CMTIME_IS_INVALID) == [true, false, false, false, false, false])
        #expect(times.map(CMTIME_IS_INDEFINITE) == [false, true, false, false, false, false])
        #expect(times.map(CMTIME_IS_POSITIVEINFINITY) == [false, false, true, false, false, false])
        #expect(times.map(CMTIME_IS_NEGATIVEINFINITY) == [false, false, false, true, false, false])
        #expect(times.map(CMTIME_IS_NUMERIC) == [false, false, false, false, true, true])
        #expect(times.map(CMTIME_HAS_BEEN_ROUNDED) == [false, false, false, false, false, true])
        let ranges = [CMTimeRange.invalid, .zero, CMTimeRange(start: .zero, duration: third), CMTimeRange(start: .zero, duration: .indefinite)]
        #expect(ranges.map(CMTIMERANGE_IS_VALID) == [false, true, true, true])
        #expect(ranges.map(CMTIMERANGE_IS_INVALID) == [true, false, false, false])
        #expect(ranges.map(CMTIMERANGE_IS_EMPTY) == [false, true, false, false])
        #expect(ranges.map(CMTIMERANGE_IS_INDEFINITE) == [false, false, false, true])
    }

    @Test("is made from seconds by rounding to the nearest, halves away from zero")
    func seconds() {
        #expect(CMTime(seconds: 0.5, preferredTimescale: 600).value == 300)
        #expect(CMTime(seconds: -0.25, preferredTimescale: 2).value == -1)
        #expect(CMTime(seconds: 1.0 / 3, preferredTimescale: 1000).flags.contains(.hasBeenRounded))
        #expect(!CMTime(seconds: 1.5, preferredTimescale: 2).flags.contains(.hasBeenRounded))
        #expect(CMTime(seconds: .infinity, preferredTimescale: 600) == .positiveInfinity)
        #expect(CMTime(seconds: -1e300, preferredTimescale: 600) == .negativeInfinity)
        #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
        #expect(CMTime(seconds: 1e12, preferredTimescale: 1_000_000_000).seconds == 1e12)
        #expect(CMTimeGetSeconds(.positiveInfinity) == .infinity)
        #expect(CMTimeGetSeconds(.indefinite).isNaN)
    }

    @Test(
        "gives whole nanoseconds, rounded down",
        arguments: [(1, 30, 33_333_333), (-1, 30, -33_333_334), (1001, 30000, 33_366_666), (5, 1, 5_000_000_000)])
    func nanoseconds(_ value: Int, _ timescale: Int, _ expected: Int) {
        #expect(time(Int64(value), Int32(timescale)).nanoseconds == Int64(expected))
    }

    @Test("a timescale that is not positive makes no valid time", arguments: [Int32(0), -30])
    func timescale(_ timescale: Int32) {
        #expect(!time(1, timescale).isValid)
    }
}

@Suite("The machine's time")
struct MachTimeTests {
    @Test("is the host clock's, in nanoseconds")
    func unit() {
        var info = mach_timebase_info_data_t()
        #expect(mach_timebase_info(&info) == 0 && info.numer == 1 && info.denom == 1)
        let (before, time, after) = (CMClockGetHostTimeClock().time, mach_absolute_time(), CMClockGetHostTimeClock().time)
        #expect(before.value <= Int64(time) && Int64(time) <= after.value)
    }
}
