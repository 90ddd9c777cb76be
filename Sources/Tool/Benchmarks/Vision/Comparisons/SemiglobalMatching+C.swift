internal import CVisionKernels
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Disparity of a rectified pair a third as wide, 64 pixels of range (32 where it is narrow): right within a pixel of the exact disparity.
    package static func semiglobalMatching(_ scene: VisionScene) -> KernelComparison {
        let left = scene.luma.reduced(by: 3), right = scene.right.reduced(by: 3), truth = scene.disparity(reducedBy: 3)
        let range: Int32 = left.width > 400 ? 64 : 32
        let found = Match(left.width, left.height), expected = Match(left.width, left.height)
        let matcher = Matcher()
        return KernelComparison(
            "SemiglobalMatching", oracle: "cv::StereoSGBM",
            runKernel: {
                var (first, second) = (left.image, right.image)
                rf_stereo_match(matcher.handle, &first, &second, 0, range, 0, found.disparity.base, found.trust.base)
            },
            runOracle: {
                var (first, second) = (left.image, right.image)
                try OracleError.check("matching", rf_oracle_stereo_match(&first, &second, range, expected.disparity.base, expected.trust.base))
            },
            compare: { .right(kernel: found.share(of: truth), oracle: expected.share(of: truth)) })
    }

    /// Speckles of 1 to 12 pixels' width on an exact map, with holes.
    package static func speckleFilter(_ scene: VisionScene) -> KernelComparison {
        let exact = scene.disparity(reducedBy: 3), unknown: Int16 = -16
        // In whole sixteenths of a pixel, so that both filters compare the same numbers.
        let sixteenths = Plane<Int16>(exact.width, exact.height) { x, y, _ in
            if VisionScene.noise(x, y) < 0.03 { return unknown }
            let (column, row) = (x / 32, y / 32)
            let radius = 0.5 + 5.5 * VisionScene.noise(column, row, 1)
            let isSpeckle = hypot(Double(x - 32 * column - 16), Double(y - 32 * row - 16)) < radius
            return Int16((exact[x, y] * 16).rounded()) + (isSpeckle ? 80 : 0)
        }
        let disparity = Plane<Float>(exact.width, exact.height) { x, y, _ in Float(sixteenths[x, y]) / 16 }
        let trust = Plane<Float>(exact.width, exact.height) { x, y, _ in sixteenths[x, y] == unknown ? 0 : 1 }
        let found = Plane<Float>(exact.width, exact.height), expected = Plane<Int16>(exact.width, exact.height)
        return KernelComparison(
            "SemiglobalMatching, speckles", oracle: "cv::filterSpeckles",
            runKernel: {
                found.copy(trust)
                rf_kernel_remove_speckles(disparity.base, Int32(exact.width), Int32(exact.height), found.base)
            },
            runOracle: {
                expected.copy(sixteenths)
                try OracleError.check(
                    "filtering speckles", rf_oracle_remove_speckles(expected.base, Int32(exact.width), Int32(exact.height), unknown))
            },
            compare: { .common(zip(found.values, expected.values).count { ($0 > 0) == ($1 != unknown) }, of: found.values.count) })
    }

    /// Disparity in pixels and its trust.
    private final class Match {
        let disparity: Plane<Float>
        let trust: Plane<Float>

        init(_ width: Int, _ height: Int) {
            disparity = Plane(width, height)
            trust = Plane(width, height)
        }

        func share(of truth: Plane<Float>) -> Double { VisionScene.share(of: disparity, trust: trust, within: 1, of: truth) }
    }

    private final class Matcher {
        let handle = rf_stereo_create()

        deinit { rf_stereo_destroy(handle) }
    }
}
