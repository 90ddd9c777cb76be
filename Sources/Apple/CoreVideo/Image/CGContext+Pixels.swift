import CPixelLoops
import Foundation

/// Pictures drawn into a bitmap, and the pixels of both.
extension CGContext {
    /// Draws a picture into a rectangle, upright as the origin is the lower left corner.
    public func draw(_ image: CGImage, in rect: CGRect) {
        guard let source = BitmapLayout(image), let bytes = image.dataProvider?.bytes, rect.width != 0, rect.height != 0 else {
            preconditionFailure("CGContext.draw: a picture of \(image.bitsPerPixel) bits a pixel, \(image.bitsPerComponent) a component: 8 are drawn")
        }
        // From pixels of the bitmap, from its lower left corner, to those of the picture, from its top.
        let place = CGAffineTransform(a: rect.width, b: 0, c: 0, d: rect.height, tx: rect.minX, ty: rect.minY).concatenating(drawing.transform)
        let size = (CGFloat(image.width), CGFloat(image.height))
        let map = place.inverted().concatenating(CGAffineTransform(a: size.0, b: 0, c: 0, d: -size.1, tx: 0, ty: size.1))
        let path = withUnsafePointer(to: drawing.transform) { CGPath(rect: rect, transform: $0) }
        let (reach, quality) = (max(1, abs(map.a) + abs(map.c), abs(map.b) + abs(map.d)), drawing.quality)
        let places = (source.colors + [source.alpha ?? -1]).map { Int8($0) }
        bytes.withUnsafeBytes { bytes in
            guard let pixels = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            paint(path, .winding, drawing.mode) { x, y in
                let middle = CGPoint(x: CGFloat(x) + 0.5, y: CGFloat(y) + 0.5).applying(map)
                // The middle of a pixel at the edge may lie beside the picture.
                let at = CGPoint(x: min(max(middle.x, 0), size.0), y: min(max(middle.y, 0), size.1))
                if quality == .none {
                    let (column, row) = (min(Int(at.x), image.width - 1), min(Int(at.y), image.height - 1))
                    return source.color(bytes, row * image.bytesPerRow + column * source.step)
                }
                // Triangle as wide as what a pixel of the bitmap covers, at least a pixel of the picture to either side.
                var sums = CPixelLoops_sums()
                let (first, last) = (max(0, Int((at.x - 0.5 - reach).rounded(.up))), min(image.width - 1, Int((at.x - 0.5 + reach).rounded(.down))))
                for row in max(0, Int((at.y - 0.5 - reach).rounded(.up)))...min(image.height - 1, Int((at.y - 0.5 + reach).rounded(.down))) {
                    let share = max(0, 1 - abs(CGFloat(row) + 0.5 - at.y) / reach)
                    CPixelLoops_addTriangle(
                        pixels + row * image.bytesPerRow, source.step, places, source.isMultiplied ? 1 : 0, first, last, at.x, reach, share, &sums)
                }
                // Colours count as far as they are opaque.
                guard sums.opacity > 0 else { return SIMD4() }
                let mean = SIMD4(sums.red, sums.green, sums.blue, 0) / sums.opacity
                return mean + SIMD4(0, 0, 0, sums.opacity / sums.weight)
            }
        }
    }

    /// Lays colours, not multiplied by alpha, over the pixels within a path; `color` is asked for a column and a row from the lower left corner.
    func paint(_ path: CGPath, _ rule: CGPathFillRule, _ mode: CGBlendMode, color: (Int, Int) -> SIMD4<Float>) {
        guard let layout = BitmapLayout(self), let data else {
            preconditionFailure("CGContext: nothing draws into \(bitsPerComponent) bits a component: 8 are drawn into")
        }
        let bytes = UnsafeMutableRawBufferPointer(start: data, count: bytesPerRow * (height - 1) + width * layout.step)
        let area = PathCoverage(path, rule, width: width, height: height)
        let clips = drawing.clips.map { PathCoverage($0.path, $0.rule, width: width, height: height) }
        let opacity = mode == .clear ? 1 : Float(min(max(drawing.alpha, 0), 1))
        for y in area.rows {
            let covers = area.row(y)
            let masks = clips.map { $0.row(y) }
            for x in area.columns where covers[x] > 0 {
                let cover = masks.reduce(covers[x]) { $0 * $1[x] }
                guard cover > 0 else { continue }
                let start = (height - 1 - y) * bytesPerRow + x * layout.step
                var new = mode == .clear ? SIMD4() : color(x, y)
                new[3] *= opacity
                let old = layout.color(UnsafeRawBufferPointer(bytes), start)
                // Blended as far as the pixel is covered.
                let (above, below) = (SIMD4(new[0], new[1], new[2], 1) * new[3], SIMD4(old[0], old[1], old[2], 1) * old[3])
                let mixed = below + (mode.blended(above, over: below) - below) * cover
                let alpha = mixed[3]
                var result = alpha > 0 ? mixed / alpha : SIMD4()
                result[3] = alpha
                layout.store(result, bytes, start)
            }
        }
    }
}

/// Places of the components in a pixel of 8-bit components.
struct BitmapLayout {
    /// Bytes of a pixel.
    let step: Int
    /// Offsets of red, green and blue; three times the same for grey.
    let colors: [Int]
    /// Offset of alpha; nil for none.
    let alpha: Int?
    let isMultiplied: Bool

    init?(_ image: CGImage) { self.init(image.bitsPerComponent, image.bitsPerPixel, image.colorSpace?.model, image.bitmapInfo) }
    init?(_ context: CGContext) { self.init(context.bitsPerComponent, context.bitsPerPixel, context.colorSpace?.model, context.bitmapInfo) }

    private init?(_ bits: Int, _ pixelBits: Int, _ model: CGColorSpaceModel?, _ info: CGBitmapInfo) {
        guard bits == 8, !info.contains(.floatComponents), let alpha = CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue)
        else { return nil }
        step = pixelBits / 8
        isMultiplied = alpha == .premultipliedFirst || alpha == .premultipliedLast
        let isLittle = info.intersection(.byteOrderMask) == .byteOrder32Little
        func place(_ offset: Int) -> Int { isLittle && pixelBits == 32 ? 3 - offset : offset }
        switch (model, pixelBits, alpha) {
        case (.monochrome, 8, .none): (colors, self.alpha) = ([0, 0, 0], nil)
        case (.rgb, 24, .none): (colors, self.alpha) = ([0, 1, 2], nil)
        case (.rgb, 32, .first), (.rgb, 32, .premultipliedFirst): (colors, self.alpha) = ([1, 2, 3].map(place), place(0))
        case (.rgb, 32, .noneSkipFirst): (colors, self.alpha) = ([1, 2, 3].map(place), nil)
        case (.rgb, 32, .last), (.rgb, 32, .premultipliedLast): (colors, self.alpha) = ([0, 1, 2].map(place), place(3))
        case (.rgb, 32, .noneSkipLast): (colors, self.alpha) = ([0, 1, 2].map(place), nil)
        default: return nil
        }
    }

    /// Red, green and blue, not multiplied by alpha, and alpha, 0…1.
    func color(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> SIMD4<Float> {
        let opacity = alpha.map { Float(bytes[start + $0]) / 255 } ?? 1
        let scale: Float = isMultiplied && opacity > 0 ? 1 / (255 * opacity) : 1 / 255
        let values = SIMD4(Float(bytes[start + colors[0]]), Float(bytes[start + colors[1]]), Float(bytes[start + colors[2]]), 0)
        return values * scale + SIMD4(0, 0, 0, opacity)
    }

    /// Stores a colour; over black where the bitmap has no alpha, and as BT.709's luma where it is grey.
    func store(_ color: SIMD4<Float>, _ bytes: UnsafeMutableRawBufferPointer, _ start: Int) {
        let scale = isMultiplied || alpha == nil ? color[3] : 1
        let luma = 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]
        var values = colors[0] == colors[1] ? SIMD4(luma, luma, luma, 1) * scale : color * scale
        values[3] = color[3]
        let coded = (values.clamped(lowerBound: SIMD4(), upperBound: SIMD4(repeating: 1)) * 255).rounded(.toNearestOrAwayFromZero)
        for index in 0..<3 { bytes[start + colors[index]] = UInt8(coded[index]) }
        if let alpha { bytes[start + alpha] = UInt8(coded[3]) }
    }
}
