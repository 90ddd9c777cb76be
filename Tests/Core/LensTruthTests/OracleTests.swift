import CoreVideo
@testable import LensTruth
import Optics
import Pipeline
import Testing

@Suite("The thin lens, summed exactly")
struct OracleTests {
    private func scene(_ width: Int, _ height: Int, radius: Double, _ planes: [ScenePlane]) -> LensScene {
        LensScene(
            name: "test", width: width, height: height, circle: CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 2 * radius),
            radiance: 1, planes: planes)
    }

    private func wall(_ width: Int, _ height: Int, _ disparity: (Float, Float), _ paint: @escaping ScenePlane.Painter) -> ScenePlane {
        ScenePlane(width: width, height: height, margin: 24, disparity: (disparity.0, disparity.1), paint)
    }

    @Test("A light keeps its energy and becomes an even disc, in front and behind", arguments: [Float(0), 1])
    func disc(disparity: Float) {
        let spot: ScenePlane.Painter = { p in
            let away = p - 0.5
            return (away * away).sum() < 0.001 ? SIMD4(20, 20, 20, 1) : SIMD4(0, 0, 0, 1)
        }
        let plane = wall(64, 64, (disparity, disparity), spot)
        let total = plane.texels.reduce(SIMD4<Float>.zero, +).x
        let oracle = LensOracle(scene(64, 64, radius: 20, [plane]), aperture: LensOracle.disc(2048))
        let rows = (0..<64).map { oracle.row($0).map(\.x) }
        let sum = rows.joined().reduce(0, +)
        #expect(abs(sum / total - 1) < 0.001)
        let level = total / (Float.pi * 100)
        #expect(abs(rows[32][32] / level - 1) < 0.05)
        #expect(rows[32][45] < 0.01 * level)
    }

    @Test("An edge in front is half there at the silhouette")
    func nearEdge() {
        let card = wall(64, 48, (0.9, 0.9)) { p in p.x < 32.0 / 48 ? SIMD4(1, 1, 1, 1) : .zero }
        let back = wall(64, 48, (0.5, 0.5)) { _ in SIMD4(0, 0, 0, 1) }
        let row = LensOracle(scene(64, 48, radius: 20, [card, back]), aperture: LensOracle.disc(1024)).row(24)
        #expect(abs((row[31].x + row[32].x) / 2 - 0.5) < 0.005)
        #expect(row[22].x > 0.999 && row[41].x < 0.001)
    }

    @Test("What is in focus stays as the pinhole sees it, a slanted plane along its line of focus")
    func focus() {
        let stripes: ScenePlane.Painter = { p in Int((p.x * 12).rounded(.down)) & 1 == 0 ? SIMD4(0.9, 0.5, 0.1, 1) : SIMD4(0.1, 0.2, 0.3, 1) }
        let slanted = scene(48, 49, radius: 10, [wall(48, 49, (0, 1), stripes)])
        let blurred = LensOracle(slanted, aperture: LensOracle.disc(256))
        let sharp = LensOracle(slanted, aperture: [.zero])
        func distance(_ y: Int) -> Float { zip(blurred.row(y), sharp.row(y)).map { abs($0.x - $1.x) }.max() ?? 0 }
        #expect(distance(24) < 0.02)
        #expect(distance(2) > 0.2)
        let disparity = slanted.disparity()
        #expect(disparity.row(24)[10] == 0.5)
    }

    @Test("The shipped scenes are opaque, differ, and have blur of up to 64 pixels at 1080p")
    func shipped() {
        let scenes = LensScene.shipped(width: 256, height: 144)
        for scene in scenes {
            #expect(scene.planes.last?.texels.allSatisfy { $0.w == 1 } == true)
            let (sharp, truth) = (scene.sharp(), scene.truth(samples: 64))
            let score = PictureScore(of: sharp, against: truth, edges: scene.edges())
            #expect(score.overall > 12 && score.overall < 40, "\(scene.name): \(score.overall)")
        }
        #expect(Set(scenes.map(\.name)).count == 7)
        #expect(abs((scenes.map(\.largestRadius).max() ?? 0) * 1920 / 256 - 64) < 0.001)
    }

    @Test("Clipped lights are white, the rest as it was")
    func clipping() throws {
        let night = try #require(LensScene.shipped(width: 256, height: 144).first { $0.radiance > 1 })
        #expect(night.planes.contains { $0.texels.contains { $0.max() > 10 } })
        #expect(night.clipped().planes.allSatisfy { $0.texels.allSatisfy { $0.max() <= 1 } })
    }

    @Test("A picture agrees with itself, and one code off is 48 dB")
    func score() {
        let scene = LensScene.shipped(width: 64, height: 36)[0]
        let (a, b) = (scene.sharp(), scene.sharp())
        let edges = [Bool](repeating: true, count: 64 * 36)
        let same = PictureScore(of: a, against: b, edges: edges)
        #expect(same.overall == .infinity && same.nearEdges == .infinity && same.similarity == 1)
        for y in 0..<36 {
            let row = b.plane(0).row(y, as: UInt8.self)
            for x in 0..<4 * 64 { row[x] = row[x] < 128 ? row[x] + 1 : row[x] - 1 }
        }
        let score = PictureScore(of: a, against: b, edges: edges)
        #expect(abs(score.overall - 48.13) < 0.01 && abs(score.nearEdges - 48.13) < 0.01)
        #expect(score.similarity < 1 && score.similarity > 0.95)
    }
}
