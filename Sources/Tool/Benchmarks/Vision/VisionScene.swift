import CoreVideo
import Foundation
import Pipeline
import Stage

/// Pictures that the kernels are measured on: six people, two of them in profile, and a cat in a room, painted by the stage for two cameras, with
/// their exact disparity.
package final class VisionScene: Sendable {
    /// Luma and interleaved chroma of the left picture, video range.
    let luma: Plane<UInt8>
    let chroma: Plane<UInt8>
    /// Luma of the right picture.
    let right: Plane<UInt8>
    /// Exact disparity of the left picture between the two, in its pixels.
    let disparity: Plane<Float>

    /// Paints the scene; even sides, at least 192 by 108.
    package init(width: Int, height: Int) throws {
        var world = World()
        world.width = width
        world.height = height
        world.frameCount = 1
        world.stereoBaseline = 0.1
        world.light = Motion(400)
        let people: [(name: String, x: Double, y: Double, width: Double, depth: Double, yaw: Double)] = [
            ("maya", 0.05, 0.25, 0.1, 1.6, 0), ("ben", 0.22, 0.35, 0.07, 2.3, 0), ("tom", 0.34, 0.18, 0.08, 2, -80), ("ida", 0.48, 0.3, 0.14, 1.2, 0),
            ("leo", 0.67, 0.38, 0.06, 2.7, 0), ("eva", 0.8, 0.2, 0.12, 1.4, -60),
        ]
        world.subjects = people.map { one in
            let box = CGRect(x: one.x, y: one.y, width: one.width, height: one.width * 2)
            var subject = Subject(name: one.name, kind: .face, placement: Motion(Placement(box: box, depth: one.depth)))
            subject.yaw = Motion(one.yaw)
            return subject
        }
        let box = CGRect(x: 0.32, y: 0.6, width: 0.1, height: 0.2)
        world.subjects.append(Subject(name: "mimi", kind: .catHead, placement: Motion(Placement(box: box, depth: 1.1))))
        let pixels = world.camera.focalLength / 36 * 0.1 * Double(width)
        guard let frame = try StageSource(world: world).nextFrame(), let other = frame.rightImage, let map = frame.disparity else {
            preconditionFailure("the stage gives a pair and its disparity")
        }
        func plane(_ buffer: CVPixelBuffer, _ index: Int, channels: Int) -> Plane<UInt8> {
            let plane = buffer.plane(index)
            return Plane(plane.width, plane.height, channels: channels) { x, y, c in plane.row(y, as: UInt8.self)[x * channels + c] }
        }
        luma = plane(frame.image, 0, channels: 1)
        chroma = plane(frame.image, 1, channels: 2)
        right = plane(other, 0, channels: 1)
        disparity = Plane(width, height) { x, y, _ in Float(Double(map.row(y)[x]) * pixels) }
    }

    /// Exact disparity of a picture reduced by `factor`, in pixels of that.
    func disparity(reducedBy factor: Int) -> Plane<Float> {
        Plane(disparity.width / factor, disparity.height / factor) { x, y, _ in
            disparity[factor * x + factor / 2, factor * y + factor / 2] / Float(factor)
        }
    }

    /// Pseudo-random value of a place, 0..<1: a hash, the same on every machine.
    static func noise(_ x: Int, _ y: Int, _ draw: Int = 0) -> Double {
        var hash = UInt32(truncatingIfNeeded: x &* 374_761_393 &+ y &* 668_265_263 &+ draw &* 974_634_777)
        hash = (hash ^ (hash >> 13)) &* 1_274_126_177
        hash = (hash ^ (hash >> 16)) &* 2_246_822_519
        return Double(hash ^ (hash >> 13)) / 4_294_967_296
    }

    /// Share of `values` within `tolerance` of `truth`, 0…1; those without trust are wrong.
    static func share(of values: Plane<Float>, trust: Plane<Float>? = nil, within tolerance: Float, of truth: Plane<Float>) -> Double {
        let right = values.values.indices.count { index in
            (trust.map { $0.values[index] > 0 } ?? true) && abs(values.values[index] - truth.values[index]) <= tolerance
        }
        return Double(right) / Double(values.values.count)
    }

    /// Greatest absolute difference.
    static func difference<Value: BinaryFloatingPoint>(_ a: Plane<Value>, _ b: Plane<Value>) -> Agreement {
        .difference(zip(a.values, b.values).reduce(0) { max($0, Double(abs($1.0 - $1.1))) })
    }

    /// Greatest absolute difference, levels.
    static func difference(_ a: Plane<UInt8>, _ b: Plane<UInt8>) -> Agreement {
        .difference(zip(a.values, b.values).reduce(0) { max($0, Double(abs(Int($1.0) - Int($1.1)))) })
    }
}
