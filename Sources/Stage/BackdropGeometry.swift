import Foundation

/// Where wall, floor and table are: disparity as a function of the picture's height alone.
struct BackdropGeometry: Sendable {
    /// Height of the horizon, 0…1 from the top.
    static let horizon = 0.44
    /// Metres from the floor to the camera.
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

    /// Disparity of wall or floor at height `y` of the unmoved picture.
    func disparity(at y: Double) -> Double { max(wall, (y - Self.horizon) / (focal * Self.cameraHeight)) }

    /// Where the floor meets the wall.
    var skirting: Double { Self.horizon + focal * Self.cameraHeight * wall }

    /// Where the table ends behind; 0…1, beyond 1 when it is out of the picture.
    var tableTop: Double? { table.map { Self.horizon + focal * $0.drop / $0.depth } }

    /// Disparity of the table's surface at height `y`.
    func tableDisparity(at y: Double) -> Double {
        guard let table else { return wall }
        return (y - Self.horizon) / (focal * table.drop)
    }
}
