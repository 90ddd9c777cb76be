import CoreVideo
import Foundation

/// Filters of looks: tables, greys, thresholds, sharpness and blend modes.
extension FilterRecipe {
    static let looks: [FilterRecipe] = [
        FilterRecipe(
            "CIColorCube", [.needed(), .number("inputCubeDimension", 2), .needed("inputCubeData"), .number("inputExtrapolate", 0)]
        ) { values in
            guard let image = values.image(), let cube = ColorCube(values) else { return nil }
            return image.mapped { pixel, _ in cube.color(of: pixel.straight) }
        },
        FilterRecipe(
            "CIColorCubeWithColorSpace",
            [
                .needed(), .number("inputCubeDimension", 2), .needed("inputCubeData"), .needed("inputColorSpace"), .number("inputExtrapolate", 0),
            ]
        ) { values in
            guard let image = values.image(), let cube = ColorCube(values) else { return nil }
            return image.mapped { pixel, isLinear in
                guard isLinear else { return cube.color(of: pixel.straight) }
                return cube.color(of: pixel.straight.curved(ColorCurve.coded)).straight.curved(ColorCurve.linear).multiplied
            }
        },
        .colour("CIMaximumComponent", []) { _ in { pixel in pixel.grey(max(pixel.x, pixel.y, pixel.z)) } },
        .colour("CIMinimumComponent", []) { _ in { pixel in pixel.grey(min(pixel.x, pixel.y, pixel.z)) } },
        .colour("CIMaskToAlpha", []) { _ in { pixel in SIMD4(1, 1, 1, max(0, min(1, pixel.luma)) * pixel.w) } },
        .colour("CIColorThreshold", [.number("inputThreshold", 0.5)]) { values in
            guard let threshold = values.number("inputThreshold").map(Float.init) else { return nil }
            return { pixel in
                SIMD4(pixel.x >= threshold ? 1 : 0, pixel.y >= threshold ? 1 : 0, pixel.z >= threshold ? 1 : 0, pixel.w)
            }
        },
        FilterRecipe("CIWhitePointAdjust", [.needed(), .color(kCIInputColorKey, 1, 1, 1)]) { values in
            guard let image = values.image(), let color = values.color(kCIInputColorKey) else { return nil }
            return image.mapped { pixel, isLinear in
                let white = color.pixel(isLinear: isLinear)
                return pixel * SIMD4(white.x, white.y, white.z, 1)
            }
        },
        FilterRecipe("CIUnsharpMask", [.needed(), .number(kCIInputRadiusKey, 2.5), .number(kCIInputIntensityKey, 0.5)]) { values in
            guard let image = values.image(), let radius = values.number(kCIInputRadiusKey), let intensity = values.number(kCIInputIntensityKey)
            else { return nil }
            let blurred = image.clampedToExtent().gaussianBlurred(sigma: min(radius, 500)).cropped(to: image.extent)
            let amount = Float(intensity)
            return image.combined(with: blurred, extent: image.extent) { pixel, mean in
                let sharp = pointwiseMax(pixel + (pixel - mean) * amount, .zero)
                return SIMD4(sharp.x, sharp.y, sharp.z, pixel.w)
            }
        },
        // Apple gives no formula for the three: W3C's greyscale.
        grey("CIPhotoEffectMono"), grey("CIPhotoEffectNoir"), grey("CIPhotoEffectTonal"),
    ]

    private static func grey(_ name: String) -> FilterRecipe {
        .colour(name, [.number("inputExtrapolate", 0)]) { _ in { pixel in pixel.grey(pixel.luma) } }
    }

    /// Blend modes of PDF 1.7, 11.3.5, and the comparing ones of Core Image.
    static let modes: [FilterRecipe] = [
        blend("CIMultiplyBlendMode") { upper, lower in CGBlendMode.multiply.blended(upper, over: lower) },
        blend("CIScreenBlendMode") { upper, lower in CGBlendMode.screen.blended(upper, over: lower) },
        blend("CIOverlayBlendMode") { upper, lower in CGBlendMode.overlay.blended(upper, over: lower) },
        blend("CIHardLightBlendMode") { upper, lower in CGBlendMode.hardLight.blended(upper, over: lower) },
        blend("CISoftLightBlendMode") { upper, lower in CGBlendMode.softLight.blended(upper, over: lower) },
        blend("CIColorDodgeBlendMode") { upper, lower in CGBlendMode.colorDodge.blended(upper, over: lower) },
        blend("CIColorBurnBlendMode") { upper, lower in CGBlendMode.colorBurn.blended(upper, over: lower) },
        blend("CIDifferenceBlendMode") { upper, lower in CGBlendMode.difference.blended(upper, over: lower) },
        blend("CIExclusionBlendMode") { upper, lower in CGBlendMode.exclusion.blended(upper, over: lower) },
        blend("CIDarkenBlendMode") { upper, lower in CGBlendMode.darken.blended(upper, over: lower) },
        blend("CILightenBlendMode") { upper, lower in CGBlendMode.lighten.blended(upper, over: lower) },
        blend("CIMinimumCompositing") { upper, lower in pointwiseMin(upper, lower) },
        blend("CIMaximumCompositing") { upper, lower in pointwiseMax(upper, lower) },
        blend("CISourceOutCompositing") { upper, lower in upper * (1 - lower.w) },
    ]
}

/// Table of colours over red, green and blue, read between its entries.
private struct ColorCube: Sendable {
    let side: Int
    /// Multiplied by alpha, red the fastest.
    let entries: [SIMD4<Float>]

    init?(_ values: FilterInputs) {
        guard let side = values.number("inputCubeDimension").map({ Int($0) }), (2...128).contains(side) else { return nil }
        let data = (values.values["inputCubeData"] as? Data) ?? (values.values["inputCubeData"] as? NSData).map { Data(referencing: $0) }
        guard let data, data.count >= side * side * side * 16 else { return nil }
        self.side = side
        entries = data.withUnsafeBytes { bytes in
            (0..<side * side * side).map { index in
                SIMD4((0..<4).map { bytes.loadUnaligned(fromByteOffset: (index * 4 + $0) * 4, as: Float.self) })
            }
        }
    }

    /// Colour, multiplied by alpha, of one that is not; out of 0…1 the nearest.
    func color(of pixel: SIMD4<Float>) -> SIMD4<Float> {
        let place = SIMD3(pixel.x, pixel.y, pixel.z).clamped(lowerBound: .zero, upperBound: .one) * Float(side - 1)
        let low = SIMD3<Int>(place.rounded(.down)).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: side - 2))
        let share = place - SIMD3<Float>(low)
        func entry(_ x: Int, _ y: Int, _ z: Int) -> SIMD4<Float> { entries[((low.z + z) * side + low.y + y) * side + low.x + x] }
        func between(_ first: SIMD4<Float>, _ second: SIMD4<Float>, _ share: Float) -> SIMD4<Float> { first + (second - first) * share }
        func row(_ y: Int, _ z: Int) -> SIMD4<Float> { between(entry(0, y, z), entry(1, y, z), share.x) }
        func layer(_ z: Int) -> SIMD4<Float> { between(row(0, z), row(1, z), share.y) }
        return between(layer(0), layer(1), share.z) * pixel.w
    }
}

extension SIMD4<Float> {
    /// The same opacity in grey.
    fileprivate func grey(_ value: Float) -> SIMD4<Float> { SIMD4(value, value, value, w) }
}
