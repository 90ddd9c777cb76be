internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// A noisy map and its weights along the edges of a picture a third as wide, with the product's parameters.
    package static func fastGlobalSmoother(_ scene: VisionScene) -> KernelComparison {
        let guide = scene.luma.reduced(by: 3), exact = scene.disparity(reducedBy: 3)
        let weights = Plane<Float>(guide.width, guide.height) { x, y, _ in VisionScene.noise(x, y) < 0.1 ? 0.03 : 1 }
        let values = Plane<Float>(guide.width, guide.height) { x, y, _ in
            (exact[x, y] + Float(VisionScene.noise(x, y, 1)) - 0.5) * weights[x, y]
        }
        let maps = (0..<4).map { _ in Plane<Float>(guide.width, guide.height) }
        return KernelComparison(
            "FastGlobalSmoother", oracle: "cv::ximgproc::FastGlobalSmootherFilter",
            runKernel: {
                maps[0].copy(values)
                maps[1].copy(weights)
                var image = guide.image
                rf_kernel_smooth(&image, 40, 4, maps[0].base, maps[1].base)
            },
            runOracle: {
                maps[2].copy(values)
                maps[3].copy(weights)
                var image = guide.image
                try OracleError.check("smoothing", rf_oracle_smooth(&image, 40, 4, maps[2].base, maps[3].base))
            },
            compare: {
                // Maps are divided by their weights afterwards.
                let found = Plane<Float>(guide.width, guide.height) { x, y, _ in maps[0][x, y] / maps[1][x, y] }
                let expected = Plane<Float>(guide.width, guide.height) { x, y, _ in maps[2][x, y] / maps[3][x, y] }
                return VisionScene.difference(found, expected)
            })
    }
}
