internal import CVisionKernels
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Motion of 64 tracked points: 3.5 and -2.25 pixels, 4 % of growth, a tenth of a pixel of noise, one point in eight lost. Off by pixels, and by
    /// growth times 100.
    package static func medianFlow() -> KernelComparison {
        let count = 64, middle = 80.0, growth = 1.04
        let from = Plane<Float>(2, count) { c, i, _ in Float(c == 0 ? 52 + 8 * (i % 8) : 52 + 8 * (i / 8)) }
        let to = Plane<Float>(2, count) { c, i, _ in
            let moved = middle + growth * (Double(from[c, i]) - middle) + (c == 0 ? 3.5 : -2.25) + 0.1 * (VisionScene.noise(c, i) - 0.5)
            return Float(i % 8 == 3 ? moved + 20 * VisionScene.noise(c, i, 1) : moved)
        }
        let back = Plane<Float>(2, count) { c, i, _ in from[c, i] + (i % 8 == 3 ? 9 : 0) }
        let isFound = Plane<UInt8>(count, 1) { _, _, _ in 1 }
        let found = Motion(), expected = Motion()
        return KernelComparison(
            "MedianFlow", oracle: "cv::estimateAffinePartial2D",
            runKernel: { found.motion = rf_median_flow(from.base, to.base, back.base, isFound.base, Int32(count)) },
            runOracle: { try OracleError.check("estimating motion", rf_oracle_motion(from.base, to.base, Int32(count), &expected.motion)) },
            compare: {
                let (a, b) = (found.motion, expected.motion)
                return .difference(max(abs(a.dx - b.dx), abs(a.dy - b.dy), 100 * abs(a.growth - b.growth)))
            })
    }

    private final class Motion {
        var motion = rf_motion()
    }
}
