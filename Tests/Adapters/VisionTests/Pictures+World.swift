import Foundation
import Stage

extension Pictures {
    /// One person 1.6 m away in a room of 640x360.
    static func world(frames: Int, yaw: [(degrees: Double, start: Double)] = [], lux: Double = 180) -> World {
        var world = World()
        world.width = 640
        world.height = 360
        world.frameCount = frames
        world.light = Motion(lux)
        var maya = Subject(name: "maya", kind: .face, placement: Motion(Placement(box: box(0.3, 0.25, 0.1, 0.2), depth: 1.6)))
        for turn in yaw { maya.yaw.move(to: turn.degrees, start: Int64(turn.start * 1e9), over: 300_000_000) }
        world.subjects = [maya]
        return world
    }
}
