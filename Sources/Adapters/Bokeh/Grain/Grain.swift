import CoreVideo

/// Grain of one frame.
struct Grain {
    let noise: SourceNoise
    let field: GrainField

    /// Nil where the picture has no noise.
    init?(_ image: CVPixelBuffer, format: PictureFormat) {
        guard let noise = SourceNoise(image, format: format) else { return nil }
        self.noise = noise
        field = GrainField(noise, isPlanar: format.isPlanar)
    }
}
