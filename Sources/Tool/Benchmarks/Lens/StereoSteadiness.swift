import Bokeh
import CoreVideo
import Foundation
import Optics
import Pipeline
import Stage
import Vision

/// Benchmark of how still a noisy pair is drawn: two people and a cat before a wall in the dark, whom nobody moves, painted by the stage for two cameras.
///
/// Each pixel's standard deviation over time, of luma's codes, in the source and through the lens, by the exact disparity and by the one that is measured
/// from the pair; everywhere and within a blur's radius of a depth edge. Limit: at edges 1.2 times the source's own.
struct StereoSteadiness {
    /// Name among the scenes.
    static let name = "noisy stereo"

    let options: LensBench.Options

    /// Frames before those that count: what is kept over time has settled by then. And those that count.
    private static let (warmUp, frames) = (15, 16)

    /// Deviation of a pixel over time, and 99.9th percentile of the largest change from frame to frame, codes.
    struct Flicker {
        var mean = 0.0
        var worst = 0.0
    }

    /// Everywhere and at depth edges: of the source, by exact disparity, and by measured.
    struct Result {
        var all = [Flicker]()
        var edges = [Flicker]()
        /// Deviation at edges by measured disparity over the source's.
        var ratio: Double { edges[2].mean / edges[0].mean }
    }

    func run(_ table: LensTable) throws {
        table.print("\(Self.name), \(options.width)x\(options.height), \(Self.frames) frames that stand still")
        let result = try table.working(on: "stereo") { try measure() }
        for (name, index) in [("source", 0), ("exact disparity", 1), ("measured disparity", 2)] {
            let (all, edges) = (result.all[index], result.edges[index])
            let text = String(
                format: "%.2f codes, at edges %.2f (%.2f of the source's), changes to %.0f", all.mean, edges.mean, edges.mean / result.edges[0].mean,
                edges.worst)
            table.print("  " + name.padding(toLength: 27, withPad: " ", startingAt: 0) + text)
        }
        table.print("")
    }

    func measure() throws -> Result {
        let source = StageSource(world: world)
        let lens = try VulkanBokehRenderer(gpu: options.gpu.map(GPUChoice.init) ?? .automatic, options: BokehOptions(highlights: 0))
        let camera = try VulkanBokehRenderer(gpu: options.gpu.map(GPUChoice.init) ?? .automatic, options: BokehOptions(highlights: 0))
        let estimator = StereoDisparityEstimator(parameters: .init(focalLength: world.camera.focalLength / 36, baseline: world.stereoBaseline ?? 0))
        let upsampler = JointUpsampler.ofPairs
        let circle = Lens(focalLength: 50, fNumber: 1.4).circleOfConfusion(focusDisparity: 1 / 1.3, pictureWidth: options.width)
        var pictures: [[CVPixelBuffer]] = [[], [], []]
        var edges: [Bool] = []
        for index in 0..<Self.warmUp + Self.frames {
            guard let frame = try source.nextFrame(), let exact = frame.disparity else {
                preconditionFailure("the stage gives a pair and its disparity")
            }
            let measured = try upsampler.upsampled(estimator.disparity(of: frame), along: frame.image)
            guard index >= Self.warmUp else { continue }
            if edges.isEmpty { edges = Self.edges(exact, circle) }
            pictures[0].append(frame.image)
            pictures[1].append(try lens.render(frame.image, disparity: exact, circle: circle))
            pictures[2].append(try camera.render(frame.image, disparity: measured, circle: circle))
        }
        var result = Result()
        for one in pictures {
            result.all.append(Self.flicker(one, where: nil))
            result.edges.append(Self.flicker(one, where: edges))
        }
        return result
    }

    private var world: World {
        var world = World()
        (world.width, world.height, world.frameCount) = (options.width, options.height, Self.warmUp + Self.frames)
        world.stereoBaseline = 0.065
        world.light = Motion(40)
        world.backdrop.kind = .street
        world.subjects = [
            ("maya", Subject.Kind.face, CGRect(x: 0.22, y: 0.2, width: 0.11, height: 0.24), 2.0),
            ("ben", .face, CGRect(x: 0.60, y: 0.15, width: 0.15, height: 0.33), 1.3),
            ("cat", .catBody, CGRect(x: 0.05, y: 0.62, width: 0.17, height: 0.34), 0.9),
        ].map { name, kind, box, depth in Subject(name: name, kind: kind, placement: Motion(Placement(box: box, depth: depth))) }
        return world
    }

    /// Pixels within a blur's radius of a jump of more than 0.1 1/m.
    private static func edges(_ map: DisparityMap, _ circle: CircleOfConfusion) -> [Bool] {
        let (width, height) = (map.width, map.height)
        var result = [Bool](repeating: false, count: width * height)
        let reach = max(4, width / 120)
        for y in 0..<height - 1 {
            let (row, next) = (map.row(y), map.row(y + 1))
            for x in 0..<width - 1 where max(abs(row[x] - row[x + 1]), abs(row[x] - next[x])) > 0.1 {
                for line in max(0, y - reach)...min(height - 1, y + reach) {
                    for column in max(0, x - reach)...min(width - 1, x + reach) { result[line * width + column] = true }
                }
            }
        }
        return result
    }

    private static func flicker(_ pictures: [CVPixelBuffer], where wanted: [Bool]?) -> Flicker {
        let (width, height) = pictures[0].size
        var (sum, count, changes) = (0.0, 0.0, [Int](repeating: 0, count: 256))
        for y in 0..<height {
            let rows = pictures.map { $0.plane(0).row(y, as: UInt8.self) }
            for x in 0..<width where wanted?[y * width + x] ?? true {
                let values = rows.map { Int($0[x]) }
                let mean = Double(values.reduce(0, +)) / Double(values.count)
                sum += (values.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(values.count - 1)).squareRoot()
                changes[zip(values, values.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }] += 1
                count += 1
            }
        }
        var (passed, worst) = (0, 0)
        while worst < 255, Double(passed + changes[worst]) < 0.999 * count {
            passed += changes[worst]
            worst += 1
        }
        return Flicker(mean: sum / max(count, 1), worst: Double(worst))
    }
}
