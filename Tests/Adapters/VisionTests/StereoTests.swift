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

    /// A wall with a square before it, each of them moved by its own disparity.
    private func pair() -> (left: CVPixelBuffer, right: CVPixelBuffer) {
        func isSquare(_ x: Int, _ y: Int) -> Bool { x >= 80 && x < 140 && y >= 30 && y < 90 }
        return (
            Pictures.picture(240, 120, luma: { isSquare($0, $1) ? Pictures.speckle($0 + 1000, $1) : Pictures.speckle($0, $1) }),
            Pictures.picture(240, 120, luma: { isSquare($0 + 18, $1) ? Pictures.speckle($0 + 1018, $1) : Pictures.speckle($0 + 5, $1) })
        )
    }

    @Test("swapped eyes are found out")
    func swapped() {
        let (left, right) = pair()
        #expect {
            try StereoDisparityEstimator().disparity(of: Pictures.frame(right, right: left))
        } throws: { "\($0)".contains("the eyes are swapped") }
    }

    @Test("an eye that is covered from the start is an error, one that is covered later leaves the last map", arguments: [true, false])
    func covered(isRight: Bool) throws {
        let (left, right) = pair()
        let black = Pictures.picture(240, 120, luma: { _, _ in 16 })
        let blind = Pictures.frame(isRight ? left : black, right: isRight ? black : right, index: 1)
        let estimator = StereoDisparityEstimator()
        #expect {
            try estimator.disparity(of: blind)
        } throws: { "\($0)".contains("the \(isRight ? "right" : "left") eye shows nothing in frame 1; is its lens covered?") }
        let seen = try estimator.disparity(of: Pictures.frame(left, right: right, index: 2))
        #expect(try estimator.disparity(of: blind).buffer === seen.buffer)
    }

    @Test("what only one eye sees is filled in, but does not count for a box that was measured")
    func confidence() throws {
        let (left, right) = pair()
        let map = try StereoDisparityEstimator().disparity(of: Pictures.frame(left, right: right))
        let confidence = try #require(map.confidence)
        let row = confidence.plane(0).row(60, as: UInt8.self)
        #expect((0..<4).allSatisfy { row[$0] == 0 }, "left of the right eye's picture")
        #expect((90..<130).filter { row[$0] == 255 }.count > 36)
        let near = try #require(map.median(in: Pictures.box(90.0 / 240, 0.3, 0.15, 0.3)))
        let beside = try #require(map.median(in: Pictures.box(66.0 / 240, 0.4, 12.0 / 240, 0.2)))
        #expect(abs(beside / near - 5.0 / 18) < 0.05)
    }

    /// A pair of `width` x 90 pixels: a square 40 pixels wide, from `left` on, `disparity` pixels apart, before a wall 6 pixels apart. Squares of two
    /// disparities look different.
    private func squarePair(_ width: Int, at left: Int, disparity: Int) -> (left: CVPixelBuffer, right: CVPixelBuffer) {
        func picture(_ squareShift: Int, _ wallShift: Int) -> CVPixelBuffer {
            Pictures.picture(width, 90) { x, y in
                let isSquare = (left..<left + 40).contains(x + squareShift) && (20..<70).contains(y)
                return isSquare ? texture(x + squareShift + 1000 * disparity, y) : texture(x + wallShift, y)
            }
        }
        // Coarse enough to be seen in a reduced picture.
        func texture(_ x: Int, _ y: Int) -> Int { (3 * Pictures.speckle(x / 4, y / 4) + Pictures.speckle(x, y)) / 4 }
        return (picture(0, 0), picture(disparity, 6))
    }

    /// Median disparity in pixels of a square pair's square and of the wall above it.
    private func squareAndWall(_ map: DisparityMap, of width: Int, at left: Int) throws -> (square: Double, wall: Double) {
        let box = Pictures.box(Double(left + 10) / Double(width), 0.35, 20 / Double(width), 0.3)
        return (try #require(map.median(in: box)), try #require(map.median(in: Pictures.box(0.4, 0, 0.5, 0.1))))
    }

    private func pixels(_ width: Int, purpose: DisparityRefiner.Purpose = .lens) -> StereoDisparityEstimator {
        var parameters = purpose == .lens ? StereoDisparityEstimator.Parameters() : .boxes
        parameters.scale = Double(width)
        return StereoDisparityEstimator(parameters: parameters)
    }

    @Test(
        "what is near is measured however near it is, beside what is far",
        arguments: [20, 60, 100, 150, 200], [DisparityRefiner.Purpose.lens, .boxes])
    func near(disparity: Int, purpose: DisparityRefiner.Purpose) throws {
        let (left, right) = squarePair(300, at: 240, disparity: disparity)
        let estimator = pixels(300, purpose: purpose)
        let found = try squareAndWall(try estimator.disparity(of: Pictures.frame(left, right: right)), of: 300, at: 240)
        #expect(abs(found.square - Double(disparity)) < 0.5 && abs(found.wall - 6) < 0.5, "\(found)")
        #expect(estimator.remarks.isEmpty)
    }

    @Test("what comes nearer than all before is measured in its first frame, and after a cut too")
    func passerBy() throws {
        let far = squarePair(240, at: 190, disparity: 10), near = squarePair(240, at: 190, disparity: 120)
        let estimator = pixels(240)
        for (index, isNear) in [false, false, true, false, true].enumerated() {
            let pair = isNear ? near : far
            var frame = Pictures.frame(pair.left, right: pair.right, index: index)
            frame.shot = index < 3 ? 0 : index
            let found = try squareAndWall(try estimator.disparity(of: frame), of: 240, at: 190)
            #expect(abs(found.square - (isNear ? 120 : 10)) < 0.5, "frame \(index): \(found)")
        }
    }

    @Test("what spans more than is searched leaves the nearest nearest, and is said")
    func deeper() throws {
        let (left, right) = squarePair(480, at: 400, disparity: 332)
        let estimator = pixels(480)
        for index in 0..<2 {
            let found = try squareAndWall(try estimator.disparity(of: Pictures.frame(left, right: right, index: index)), of: 480, at: 400)
            #expect(abs(found.square - 332) < 4 && abs(found.wall - 6) < 0.5, "\(found)")
        }
        #expect(estimator.remarks.count == 1 && estimator.remarks[0].hasPrefix("in 2 frames, first 0, disparities span more than the 256"))
    }

    struct Pair: Sendable {
        let name: String
        /// Grey levels of the true map per pixel of disparity.
        let scale: Double
        /// The most that may be wrong by more than 2 pixels, in percent of all known pixels, occluded ones included: at full and at half size.
        let bad: Double
        let badAtHalf: Double
    }

    static let pairs = [
        Pair(name: "barn2", scale: 8, bad: 2.5, badAtHalf: 3), Pair(name: "cones", scale: 4, bad: 9.5, badAtHalf: 7.5),
        Pair(name: "sawtooth", scale: 8, bad: 3.5, badAtHalf: 3), Pair(name: "teddy", scale: 4, bad: 10, badAtHalf: 7.5),
        Pair(name: "tsukuba", scale: 16, bad: 5.5, badAtHalf: 3.5), Pair(name: "venus", scale: 8, bad: 2.5, badAtHalf: 2),
    ]

    private func frame(_ pair: Pair) throws -> Frame {
        let (folder, format) = ("\(Pictures.shared)/stereo/\(pair.name)", kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        return Pictures.frame(try PictureFile.read("\(folder)/im2.png", as: format), right: try PictureFile.read("\(folder)/im6.png", as: format))
    }

    @Test("Middlebury's pairs are measured within bounds", .enabled(if: Pictures.hasShared, "needs ../shared/data/stereo"), arguments: pairs)
    func middlebury(pair: Pair) throws {
        let truth = try PictureFile.readDisparity("\(Pictures.shared)/stereo/\(pair.name)/disp2.png", range: 0...255 / pair.scale)
        for (size, most) in [(1, pair.bad), (2, pair.badAtHalf)] {
            var parameters = StereoDisparityEstimator.Parameters()
            parameters.scale = Double(truth.width) / Double(size)
            parameters.matchWidth = truth.width / size
            let map = try StereoDisparityEstimator(parameters: parameters).disparity(of: frame(pair))
            var (known, bad) = (0.0, 0.0)
            for y in 0..<map.height {
                for x in 0..<map.width {
                    let due = Double(truth.row(min(y * size, truth.height - 1))[min(x * size, truth.width - 1)]) / Double(size)
                    guard due > 0 else { continue }
                    known += 1
                    if abs(Double(map.row(y)[x]) - due) > 2 { bad += 1 }
                }
            }
            #expect(100 * bad / known < most, "\(pair.name) at 1/\(size)")
        }
    }

    @Test("medians over boxes are off by less than a pixel of 1920, half of them", .enabled(if: Pictures.hasShared, "needs ../shared/data/stereo"))
    func boxes() throws {
        var dice = Dice(state: 5)
        var errors: [Double] = []
        for pair in Self.pairs {
            let truth = try PictureFile.readDisparity("\(Pictures.shared)/stereo/\(pair.name)/disp2.png", range: 0...255 / pair.scale)
            var parameters = StereoDisparityEstimator.Parameters.boxes
            parameters.scale = 1920
            let map = try StereoDisparityEstimator(parameters: parameters).disparity(of: frame(pair))
            for share in [0.04, 0.08, 0.16] {
                for _ in 0..<100 {
                    let box = Pictures.box(dice.share() * (1 - share), dice.share() * (1 - share), share, share)
                    guard let due = truth.median(in: box), due > 0 else { continue }
                    errors.append(abs(try #require(map.median(in: box)) - due / Double(truth.width) * 1920))
                }
            }
        }
        errors.sort()
        #expect(errors.count > 1500 && errors[errors.count / 2] < 1 && errors[errors.count * 9 / 10] < 4)
    }

    @Test("noise does not make it flicker", .enabled(if: Pictures.hasShared, "needs ../shared/data/stereo"))
    func flicker() throws {
        let clean = try frame(Self.pairs[1])
        var parameters = StereoDisparityEstimator.Parameters()
        parameters.scale = Double(clean.image.size.width)
        let estimator = StereoDisparityEstimator(parameters: parameters)
        var dice = Dice(state: 7)
        func noisy(_ picture: CVPixelBuffer) -> CVPixelBuffer {
            Pictures.picture(
                picture.size.width, picture.size.height,
                luma: { x, y in Int((Double(picture.plane(0).row(y, as: UInt8.self)[x]) + 6 * dice.normal()).rounded()) })
        }
        var (steps, count, last) = (0, 0, DisparityMap?.none)
        for index in 0..<8 {
            let map = try estimator.disparity(of: Pictures.frame(noisy(clean.image), right: noisy(clean.rightImage!), index: index))
            if let last {
                for y in 0..<map.height { for x in 0..<map.width where abs(map.row(y)[x] - last.row(y)[x]) > 1 { steps += 1 } }
                count += map.width * map.height
            }
            last = map
        }
        #expect(Double(steps) / Double(count) < 0.02)
    }
}
