import Foundation

/// Geometry of wall, floor and table: disparity as a function of the picture's height alone.
struct BackdropGeometry: Sendable {
    /// Horizon, 0…1 from the picture's top.
    static let horizon = 0.44
    /// Height of the camera above the floor, metres.
    static let cameraHeight = 1.3

    /// Focal length in picture heights.
    let focal: Double
    let wall: Double
    let table: Table?

    init(world: World) {
        focal = world.camera.focalLength / 36 * Double(world.width) / Double(world.height)
        wall = 1 / world.backdrop.wallDepth
        table = world.backdrop.table
    }

    /// Disparity (1/m) of wall or floor at height `y`, 0…1 from the top of the picture without camera movement.
    func disparity(at y: Double) -> Double { max(wall, (y - Self.horizon) / (focal * Self.cameraHeight)) }

    /// Lower edge of the wall, where the floor begins, 0…1 from the top.
    var skirting: Double { Self.horizon + focal * Self.cameraHeight * wall }

    /// Far edge of the table, 0…1 from the top; beyond 1 when it is out of the picture, nil without a table.
    var tableTop: Double? { table.map { Self.horizon + focal * $0.drop / $0.depth } }

    /// Disparity (1/m) of the table's surface at height `y`.
    func tableDisparity(at y: Double) -> Double {
        guard let table else { return wall }
        return (y - Self.horizon) / (focal * table.drop)
    }
}
