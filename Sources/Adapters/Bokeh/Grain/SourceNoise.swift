import CoreVideo

/// Noise of a picture, measured from the picture alone: standard deviation by level of luma for each channel, and its spectrum.
///
/// Blocks of 8 × 8 samples are freed of a plane each; of those of one level, the tenth with the least variance says how much flat ones have, and what
/// has up to 2.5 times as much counts as flat (noise level function: Liu, Freeman, Szeliski and Kang, *Noise estimation from a single image*, 2006; here
/// without their prior of cameras). The spectrum is that of the flat blocks' autocorrelation. A picture without noise, such as a painted one, has none.
struct SourceNoise: Equatable {
    /// Levels of luma, black to white.
    static let levels = 16
    /// Side of a block, samples.
    private static let side = 8
    /// Blocks that are looked at, of each channel, about.
    private static let blocks = 4000
    /// Flat blocks that a level needs, and most of all levels whose autocorrelation is taken.
    private static let (leastBlocks, mostCorrelated) = (12, 600)
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
        var (deviations, flat) = ([Float?](repeating: nil, count: levels), [Block]())
        for (level, all) in byLevel.enumerated() {
            // Without the exactly even ones, clipped or painted, unless they are most.
            let uneven = all.filter { $0.variance > 0 }
            let blocks = (2 * uneven.count >= all.count ? uneven : all).sorted { ($0.variance, $0.y, $0.x) < ($1.variance, $1.y, $1.x) }
            guard blocks.count >= leastBlocks else { continue }
            let own = blocks.prefix { $0.variance <= 2.5 * blocks[blocks.count / 10].variance }
            let mean = own.reduce(0) { $0 + $1.variance } / Float(max(own.count, 1))
            // Of rounding: 1/12.
            deviations[level] = max(mean - 1.0 / 12, 0).squareRoot()
            if deviations[level]! > 0 { flat += own }
        }
        let every = max(1, flat.count / mostCorrelated)
        let chosen = stride(from: 0, to: flat.count, by: every).map { flat[$0] }
        return Measured(deviations: completed(deviations), autocorrelation: autocorrelation(samples, channel, chosen), flat: chosen)
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

    private static func autocorrelation(_ samples: Samples, _ channel: Int, _ blocks: [Block]) -> [Float] {
        var sums = [Float](repeating: 0, count: lags.columns.count * lags.rows.count)
        for block in blocks {
            let residual = samples.residual(channel, block.x, block.y)
            let scale = 1 / block.variance
            var index = 0
            for dy in lags.rows {
                for dx in lags.columns {
                    var (sum, count) = (Float(0), Float(0))
                    for y in 0..<side - dy {
                        for x in max(0, -dx)..<min(side, side - dx) {
                            sum += residual[y * side + x] * residual[(y + dy) * side + x + dx]
                            count += 1
                        }
                    }
                    sums[index] += sum / count * scale
                    index += 1
                }
            }
        }
        let whole = sums[-lags.columns.lowerBound]
        return whole > 0 ? sums.map { $0 / whole } : sums.indices.map { $0 == -lags.columns.lowerBound ? 1 : 0 }
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
