import Foundation

/// Rounding of a time that has no exact value in its new timescale.
public enum CMTimeRoundingMethod: UInt32, Sendable {
    /// To the nearest value, halves away from zero; the default.
    case roundHalfAwayFromZero = 1
    /// To the value nearer to zero.
    case roundTowardZero = 2
    /// To the value farther from zero.
    case roundAwayFromZero = 3
    /// Towards zero where the new timescale is coarser, away from it where it is finer; nothing negative becomes zero.
    case quickTime = 4
    /// To the greater value.
    case roundTowardPositiveInfinity = 5
    /// To the smaller value.
    case roundTowardNegativeInfinity = 6
    /// Rounding of calls that name none: to the nearest, halves away from zero.
    public static let `default` = roundHalfAwayFromZero
}

extension CMTime {
    /// Whether the time is later than every number.
    public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
    /// Whether the time is earlier than every number.
    public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
    /// Whether the value was rounded, here or in a time it was computed from; false unless numeric.
    public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

    /// The same time with the smallest timescale that holds it exactly.
    package var inLowestTerms: CMTime {
        var (a, b) = (value.magnitude, UInt64(timescale.magnitude))
        while b != 0 { (a, b) = (b, a % b) }
        return a > 1 ? CMTime(value: value / Int64(a), timescale: timescale / CMTimeScale(a)) : self
    }

    /// Returns the time in units of 1 / `newTimescale` seconds; an infinity where it does not fit. Non-numeric times stay as they are.
    public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
        guard isNumeric, newTimescale != timescale else { return self }
        guard newTimescale > 0 else { return .invalid }
        let (whole, rest) = (Int128(value) * Int128(newTimescale)).quotientAndRemainder(dividingBy: Int128(timescale))
        let away = Int128(value.signum())
        let isUp: Bool =
            switch method {
            case .roundHalfAwayFromZero: 2 * rest.magnitude >= UInt128(timescale)
            case .roundTowardZero: false
            case .roundAwayFromZero: true
            case .quickTime: newTimescale > timescale || (whole == 0 && value < 0)
            case .roundTowardPositiveInfinity: value > 0
            case .roundTowardNegativeInfinity: value < 0
            }
        guard let fitting = Int64(exactly: rest != 0 && isUp ? whole + away : whole) else {
            return value > 0 ? .positiveInfinity : .negativeInfinity
        }
        return CMTime(value: fitting, timescale: newTimescale, flags: rest == 0 ? flags : flags.union(.hasBeenRounded), epoch: epoch)
    }

    /// Returns `multiplier` / `divisor` of the time, exact where a timescale holds it; invalid for a divisor of 0.
    func scaled(by multiplier: Int64, over divisor: Int64) -> CMTime {
        guard isValid, divisor != 0 else { return .invalid }
        let sign = multiplier.signum() * divisor.signum()
        guard isNumeric else {
            if isIndefinite { return self }
            return sign == 0 ? .invalid : (sign > 0) == isPositiveInfinity ? .positiveInfinity : .negativeInfinity
        }
        let top = Int128(multiplier) * (divisor < 0 ? -1 : 1)
        var (numerator, denominator) = (Int128(value) * top, Int128(timescale) * Int128(divisor.magnitude))
        let common = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        // A timescale stays as it is where that is exact.
        if numerator % (denominator / Int128(timescale)) == 0 {
            (numerator, denominator) = (numerator / (denominator / Int128(timescale)), Int128(timescale))
        } else {
            (numerator, denominator) = (numerator / Int128(common), denominator / Int128(common))
        }
        var result = Self.rational(numerator, per: denominator)
        guard result.isNumeric else { return result }
        result.epoch = epoch
        result.flags.formUnion(flags.intersection(.hasBeenRounded))
        return result
    }

    static func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 { b == 0 ? max(a, 1) : greatestCommonDivisor(b, a % b) }
}

/// Returns the time in units of 1 / `newTimescale` seconds; an infinity where it does not fit.
public func CMTimeConvertScale(_ time: CMTime, timescale newTimescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
    time.convertScale(newTimescale, method: method)
}
/// Returns the time `multiplier` times; an infinity beyond 64 bits at timescale 1.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime { time.scaled(by: Int64(multiplier), over: 1) }
/// Returns `multiplier` / `divisor` of the time, exact where a timescale holds it; invalid for a divisor of 0.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
    time.scaled(by: Int64(multiplier), over: Int64(divisor))
}
/// Returns the time multiplied, rounded to a timescale of at least 65536; invalid for NaN.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
    guard time.isNumeric else { return multiplier.isNaN ? .invalid : time.scaled(by: multiplier > 0 ? 1 : multiplier < 0 ? -1 : 0, over: 1) }
    var product = CMTime(seconds: time.seconds * multiplier, preferredTimescale: max(time.timescale, 65536))
    product.epoch = time.epoch
    return product
}
/// Returns the length of the time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime { time < .zero ? time.scaled(by: -1, over: 1) : time }
/// Returns the earlier time, in the order of `CMTimeCompare`.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { min(time1, time2) }
/// Returns the later time, in the order of `CMTimeCompare`.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { max(time1, time2) }

/// Returns value, time scale and seconds of a time in braces, to show; never nil. The allocator is ignored.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> CFString? {
    guard time.isNumeric else { return (time.isValid ? "{INDEFINITE OR INFINITE}" : "{INVALID}") as CFString }
    return "{\(time.value)/\(time.timescale) = \(String(format: "%.3f", time.seconds))}" as CFString
}

/// Writes a time to standard error, a line as of `CMTimeCopyDescription`.
public func CMTimeShow(_ time: CMTime) {
    let text = CMTimeCopyDescription(allocator: nil, time: time).map { $0 as String } ?? ""
    FileHandle.standardError.write(Data((text + "\n").utf8))
}
