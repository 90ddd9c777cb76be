/// Length of time in seconds, which the schedulers here share; a number literal is one.
public struct SchedulerSeconds: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, ExpressibleByFloatLiteral, Sendable {
    /// Length in seconds.
    public var timeInterval: Double
    /// The length without its sign.
    public var magnitude: Double { timeInterval.magnitude }

    /// Makes a length in seconds.
    public init(_ timeInterval: Double) { self.timeInterval = timeInterval }
    /// Makes a length of seconds.
    public init(floatLiteral value: Double) { timeInterval = value }
    /// Makes a length of seconds.
    public init(integerLiteral value: Int) { timeInterval = Double(value) }
    /// Makes a length of seconds.
    public init?(exactly source: some BinaryInteger) { timeInterval = Double(source) }

    /// Whether the first is shorter.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.timeInterval < rhs.timeInterval }
    /// The sum.
    public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.timeInterval + rhs.timeInterval) }
    /// The difference.
    public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.timeInterval - rhs.timeInterval) }
    /// The product.
    public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.timeInterval * rhs.timeInterval) }
    /// Multiplies.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }

    /// A number of seconds.
    public static func seconds(_ s: Int) -> Self { Self(Double(s)) }
    /// A number of seconds, with fractions.
    public static func seconds(_ s: Double) -> Self { Self(s) }
    /// A number of milliseconds.
    public static func milliseconds(_ ms: Int) -> Self { Self(Double(ms) / 1e3) }
    /// A number of microseconds.
    public static func microseconds(_ us: Int) -> Self { Self(Double(us) / 1e6) }
    /// A number of nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Self { Self(Double(ns) / 1e9) }
}
