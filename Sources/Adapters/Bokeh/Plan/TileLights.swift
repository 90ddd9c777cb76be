/// Tiles where something is white or brighter: before the blur, where nothing is drawn broadly, and after it, where light is interpolated with care.
struct TileLights {
    /// Whether the tile shows a light.
    let hasLight: [Bool]
    /// Whether discs of something white reach the tile, or what passes read beyond.
    let isReached: [Bool]

    /// Those of a picture whose lights are expanded.
    init(_ lights: IsolatedLights, _ radii: TileRadii, scale: Int) {
        let side = LensGeometry.tile / 2
        var (isWhite, hasLight) = (radii.far.map { _ in false }, radii.far.map { _ in false })
        for pixel in lights.whites {
            let tile = pixel / lights.columns / side * radii.columns + pixel % lights.columns / side
            isWhite[tile] = true
            if lights.weights[pixel] > 0 { hasLight[tile] = true }
        }
        var isReached = isWhite
        for tile in isWhite.indices where isWhite[tile] {
            let around = LensPlan.around(tile, radii, reach: max(radii.near[tile], radii.far[tile]), scale: scale)
            for row in around.rows { for column in around.columns { isReached[row * radii.columns + column] = true } }
        }
        (self.hasLight, self.isReached) = (hasLight, isReached)
    }

    /// All tiles, of a picture whose codes go beyond white.
    init(everywhere radii: TileRadii) {
        hasLight = radii.far.map { _ in true }
        isReached = hasLight
    }
}
