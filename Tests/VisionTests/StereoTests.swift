import CoreVideo
import Foundation
import Media
import Pipeline
import Testing
import Vision

@Suite("Disparity from a stereo pair")
struct StereoTests {
    @Test("a square in front of a wall is measured without holes, in 1/m of the given geometry")
    func square() throws {
        let (width, height) = (320, 180)
        func isSquare(_ x: Int, _ y: Int) -> Bool { x >= 120 && x < 220 && y >= 40 && y < 140 }
        let left = Pictures.picture(width, height, luma: { isSquare($0, $1) ? Pictures.speckle($0 + 1000, $1) : Pictures.speckle($0, $1) })
        let right = Pictures.picture(
            width, height, luma: { isSquare($0 + 24, $1) ? Pictures.speckle($0 + 1024, $1) : Pictures.speckle($0 + 6, $1) })
        let parameters = StereoDisparityEstimator.Parameters(focalLength: 0.75, baseline: 0.1)
        let map = try StereoDisparityEstimator(parameters: parameters).disparity(of: Pictures.frame(left, right: right))
        let perPixel = 1 / (0.075 * Double(width))
        #expect(abs((map.median(in: Pictures.box(0.45, 0.35, 0.15, 0.3)) ?? 0) - 24 * perPixel) < 0.5 * perPixel)
        #expect(abs((map.median(in: Pictures.box(0.75, 0.1, 0.2, 0.8)) ?? 0) - 6 * perPixel) < 0.5 * perPixel)
        #expect(abs((map.median(in: Pictures.box(0, 0.1, 0.1, 0.8)) ?? 0) - 6 * perPixel) < 1.5 * perPixel)
        for y in 0..<map.height { for x in 0..<map.width { #expect(map.row(y)[x].isFinite && map.row(y)[x] >= 0) } }
    }

    @Test("the same pair gives the same map")
    func determinism() throws {
        let left = Pictures.picture(160, 90, luma: Pictures.speckle)
        let right = Pictures.picture(160, 90, luma: { Pictures.speckle($0 + 5, $1) })
        func values() throws -> [Float] {
            let map = try StereoDisparityEstimator().disparity(of: Pictures.frame(left, right: right))
            return (0..<map.height).flatMap { y in (0..<map.width).map { map.row(y)[$0] } }
        }
        #expect(try values() == values())
    }

    @Test("a frame without a right eye, or with one of another size, is an error that says so")
    func wrong() throws {
        let left = Pictures.picture(160, 90, luma: Pictures.speckle)
        let estimator = StereoDisparityEstimator()
        #expect(throws: VisionError.self) { try estimator.disparity(of: Pictures.frame(left)) }
        let small = Pictures.picture(80, 46, luma: Pictures.speckle)
        #expect {
            try estimator.disparity(of: Pictures.frame(left, right: small))
        } throws: {
            "\($0)".contains("160x90") && "\($0)".contains("80x46")
        }
    }

    struct Pair: Sendable {
        let name: String
        /// Grey levels of the true map per pixel of disparity.
        let scale: Double
        /// The most that may be wrong by more than 2 pixels, in percent of all known pixels, occluded ones included.
        let bad: Double
        let error: Double
    }

    @Test(
        "Middlebury's pairs are measured within bounds", .enabled(if: Pictures.hasShared, "needs ../shared/data/stereo"),
        arguments: [
            Pair(name: "barn2", scale: 8, bad: 4.5, error: 0.5), Pair(name: "cones", scale: 4, bad: 13, error: 1.3),
            Pair(name: "sawtooth", scale: 8, bad: 4, error: 0.5), Pair(name: "teddy", scale: 4, bad: 15, error: 1.6),
            Pair(name: "tsukuba", scale: 16, bad: 7, error: 0.6), Pair(name: "venus", scale: 8, bad: 2, error: 0.4),
        ])
    func middlebury(pair: Pair) throws {
        let folder = "\(Pictures.shared)/stereo/\(pair.name)"
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let frame = Pictures.frame(
            try PictureFile.read("\(folder)/im2.png", as: format), right: try PictureFile.read("\(folder)/im6.png", as: format))
        let truth = try PictureFile.readDisparity("\(folder)/disp2.png", range: 0...255 / pair.scale)
        var parameters = StereoDisparityEstimator.Parameters()
        parameters.scale = Double(truth.width)
        let map = try StereoDisparityEstimator(parameters: parameters).disparity(of: frame)
        try #require(map.width == truth.width && map.height == truth.height)
        var (known, bad, error) = (0.0, 0.0, 0.0)
        for y in 0..<map.height {
            for x in 0..<map.width where truth.row(y)[x] > 0 {
                let miss = abs(Double(map.row(y)[x] - truth.row(y)[x]))
                known += 1
                error += miss
                if miss > 2 { bad += 1 }
            }
        }
        #expect(100 * bad / known < pair.bad)
        #expect(error / known < pair.error)
    }
}
