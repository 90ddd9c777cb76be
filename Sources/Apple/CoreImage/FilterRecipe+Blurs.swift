import CoreVideo
import Foundation

/// Filters of a pixel's neighbours or its place, for which Apple gives no formula.
extension FilterRecipe {
    static let blurs: [FilterRecipe] = [
        FilterRecipe("CIVignette", [.needed(), .number(kCIInputRadiusKey, 1), .number(kCIInputIntensityKey, 0)]) { values in
            guard let image = values.image(), let radius = values.number(kCIInputRadiusKey), let intensity = values.number(kCIInputIntensityKey),
                !image.extent.isInfinite
            else { return nil }
            // The law of cos⁴, at the radius' share of half the diagonal.
            let bounds = image.extent
            let unit = max(1, (bounds.width * bounds.width + bounds.height * bounds.height).squareRoot() / 2) * max(0.01, radius)
            return image.darkened { x, y in
                let distance = ((x - bounds.midX) * (x - bounds.midX) + (y - bounds.midY) * (y - bounds.midY)) / (unit * unit)
                return 1 - intensity + intensity / ((1 + distance) * (1 + distance))
            }
        },
        FilterRecipe(
            "CIVignetteEffect",
            [
                .needed(), .vector(kCIInputCenterKey, 150, 150, 0, 0), .number(kCIInputRadiusKey, 150), .number(kCIInputIntensityKey, 1),
                .number("inputFalloff", 0.5),
            ]
        ) { values in
            guard let image = values.image(), let centre = values.vector(kCIInputCenterKey)?.cgPointValue,
                let radius = values.number(kCIInputRadiusKey), let intensity = values.number(kCIInputIntensityKey),
                let falloff = values.number("inputFalloff")
            else { return nil }
            let width = max(1, radius * max(0.001, falloff))
            return image.darkened { x, y in
                let distance = ((x - centre.x) * (x - centre.x) + (y - centre.y) * (y - centre.y)).squareRoot()
                let share = max(0, min(1, (distance - radius) / width + 0.5))
                return 1 - intensity * share * share * (3 - 2 * share)
            }
        },
        glow("CIBloom") { pixel, mean, amount in pixel + pointwiseMax(mean, .zero) * amount * (1 - pixel.clamped(lowerBound: .zero, upperBound: .one))
        },
        glow("CIGloom") { pixel, mean, amount in pixel + (pointwiseMin(pixel, mean) - pixel) * amount },
        FilterRecipe("CISharpenLuminance", [.needed(), .number(kCIInputSharpnessKey, 0.4), .number(kCIInputRadiusKey, 1.69)]) { values in
            guard let image = values.image(), let sharpness = values.number(kCIInputSharpnessKey), let radius = values.number(kCIInputRadiusKey)
            else { return nil }
            let (mean, amount) = (image.blurredWithin(min(radius, 500)), Float(sharpness))
            return image.combined(with: mean, extent: image.extent) { pixel, mean in
                let change = (pixel.luma - mean.luma) * amount
                return SIMD4(pixel.x + change, pixel.y + change, pixel.z + change, pixel.w)
            }
        },
        FilterRecipe("CINoiseReduction", [.needed(), .number("inputNoiseLevel", 0.02), .number(kCIInputSharpnessKey, 0.4)]) { values in
            guard let image = values.image(), let level = values.number("inputNoiseLevel"), let sharpness = values.number(kCIInputSharpnessKey)
            else { return nil }
            // Small differences from the surroundings are noise, larger ones edges.
            let (mean, bound, amount) = (image.blurredWithin(1), Float(level), Float(sharpness))
            return image.combined(with: mean, extent: image.extent) { pixel, mean in
                let change = abs(pixel.luma - mean.luma) < bound ? mean - pixel : (pixel - mean) * amount
                return SIMD4(pixel.x + change.x, pixel.y + change.y, pixel.z + change.z, pixel.w)
            }
        },
        FilterRecipe("CIEdges", [.needed(), .number(kCIInputIntensityKey, 1)]) { values in
            guard let image = values.image(), let intensity = values.number(kCIInputIntensityKey).map(Float.init) else { return nil }
            // Sobel's operator (1968).
            let source = image.clampedToExtent()
            return CIImage(extent: image.extent) { region, isLinear in
                let near = source.tile(region.insetBy(-1), isLinear: isLinear)
                var tile = Tile(region)
                tile.fill { x, y in
                    func column(_ x: Int) -> SIMD4<Float> { near[x, y - 1] + 2 * near[x, y] + near[x, y + 1] }
                    func row(_ y: Int) -> SIMD4<Float> { near[x - 1, y] + 2 * near[x, y] + near[x + 1, y] }
                    let (across, upwards) = (column(x + 1) - column(x - 1), row(y + 1) - row(y - 1))
                    let edge = (across * across + upwards * upwards).squareRoot() * intensity
                    return SIMD4(edge.x, edge.y, edge.z, near[x, y].w)
                }
                return tile
            }
        },
        FilterRecipe("CIMotionBlur", [.needed(), .number(kCIInputRadiusKey, 20), .number(kCIInputAngleKey, 0)]) { values in
            guard let image = values.image(), let radius = values.number(kCIInputRadiusKey).map({ max(0, min(500, $0)) }),
                let angle = values.number(kCIInputAngleKey)
            else { return nil }
            let step = CGPoint(x: cos(angle), y: sin(angle))
            let bounds = image.extent.isInfinite ? image.extent : image.extent.insetBy(dx: -radius.rounded(.up), dy: -radius.rounded(.up))
            return image.smeared(extent: bounds, reach: Int(radius.rounded(.up)) + 1, samples: 2 * Int(radius) + 1) { point, share in
                CGPoint(x: point.x + step.x * radius * (2 * share - 1), y: point.y + step.y * radius * (2 * share - 1))
            }
        },
        FilterRecipe("CIZoomBlur", [.needed(), .vector(kCIInputCenterKey, 150, 150, 0, 0), .number("inputAmount", 20)]) { values in
            guard let image = values.image(), let centre = values.vector(kCIInputCenterKey)?.cgPointValue, let amount = values.number("inputAmount"),
                !image.extent.isInfinite, !image.extent.isNull
            else { return nil }
            // A pixel at half the diagonal is smeared by the amount.
            let bounds = image.extent
            let part = max(-1, min(1, amount / max(1, (bounds.width * bounds.width + bounds.height * bounds.height).squareRoot() / 2)))
            let far = max(abs(bounds.minX - centre.x), abs(bounds.maxX - centre.x), abs(bounds.minY - centre.y), abs(bounds.maxY - centre.y))
            let reach = Int((far * abs(part)).rounded(.up)) + 1
            return image.clampedToExtent().smeared(extent: bounds, reach: reach, samples: min(64, 1 + Int(abs(amount)))) { point, share in
                CGPoint(x: point.x + (centre.x - point.x) * part * share, y: point.y + (centre.y - point.y) * part * share)
            }
        },
        FilterRecipe("CIDiscBlur", [.needed(), .number(kCIInputRadiusKey, 8)]) { values in
            values.number(kCIInputRadiusKey).flatMap { values.image()?.discBlurred(radius: max(0, min($0, 100))) }
        },
        FilterRecipe("CIMaskedVariableBlur", [.needed(), .needed("inputMask"), .number(kCIInputRadiusKey, 5)]) { values in
            guard let image = values.image(), let radius = values.number(kCIInputRadiusKey) else { return nil }
            guard let mask = values.image("inputMask") else { return image }
            return image.blurred(sigma: max(0, min(radius, 500)), where: mask)
        },
    ]

    private static func glow(
        _ name: String, _ map: @escaping @Sendable (_ pixel: SIMD4<Float>, _ mean: SIMD4<Float>, _ amount: Float) -> SIMD4<Float>
    ) -> FilterRecipe {
        FilterRecipe(name, [.needed(), .number(kCIInputRadiusKey, 10), .number(kCIInputIntensityKey, 0.5)]) { values in
            guard let image = values.image(), let radius = values.number(kCIInputRadiusKey), let intensity = values.number(kCIInputIntensityKey)
            else { return nil }
            let amount = Float(max(0, min(1, intensity)))
            return image.combined(with: image.blurredWithin(min(radius, 500)), extent: image.extent) { pixel, mean in
                let glowing = map(pixel, mean, amount)
                return SIMD4(glowing.x, glowing.y, glowing.z, pixel.w)
            }
        }
    }
}

extension CIImage {
    /// Gaussian blur that repeats the edges and keeps the extent.
    fileprivate func blurredWithin(_ sigma: Double) -> CIImage { clampedToExtent().gaussianBlurred(sigma: sigma).cropped(to: extent) }

    /// Colours times a share of the place of a pixel's middle, no less than 0.
    fileprivate func darkened(_ share: @escaping @Sendable (_ x: CGFloat, _ y: CGFloat) -> CGFloat) -> CIImage {
        CIImage(extent: extent) { region, isLinear in
            let source = self.tile(region, isLinear: isLinear)
            var tile = Tile(region)
            tile.fill { x, y in
                let pixel = source[x, y]
                let light = pixel * Float(max(0, share(CGFloat(x) + 0.5, CGFloat(y) + 0.5)))
                return SIMD4(light.x, light.y, light.z, pixel.w)
            }
            return tile
        }
    }

    /// Mean of a pixel's places along a path, shares of 0…1 of which stay within a reach.
    fileprivate func smeared(
        extent: CGRect, reach: Int, samples: Int, _ path: @escaping @Sendable (_ point: CGPoint, _ share: CGFloat) -> CGPoint
    ) -> CIImage {
        let shares = (0..<samples).map { samples == 1 ? 0.5 : CGFloat($0) / CGFloat(samples - 1) }
        return CIImage(extent: extent) { region, isLinear in
            let source = self.tile(region.insetBy(-reach), isLinear: isLinear)
            var tile = Tile(region)
            tile.fill { x, y in
                let middle = CGPoint(x: CGFloat(x) + 0.5, y: CGFloat(y) + 0.5)
                return shares.reduce(SIMD4<Float>.zero) { $0 + source.linear(at: path(middle, $1)) } / Float(samples)
            }
            return tile
        }
    }

    /// Mean over a disc; beyond the extent the picture is clear.
    fileprivate func discBlurred(radius: Double) -> CIImage {
        let reach = Int(radius.rounded(.down))
        guard reach > 0 else { return self }
        let widths = (-reach...reach).map { Int((radius * radius - Double($0 * $0)).squareRoot()) }
        let count = Float(widths.reduce(0) { $0 + 2 * $1 + 1 })
        let bounds = extent.isInfinite || extent.isNull ? extent : extent.insetBy(dx: CGFloat(-reach), dy: CGFloat(-reach))
        return CIImage(extent: bounds) { region, isLinear in
            let source = self.tile(region.insetBy(-reach), isLinear: isLinear)
            var tile = Tile(region)
            tile.fill { x, y in
                var sum = SIMD4<Float>.zero
                for (row, width) in widths.enumerated() { for column in -width...width { sum += source[x + column, y + row - reach] } }
                return sum / count
            }
            return tile
        }
    }

    /// Gaussian blur of a mask's brightness times `sigma`, between blurs of four widths.
    fileprivate func blurred(sigma: Double, where mask: CIImage) -> CIImage {
        let steps = [self] + [0.25, 0.5, 0.75, 1].map { blurredWithin(sigma * $0) }
        return CIImage(extent: extent) { region, isLinear in
            let tiles = steps.map { $0.tile(region, isLinear: isLinear) }
            let masks = mask.tile(region, isLinear: isLinear)
            var tile = Tile(region)
            tile.fill { x, y in
                let place = max(0, min(1, masks[x, y].luma)) * 4
                let low = min(3, Int(place))
                return tiles[low][x, y] + (tiles[low + 1][x, y] - tiles[low][x, y]) * (place - Float(low))
            }
            return tile
        }
    }
}
