import CoreVideo
import Foundation

/// Rectangle of whole pixels; its upper bounds are not part of it. y grows upwards, as Core Image counts.
struct PixelRegion: Equatable, Sendable {
    var minX: Int
    var minY: Int
    var maxX: Int
    var maxY: Int

    var width: Int { max(0, maxX - minX) }
    var height: Int { max(0, maxY - minY) }
    var isEmpty: Bool { width == 0 || height == 0 }

    init(minX: Int, minY: Int, maxX: Int, maxY: Int) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    /// Pixels that a rectangle touches; coordinates beyond 2^28 are cut off there.
    init(_ rect: CGRect) {
        func whole(_ value: CGFloat) -> Int { Int(max(-0x1000_0000, min(0x1000_0000, value.isNaN ? 0 : value))) }
        self.init(
            minX: whole((rect.minX + 1e-6).rounded(.down)), minY: whole((rect.minY + 1e-6).rounded(.down)),
            maxX: whole((rect.maxX - 1e-6).rounded(.up)), maxY: whole((rect.maxY - 1e-6).rounded(.up)))
        if rect.isNull || rect.isEmpty { self = PixelRegion(minX: 0, minY: 0, maxX: 0, maxY: 0) }
    }

    func intersection(_ other: PixelRegion) -> PixelRegion {
        PixelRegion(
            minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    }

    func insetBy(_ amount: Int) -> PixelRegion {
        PixelRegion(minX: minX + amount, minY: minY + amount, maxX: maxX - amount, maxY: maxY - amount)
    }
}

/// Worked-out pixels of a region: red, green, blue, alpha, the colours multiplied by alpha; the bottom row first. Beyond its region all is clear.
struct Tile: Sendable {
    let region: PixelRegion
    var pixels: [SIMD4<Float>]

    init(_ region: PixelRegion) {
        // 2^26 pixels take 1 GiB.
        precondition(
            region.isEmpty || region.width <= (1 << 26) / region.height,
            "Core Image: a filter asks for \(region.width)x\(region.height) pixels at once; crop the picture or render at a smaller size")
        self.region = region
        pixels = [SIMD4<Float>](repeating: .zero, count: region.width * region.height)
    }

    subscript(x: Int, y: Int) -> SIMD4<Float> {
        guard x >= region.minX, x < region.maxX, y >= region.minY, y < region.maxY else { return .zero }
        return pixels[(y - region.minY) * region.width + x - region.minX]
    }

    /// Fills every pixel with a function of its place.
    mutating func fill(_ pixel: (_ x: Int, _ y: Int) -> SIMD4<Float>) {
        var index = 0
        for y in region.minY..<max(region.minY, region.maxY) {
            for x in region.minX..<max(region.minX, region.maxX) {
                pixels[index] = pixel(x, y)
                index += 1
            }
        }
    }
}
