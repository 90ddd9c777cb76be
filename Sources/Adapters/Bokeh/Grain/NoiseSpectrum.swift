/// Power of noise by frequency, in blocks of 8 × 8 samples and by their cosine transform; 1 in the mean.
///
/// Texture makes some blocks stronger in some frequencies, each block in others. So the power of a frequency is taken from that which a
/// quarter of the blocks do not reach: of noise it is `lowerQuartile` times the mean (minimum statistics; R. Martin, *Noise power spectral density estimation*,
/// 2001, there over time). Low frequencies are in every block, of shadows if of nothing else: they are no stronger against those in the middle than these are
/// against the high ones.
struct NoiseSpectrum {
    /// Side of a block, samples.
    static let side = 8
    /// Power of each frequency, row after row of those down; of the first and its neighbours, which a plane takes away, the mean of the next ones.
    let power: [Float]

    /// Square of a normal variable, of variance 1, that a quarter lie below.
    private static let lowerQuartile: Float = 0.10153
    /// Frequencies that are left when a plane is taken away.
    private static let measured = (0..<side * side).filter { ![0, 1, side].contains($0) }

    /// Spectrum of blocks, each as `squares` over the variance that is expected of it; flat without blocks.
    init(_ blocks: [[Float]]) {
        guard !blocks.isEmpty else {
            power = Array(repeating: 1, count: Self.side * Self.side)
            return
        }
        var power = (0..<Self.side * Self.side).map { frequency in Self.quartile(blocks.map { $0[frequency] }) }
        let near = (power[2] + power[2 * Self.side] + power[Self.side + 1]) / 3
        for frequency in [0, 1, Self.side] { power[frequency] = near }
        let rings = [0..<16, 16..<36, 36..<99].map { ring in power.indices.filter { ring.contains(Self.square($0)) } }
        let means = rings.map { ring in ring.reduce(Float(0)) { $0 + power[$1] } / Float(ring.count) }
        let most = means[1] * max(means[1] / max(means[2], 1e-6), 1)
        for frequency in rings[0] { power[frequency] = min(power[frequency], most) }
        let mean = power.reduce(0, +) / Float(power.count)
        self.power = mean > 0 ? power.map { max($0 / mean, 0.001) } : power.map { _ in 1 }
    }

    /// Variance of noise with this spectrum in blocks of a picture, as `squares`. Those count in which there is no more than noise would make.
    func variance(in blocks: [[Float]]) -> Float {
        var whitened = blocks.map { block in Self.measured.map { block[$0] / power[$0] } }
        var variance = Self.quartile(whitened.flatMap(\.self)) / Self.lowerQuartile
        // Two standard deviations of a block's mean.
        let most = 1 + 2 * (2 / Float(Self.measured.count)).squareRoot()
        for _ in 0..<3 {
            let quiet = whitened.filter { $0.reduce(0, +) <= most * variance * Float($0.count) }
            guard quiet.count >= 6, quiet.count < whitened.count else { break }
            whitened = quiet
            variance = Self.quartile(whitened.flatMap(\.self)) / Self.lowerQuartile
        }
        return variance
    }

    /// Correlation by distance, 1 without one: columns 0 to 2 of rows 0 to 2.
    var autocorrelation: [Float] {
        func along(_ values: [Float]) -> [Float] {
            let sums = (0...2).map { lag in (0..<Self.side).reduce(Float(0)) { $0 + values[$1] * Self.cosine(2 * $1 * lag) } }
            // The transform is that of the block and its mirror image, end to end: a sample meets some of its neighbours twice, and itself.
            let (none, one) = (sums[0], (16 * sums[1] - 2 * sums[0]) / 14)
            return [none, one, (16 * sums[2] - 4 * one) / 12]
        }
        let rows = (0..<Self.side).map { along(Array(power[$0 * Self.side..<($0 + 1) * Self.side])) }
        let columns = (0...2).map { dx in along(rows.map { $0[dx] }) }
        return (0...2).flatMap { dy in (0...2).map { columns[$0][dy] / columns[0][0] } }
    }

    /// Square of a frequency, half turns in a block.
    private static func square(_ frequency: Int) -> Int {
        let (down, across) = frequency.quotientAndRemainder(dividingBy: side)
        return down * down + across * across
    }

    /// Squares of a block's cosine transform, of which noise of variance 1 has 1 each in the mean.
    static func squares(of block: [Float]) -> [Float] {
        func transformed(_ values: [Float]) -> [Float] {
            var turned = [Float](repeating: 0, count: side * side)
            for row in 0..<side {
                for frequency in 0..<side {
                    var sum: Float = 0
                    for place in 0..<side { sum += values[row * side + place] * basis[frequency * side + place] }
                    turned[frequency * side + row] = sum
                }
            }
            return turned
        }
        return transformed(transformed(block)).map { $0 * $0 }
    }

    private static let basis: [Float] = (0..<side).flatMap { frequency in
        (0..<side).map { place in cosine((2 * place + 1) * frequency) * (frequency == 0 ? Float(0.125).squareRoot() : 0.5) }
    }

    /// Cosine of sixteenths of a half turn, by the half-angle rule.
    private static func cosine(_ sixteenths: Int) -> Float {
        let place = sixteenths % 32
        return place <= 8 ? quarter[place] : place <= 16 ? -quarter[16 - place] : place <= 24 ? -quarter[place - 16] : quarter[32 - place]
    }

    private static let quarter: [Float] = {
        func half(_ cosine: Float) -> Float { ((1 + cosine) / 2).squareRoot() }
        let (two, six) = (half(Float(0.5).squareRoot()), half(-Float(0.5).squareRoot()))
        return [1, half(two), two, half(six), Float(0.5).squareRoot(), half(-six), six, half(-two), 0]
    }()

    /// Value that a quarter of values lie below, none of them negative.
    private static func quartile(_ values: [Float]) -> Float {
        var (low, high) = (Float(0), values.max() ?? 0)
        for _ in 0..<24 {
            let middle = (low + high) / 2
            if 4 * values.count(where: { $0 < middle }) < values.count { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
