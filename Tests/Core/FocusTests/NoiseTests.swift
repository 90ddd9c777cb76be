import Focus
import Foundation
import Optics
import Pipeline
import Testing

@testable import ReferenceModel

@Suite("Noise of the disparity")
struct NoiseTests {
    /// From the nearest to the farthest that is sharp, 1/m: a circle of 0.03 mm on a sensor 36 mm wide, the usual limit.
    private func depthOfField(_ lens: Lens, at disparity: Double) -> Double {
        let circle = lens.circleOfConfusion(focusDisparity: disparity, pictureWidth: 36)
        return 2 * 0.03 / circle.diameterPerDisparity
    }

    @Test("of 0.02 1/m moves focus (RMS) by less than a quarter of the depth of field", arguments: [(52.0, 2.8), (50.0, 2.0)])
    func depthOfField(_ focalLength: Double, _ fNumber: Double) {
        let depth = depthOfField(Lens(focalLength: focalLength, fNumber: fNumber), at: 1 / 1.5)
        for seed in 1...8 {
            let noise = Noise(seed: UInt64(seed) &* 31)
            let play = Play(12, [Actor(id: 1, depth: { _ in 1.5 }, disparityNoise: { 0.02 * noise.normal($0) })])
            let errors = play.disparities.suffix(270).map { $0 - 1 / 1.5 }
            let deviation = (errors.map { $0 * $0 }.reduce(0, +) / Double(errors.count)).squareRoot()
            #expect(deviation < depth / 4, "seed \(seed)")
            #expect(errors.filter { abs($0) < depth / 2 }.count > 256, "seed \(seed)")
        }
    }

    @Test(
        "leaves a walker at 1.5 m/s followed less than 80 ms behind, from a quarter second after the first step on",
        arguments: [(4.0, 1.0), (2.0, 0.8), (1.0, 3.0)])
    func lag(_ from: Double, _ to: Double) {
        let end = 2 + abs(from - to) / 1.5
        let walk = ramp(from, to, from: 2, to: end)
        // Noise averages out over many runs; lag does not.
        let runs = 64
        var sums: [Int: Double] = [:]
        for seed in 1...runs {
            let noise = Noise(seed: UInt64(seed) &* 77)
            let play = Play(end, [Actor(id: 1, depth: walk, disparityNoise: { 0.02 * noise.normal($0) })])
            for (frame, moment) in play.moments.enumerated() where moment.time > 2.25 {
                sums[frame, default: 0] += moment.step.state.focusDisparity / Double(runs)
            }
        }
        for frame in sums.keys.sorted() {
            let depth = walk(Double(frame) / 30)
            let lag = abs(sums[frame]! - 1 / depth) * depth * depth / 1.5
            #expect(lag < 0.080, "\(frame) frames in, \(Int(lag * 1000)) ms")
        }
    }
}
