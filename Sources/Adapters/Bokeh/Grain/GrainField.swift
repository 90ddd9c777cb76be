/// Noise with a source's spectrum, mean 0 and standard deviation 1: a square that repeats, for each channel.
///
/// White noise through a filter whose autocorrelation is the source's: the square root of the spectrum (Wiener and Khinchin), which has no phase. As the
/// film grain of AV1 (Norkin and Birkbeck, *Film grain synthesis for AV1 video codec*, 2018) it is laid block by block at places that a hash gives;
/// there the filter is autoregressive.
struct GrainField {
    /// Side of a channel's square at the picture's size, pixels, and of the blocks that are laid.
    static let side = 128
    static let block = 32
    /// Steps of a value in a standard deviation.
    static let steps: Float = 32
    /// Words of a channel: four signed bytes each.
    static let words = side * side / 4
    /// Side of the grid of the filter, taps to either side of its middle.
    private static let (grid, reach) = (16, 3)

    /// Of three channels at the picture's size; of planar pictures, luma and then blue and red difference in turn, at half of it.
    let values: [Int8]
    private let isPlanar: Bool

    init(_ noise: SourceNoise, isPlanar: Bool) {
        self.isPlanar = isPlanar
        func white(_ channel: Int, _ side: Int) -> [Float] {
            Array(Self.white[channel * Self.side * Self.side..<channel * Self.side * Self.side + side * side])
        }
        func field(_ values: [Float], _ channel: Int, _ side: Int) -> [Int8] {
            let filtered = Self.filtered(values, by: Self.kernel(noise.autocorrelations[channel]), side: side)
            let mean = filtered.reduce(0, +) / Float(filtered.count)
            let deviation = (filtered.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(filtered.count)).squareRoot()
            return filtered.map { Int8(min(max((($0 - mean) / max(deviation, 1e-6) * Self.steps).rounded(), -127), 127)) }
        }
        if isPlanar {
            let half = Self.side / 2
            let chroma = (1...2).map { field(white($0, half), $0, half) }
            var values = field(white(0, Self.side), 0, Self.side)
            values += zip(chroma[0], chroma[1]).flatMap { [$0, $1] }
            self.values = values + [Int8](repeating: 0, count: 3 * Self.side * Self.side - values.count)
        } else {
            let (own, shared) = ((1 - noise.sharedPart).squareRoot(), noise.sharedPart.squareRoot())
            let common = white(3, Self.side)
            values = (0..<3).flatMap { channel in field(zip(white(channel, Self.side), common).map { own * $0 + shared * $1 }, channel, Self.side) }
        }
    }

    /// Value for a sample of a channel at (x, y) of its plane, standard deviations.
    func value(_ channel: Int, _ x: Int, _ y: Int, seed: UInt32) -> Float {
        let scale = isPlanar && channel > 0 ? 2 : 1
        let place = Self.place(x * scale / Self.block, y * scale / Self.block, seed: seed)
        let side = Self.side / scale
        let (column, row) = ((x + place.x / scale) % side, (y + place.y / scale) % side)
        let index =
            !isPlanar
            ? channel * side * side + row * side + column
            : channel == 0 ? row * side + column : Self.side * Self.side + 2 * (row * side + column) + channel - 1
        return Float(values[index]) / Self.steps
    }

    /// Displacement of a block in the square, pixels of the picture: multiples of 4 across, of 2 down.
    static func place(_ column: Int, _ row: Int, seed: UInt32) -> (x: Int, y: Int) {
        var hash = seed &+ UInt32(column) &* 0x9E37_79B1 &+ UInt32(row) &* 0x85EB_CA77
        hash = (hash ^ hash >> 15) &* 0x2C1B_3C6D
        hash = (hash ^ hash >> 12) &* 0x297A_2D39
        hash ^= hash >> 15
        return (Int(hash & 31) * 4, Int(hash >> 8 & 126))
    }

    /// Four squares of independent white noise: the sum of eight even draws each.
    private static let white: [Float] = {
        var state: UInt64 = 0x5DEE_CE66_D1CE_4E5B
        return (0..<4 * side * side).map { _ in
            (0..<8).reduce(Float(0)) { sum, _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return sum + Float(state >> 40) / Float(1 << 24) - 0.5
            } * 1.2247449
        }
    }()

    /// Filter of 7 × 7 taps with an autocorrelation, from its cosine transform.
    static func kernel(_ autocorrelation: [Float]) -> [Float] {
        let lags = SourceNoise.lags
        func cosine(_ index: Int) -> Float { cosines[((index % grid) + grid) % grid] }
        var roots = [Float](repeating: 0, count: grid * grid)
        for v in 0..<grid {
            for u in 0..<grid {
                var (power, index) = (Float(0), 0)
                for dy in lags.rows {
                    for dx in lags.columns {
                        // The other half of the lags is the same; of row 0 both halves are there.
                        power += autocorrelation[index] * cosine(u * dx + v * dy) * (dy == 0 ? 1 : 2)
                        index += 1
                    }
                }
                roots[v * grid + u] = max(power, 0).squareRoot()
            }
        }
        return (-reach...reach).flatMap { y in
            (-reach...reach).map { x in
                var sum: Float = 0
                for v in 0..<grid { for u in 0..<grid { sum += roots[v * grid + u] * cosine(u * x + v * y) } }
                return sum / Float(grid * grid)
            }
        }
    }

    /// Cosines of whole steps of a circle in 16, by the half-angle rule.
    private static let cosines: [Float] = {
        let (eighth, sixteenth) = (Float(0.5).squareRoot(), ((1 + Float(0.5).squareRoot()) / 2).squareRoot())
        let quarter: [Float] = [1, sixteenth, eighth, (1 - sixteenth * sixteenth).squareRoot(), 0]
        return (0..<grid).map { $0 <= 4 ? quarter[$0] : $0 <= 8 ? -quarter[8 - $0] : $0 <= 12 ? -quarter[$0 - 8] : quarter[16 - $0] }
    }()

    private static func filtered(_ values: [Float], by kernel: [Float], side: Int) -> [Float] {
        let taps = kernel.indices.filter { abs(kernel[$0]) > 0.002 }
        var result = [Float](repeating: 0, count: values.count)
        let width = 2 * reach + 1
        for tap in taps {
            let (dx, dy) = (tap % width - reach, tap / width - reach)
            for y in 0..<side {
                let row = (y + dy + side) % side * side
                for x in 0..<side { result[y * side + x] += kernel[tap] * values[row + (x + dx + side) % side] }
            }
        }
        return result
    }
}
