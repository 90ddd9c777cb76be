import CoreVideo

/// Noise of a picture, measured from the picture alone: standard deviation by level of luma for each channel, and its spectrum.
///
/// Blocks of 8 × 8 samples are freed of a plane each; of those of one level, the twentieth with the least variance says how much flat ones have, and what
/// has up to twice as much counts as flat (noise level function: Liu, Freeman, Szeliski and Kang, *Noise estimation from a single image*, 2006; here
/// without their prior of cameras). Fine texture is still in many of them, but in each in other frequencies: the power of a frequency is that of which a quarter
/// of the blocks have less than noise would have (`NoiseSpectrum`; minimum statistics, R. Martin 2001). A level that rises above those to both sides has
/// texture. A picture without noise, such as a painted one, has none.
struct SourceNoise: Equatable {
    /// Levels of luma, black to white.
    static let levels = 16
    /// Side of a block, samples.
    private static let side = NoiseSpectrum.side
    /// Blocks that are looked at, of each channel, about.
    private static let blocks = 4000
    /// Blocks that a level needs, and most flat ones whose spectrum is taken: of all levels together, and of one.
    private static let (leastBlocks, mostOfAll, mostOfLevel) = (12, 300, 40)
    /// Most that noise grows by from level to level where it does not go on growing.
    private static let growth: Float = 1.1
    /// Lags of the autocorrelation: columns -2...2 of rows 0...2.
    static let lags = (columns: -2...2, rows: 0...2)

    /// Standard deviation in codes at each level: of luma, blue and red difference, or of the three colours in the order they lie in; without what rounding to codes makes.
    let deviations: [SIMD4<Float>]
    /// Autocorrelation of each channel, 1 without a lag; row after row.
    let autocorrelations: [[Float]]
    /// Correlation between the channels of a packed picture, 0 to 1.
    let sharedPart: Float
    /// Number that differs from picture to picture and is the same for the same one.
    let seed: UInt32

    /// Nil where the picture has no noise.
    init?(_ image: CVPixelBuffer, format: PictureFormat) {
        let samples = Samples(image, format)
        let measured = (0..<3).map { Self.measure(samples, channel: $0) }
        guard measured.contains(where: { $0.deviations.contains { $0 > 0 } }) else { return nil }
        deviations = (0..<Self.levels).map { level in
            SIMD4(measured[0].deviations[level], measured[1].deviations[level], measured[2].deviations[level], 0)
        }
        autocorrelations = measured.map(\.autocorrelation)
        sharedPart = format.isPlanar ? 0 : Self.sharedPart(samples, measured[1].flat)
        seed = samples.seed
    }

    private struct Block {
        let x: Int
        let y: Int
        let variance: Float
    }

    private struct Measured {
        let deviations: [Float]
        let autocorrelation: [Float]
        let flat: [Block]
    }

    private static func measure(_ samples: Samples, channel: Int) -> Measured {
        let (width, height) = samples.size(channel)
        var byLevel = [[Block]](repeating: [], count: levels)
        let step = max(side, Int((Float(width * height) / Float(blocks)).squareRoot()))
        for y in stride(from: 0, through: height - side, by: step) {
            for x in stride(from: 0, through: width - side, by: step) {
                let residual = samples.residual(channel, x, y)
                let variance = residual.reduce(0) { $0 + $1 * $1 } / Float(side * side - 3)
                byLevel[samples.level(channel, x, y)].append(Block(x: x, y: y, variance: variance))
            }
        }
        var flat: [(level: Int, variance: Float, blocks: [Block])] = []
        for (level, all) in byLevel.enumerated() {
            // Without the exactly even ones, clipped or painted, unless they are most.
            let uneven = all.filter { $0.variance > 0 }
            let blocks = (2 * uneven.count >= all.count ? uneven : all).sorted { ($0.variance, $0.y, $0.x) < ($1.variance, $1.y, $1.x) }
            guard blocks.count >= leastBlocks else { continue }
            let own = Array(blocks.prefix { $0.variance <= 2 * blocks[blocks.count / 20].variance })
            flat.append((level, own.reduce(0) { $0 + $1.variance } / Float(own.count), own))
        }
        // Of rounding to codes: 1/12.
        let noisy = flat.filter { $0.variance > 1.0 / 12 }
        let chosen = every(mostOfAll, of: noisy.flatMap { level in level.blocks.map { (block: $0, variance: level.variance) } })
        let spectrum = NoiseSpectrum(
            chosen.map { block, variance in NoiseSpectrum.squares(of: samples.residual(channel, block.x, block.y)).map { $0 / variance } })
        var deviations = [Float?](repeating: nil, count: levels)
        for level in flat { deviations[level.level] = 0 }
        for level in noisy {
            let squares = every(mostOfLevel, of: level.blocks).map { NoiseSpectrum.squares(of: samples.residual(channel, $0.x, $0.y)) }
            deviations[level.level] = max(spectrum.variance(in: squares) - 1.0 / 12, 0).squareRoot()
        }
        return Measured(
            deviations: completed(withoutPeaks(deviations)), autocorrelation: noisy.isEmpty ? uncorrelated : autocorrelation(spectrum),
            flat: chosen.map(\.block))
    }

    private static func every<Element>(_ most: Int, of all: [Element]) -> [Element] {
        let step = max(1, all.count / most)
        return stride(from: 0, to: all.count, by: step).map { all[$0] }
    }

    /// Deviations without peaks: noise may grow from level to level, but not rise above the levels to both sides, which texture does. Black and white, which are
    /// clipped, and levels without noise are no measure.
    private static func withoutPeaks(_ deviations: [Float?]) -> [Float?] {
        let known = (1..<levels - 1).filter { deviations[$0].map { $0 > 0 } ?? false }
        func most(_ level: Int, _ others: [Int]) -> Float? {
            others.map { other in (0..<abs(other - level)).reduce(deviations[other]!) { most, _ in most * growth } }.min()
        }
        return deviations.indices.map { level in
            let (below, above) = (most(level, known.filter { $0 < level }), most(level, known.filter { $0 > level }))
            guard let own = deviations[level], let below, let above else { return deviations[level] }
            return min(own, max(below, above) * growth)
        }
    }

    /// Levels that too few blocks have, from those beside them.
    private static func completed(_ deviations: [Float?]) -> [Float] {
        let known = deviations.indices.filter { deviations[$0] != nil }
        guard let first = known.first, let last = known.last else { return deviations.map { _ in 0 } }
        return deviations.indices.map { level in
            let below = known.last { $0 <= level } ?? first
            let above = known.first { $0 >= level } ?? last
            guard above > below else { return deviations[below]! }
            let part = Float(level - below) / Float(above - below)
            return deviations[below]! * (1 - part) + deviations[above]! * part
        }
    }

    private static let uncorrelated = lags.rows.flatMap { dy in lags.columns.map { $0 == 0 && dy == 0 ? Float(1) : 0 } }

    /// A spectrum's autocorrelation at all lags; it tells left from right no better than up from down.
    private static func autocorrelation(_ spectrum: NoiseSpectrum) -> [Float] {
        let quarter = spectrum.autocorrelation
        return lags.rows.flatMap { dy in lags.columns.map { quarter[3 * dy + abs($0)] } }
    }

    /// Mean correlation of green with blue and red in flat blocks.
    private static func sharedPart(_ samples: Samples, _ blocks: [Block]) -> Float {
        var (both, own) = (Float(0), Float(0))
        for block in blocks {
            let residuals = (0..<3).map { samples.residual($0, block.x, block.y) }
            for other in [0, 2] {
                let power = [1, other].map { channel in residuals[channel].reduce(0) { $0 + $1 * $1 } }
                guard power[0] > 0, power[1] > 0 else { continue }
                both += zip(residuals[1], residuals[other]).reduce(0) { $0 + $1.0 * $1.1 } / (power[0] * power[1]).squareRoot()
                own += 1
            }
        }
        return own > 0 ? min(max(both / own, 0), 1) : 0
    }
}

extension SourceNoise {
    /// A picture's samples, channel by channel, as codes.
    fileprivate struct Samples {
        private let image: CVPixelBuffer
        private let format: PictureFormat

        init(_ image: CVPixelBuffer, _ format: PictureFormat) { (self.image, self.format) = (image, format) }

        func size(_ channel: Int) -> (width: Int, height: Int) {
            let (width, height) = image.size
            return format.isPlanar && channel > 0 ? (width / 2, height / 2) : (width, height)
        }

        private func code(_ channel: Int, _ x: Int, _ y: Int) -> Float { format.code(of: image, channel: channel, x, y) }

        /// Level of luma, or of green, of a block.
        func level(_ channel: Int, _ x: Int, _ y: Int) -> Int {
            let scale = format.isPlanar && channel > 0 ? 2 : 1
            var sum: Float = 0
            for row in stride(from: 0, to: side, by: 2) {
                for column in stride(from: 0, to: side, by: 2) { sum += code(format.isPlanar ? 0 : 1, (x + column) * scale, (y + row) * scale) }
            }
            let share = (sum / 16 - (format.isPlanar ? format.black : 0)) / (format.isPlanar ? format.lumaRange : format.highestCode)
            return min(max(Int((share * Float(levels - 1)).rounded()), 0), levels - 1)
        }

        /// The codes of a block less the plane that fits them best.
        func residual(_ channel: Int, _ x: Int, _ y: Int) -> [Float] {
            var values = [Float](repeating: 0, count: side * side)
            var (sum, across, down) = (Float(0), Float(0), Float(0))
            for row in 0..<side {
                for column in 0..<side {
                    let value = code(channel, x + column, y + row)
                    values[row * side + column] = value
                    sum += value
                    across += value * (Float(column) - 3.5)
                    down += value * (Float(row) - 3.5)
                }
            }
            // Of 8 × 8 places about the middle, squares of either coordinate sum to 336.
            let (mean, slope) = (sum / 64, SIMD2(across, down) / 336)
            for row in 0..<side {
                for column in 0..<side { values[row * side + column] -= mean + slope.x * (Float(column) - 3.5) + slope.y * (Float(row) - 3.5) }
            }
            return values
        }

        /// Of some of its samples (FNV-1a).
        var seed: UInt32 {
            let (width, height) = image.size
            var hash: UInt32 = 2_166_136_261
            for y in stride(from: 3, to: height, by: max(1, height / 24)) {
                for x in stride(from: 5, to: width, by: max(1, width / 24)) { hash = (hash ^ UInt32(code(0, x, y))) &* 16_777_619 }
            }
            return hash
        }
    }
}
