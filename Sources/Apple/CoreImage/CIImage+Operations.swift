import CoreVideo
import Foundation
import ImageIO

/// Operations that need no filter's name.
extension CIImage {
    /// Returns the part within `rect`.
    public func cropped(to rect: CGRect) -> CIImage {
        let part = extent.intersection(rect)
        return CIImage(extent: part) { region, isLinear in
            let source = self.tile(region, isLinear: isLinear)
            let (left, right) = (Float(part.minX), Float(part.maxX))
            let (bottom, top) = (Float(part.minY), Float(part.maxY))
            guard left != left.rounded() || right != right.rounded() || bottom != bottom.rounded() || top != top.rounded() else { return source }
            // Pixels that the edge cuts are covered in part.
            var tile = Tile(region)
            tile.fill { x, y in
                let width = min(Float(x + 1), right) - max(Float(x), left)
                let height = min(Float(y + 1), top) - max(Float(y), bottom)
                return source[x, y] * (max(0, min(1, width)) * max(0, min(1, height)))
            }
            return tile
        }
    }

    /// Returns the picture with its edge pixels repeated without end.
    public func clampedToExtent() -> CIImage {
        let bounds = PixelRegion(extent)
        guard !bounds.isEmpty, !extent.isInfinite else { return self }
        return CIImage(extent: .infinite) { region, isLinear in
            func near(_ low: Int, _ high: Int, _ first: Int, _ last: Int) -> (Int, Int) {
                (max(first, min(last - 1, low)), min(last, max(first + 1, high)))
            }
            let (left, right) = near(region.minX, region.maxX, bounds.minX, bounds.maxX)
            let (bottom, top) = near(region.minY, region.maxY, bounds.minY, bounds.maxY)
            let source = self.tile(PixelRegion(minX: left, minY: bottom, maxX: right, maxY: top), isLinear: isLinear)
            var tile = Tile(region)
            tile.fill { x, y in source[max(left, min(right - 1, x)), max(bottom, min(top - 1, y))] }
            return tile
        }
    }

    /// Returns the picture with other properties, under ImageIO's keys, which its files get.
    public func settingProperties(_ properties: [AnyHashable: Any]) -> CIImage {
        let named = properties.reduce(into: [String: Any]()) { named, entry in
            if let key = entry.key.base as? String { named[key] = entry.value }
        }
        return CIImage(extent: extent, pixelBuffer: pixelBuffer, cgImage: cgImage, properties: named) { self.tile($0, isLinear: $1) }
    }

    /// Returns the picture laid over another, as far as it is opaque (Porter and Duff 1984, "over").
    public func composited(over dest: CIImage) -> CIImage {
        combined(with: dest, extent: extent.union(dest.extent)) { upper, lower in upper.over(lower) }
    }

    /// Returns the picture opaque within `rect`, and clear outside of it.
    public func settingAlphaOne(in rect: CGRect) -> CIImage {
        mapped { pixel, _ in SIMD4(pixel.x, pixel.y, pixel.z, 1) }.cropped(to: rect)
    }

    /// Returns the picture with its colours multiplied by alpha once more.
    public func premultiplyingAlpha() -> CIImage { mapped { pixel, _ in SIMD4(pixel.x * pixel.w, pixel.y * pixel.w, pixel.z * pixel.w, pixel.w) } }

    /// Returns the picture with its colours divided by alpha.
    public func unpremultiplyingAlpha() -> CIImage { mapped { pixel, _ in pixel.straight } }

    /// Returns the picture blurred by a Gaussian of standard deviation `sigma`, pixels; its extent grows by three of them.
    public func applyingGaussianBlur(sigma: Double) -> CIImage { gaussianBlurred(sigma: sigma) }

    /// Returns the picture, resampled linearly; what a context does with it in any case.
    public func samplingLinear() -> CIImage { self }

    /// Returns the picture itself: what is worked out is kept for one rendering alone.
    public func insertingIntermediate() -> CIImage { self }

    /// Returns the picture itself; as without `cache`.
    public func insertingIntermediate(cache: Bool) -> CIImage { self }

    /// Returns what a filter makes of the picture with these values under its keys; traps for a filter that is not there, by name.
    public func applyingFilter(_ filterName: String, parameters params: [String: Any]) -> CIImage {
        guard let filter = CIFilter(name: filterName) else {
            preconditionFailure(
                "Core Image: there is no filter \(filterName.debugDescription); CIFilter.filterNames(inCategory: nil) lists those that are")
        }
        if filter.inputKeys.contains(kCIInputImageKey) { filter.setValue(self, forKey: kCIInputImageKey) }
        for (key, value) in params { filter.setValue(value, forKey: key) }
        return filter.outputImage ?? .empty()
    }

    /// Returns what a filter makes of the picture with its defaults.
    public func applyingFilter(_ filterName: String) -> CIImage { applyingFilter(filterName, parameters: [:]) }

    /// Returns the picture upright, as ImageIO numbers orientations; its extent begins at the origin.
    public func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage { oriented(forExifOrientation: Int32(orientation.rawValue)) }

    /// Returns the picture upright, as EXIF numbers orientations, 1…8; itself for another number.
    public func oriented(forExifOrientation orientation: Int32) -> CIImage {
        orientation == 1 || !(1...8).contains(orientation) ? self : transformed(by: orientationTransform(forExifOrientation: orientation))
    }

    /// Returns the map that turns the picture upright.
    public func orientationTransform(for orientation: CGImagePropertyOrientation) -> CGAffineTransform {
        orientationTransform(forExifOrientation: Int32(orientation.rawValue))
    }

    /// Returns the map that turns the picture upright; the identity for a number outside 1…8.
    public func orientationTransform(forExifOrientation orientation: Int32) -> CGAffineTransform {
        let (width, height) = (extent.width, extent.height)
        let about = CGAffineTransform(translationX: -extent.minX, y: -extent.minY)
        let turn: CGAffineTransform
        switch orientation {
        case 2: turn = CGAffineTransform(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0)
        case 3: turn = CGAffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
        case 4: turn = CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: height)
        case 5: turn = CGAffineTransform(a: 0, b: -1, c: -1, d: 0, tx: height, ty: width)
        case 6: turn = CGAffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
        case 7: turn = CGAffineTransform(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
        case 8: turn = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
        default: return .identity
        }
        return about.concatenating(turn)
    }

    /// Picture of each pixel mapped; the function is told whether colours are linear.
    func mapped(extent: CGRect? = nil, _ map: @escaping @Sendable (SIMD4<Float>, _ isLinear: Bool) -> SIMD4<Float>) -> CIImage {
        let bounds = extent ?? self.extent
        return CIImage(extent: bounds) { region, isLinear in
            let source = self.tile(region, isLinear: isLinear)
            guard source.region != region else {
                var tile = source
                for index in tile.pixels.indices { tile.pixels[index] = map(tile.pixels[index], isLinear) }
                return tile
            }
            var tile = Tile(region)
            tile.fill { x, y in map(source[x, y], isLinear) }
            return tile
        }
    }

    /// Picture of this one's and another's pixels at the same place.
    func combined(
        with other: CIImage, extent: CGRect, _ map: @escaping @Sendable (SIMD4<Float>, SIMD4<Float>) -> SIMD4<Float>
    ) -> CIImage {
        CIImage(extent: extent) { region, isLinear in
            let (first, second) = (self.tile(region, isLinear: isLinear), other.tile(region, isLinear: isLinear))
            var tile = Tile(region)
            tile.fill { x, y in map(first[x, y], second[x, y]) }
            return tile
        }
    }
}

extension SIMD4<Float> {
    /// The pixel with its colours divided by alpha; itself where it is clear.
    var straight: SIMD4<Float> { w > 0 && w != 1 ? SIMD4(x / w, y / w, z / w, w) : self }
    /// The pixel with its colours multiplied by alpha.
    var multiplied: SIMD4<Float> { w == 1 ? self : SIMD4(x * w, y * w, z * w, w) }
    /// The pixel laid over another, as far as it is opaque.
    func over(_ lower: SIMD4<Float>) -> SIMD4<Float> { self + lower * (1 - w) }
    /// Brightness by BT.709's weights.
    var luma: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }
}
