/// Chance, the same for the same seed.
struct Dice {
    var state: UInt64

    private mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }

    /// Below `limit`.
    mutating func roll(_ limit: Int) -> Int { Int(next()) % limit }

    /// 0…1.
    mutating func share() -> Double { Double(next()) / Double(UInt32.max >> 1) }

    /// Nearly normal, of sigma 1: the sum of twelve even numbers.
    mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += share() }
        return sum
    }
}
