import Foundation

/// Length of time of a scheduler.
public protocol SchedulerTimeIntervalConvertible {
    /// A number of seconds.
    static func seconds(_ s: Int) -> Self
    /// A number of seconds, with fractions.
    static func seconds(_ s: Double) -> Self
    /// A number of milliseconds.
    static func milliseconds(_ ms: Int) -> Self
    /// A number of microseconds.
    static func microseconds(_ us: Int) -> Self
    /// A number of nanoseconds.
    static func nanoseconds(_ ns: Int) -> Self
}

/// Place and time at which closures run.
public protocol Scheduler<SchedulerTimeType> {
    /// Point in time.
    associatedtype SchedulerTimeType: Strideable where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
    /// Wishes for a closure.
    associatedtype SchedulerOptions
    /// The time now.
    var now: SchedulerTimeType { get }
    /// Least tolerance of a time.
    var minimumTolerance: SchedulerTimeType.Stride { get }
    /// Runs a closure soon.
    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
    /// Runs a closure at a time.
    func schedule(after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?, _ action: @escaping () -> Void)
}

extension Scheduler {
    /// Runs a closure soon.
    public func schedule(_ action: @escaping () -> Void) { schedule(options: nil, action) }
    /// Runs a closure at a time.
    public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
        schedule(after: date, tolerance: minimumTolerance, options: nil, action)
    }
}

/// Scheduler that runs closures at once, on the caller's thread.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// Point in time; all are the same.
    public struct SchedulerTimeType: Strideable {
        /// Length of time, always zero.
        public typealias Stride = SchedulerSeconds
        /// Distance to another point: zero.
        public func distance(to other: SchedulerTimeType) -> Stride { 0 }
        /// The same point.
        public func advanced(by n: Stride) -> SchedulerTimeType { self }
    }

    /// Wishes: none.
    public typealias SchedulerOptions = Never
    /// The scheduler.
    public static let shared = ImmediateScheduler()
    /// The time now.
    public var now: SchedulerTimeType { SchedulerTimeType() }
    /// Least tolerance: zero.
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }
    /// Runs a closure at once.
    public func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
    /// Runs a closure at once, whatever the time.
    public func schedule(after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void) {
        action()
    }
}

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
