import AVFCapture
import CoreVideo
import Foundation

/// Filters of effects, for which Apple gives no formula: each is the plainest one that does what its name says.
extension FilterRecipe {
    static let effects: [FilterRecipe] = [
        .coded("CIToneCurve", ToneCurve.inputs) { values in
            guard let curve = ToneCurve(values) else { return nil }
            return { pixel in SIMD4(curve(pixel.x), curve(pixel.y), curve(pixel.z), pixel.w) }
        },
        .colour("CILinearToSRGBToneCurve", []) { _ in { pixel in pixel.curved(ColorCurve.coded) } },
        .colour("CISRGBToneCurveToLinear", []) { _ in { pixel in pixel.curved(ColorCurve.linear) } },
        .colour("CIVibrance", [.number("inputAmount", 0)]) { values in
            guard let amount = values.number("inputAmount").map(Float.init) else { return nil }
            return { pixel in
                let saturation = max(pixel.x, pixel.y, pixel.z) - min(pixel.x, pixel.y, pixel.z)
                return pixel.saturated(1 + amount * (1 - max(0, min(1, saturation))))
            }
        },
        .linear("CITemperatureAndTint", [.vector("inputNeutral", 6500, 0, 0, 0), .vector("inputTargetNeutral", 6500, 0, 0, 0)]) { values in
            guard let neutral = values.vector("inputNeutral"), let target = values.vector("inputTargetNeutral") else { return nil }
            func light(_ vector: CIVector) -> SIMD3<Double> {
                AVCaptureDevice.light(.init(temperature: Float(vector.x), tint: Float(vector.y)))
            }
            // The gains of von Kries (1902), at the same luma of white.
            let gains = SIMD4<Float>(SIMD4(light(target) / light(neutral), 1))
            let scaled = gains / gains.luma
            return { pixel in SIMD4(pixel.x * scaled.x, pixel.y * scaled.y, pixel.z * scaled.z, pixel.w) }
        },
        .coded("CIHighlightShadowAdjust", [.number(kCIInputRadiusKey, 0), .number("inputShadowAmount", 0), .number("inputHighlightAmount", 1)]) {
            values in
            guard let shadows = values.number("inputShadowAmount"), let highlights = values.number("inputHighlightAmount") else { return nil }
            let (lift, fall) = (Float(max(-1, min(1, shadows))), Float(max(0, min(1, 1 - highlights))))
            return { pixel in
                let luma = max(0, min(1, pixel.luma))
                let change = lift * 0.5 * (1 - luma) * (1 - luma) * luma * 4 - fall * 0.5 * luma * luma * (1 - luma) * 4
                return SIMD4(pixel.x + change, pixel.y + change, pixel.z + change, pixel.w)
            }
        },
        .coded("CIColorPosterize", [.number("inputLevels", 6)]) { values in
            guard let levels = values.number("inputLevels").map({ Float(max(2, min(256, $0.rounded()))) }) else { return nil }
            return { pixel in pixel.curved { (min(levels - 1, max(0, ($0 * levels).rounded(.down)))) / (levels - 1) } }
        },
        .colour(
            "CIColorPolynomial",
            ["Red", "Green", "Blue", "Alpha"].map { .vector("input\($0)Coefficients", 0, 1, 0, 0) }
        ) { values in
            let rows = ["Red", "Green", "Blue", "Alpha"].compactMap { values.vector("input\($0)Coefficients")?.pixel }
            guard rows.count == 4 else { return nil }
            @Sendable func sum(_ row: SIMD4<Float>, _ value: Float) -> Float { row.x + value * (row.y + value * (row.z + value * row.w)) }
            return { pixel in
                SIMD4(sum(rows[0], pixel.x), sum(rows[1], pixel.y), sum(rows[2], pixel.z), max(0, min(1, sum(rows[3], pixel.w))))
            }
        },
        FilterRecipe("CIFalseColor", [.needed(), .color("inputColor0", 0.3, 0, 0), .color("inputColor1", 1, 0.9, 0.8)]) { values in
            guard let image = values.image(), let dark = values.color("inputColor0"), let bright = values.color("inputColor1") else { return nil }
            return image.mapped { pixel, isLinear in
                let (first, last) = (dark.pixel(isLinear: isLinear), bright.pixel(isLinear: isLinear))
                return (first + (last - first) * max(0, min(1, pixel.straight.luma))) * pixel.w
            }
        },
        look("CIPhotoEffectChrome", saturation: 1.25, contrast: 1.15),
        look("CIPhotoEffectFade", saturation: 0.7, contrast: 0.8, lift: 0.06),
        look("CIPhotoEffectInstant", saturation: 0.75, contrast: 0.9, lift: 0.04, tint: SIMD3(1.04, 1, 0.9)),
        look("CIPhotoEffectProcess", saturation: 0.95, contrast: 1.05, tint: SIMD3(0.93, 1, 1.08)),
        look("CIPhotoEffectTransfer", saturation: 0.95, contrast: 0.95, lift: 0.03, tint: SIMD3(1.08, 1, 0.9)),
    ]

    /// Filter of linear light, each pixel by itself, whatever a context works in.
    private static func linear(_ name: String, _ inputs: [Input], _ map: @escaping @Sendable (FilterInputs) -> PixelMap?) -> FilterRecipe {
        each(name, inputs, ofLinear: true, map)
    }

    /// Filter of colours as sRGB codes them, each pixel by itself, whatever a context works in.
    private static func coded(_ name: String, _ inputs: [Input], _ map: @escaping @Sendable (FilterInputs) -> PixelMap?) -> FilterRecipe {
        each(name, inputs, ofLinear: false, map)
    }

    private static func each(
        _ name: String, _ inputs: [Input], ofLinear wantsLinear: Bool, _ map: @escaping @Sendable (FilterInputs) -> PixelMap?
    ) -> FilterRecipe {
        let (before, after) = wantsLinear ? (ColorCurve.linear, ColorCurve.coded) : (ColorCurve.coded, ColorCurve.linear)
        return FilterRecipe(name, [.needed()] + inputs) { values in
            guard let image = values.image(), let map = map(values) else { return nil }
            return image.mapped { pixel, isLinear in
                guard isLinear != wantsLinear else { return map(pixel.straight).multiplied }
                return map(pixel.straight.curved(before)).curved(after).multiplied
            }
        }
    }

    private static func look(
        _ name: String, saturation: Float, contrast: Float, lift: Float = 0, tint: SIMD3<Float> = .one
    ) -> FilterRecipe {
        .coded(name, [.number("inputExtrapolate", 0)]) { _ in
            { pixel in
                let toned = (pixel.saturated(saturation) - 0.5) * contrast + 0.5 + lift
                return (toned * SIMD4(tint, 1)).clamped(lowerBound: .zero, upperBound: .one).opaque(pixel.w)
            }
        }
    }
}

/// Curve through five points: the cubic spline that is straight at its ends, and beyond them.
private struct ToneCurve: Sendable {
    static let inputs: [FilterRecipe.Input] = (0..<5).map { .vector("inputPoint\($0)", 0.25 * CGFloat($0), 0.25 * CGFloat($0), 0, 0) }

    private let x: [Float]
    private let y: [Float]
    /// Second derivatives at the points.
    private let bends: [Float]

    /// Curve of a filter's points; nil unless they go rightwards.
    init?(_ values: FilterInputs) {
        let points = (0..<5).compactMap { values.vector("inputPoint\($0)")?.cgPointValue }.sorted { $0.x < $1.x }
        guard points.count == 5, zip(points, points.dropFirst()).allSatisfy({ $0.x < $1.x }) else { return nil }
        (x, y) = (points.map { Float($0.x) }, points.map { Float($0.y) })
        // Thomas' elimination of the tridiagonal system of a natural spline.
        var (bends, share) = ([Float](repeating: 0, count: 5), [Float](repeating: 0, count: 5))
        for index in 1..<4 {
            let (before, after) = (x[index] - x[index - 1], x[index + 1] - x[index])
            let pivot = 2 * (before + after) - before * share[index - 1]
            share[index] = after / pivot
            let turn = (y[index + 1] - y[index]) / after - (y[index] - y[index - 1]) / before
            bends[index] = (6 * turn - before * bends[index - 1]) / pivot
        }
        for index in (1..<4).reversed() { bends[index] -= share[index] * bends[index + 1] }
        self.bends = bends
    }

    func callAsFunction(_ value: Float) -> Float {
        let index = max(0, min(3, (x.firstIndex { value < $0 } ?? 4) - 1))
        let width = x[index + 1] - x[index]
        let slope = (y[index + 1] - y[index]) / width
        if value < x[0] { return y[0] + (value - x[0]) * (slope - width * bends[1] / 6) }
        if value > x[4] { return y[4] + (value - x[4]) * (slope + width * bends[3] / 6) }
        let (right, left) = ((value - x[index]) / width, (x[index + 1] - value) / width)
        let bend = (left * left * left - left) * bends[index] + (right * right * right - right) * bends[index + 1]
        return left * y[index] + right * y[index + 1] + bend * width * width / 6
    }
}

extension SIMD4<Float> {
    /// Colours through a curve.
    func curved(_ curve: (Float) -> Float) -> SIMD4<Float> { SIMD4(curve(x), curve(y), curve(z), w) }
    /// Colours away from grey of the same brightness.
    fileprivate func saturated(_ amount: Float) -> SIMD4<Float> {
        let grey = SIMD4(luma, luma, luma, w)
        return grey + (self - grey) * amount
    }
    /// Colours of another opacity.
    fileprivate func opaque(_ alpha: Float) -> SIMD4<Float> { SIMD4(x, y, z, alpha) }
}
