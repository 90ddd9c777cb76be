import CoreVideo
import Foundation

/// Filters of places, and those of two pictures.
extension FilterRecipe {
    /// Filters that move, blur, measure or make pixels.
    static let geometry: [FilterRecipe] = [
        FilterRecipe("CIGaussianBlur", [.needed(), .number(kCIInputRadiusKey, 10)]) { values in
            values.number(kCIInputRadiusKey).flatMap { values.image()?.gaussianBlurred(sigma: min($0, 500)) }
        },
        FilterRecipe("CIBoxBlur", [.needed(), .number(kCIInputRadiusKey, 10)]) { values in
            values.number(kCIInputRadiusKey).flatMap { values.image()?.boxBlurred(radius: min($0, 1000)) }
        },
        FilterRecipe("CILanczosScaleTransform", [.needed(), .number(kCIInputScaleKey, 1), .number(kCIInputAspectRatioKey, 1)]) { values in
            guard let scale = values.number(kCIInputScaleKey), let aspect = values.number(kCIInputAspectRatioKey) else { return nil }
            return values.image()?.lanczosScaled(scale * aspect, scale)
        },
        FilterRecipe("CIAffineTransform", [.needed(), Input(key: kCIInputTransformKey, usual: Usual(value: CGAffineTransform.identity))]) { values in
            let transform = values.values[kCIInputTransformKey]
            return (transform as? CGAffineTransform).flatMap { values.image()?.transformed(by: $0) }
        },
        FilterRecipe("CIAffineClamp", [.needed(), Input(key: kCIInputTransformKey, usual: Usual(value: CGAffineTransform.identity))]) { values in
            let transform = values.values[kCIInputTransformKey]
            return (transform as? CGAffineTransform).flatMap { values.image()?.clampedToExtent().transformed(by: $0) }
        },
        FilterRecipe("CICrop", [.needed(), .needed("inputRectangle")]) { values in
            guard let rectangle = values.vector("inputRectangle") else { return values.image() }
            return values.image()?.cropped(to: rectangle.cgRectValue)
        },
        FilterRecipe("CIAreaAverage", [.needed(), .needed(kCIInputExtentKey)]) { values in
            guard let image = values.image() else { return nil }
            let area = values.vector(kCIInputExtentKey)?.cgRectValue ?? image.extent
            guard !area.isInfinite, !PixelRegion(area).isEmpty else { return nil }
            return CIImage(extent: CGRect(x: 0, y: 0, width: 1, height: 1)) { region, isLinear in
                let source = image.tile(PixelRegion(area), isLinear: isLinear)
                let sum = source.pixels.reduce(SIMD4<Double>.zero) { $0 + SIMD4<Double>($1) }
                let count = Double(PixelRegion(area).width * PixelRegion(area).height)
                var tile = Tile(region)
                tile.fill { _, _ in SIMD4<Float>(sum / count) }
                return tile
            }
        },
        FilterRecipe("CIConstantColorGenerator", [.color(kCIInputColorKey, 1, 0, 0)]) { values in
            values.color(kCIInputColorKey).map { CIImage(color: $0) }
        },
        // Depth is metres, disparity 1/m: either is the other's reciprocal.
        FilterRecipe("CIDisparityToDepth", [.needed()]) { $0.image()?.reciprocal },
        FilterRecipe("CIDepthToDisparity", [.needed()]) { $0.image()?.reciprocal },
    ]

    /// Filters of two pictures.
    static let blends: [FilterRecipe] = [
        blend("CISourceOverCompositing") { upper, lower in upper.over(lower) },
        blend("CIAdditionCompositing") { upper, lower in pointwiseMin(upper + lower, SIMD4(.infinity, .infinity, .infinity, 1)) },
        blend("CIMultiplyCompositing") { upper, lower in upper * lower },
        blend("CISourceInCompositing") { upper, lower in upper * lower.w },
        blend("CISourceAtopCompositing") { upper, lower in upper * lower.w + lower * (1 - upper.w) },
        masked("CIBlendWithMask") { mask in mask.straight.luma * mask.w },
        masked("CIBlendWithAlphaMask") { mask in mask.w },
        FilterRecipe(
            "CIDissolveTransition", [.needed(), .needed("inputTargetImage"), .number("inputTime", 0)]
        ) { values in
            guard let from = values.image(), let to = values.image("inputTargetImage"), let time = values.number("inputTime") else { return nil }
            let share = Float(max(0, min(1, time)))
            return from.combined(with: to, extent: from.extent.union(to.extent)) { first, second in first + (second - first) * share }
        },
    ]

    static func blend(
        _ name: String, _ map: @escaping @Sendable (SIMD4<Float>, SIMD4<Float>) -> SIMD4<Float>
    ) -> FilterRecipe {
        FilterRecipe(name, [.needed(), .needed(kCIInputBackgroundImageKey)]) { values in
            guard let upper = values.image() else { return values.image(kCIInputBackgroundImageKey) }
            guard let lower = values.image(kCIInputBackgroundImageKey) else { return upper }
            return upper.combined(with: lower, extent: upper.extent.union(lower.extent), map)
        }
    }

    private static func masked(_ name: String, _ share: @escaping @Sendable (SIMD4<Float>) -> Float) -> FilterRecipe {
        FilterRecipe(name, [.needed(), .needed(kCIInputBackgroundImageKey), .needed(kCIInputMaskImageKey)]) { values in
            guard let upper = values.image(), let mask = values.image(kCIInputMaskImageKey) else { return nil }
            let lower = values.image(kCIInputBackgroundImageKey) ?? .empty()
            let shown = upper.combined(with: mask, extent: upper.extent.union(lower.extent)) { pixel, mask in pixel * share(mask) }
            let hidden = lower.combined(with: mask, extent: shown.extent) { pixel, mask in pixel * (1 - share(mask)) }
            return shown.combined(with: hidden, extent: shown.extent) { $0 + $1 }
        }
    }
}

extension CIImage {
    /// The reciprocal of each value; 0 where it is none.
    var reciprocal: CIImage {
        mapped { pixel, _ in
            func inverse(_ value: Float) -> Float { value > 0 && value.isFinite ? 1 / value : 0 }
            return SIMD4(inverse(pixel.x), inverse(pixel.y), inverse(pixel.z), pixel.w)
        }
    }
}
