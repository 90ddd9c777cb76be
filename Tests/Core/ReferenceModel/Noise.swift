/// Repeatable noise: a stream of numbers that depends on its seed and index alone.
struct Noise {
    var seed: UInt64

    func bits(_ index: Int) -> UInt64 {
        var x = seed &+ UInt64(bitPattern: Int64(index)) &* 0x9E37_79B9_7F4A_7C15
        x = (x ^ (x >> 30)) &* 0xBF58_476D_1CE4_E5B9
        x = (x ^ (x >> 27)) &* 0x94D0_49BB_1331_11EB
        return x ^ (x >> 31)
    }

    /// 0 ..< 1.
    func uniform(_ index: Int) -> Double { Double(bits(index) >> 11) / Double(1 << 53) }

    /// Close to normal, mean 0, standard deviation 1: the sum of twelve uniforms.
    func normal(_ index: Int) -> Double { (0..<12).reduce(-6) { $0 + uniform(index * 12 + $1) } }
}
