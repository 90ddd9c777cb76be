internal import CVisionKernels

extension BackgroundPlate {
    /// Squared distances of a picture's colours from the nearest of 3 x 3 known pixels, in standard deviations; infinite where there is none.
    func distances(of tones: Raster) -> [Float] {
        var (image, limits) = (
            tones.image,
            rf_background_limits(
                lightness: Self.lightness, colour: Self.colour, shadow: Self.shadow, darkest: Self.darkest, known: Self.known)
        )
        var result = [Float](repeating: 0, count: seen.count)
        rf_background_distances(&image, means[0], means[1], means[2], spread, seen, &limits, &result)
        return result
    }
}
