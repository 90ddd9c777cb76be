import CoreMedia
import CoreVideo
import Foundation
import Testing

/// Checks against exact rationals in 128-bit integers: a time is `value` / `timescale`, nothing else.
@Suite("CMTime against exact rationals")
struct CMTimeRationalTests {
    private static let special: [CMTime] = [
        .invalid, .indefinite, .positiveInfinity, .negativeInfinity, .zero, CMTime(value: .max, timescale: 1), CMTime(value: .min, timescale: 1),
        CMTime(value: .max, timescale: .max), CMTime(value: .min, timescale: .max), CMTime(value: 1, timescale: .max),
        CMTime(value: 1001, timescale: 30000), CMTime(value: -1, timescale: 600),
    ]

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }

        /// Values and timescales of every magnitude; one in sixteen is special.
        mutating func time() -> CMTime {
            if next() % 16 == 0 { return CMTimeRationalTests.special[Int(next() % UInt64(CMTimeRationalTests.special.count))] }
            let value = Int64(bitPattern: next()) >> Int64(next() % 63)
            return CMTime(value: value, timescale: Int32(max((next() >> 33) >> (next() % 31), 1)))
        }
    }

    /// Whether `result` is `numerator` / `denominator`: exactly, or flagged and within half a unit, or infinite because no timescale holds it.
    private static func stands(_ result: CMTime, for numerator: Int128, _ denominator: Int128) -> Bool {
        guard result.isNumeric else {
            let limit = Int128(Int64.max) * denominator
            return result == .positiveInfinity ? numerator > limit - denominator : result == .negativeInfinity && -numerator > limit - denominator
        }
        let difference = Int128(result.value) * denominator - numerator * Int128(result.timescale)
        return result.hasBeenRounded ? 2 * difference.magnitude <= denominator.magnitude : difference == 0
    }

    private static func special(_ a: CMTime, _ b: CMTime, minus: Bool) -> CMTime {
        if !a.isValid || !b.isValid { return .invalid }
        let up = a.isPositiveInfinity || (minus ? b.isNegativeInfinity : b.isPositiveInfinity)
        let down = a.isNegativeInfinity || (minus ? b.isPositiveInfinity : b.isNegativeInfinity)
        return up && down ? .invalid : up ? .positiveInfinity : down ? .negativeInfinity : .indefinite
    }

    @Test("adds, subtracts and compares 100,000 pairs as rationals do, special values included")
    func pairs() {
        let seed: UInt64 = 20_260_807
        var generator = Generator(state: seed)
        var wrong: [String] = []
        for _ in 0..<100_000 {
            let (a, b) = (generator.time(), generator.time())
            guard a.isNumeric, b.isNumeric else {
                if a + b != Self.special(a, b, minus: false) || a - b != Self.special(a, b, minus: true) { wrong.append("\(a) \(b)") }
                continue
            }
            let denominator = Int128(a.timescale) * Int128(b.timescale)
            let (left, right) = (Int128(a.value) * Int128(b.timescale), Int128(b.value) * Int128(a.timescale))
            let isRight =
                Self.stands(a + b, for: left + right, denominator) && Self.stands(a - b, for: left - right, denominator)
                && CMTimeCompare(a, b) == (left < right ? -1 : left > right ? 1 : 0) && (a == b) == (left == right)
                && (left != right || a.hashValue == b.hashValue)
            if !isRight { wrong.append("\(a) \(b)") }
        }
        #expect(wrong.isEmpty, "seed \(seed), the first: \(wrong.first ?? "")")
    }

    @Test("multiplies and changes scale 100,000 times as rationals do")
    func products() {
        let seed: UInt64 = 7
        var generator = Generator(state: seed)
        var wrong: [String] = []
        for _ in 0..<100_000 {
            let time = generator.time()
            let factor = Int32(truncatingIfNeeded: generator.next()) >> Int32(generator.next() % 31)
            let scale = Int32(max((generator.next() >> 33) >> (generator.next() % 31), 1))
            guard time.isNumeric else {
                if time.convertScale(scale, method: .default) != time { wrong.append("\(time) to \(scale)") }
                continue
            }
            let exact = Int128(time.value) * Int128(scale)
            for method in [
                CMTimeRoundingMethod.roundHalfAwayFromZero, .roundTowardZero, .roundAwayFromZero, .roundTowardPositiveInfinity,
                .roundTowardNegativeInfinity,
            ] {
                let converted = time.convertScale(scale, method: method)
                guard converted.isNumeric else {
                    if exact.magnitude / UInt128(time.timescale) < UInt128(Int64.max) { wrong.append("\(time) to \(scale)") }
                    continue
                }
                let off = Int128(converted.value) * Int128(time.timescale) - exact
                let isRight =
                    switch method {
                    case .roundTowardZero: (off == 0 || (off < 0) == (exact > 0)) && off.magnitude < UInt128(time.timescale)
                    case .roundAwayFromZero: (off == 0 || (off > 0) == (exact > 0)) && off.magnitude < UInt128(time.timescale)
                    case .roundTowardPositiveInfinity: off >= 0 && off < Int128(time.timescale)
                    case .roundTowardNegativeInfinity: off <= 0 && -off < Int128(time.timescale)
                    default: 2 * off.magnitude <= UInt128(time.timescale)
                    }
                if !isRight || converted.timescale != scale || converted.hasBeenRounded != (off != 0) {
                    wrong.append("\(time) to \(scale) \(method)")
                }
            }
            if !Self.stands(CMTimeMultiply(time, multiplier: factor), for: Int128(time.value) * Int128(factor), Int128(time.timescale)) {
                wrong.append("\(time) times \(factor)")
            }
        }
        #expect(wrong.isEmpty, "seed \(seed), \(wrong.count) wrong, the first: \(wrong.first ?? "")")
    }

    @Test("maps, clamps and folds into ranges")
    func mapping() {
        func t(_ value: Int64, _ scale: Int32) -> CMTime { CMTime(value: value, timescale: scale) }
        let (from, to) = (CMTimeRange(start: t(1, 1), duration: t(3, 1)), CMTimeRange(start: t(10, 1), duration: t(1, 1)))
        #expect(CMTimeMapTimeFromRangeToRange(t(2, 1), fromRange: from, toRange: to) == t(31, 3))
        #expect(CMTimeMapTimeFromRangeToRange(t(7, 1), fromRange: from, toRange: to) == t(12, 1))
        #expect(CMTimeMapDurationFromRangeToRange(t(6, 1), fromRange: from, toRange: to) == t(2, 1))
        #expect(!CMTimeMapTimeFromRangeToRange(t(2, 1), fromRange: .invalid, toRange: to).isValid)
        #expect(CMTimeClampToRange(t(9, 1), range: from) == t(4, 1) && CMTimeClampToRange(.negativeInfinity, range: from) == t(1, 1))
        #expect(CMTimeFoldIntoRange(t(9, 1), foldRange: from) == t(3, 1) && CMTimeFoldIntoRange(t(-1, 2), foldRange: from) == t(5, 2))
        #expect(from.union(to) == CMTimeRange(start: t(1, 1), end: t(11, 1)) && from.intersection(to).isEmpty)
        #expect(from.intersection(CMTimeRange(start: t(2, 1), duration: t(9, 1))) == CMTimeRange(start: t(2, 1), end: t(4, 1)))
        #expect(CMTimeMultiplyByRatio(t(1, 30), multiplier: 2, divisor: 3) == t(2, 90))
        #expect(CMTimeMultiplyByFloat64(t(1, 30), multiplier: 0.5) == t(1092, 65536))
        #expect(CMTimeAbsoluteValue(t(-5, 30)) == t(5, 30) && CMTimeMinimum(t(1, 2), t(1, 3)) == t(1, 3))
        #expect(t(-1, 600).convertScale(1, method: .quickTime) == t(-1, 1) && t(1, 600).convertScale(1, method: .quickTime) == .zero)
    }
}

@Suite("Made by hand")
struct MadeBuffersTests {
    @Test("pools give buffers of their attributes, up to the threshold of a call")
    func pools() throws {
        var made: CVPixelBufferPool?
        let attributes =
            [kCVPixelBufferWidthKey: 8, kCVPixelBufferHeightKey: 4, kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA] as CFDictionary
        #expect(CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes, &made) == kCVReturnSuccess)
        let pool = try #require(made)
        let threshold = [kCVPixelBufferPoolAllocationThresholdKey: 1] as CFDictionary
        var (first, second): (CVPixelBuffer?, CVPixelBuffer?)
        #expect(CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, threshold, &first) == kCVReturnSuccess)
        #expect(CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(nil, pool, threshold, &second) == kCVReturnWouldExceedAllocationThreshold)
        #expect(CVPixelBufferPoolCreatePixelBuffer(nil, pool, &second) == kCVReturnSuccess)
        #expect(CVPixelBufferGetWidth(second!) == 8 && CVImageBufferGetDisplaySize(second!).height == 4)
        #expect(CVPixelBufferPoolCreate(nil, nil, [:], &made) == kCVReturnInvalidSize)
        #expect(CVPixelBufferCreate(nil, 2, 2, 1, nil, &first) == kCVReturnInvalidPixelFormat)
    }

    @Test("a sample is copied with other times, and keeps picture and attachments")
    func retimed() throws {
        let image = CVPixelBuffer(width: 2, height: 2, pixelFormat: kCVPixelFormatType_32BGRA)
        let sample = CMSampleBuffer(
            imageBuffer: image, formatDescription: CMFormatDescription(of: image),
            timing: CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid))
        sample.sampleAttachments[0][.displayImmediately] = true
        var timing = CMSampleTimingInfo(duration: .zero, presentationTimeStamp: CMTime(value: 5, timescale: 30), decodeTimeStamp: .invalid)
        var copy: CMSampleBuffer?
        CMSampleBufferCreateCopyWithNewTiming(
            allocator: nil, sampleBuffer: sample, sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleBufferOut: &copy)
        #expect(copy?.imageBuffer === image && copy?.presentationTimeStamp == timing.presentationTimeStamp)
        #expect(copy?.sampleAttachments[0][.displayImmediately] as? Bool == true)
        #expect(CMSampleBufferGetSampleTimingInfo(sample, at: 0, timingInfoOut: &timing) == noErr && timing.presentationTimeStamp == .zero)
        #expect(throws: NSError.self) { try CMSampleBuffer(copying: sample, withNewTiming: []) }
        for count in [0, 1, 2, -1] {
            let status = CMSampleBufferCreateCopyWithNewTiming(
                allocator: nil, sampleBuffer: sample, sampleTimingEntryCount: count, sampleTimingArray: nil, sampleBufferOut: &copy)
            #expect(status == kCMSampleBufferError_RequiredParameterMissing && copy == nil)
        }
    }

    @Test("a timebase runs along its clock at its rate, and can be set")
    func timebase() throws {
        let clock = VirtualClock()
        let timebase = try CMTimebase(sourceClock: clock.clock)
        clock.advance(to: CMTime(value: 1, timescale: 1))
        #expect(timebase.time == .zero)
        try timebase.setRate(2)
        clock.advance(to: CMTime(value: 4, timescale: 1))
        #expect(timebase.time.seconds == 6)
        CMTimebaseSetTime(timebase, time: CMTime(value: 30, timescale: 1))
        CMTimebaseSetRate(timebase, rate: 1)
        clock.advance(to: CMTime(value: 5, timescale: 1))
        #expect(CMTimebaseGetTime(timebase).seconds == 31)
    }
}
