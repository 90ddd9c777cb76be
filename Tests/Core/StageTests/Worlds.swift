import CoreVideo
import Foundation
import Pipeline

@testable import Stage

/// A small world with one face; `change` makes it the test's own.
func smallWorld(_ change: (inout World) -> Void = { _ in }) -> World {
    var world = World()
    (world.width, world.height, world.frameCount, world.seed) = (160, 90, 30, 42)
    world.subjects = [subject("maya", .face, CGRect(x: 0.4, y: 0.2, width: 0.16, height: 0.26), depth: 1.4)]
    change(&world)
    return world
}

func subject(_ name: String, _ kind: Subject.Kind, _ box: CGRect, depth: Double) -> Subject {
    Subject(name: name, kind: kind, placement: Motion(Placement(box: box, depth: depth)))
}

func seconds(_ value: Double) -> Int64 { Int64(value * 1e9) }

/// The truth of every frame, without painting.
func truths(of world: World) throws -> [[Detection]] {
    let source = StageSource(world: world, rendersPixels: false)
    var result: [[Detection]] = []
    while let frame = try source.nextFrame() { result.append(frame.truth ?? []) }
    return result
}

/// The first frame, painted.
func picture(of world: World) throws -> Frame {
    guard let frame = try StageSource(world: world).nextFrame() else { throw NoFrame() }
    return frame
}

struct NoFrame: Error {}

extension Frame {
    func luma(_ x: Int, _ y: Int) -> Int { Int(image.plane(0).row(y, as: UInt8.self)[x]) }

    /// FNV-1a over both planes and the disparity.
    var fingerprint: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for index in 0..<2 {
            let plane = image.plane(index)
            for y in 0..<plane.height {
                let line: UnsafeMutablePointer<UInt8> = plane.row(y)
                for x in 0..<plane.width * (index + 1) { add(line[x]) }
            }
        }
        guard let disparity else { return hash }
        for y in 0..<disparity.height {
            for x in 0..<disparity.width { add(UInt8(truncatingIfNeeded: disparity.row(y)[x].bitPattern >> 12)) }
        }
        return hash
    }
}
