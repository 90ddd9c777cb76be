internal import CVisionKernels
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// A map with a rim left of everything near and a twentieth of all pixels missing, filled.
    package static func holeFilling(_ scene: VisionScene) -> KernelComparison {
        let holes = HoledMap(scene)
        let (width, height) = (holes.exact.width, holes.exact.height)
        let found = Filled(), expected = Plane<Float>(width, height)
        return KernelComparison(
            "HoleFilling", oracle: "plain: eight rays from each hole",
            runKernel: { rf_kernel_fill(holes.values.base, holes.trust.base, Int32(width), Int32(height), &found.values) },
            runOracle: { rf_oracle_fill(holes.values.base, holes.trust.base, Int32(width), Int32(height), expected.base) },
            compare: {
                let found = UnsafeBufferPointer(start: found.values, count: width * height)
                return .difference(Double(zip(found, expected.values).reduce(0) { max($0, abs($1.0 - $1.1)) }))
            })
    }

    /// Map filled last, the kernel's own memory.
    private final class Filled {
        var values: UnsafePointer<Float>?
    }

    /// The same map with noise, refined as a still picture's: right within half a pixel.
    package static func disparityRefinement(_ scene: VisionScene) -> KernelComparison {
        let holes = HoledMap(scene), picture = scene.luma.reduced(by: 3)
        let noisy = Plane<Float>(picture.width, picture.height) { x, y, _ in
            holes.trust[x, y] * (holes.exact[x, y] + 0.5 * Float(VisionScene.noise(x, y, 2)) - 0.25)
        }
        let found = Plane<Float>(picture.width, picture.height), expected = Plane<Float>(picture.width, picture.height)
        let trust = Plane<Float>(picture.width, picture.height)
        let refiner = Refiner()
        return KernelComparison(
            "DisparityRefinement", oracle: "cv::ximgproc::FastGlobalSmootherFilter",
            runKernel: {
                found.copy(noisy)
                trust.copy(holes.trust)
                var image = picture.image
                rf_refiner_refine(refiner.handle, &image, found.base, trust.base)
            },
            runOracle: {
                var image = picture.image
                try OracleError.check("smoothing", rf_oracle_refine(&image, noisy.base, holes.trust.base, expected.base))
            },
            compare: {
                .right(
                    kernel: VisionScene.share(of: found, within: 0.5, of: holes.exact),
                    oracle: VisionScene.share(of: expected, within: 0.5, of: holes.exact))
            })
    }

    /// Exact disparity, and the same with holes: where only one camera sees, and here and there.
    private struct HoledMap {
        let exact: Plane<Float>
        let values: Plane<Float>
        let trust: Plane<Float>

        init(_ scene: VisionScene) {
            let exact = scene.disparity(reducedBy: 3)
            let trust = Plane<Float>(exact.width, exact.height) { x, y, _ in
                let isHidden = (1...24).contains { x + $0 < exact.width && exact[x + $0, y] - exact[x, y] > Float($0) }
                return isHidden || VisionScene.noise(x, y) < 0.05 ? 0 : 1
            }
            self.exact = exact
            self.trust = trust
            values = Plane(exact.width, exact.height) { x, y, _ in exact[x, y] * trust[x, y] }
        }
    }

    private final class Refiner {
        let handle: OpaquePointer = rf_refiner_create(0, 1, 1)

        deinit { rf_refiner_destroy(handle) }
    }
}
