internal import CVisionKernels

extension LocalizedClassifiers {
    /// Colours that stand for all of a picture's: three values each.
    static func palette(of picture: Raster) -> [Float] {
        var (image, colours) = (picture.image, [Float](repeating: 0, count: 3 * 32))
        let count = Int(rf_palette(&image, &colours))
        return Array(colours.prefix(3 * count))
    }

    /// Mask of all subjects in a picture from one of the smaller, and how surely the colours alone say that a pixel belongs to none.
    func classified(_ subjects: SoftMask, in picture: Raster) -> (mask: SoftMask, background: SoftMask) {
        var mask = SoftMask(width: picture.width, height: picture.height)
        var background = mask
        let (outwards, inwards) = (subjects.distance(), subjects.depth())
        let distance = outwards.indices.map { outwards[$0] - inwards[$0] }
        var (small, large) = (tones.image, picture.image)
        rf_classify_outline(&small, &large, palette, Int32(palette.count / 3), distance, &mask.values, &background.values)
        return (mask, background)
    }
}
