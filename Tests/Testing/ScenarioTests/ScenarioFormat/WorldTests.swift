import CoreMedia
import Foundation
import Stage
import Testing

@testable import ScenarioFormat

@Suite("The world of a scenario")
struct WorldTests {
    @Test("sections become the stage's world")
    func sections() throws {
        let world = try ScenarioFile.parse(everything, path: "everything.yaml").world()
        #expect(world.width == 640 && world.height == 360 && world.frameCount == 360 && world.seed == 42)
        #expect(world.camera.focalLength == 30)
        #expect(world.backdrop.lights.count == 36)
        #expect(world.covers == [9_000_000_000..<9_500_000_000])
        #expect(world.subjects.map(\.name) == ["maya", "cat", "tom"])
        #expect(world.subjects[0].texture == "red")
        #expect(world.light(at: 8_000_000_000) == 180 && world.light(at: 8_300_000_000) == 3)
        #expect(world.camera.pan(at: 8_500_000_000) == 2.5 && world.camera.shake(at: 9_000_000_000) == 0.002)
    }

    @Test("who enters and exits is there in between")
    func presence() throws {
        let world = try ScenarioFile.parse(everything, path: "everything.yaml").world()
        #expect(world.subjects[0].presence.isEmpty)
        #expect(world.subjects[1].presence == [3_000_000_000..<11_000_000_000])
        #expect(world.subjects[2].presence == [0..<6_000_000_000, 7_000_000_000..<Int64.max])
    }

    @Test("a move eases to its box and depth, a turn to its angle")
    func motion() throws {
        let world = try ScenarioFile.parse(everything, path: "everything.yaml").world()
        let (cat, goal) = (world.subjects[1].placement, Placement(box: CGRect(x: 0.44, y: 0.5, width: 0.3, height: 0.38), depth: 1))
        #expect(cat(at: 3_000_000_000) == goal)
        // out: three quarters of the way after half the time, in disparity
        #expect(abs(1 / cat(at: 2_000_000_000).depth - (0.5 + 0.75 * 0.5)) < 1e-12)
        #expect(world.subjects[0].yaw(at: 1_500_000_000) == 0 && world.subjects[0].yaw(at: 1_900_000_000) == 90)
    }

    @Test("a depth without a box keeps the middle, and size follows")
    func sizeFollowsDepth() throws {
        let world = try small("  - 1s: {move: {subject: maya, depth: 50cm}}\n  - 1.5s: {move: {subject: maya, to: [0.5, 0.5]}}").world()
        let maya = world.subjects[0].placement
        #expect(maya(at: 1_000_000_000) == Placement(box: CGRect(x: 0.125, y: 0, width: 0.5, height: 1), depth: 0.5))
        #expect(maya(at: 1_500_000_000) == Placement(box: CGRect(x: 0.25, y: 0, width: 0.5, height: 1), depth: 0.5))
    }

    @Test("walking in starts outside the picture and ends where the subject stands")
    func walkIn() throws {
        let world = try small("  - 1s: {enter: {subject: cat, from: right, over: 0.5s}}").world()
        let cat = world.subjects[1]
        #expect(cat.presence == [1_000_000_000..<Int64.max])
        #expect(cat.placement(at: 1_000_000_000).box.minX == 1.02)
        #expect(cat.placement(at: 1_500_000_000).box.minX == 0.6)
    }
}
