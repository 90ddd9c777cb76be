extension Subscribers {
    /// Number of values that a subscriber is ready for, from none to unlimited.
    public struct Demand: Equatable, Comparable, Hashable, Codable, Sendable, CustomStringConvertible {
        /// Number of values; nil for unlimited.
        public let max: Int?

        private init(_ max: Int?) { self.max = max }

        /// As many values as come.
        public static let unlimited = Demand(nil)
        /// No further value.
        public static let none = Demand(0)
        /// A number of values, 0 or more.
        public static func max(_ value: Int) -> Demand {
            precondition(value >= 0, "a demand of \(value) values: it must not be negative")
            return Demand(value)
        }

        /// The sum; unlimited if one of the two is.
        public static func + (lhs: Demand, rhs: Demand) -> Demand {
            guard let left = lhs.max, let right = rhs.max else { return .unlimited }
            let (sum, overflows) = left.addingReportingOverflow(right)
            return overflows ? .unlimited : Demand(sum)
        }
        /// Adds.
        public static func += (lhs: inout Demand, rhs: Demand) { lhs = lhs + rhs }
        /// The sum with a number of values.
        public static func + (lhs: Demand, rhs: Int) -> Demand { lhs + .max(rhs) }
        /// Adds a number of values.
        public static func += (lhs: inout Demand, rhs: Int) { lhs = lhs + rhs }
        /// The difference, not below none; unlimited stays so.
        public static func - (lhs: Demand, rhs: Demand) -> Demand {
            guard let left = lhs.max else { return .unlimited }
            return Demand(Swift.max(0, left - (rhs.max ?? left)))
        }
        /// Subtracts.
        public static func -= (lhs: inout Demand, rhs: Demand) { lhs = lhs - rhs }
        /// The difference from a number of values, not below none.
        public static func - (lhs: Demand, rhs: Int) -> Demand { lhs - .max(rhs) }
        /// Subtracts a number of values.
        public static func -= (lhs: inout Demand, rhs: Int) { lhs = lhs - rhs }

        /// Whether the first asks for fewer values; unlimited is above all numbers.
        public static func < (lhs: Demand, rhs: Demand) -> Bool {
            guard let left = lhs.max else { return false }
            return rhs.max.map { left < $0 } ?? true
        }
        /// Whether the demand is that number.
        public static func == (lhs: Demand, rhs: Int) -> Bool { lhs.max == rhs }
        /// Whether the demand is above a number.
        public static func > (lhs: Demand, rhs: Int) -> Bool { lhs > .max(rhs) }

        /// `unlimited` or `max(n)`.
        public var description: String { max.map { "max(\($0))" } ?? "unlimited" }
    }
}
