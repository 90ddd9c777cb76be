import Foundation

/// Evidence of the subjects from colours on both sides of their outlines (Wang and Cohen, "Optimized color sampling for robust matting", CVPR 2007):
/// what looks like the background farther out and not like the subjects is background; what looks like neither may be a hand.
struct ColourSamples {
    /// Pixels from an outline up to which it is doubted, outwards and inwards, and inwards from which on a pixel is a sample of its subject.
    private static let (reach, depth, sure): (Float, Float, Float) = (10, 4, 2)
    /// Difference from which on two colours have nothing in common: steps of lightness, and twice those of colour.
    private static let alike: Int16 = 18
    /// Likeness that tells nothing, 0…1, and least samples of the background.
    private static let (unsure, least): (Float, Int32) = (0.04, 6)
    /// Samples in a row and in a column of the square about a pixel, every second pixel.
    private static let side = 16
    private typealias Row = SIMD16<Int16>

    /// Log-odds of the subjects for each pixel; 0 where nothing is known.
    private(set) var odds: [Float]

    /// Of a picture in CIE Lab, the pixels that all subjects cover, and those where somebody or something was found, of which nothing is told: hair in the
    /// dark looks like what is behind.
    init(in tones: Raster, of subjects: SoftMask, found: SoftMask) {
        let (width, height) = (tones.width, tones.height)
        odds = [Float](repeating: 0, count: width * height)
        guard subjects.bounds != nil else { return }
        let (outwards, inwards) = (subjects.distance(), subjects.depth())
        let (columns, margin) = ((width + 1) / 2 + Self.side, Self.side / 2)
        let count = columns * ((height + 1) / 2 + Self.side)
        // Three channels, and -1 where a sample is of a subject and of the background.
        var planes = [Int16](repeating: 0, count: 5 * count)
        for y in stride(from: 0, to: height, by: 2) {
            for x in stride(from: 0, to: width, by: 2) {
                let (at, sample) = (y * width + x, (y / 2 + margin) * columns + x / 2 + margin)
                for channel in 0..<3 { planes[channel * count + sample] = Int16(tones.bytes[3 * at + channel]) }
                if outwards[at] > Self.reach { planes[4 * count + sample] = -1 }
                if outwards[at] == 0, inwards[at] > Self.sure { planes[3 * count + sample] = -1 }
            }
        }
        planes.withUnsafeBytes { planes in
            for at in odds.indices where found.values[at] < 0.5 && (outwards[at] > 0 ? outwards[at] <= Self.reach : inwards[at] <= Self.depth) {
                let first = at / width / 2 * columns + at % width / 2
                odds[at] = Self.odds(of: tones.bytes + 3 * at, among: planes, from: first, columns: columns, count: count)
            }
        }
    }

    /// Log-odds of a colour among the samples of a square that begins at `first`.
    private static func odds(
        of colour: UnsafePointer<UInt8>, among planes: UnsafeRawBufferPointer, from first: Int, columns: Int, count: Int
    ) -> Float {
        let most = alike * alike
        var (subject, background) = (Likeness(), Likeness())
        for row in 0..<side {
            func samples(_ plane: Int) -> Row {
                planes.loadUnaligned(fromByteOffset: MemoryLayout<Int16>.stride * (plane * count + first + row * columns), as: Row.self)
            }
            /// Squared, and no more than matters: what is larger would not fit.
            func difference(_ channel: Int) -> Row {
                let far = Row(repeating: alike)
                let difference = pointwiseMin(pointwiseMax(samples(channel) &- Row(repeating: Int16(colour[channel])), 0 &- far), far)
                return difference &* difference
            }
            let likeness = pointwiseMax(Row(repeating: most) &- difference(0) &- 4 &* (difference(1) &+ difference(2)), Row.zero)
            subject.add(likeness, where: samples(3))
            background.add(likeness, where: samples(4))
        }
        guard background.count >= least else { return 0 }
        return log((subject.mean / Float(most) + unsure) / (background.mean / Float(most) + unsure))
    }

    /// Mean likeness of one side's samples.
    private struct Likeness {
        private var (sums, counts) = (Row.zero, Row.zero)

        mutating func add(_ likeness: Row, where isSample: Row) {
            sums &+= likeness & isSample
            counts &-= isSample
        }

        var count: Int32 { Self.sum(counts) }
        /// 0 where there are none.
        var mean: Float { Float(Self.sum(sums)) / Float(max(count, 1)) }

        private static func sum(_ values: Row) -> Int32 { SIMD16<Int32>(truncatingIfNeeded: values).wrappedSum() }
    }
}
