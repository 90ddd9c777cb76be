import CoreVideo
import Foundation
import Pipeline

/// White balance by the picture's mean, which is taken for grey (G. Buchsbaum, "A spatial processor model for object colour perception", Journal of the
/// Franklin Institute 310, 1980).
struct GrayWorld: Sendable {
    private let picture: CVPixelBuffer
    /// Gains of the picture's own white balance.
    private let own: SIMD3<Double>
    /// Rows and columns of the sampled pixels, at most.
    private static let side = 64
    /// Least mean of a colour against that of the strongest, and least mean of the strongest, in linear light 0…1: below, a picture has no colour.
    private static let least = (share: 1e-3, light: 1e-4)

    /// Keeps the picture of a frame, to look at when the gains are asked for.
    init(_ frame: Frame) { (picture, own) = (frame.image, frame.gains ?? SIMD3(repeating: 1)) }

    /// Gains that make the mean of the light grey, the smallest 1: those of the picture's own white balance are taken off. All 1 for a black picture.
    var gains: SIMD3<Double> {
        let light = mean / own
        guard light.max() >= Self.least.light else { return SIMD3(repeating: 1) }
        return light.max() / pointwiseMax(light, SIMD3(repeating: Self.least.share * light.max()))
    }

    /// Mean linear light of the `420v` picture, by the display gamma 2.2.
    private var mean: SIMD3<Double> {
        let (luma, chroma) = (picture.plane(0), picture.plane(1))
        let (rows, columns) = (min(Self.side, chroma.height), min(Self.side, chroma.width))
        var sum = SIMD3<Double>.zero
        for row in 0..<rows {
            let y = (2 * row + 1) * chroma.height / (2 * rows)
            let (codes, pairs) = (luma.row(2 * y, as: UInt8.self), chroma.row(y, as: UInt8.self))
            for column in 0..<columns {
                let x = (2 * column + 1) * chroma.width / (2 * columns)
                let value = (Double(codes[2 * x]) - 16) / 219
                let (blue, red) = ((Double(pairs[2 * x]) - 128) / 224 * 1.8556, (Double(pairs[2 * x + 1]) - 128) / 224 * 1.5748)
                let green = -(0.2126 * red + 0.0722 * blue) / 0.7152
                for (channel, offset) in [red, green, blue].enumerated() { sum[channel] += pow(max(value + offset, 0), 2.2) }
            }
        }
        return sum / Double(rows * columns)
    }
}
