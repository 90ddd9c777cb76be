/// Repeatable numbers of one input, and the values parsers stumble over (SplitMix64: Steele et al. 2014).
public struct FuzzGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var x = state
        x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
        x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
        return x ^ (x >> 31)
    }

    /// 0 ..< 1.
    public mutating func uniform() -> Double { Double(next() >> 11) / Double(1 << 53) }

    public mutating func chance(_ probability: Double) -> Bool { uniform() < probability }

    /// 0 ..< `count`; 0 of nothing.
    public mutating func index(_ count: Int) -> Int { count > 0 ? Int(next() % UInt64(count)) : 0 }

    public mutating func pick<Value>(_ values: [Value]) -> Value { values[index(values.count)] }

    /// A number as text: one at the end of some type's range, or `number` changed a little or a lot.
    public mutating func number(near number: Double) -> String {
        switch index(4) {
        case 0: return pick(Self.extremes)
        case 1: return "\(Int((number * 4 * (uniform() - 0.25)).clamped))"
        default: return "\((number * pick([-1, 0.01, 0.5, 0.9, 1.1, 2, 10, 1000]) * 1000).rounded() / 1000)"
        }
    }

    private static let extremes = [
        "0", "-0", "1", "-1", "0.5", "1e-320", "1e17", "1e308", "-1e308", "1e999", "nan", "inf", "-inf", "NaN", "127", "255", "65536", "2147483647",
        "-2147483648", "4294967296", "9007199254740993", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "18446744073709551615", "99999999999999999999999", "0.0000000001", "00", "1.", ".5", "+3", "0x10", "1_000", "null", "true", "",
    ]
}

extension Double {
    fileprivate var clamped: Double { Swift.min(Swift.max(self, -1e15), 1e15) }
}
