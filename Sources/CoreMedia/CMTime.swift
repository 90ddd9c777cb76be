import Foundation

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32
public typealias CMTimeEpoch = Int64

public struct CMTimeFlags: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let valid = CMTimeFlags(rawValue: 1)
    public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
    public static let positiveInfinity = CMTimeFlags(rawValue: 4)
    public static let negativeInfinity = CMTimeFlags(rawValue: 8)
    public static let indefinite = CMTimeFlags(rawValue: 16)
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A rational time: `value` / `timescale` seconds.
public struct CMTime: Sendable {
    public var value: CMTimeValue
    public var timescale: CMTimeScale
    public var flags: CMTimeFlags
    public var epoch: CMTimeEpoch

    /// The invalid time.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// The nearest time; NaN gives the invalid time, and what overflows even at timescale 1 an infinity.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        guard !seconds.isNaN, preferredTimescale > 0 else {
            self = .invalid
            return
        }
        var timescale = preferredTimescale
        while timescale > 1, abs(seconds) * Double(timescale) >= 0x1p63 { timescale /= 2 }
        let exact = seconds * Double(timescale)
        guard let value = CMTimeValue(exactly: exact.rounded(.toNearestOrAwayFromZero)) else {
            self = seconds > 0 ? .positiveInfinity : .negativeInfinity
            return
        }
        self.init(value: value, timescale: timescale)
        if Double(value) != exact { flags.insert(.hasBeenRounded) }
    }

    public static let invalid = CMTime()
    public static let zero = CMTime(value: 0, timescale: 1)
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

    public var isValid: Bool { flags.contains(.valid) }
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    public var isNumeric: Bool { isValid && flags.isDisjoint(with: .impliedValueFlagsMask) }

    /// Seconds; NaN when invalid or indefinite, infinite at the infinities.
    public var seconds: Double {
        if isNumeric { return Double(value) / Double(timescale) }
        if flags.contains(.positiveInfinity) { return .infinity }
        if flags.contains(.negativeInfinity) { return -.infinity }
        return .nan
    }

    /// Whole nanoseconds, rounded down. Only for numeric times.
    package var nanoseconds: Int64 {
        precondition(isNumeric, "no nanoseconds in a time that is not numeric")
        let scale = Int64(timescale)
        let whole = value >= 0 ? value / scale : (value - scale + 1) / scale
        return whole * 1_000_000_000 + (value - whole * scale) * 1_000_000_000 / scale
    }
}

extension CMTime: Comparable, Hashable {
    /// -1, 0 or 1; negative infinity < numbers (by epoch, then by value) < indefinite < positive infinity < invalid.
    static func order(_ lhs: CMTime, _ rhs: CMTime) -> Int {
        let (left, right) = (lhs.rank, rhs.rank)
        if left != right { return left < right ? -1 : 1 }
        guard lhs.isNumeric else { return 0 }
        if lhs.epoch != rhs.epoch { return lhs.epoch < rhs.epoch ? -1 : 1 }
        let (a, b) = (lhs.value.multipliedFullWidth(by: Int64(rhs.timescale)), rhs.value.multipliedFullWidth(by: Int64(lhs.timescale)))
        if a.high != b.high { return a.high < b.high ? -1 : 1 }
        return a.low == b.low ? 0 : (a.low < b.low ? -1 : 1)
    }

    /// The place of a kind of time in the order.
    private var rank: Int {
        if !isValid { return 4 }
        if flags.contains(.negativeInfinity) { return 0 }
        if flags.contains(.positiveInfinity) { return 3 }
        return flags.contains(.indefinite) ? 2 : 1
    }

    public static func < (lhs: CMTime, rhs: CMTime) -> Bool { order(lhs, rhs) < 0 }
    public static func == (lhs: CMTime, rhs: CMTime) -> Bool { order(lhs, rhs) == 0 }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        guard isNumeric else { return }
        hasher.combine(epoch)
        let divisor = Self.greatestCommonDivisor(value.magnitude, UInt64(timescale))
        hasher.combine(value / Int64(max(divisor, 1)))
        hasher.combine(Int64(timescale) / Int64(max(divisor, 1)))
    }

    static func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 { b == 0 ? a : greatestCommonDivisor(b, a % b) }
}

extension CMTime {
    public static func + (lhs: CMTime, rhs: CMTime) -> CMTime { combine(lhs, rhs, sign: 1) }
    public static func - (lhs: CMTime, rhs: CMTime) -> CMTime { combine(lhs, rhs, sign: -1) }

    private static func combine(_ lhs: CMTime, _ rhs: CMTime, sign: Int128) -> CMTime {
        guard lhs.isNumeric, rhs.isNumeric else { return combineNonNumeric(lhs, sign > 0 ? rhs : rhs.negated) }
        guard lhs.epoch == rhs.epoch || lhs.epoch == 0 || rhs.epoch == 0 else { return .invalid }
        let divisor = greatestCommonDivisor(UInt64(lhs.timescale), UInt64(rhs.timescale))
        let common = Int128(lhs.timescale) / Int128(divisor) * Int128(rhs.timescale)
        let sum = Int128(lhs.value) * (common / Int128(lhs.timescale)) + sign * Int128(rhs.value) * (common / Int128(rhs.timescale))
        var result = rational(sum, per: common)
        guard result.isNumeric else { return result }
        result.epoch = lhs.epoch == rhs.epoch ? 0 : lhs.epoch + rhs.epoch
        result.flags.formUnion(lhs.flags.union(rhs.flags).intersection(.hasBeenRounded))
        return result
    }

    /// `value` / `scale` in a timescale that fits, halved until the value fits too, else an infinity.
    static func rational(_ value: Int128, per scale: Int128) -> CMTime {
        var timescale = min(scale, Int128(Int32.max))
        while timescale > 0 {
            let (whole, rest) = (value * timescale).quotientAndRemainder(dividingBy: scale)
            let rounded = whole + (2 * abs(rest) >= scale ? value.signum() : 0)
            if let fitting = Int64(exactly: rounded) {
                return CMTime(
                    value: fitting, timescale: Int32(timescale), flags: rest == 0 ? .valid : [.valid, .hasBeenRounded], epoch: 0)
            }
            timescale /= 2
        }
        return value > 0 ? .positiveInfinity : .negativeInfinity
    }

    private static func combineNonNumeric(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
        guard lhs.isValid, rhs.isValid else { return .invalid }
        let flags = lhs.flags.union(rhs.flags)
        switch (flags.contains(.positiveInfinity), flags.contains(.negativeInfinity)) {
        case (true, true): return .invalid
        case (true, false): return .positiveInfinity
        case (false, true): return .negativeInfinity
        case (false, false): return .indefinite
        }
    }

    /// An infinity turned round; other times as they are.
    private var negated: CMTime {
        if flags.contains(.positiveInfinity) { return .negativeInfinity }
        return flags.contains(.negativeInfinity) ? .positiveInfinity : self
    }
}

public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { Int32(CMTime.order(time1, time2)) }
