/// The twin's coarse pixels, finished: as light, and in the picture's own colours.
struct ReferenceFinish {
    private let light: Grid<SIMD4<Float>>
    private let colours: Grid<SIMD4<Float>>
    /// Of colours, what the picture's codes are compared in: of 255.
    private let codes: Grid<SIMD4<Float>>
    private let picture: ReferencePicture
    private let parameters: LensParameters
    private let scale: Int
    private let hasHighlights: Bool

    init(light: Grid<SIMD4<Float>>, picture: ReferencePicture, parameters: LensParameters, geometry: LensGeometry) {
        let colours = Grid(width: light.width, height: light.height) { picture.coded(light[$0, $1], parameters) }
        codes = Grid(width: light.width, height: light.height) { picture.codes(colours[$0, $1]) }
        self.colours = colours
        self.light = light
        self.picture = picture
        self.parameters = parameters
        scale = geometry.scale
        hasHighlights = geometry.hasHighlights(parameters)
    }

    /// The encoded colour of pixel (x, y) of the picture.
    func colour(_ x: Int, _ y: Int) -> SIMD4<Float> {
        let side = 2 * scale
        let plain = colours.upsampled(x, y, scale: side)
        let steep = hasHighlights ? steepness(x, y) : 0
        return steep > 0 ? plain * (1 - steep) + picture.coded(light.cubic(x, y, scale: side), parameters) * steep : plain
    }

    /// From 0 to 1, how much the codes differ that the 4 x 4 pixels around are made from.
    private func steepness(_ x: Int, _ y: Int) -> Float {
        func first(_ at: Int) -> Int { Int(((Float(at / 4 * 4) + 0.5) / Float(2 * scale) - 0.5).rounded(.down)) }
        let (left, top, count) = (first(x), first(y), scale == 2 ? 3 : 2)
        let values = (top..<top + count).flatMap { y in (left..<left + count).map { codes.clamped($0, y) } }
        let range = values.dropFirst().reduce(values[0], pointwiseMax) - values.dropFirst().reduce(values[0], pointwiseMin)
        return min(max(range.max() / 8 - 1, 0), 1)
    }
}
