import Foundation

/// Numerator of a time, in units of 1 / timescale seconds.
public typealias CMTimeValue = Int64
/// Denominator of a time: units per second.
public typealias CMTimeScale = Int32
/// Number of a timeline; times of different epochs other than 0 cannot be added.
public typealias CMTimeEpoch = Int64

/// State of a time: valid, rounded, infinite or indefinite.
public struct CMTimeFlags: OptionSet, Sendable {
    /// Bit mask of the flags.
    public let rawValue: UInt32
    /// Makes flags from a bit mask.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Set on every time but the invalid one.
    public static let valid = CMTimeFlags(rawValue: 1)
    /// Set where the value is not exact.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
    /// Set on the time after all others.
    public static let positiveInfinity = CMTimeFlags(rawValue: 4)
    /// Set on the time before all others.
    public static let negativeInfinity = CMTimeFlags(rawValue: 8)
    /// Set on the time of unknown length.
    public static let indefinite = CMTimeFlags(rawValue: 16)
    /// The flags whose time has no number.
    public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// Rational time: `value` / `timescale` seconds.
public struct CMTime: Sendable {
    /// Numerator, in units of 1 / `timescale` seconds.
    public var value: CMTimeValue
    /// Units per second; positive in a numeric time.
    public var timescale: CMTimeScale
    /// State: valid, rounded, infinite or indefinite.
    public var flags: CMTimeFlags
    /// Number of the timeline; 0 unless somebody set another.
    public var epoch: CMTimeEpoch

    /// Makes the invalid time.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// Makes a time of `value` / `timescale` seconds; invalid unless the timescale is positive.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// Makes a time of its four parts; not checked.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// Makes the nearest time; NaN gives the invalid time, and an overflow even at timescale 1 an infinity.
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

    /// Time without meaning; after all others in the order.
    public static let invalid = CMTime()
    /// Time 0 s, in a timescale of 1.
    public static let zero = CMTime(value: 0, timescale: 1)
    /// Time of unknown length.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
    /// Time after every number.
    public static let positiveInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
    /// Time before every number.
    public static let negativeInfinity = CMTime(value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

    /// Whether the time has a meaning: a number, an infinity or indefinite.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is of unknown length.
    public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
    /// Whether `value` / `timescale` holds: valid, finite and definite.
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

    /// Rank of a kind of time in the order.
    private var rank: Int {
        if !isValid { return 4 }
        if flags.contains(.negativeInfinity) { return 0 }
        if flags.contains(.positiveInfinity) { return 3 }
        return flags.contains(.indefinite) ? 2 : 1
    }

    /// Whether `lhs` is earlier, in the order of `CMTimeCompare`.
    public static func < (lhs: CMTime, rhs: CMTime) -> Bool { order(lhs, rhs) < 0 }
    /// Whether the times are at the same place of the order: 1/2 s equals 2/4 s, and all invalid times are equal.
    public static func == (lhs: CMTime, rhs: CMTime) -> Bool { order(lhs, rhs) == 0 }

    /// Hashes the reduced fraction and the epoch, so that 1/2 s and 2/4 s hash alike.
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
    /// Returns the sum, in a timescale that holds both; invalid where both have epochs that differ, neither 0.
    public static func + (lhs: CMTime, rhs: CMTime) -> CMTime { combine(lhs, rhs, sign: 1) }
    /// Returns the difference, in a timescale that holds both; invalid where both have epochs that differ, neither 0.
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

    /// The opposite infinity; other times as they are.
    private var negated: CMTime {
        if flags.contains(.positiveInfinity) { return .negativeInfinity }
        return flags.contains(.negativeInfinity) ? .positiveInfinity : self
    }
}

/// Returns `value` / `timescale` seconds; invalid unless the timescale is positive.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }
/// Returns the time nearest to `seconds`; invalid for NaN.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}
/// Returns the time in seconds; NaN when invalid or indefinite, infinite at the infinities.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
/// Returns the sum, as `+`.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }
/// Returns the difference, as `-`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }
/// Returns -1, 0 or 1; negative infinity < numbers (by epoch, then value) < indefinite < positive infinity < invalid.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { Int32(CMTime.order(time1, time2)) }
