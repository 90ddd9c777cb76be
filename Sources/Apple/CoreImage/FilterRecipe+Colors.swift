import CoreVideo
import Foundation

/// Filters of colours.
extension FilterRecipe {
    /// Filters whose formula Apple gives, in the space that a context works in.
    static let colours: [FilterRecipe] = [
        .colour(
            "CIColorMatrix",
            [
                .vector("inputRVector", 1, 0, 0, 0), .vector("inputGVector", 0, 1, 0, 0), .vector("inputBVector", 0, 0, 1, 0),
                .vector("inputAVector", 0, 0, 0, 1), .vector("inputBiasVector", 0, 0, 0, 0),
            ]
        ) { values in
            guard let red = values.vector("inputRVector")?.pixel, let green = values.vector("inputGVector")?.pixel,
                let blue = values.vector("inputBVector")?.pixel, let alpha = values.vector("inputAVector")?.pixel
            else { return nil }
            let bias = values.vector("inputBiasVector")?.pixel ?? .zero
            return { pixel in
                let mixed = SIMD4((pixel * red).sum(), (pixel * green).sum(), (pixel * blue).sum(), (pixel * alpha).sum()) + bias
                return SIMD4(mixed.x, mixed.y, mixed.z, max(0, min(1, mixed.w)))
            }
        },
        .colour("CIColorClamp", [.vector("inputMinComponents", 0, 0, 0, 0), .vector("inputMaxComponents", 1, 1, 1, 1)]) { values in
            guard let low = values.vector("inputMinComponents")?.pixel, let high = values.vector("inputMaxComponents")?.pixel else { return nil }
            return { pixel in pixel.clamped(lowerBound: low, upperBound: pointwiseMax(low, high)) }
        },
        .colour("CIColorInvert", []) { _ in { pixel in SIMD4(1 - pixel.x, 1 - pixel.y, 1 - pixel.z, pixel.w) } },
        .colour("CIExposureAdjust", [.number(kCIInputEVKey, 0)]) { values in
            guard let stops = values.number(kCIInputEVKey) else { return nil }
            let gain = Float(pow(2, stops))
            return { pixel in SIMD4(pixel.x * gain, pixel.y * gain, pixel.z * gain, pixel.w) }
        },
        .colour("CIGammaAdjust", [.number("inputPower", 1)]) { values in
            guard let power = values.number("inputPower") else { return nil }
            @Sendable func raised(_ value: Float) -> Float { Float(pow(Double(max(0, value)), power)) }
            return { pixel in SIMD4(raised(pixel.x), raised(pixel.y), raised(pixel.z), pixel.w) }
        },
        .colour(
            "CIColorControls", [.number(kCIInputSaturationKey, 1), .number(kCIInputBrightnessKey, 0), .number(kCIInputContrastKey, 1)]
        ) { values in
            guard let saturation = values.number(kCIInputSaturationKey), let brightness = values.number(kCIInputBrightnessKey),
                let contrast = values.number(kCIInputContrastKey)
            else { return nil }
            let (mix, lift, slope) = (Float(saturation), Float(brightness), Float(contrast))
            return { pixel in
                let grey = SIMD4<Float>(repeating: pixel.luma)
                let result = (grey + (pixel - grey) * mix + lift - 0.5) * slope + 0.5
                return SIMD4(result.x, result.y, result.z, pixel.w)
            }
        },
    ]

    /// Filters whose formula Apple does not give: the matrices of W3C's Filter Effects (sepia, hue-rotate), and the brightness times a colour.
    static let tones: [FilterRecipe] = [
        .colour("CISepiaTone", [.number(kCIInputIntensityKey, 1)]) { values in
            guard let intensity = values.number(kCIInputIntensityKey) else { return nil }
            let amount = Float(max(0, min(1, intensity)))
            return { pixel in
                let tone = SIMD4(
                    0.393 * pixel.x + 0.769 * pixel.y + 0.189 * pixel.z, 0.349 * pixel.x + 0.686 * pixel.y + 0.168 * pixel.z,
                    0.272 * pixel.x + 0.534 * pixel.y + 0.131 * pixel.z, pixel.w)
                return pixel + (tone - pixel) * amount
            }
        },
        .colour("CIHueAdjust", [.number(kCIInputAngleKey, 0)]) { values in
            guard let angle = values.number(kCIInputAngleKey) else { return nil }
            let (cosine, sine) = (Float(cos(angle)), Float(sin(angle)))
            // Weights of luma, and how they turn: rows of hue-rotate.
            let weights = SIMD3<Float>(0.213, 0.715, 0.072)
            let turns: [SIMD3<Float>] = [SIMD3(-0.213, -0.715, 0.928), SIMD3(0.143, 0.140, -0.283), SIMD3(-0.787, 0.715, 0.072)]
            let rows = (0..<3).map { row -> SIMD3<Float> in
                var unit = SIMD3<Float>.zero
                unit[row] = 1
                return weights + (unit - weights) * cosine + turns[row] * sine
            }
            return { pixel in
                let colour = SIMD3(pixel.x, pixel.y, pixel.z)
                return SIMD4((rows[0] * colour).sum(), (rows[1] * colour).sum(), (rows[2] * colour).sum(), pixel.w)
            }
        },
        FilterRecipe(
            "CIColorMonochrome", [.needed(), .color(kCIInputColorKey, 0.6, 0.45, 0.3), .number(kCIInputIntensityKey, 1)]
        ) { values in
            guard let image = values.image(), let color = values.color(kCIInputColorKey), let intensity = values.number(kCIInputIntensityKey) else {
                return nil
            }
            let amount = Float(max(0, min(1, intensity)))
            return image.mapped { pixel, isLinear in
                let (straight, tone) = (pixel.straight, color.pixel(isLinear: isLinear).straight)
                let grey = straight.luma
                let target = SIMD4(tone.x * grey, tone.y * grey, tone.z * grey, straight.w)
                return (straight + (target - straight) * amount).multiplied
            }
        },
    ]
}
