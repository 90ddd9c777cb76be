import Bokeh
import CoreVideo
import Foundation
import LensTruth
import Media
import Optics
import Pipeline
import Testing

@Suite("The public lens scene")
struct SceneTests {
    static let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../../../shared/data/bokeh/scene1").standardizedFileURL.path
    static let isThere = FileManager.default.fileExists(atPath: folder + "/gt.png")

    @Test("is drawn as a thin lens would, near depth edges too", .enabled(if: isThere, "needs ../shared/data/bokeh/scene1"))
    func scene() throws {
        let image = try PictureFile.read(Self.folder + "/aif.png")
        let truth = try PictureFile.read(Self.folder + "/gt.png")
        let map = try PictureFile.readDisparity(Self.folder + "/disp16.png")
        let circle = CircleOfConfusion(focusDisparity: 0.5, diameterPerDisparity: 106)
        let drawn = try VulkanBokehRenderer(options: BokehOptions(highlights: 0)).render(image, disparity: map, circle: circle)
        let score = PictureScore(of: drawn, against: truth, edges: PictureScore.edges(of: map, within: 24))
        // Measured 40.3, 34.3 and 0.992; the oracle itself rounds to eight bits.
        #expect(score.overall >= 39.8)
        #expect(score.nearEdges >= 33.8)
        #expect(score.similarity >= 0.990)
    }
}

@Suite("The lens beside the truth", .validated)
struct TruthSceneTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var index: Int
        /// Decibels over all pixels and near depth edges that must be kept.
        var overall: Double
        var nearEdges: Double
        var testDescription: String { "scene \(index)" }
    }

    // Measured 41.3/40.4, 34.1/36.3, 35.2/34.8, 36.5/33.1, 41.1/38.1 and 44.1/43.2.
    static let cases = [
        Case(index: 0, overall: 40.9, nearEdges: 40.0), Case(index: 1, overall: 33.6, nearEdges: 35.9),
        Case(index: 2, overall: 34.8, nearEdges: 34.4), Case(index: 3, overall: 36.1, nearEdges: 32.8),
        Case(index: 4, overall: 40.6, nearEdges: 37.7), Case(index: 5, overall: 43.6, nearEdges: 42.8),
        Case(index: 6, overall: 30, nearEdges: 30),
    ]

    // Blur three times as wide as the size asks for, so that discs have a radius of up to 10 pixels, the last 26.
    @Test("draws every scene of our own close to the truth", arguments: cases)
    func scene(_ it: Case) throws {
        let scene = LensScene.shipped(width: 256, height: 144, aperture: 3)[it.index].clipped()
        let drawn = try SharedLens.plain.get().render(scene.sharp(), disparity: scene.disparity(), circle: scene.circle)
        let score = PictureScore(of: drawn, against: scene.truth(samples: 512), edges: scene.edges())
        #expect(score.overall >= it.overall)
        #expect(score.nearEdges >= it.nearEdges)
    }

    @Test("draws lights brighter than white as the truth has them, guessed from eight bits or recorded")
    func highlights() throws {
        let scene = LensScene.shipped(width: 256, height: 144, aperture: 3)[4]
        let (truth, map, edges) = (scene.truth(samples: 512), scene.disparity(), scene.edges())
        func score(_ lens: VulkanBokehRenderer, _ picture: CVPixelBuffer) throws -> PictureScore {
            let drawn = try lens.render(picture, disparity: map, circle: scene.circle)
            return PictureScore(of: drawn.format == kCVPixelFormatType_32BGRA ? drawn : HDRPicture.clipped(drawn), against: truth, edges: edges)
        }
        let guessed = try score(VulkanBokehRenderer(options: BokehOptions(highlights: scene.radiance - 1)), scene.sharp())
        let without = try score(SharedLens.plain.get(), scene.sharp())
        let recorded = try score(SharedLens.plain.get(), scene.sharpHDR())
        // Measured 25.1, 10.3 and 28.0: lamps two pixels wide are mostly rim, where eight bits do not tell how much of the pixel shines.
        // At 1920x1080 it is 37.3 guessed and 36.5 recorded.
        #expect(guessed.overall >= 24.5)
        #expect(guessed.overall > without.overall + 12)
        #expect(recorded.overall >= 27.5)
    }

    @Test("lifts lamps and leaves white shirts, walls and windows as bright as they are")
    func whiteShirt() throws {
        let scene = LensScene.shipped(width: 256, height: 144, aperture: 3)[6]
        let (truth, map, edges) = (scene.truth(samples: 512), scene.disparity(), scene.edges())
        let sharp = scene.sharp()
        let drawn = try VulkanBokehRenderer(options: BokehOptions(highlights: scene.radiance - 1)).render(sharp, disparity: map, circle: scene.circle)
        let score = PictureScore(of: drawn, against: truth, edges: edges)
        let without = PictureScore(of: try SharedLens.plain.get().render(sharp, disparity: map, circle: scene.circle), against: truth, edges: edges)
        #expect(score.overall >= 20, "\(score.overall)")
        #expect(score.overall > without.overall + 1, "\(score.overall), \(without.overall)")
    }
}
