import CoreVideo
import Foundation
import Pipeline
import Testing
import Vision

@Suite("Anything may come in")
struct FuzzTests {
    private func picture(_ dice: inout Dice, width: Int, height: Int) -> CVPixelBuffer {
        let (kind, base, seed) = (dice.roll(4), dice.roll(256), dice.roll(10_000))
        return Pictures.picture(
            width, height,
            luma: { x, y in
                switch kind {
                case 0: base
                case 1: Pictures.speckle(x + seed, y)
                case 2: (x * 3 + y * 5 + seed) % 256
                default: (x / 7 + y / 5) % 2 == 0 ? 16 : 235
                }
            }, chroma: { x, y in kind == 0 ? (128, 128) : (Pictures.speckle(x / 9, y / 9 + seed), Pictures.speckle(x / 5 + seed, y / 5)) })
    }

    /// Disparity of a pair; nil where the pictures cannot be a pair, which is the only error there may be.
    private func stereoMap(of frame: Frame) throws -> DisparityMap? {
        do {
            return try StereoDisparityEstimator().disparity(of: frame)
        } catch let error as VisionError {
            let isPair = frame.rightImage?.size.width == frame.image.size.width
            let reasons = isPair ? ["shows nothing in frame", "the eyes are swapped"] : ["both must have one size"]
            #expect(reasons.contains { error.description.contains($0) }, "\(error)")
            return nil
        }
    }

    @Test("pictures of any size and taps anywhere give an answer; a pair that is none gives its reason", arguments: UInt64(1)...12)
    func pairs(seed: UInt64) throws {
        var dice = Dice(state: seed)
        let (width, height) = (2 + 2 * dice.roll(90), 2 + 2 * dice.roll(60))
        let left = picture(&dice, width: width, height: height)
        let right = dice.roll(3) == 0 ? left : picture(&dice, width: dice.roll(5) == 0 ? width + 2 : width, height: height)
        let frame = Pictures.frame(left, right: right)
        if let map = try stereoMap(of: frame) {
            for y in 0..<map.height { for x in 0..<map.width { #expect(map.row(y)[x].isFinite && map.row(y)[x] >= 0, "seed \(seed)") } }
        }
        let values: [Double] = [0, 1, .nan, .infinity, -.infinity, -3, 1e30, 0.5]
        let wild = Pictures.map(max(1, width / (1 + dice.roll(3))), max(1, height / (1 + dice.roll(3)))) { x, y in
            values[(x * 7 + y * 3 + Int(seed)) % values.count]
        }
        let detector = try VisionDetector()
        let seen = try detector.detections(in: frame, disparity: wild)
        #expect(seen.allSatisfy { $0.bounds.width > 0 && $0.bounds.height > 0 && $0.objectID >= 1 }, "seed \(seed)")
        let tap = CGPoint(x: Double(dice.roll(30)) / 20 - 0.25, y: Double(dice.roll(30)) / 20 - 0.25)
        if let found = try detector.salientObject(at: tap, in: frame, disparity: wild) {
            #expect(found.bounds.width > 0 && found.bounds.height > 0, "seed \(seed)")
        }
        let lux = try LightMeter().illuminance(of: left)
        #expect((lux == nil) == (width < 64 || height < 64) && (0...100_000).contains(lux ?? 0), "seed \(seed)")
        let map = try DisparityRefiner().refine(wild, of: left)
        for y in 0..<map.height { for x in 0..<map.width { #expect(map.row(y)[x].isFinite, "seed \(seed)") } }
    }
}
