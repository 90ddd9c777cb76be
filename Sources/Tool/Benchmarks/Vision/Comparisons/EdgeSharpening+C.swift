internal import CVisionKernels
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Erosion and dilation of a noisy map with a square of 2 `radius` + 1 values.
    package static func extrema(_ scene: VisionScene, radius: Int32) -> KernelComparison {
        let exact = scene.disparity(reducedBy: 3)
        let map = Plane<Float>(exact.width, exact.height) { x, y, _ in exact[x, y] + Float(VisionScene.noise(x, y)) }
        let (width, height, count) = (Int32(map.width), Int32(map.height), map.width * map.height)
        let found = Extrema(), expected = (minima: Plane<Float>(map.width, map.height), maxima: Plane<Float>(map.width, map.height))
        return KernelComparison(
            "EdgeSharpening, extrema \(2 * radius + 1)x\(2 * radius + 1)", oracle: "cv::morphologyEx",
            runKernel: { rf_kernel_extrema(map.base, width, height, radius, &found.minima, &found.maxima) },
            runOracle: {
                let code = rf_oracle_extrema(map.base, width, height, radius, expected.minima.base, expected.maxima.base)
                try OracleError.check("filtering", code)
            },
            compare: {
                let least = zip(UnsafeBufferPointer(start: found.minima, count: count), expected.minima.values)
                let most = zip(UnsafeBufferPointer(start: found.maxima, count: count), expected.maxima.values)
                return .difference(max(greatest(least), greatest(most)))

                func greatest(_ pairs: some Sequence<(Float, Float)>) -> Double { pairs.reduce(0) { max($0, Double(abs($1.0 - $1.1))) } }
            })
    }

    /// Extrema found last, the kernel's own memory.
    private final class Extrema {
        var minima: UnsafePointer<Float>?, maxima: UnsafePointer<Float>?
    }

    /// Steps blurred by 7 x 7 values made steps again: right within half a pixel of disparity.
    package static func rampSharpener(_ scene: VisionScene) -> KernelComparison {
        let picture = scene.luma.reduced(by: 3), exact = scene.disparity(reducedBy: 3)
        let blurred = Plane<Float>(exact.width, exact.height) { x, y, _ in
            var sum: Float = 0
            for j in -3...3 { for i in -3...3 { sum += exact[min(max(x + i, 0), exact.width - 1), min(max(y + j, 0), exact.height - 1)] } }
            return sum / 49
        }
        let found = Plane<Float>(exact.width, exact.height), expected = Plane<Float>(exact.width, exact.height)
        return KernelComparison(
            "EdgeSharpening, ramps", oracle: "cv::ximgproc::jointBilateralFilter",
            runKernel: {
                found.copy(blurred)
                var image = picture.image
                rf_kernel_sharpen(&image, found.base)
            },
            runOracle: {
                var image = picture.image
                try OracleError.check("filtering", rf_oracle_sharpen(&image, blurred.base, expected.base))
            },
            compare: {
                .right(
                    kernel: VisionScene.share(of: found, within: 0.5, of: exact), oracle: VisionScene.share(of: expected, within: 0.5, of: exact))
            })
    }

    /// Near surfaces that a matcher's window made 3 pixels wider on every side: right within half a pixel of disparity.
    package static func weightedMode(_ scene: VisionScene) -> KernelComparison {
        let picture = scene.luma.reduced(by: 3), exact = scene.disparity(reducedBy: 3)
        let wide = Plane<Float>(exact.width, exact.height) { x, y, _ in
            var most: Float = 0
            for j in -3...3 { for i in -3...3 { most = max(most, exact[min(max(x + i, 0), exact.width - 1), min(max(y + j, 0), exact.height - 1)]) } }
            return most
        }
        let found = Plane<Float>(exact.width, exact.height), expected = Plane<Float>(exact.width, exact.height)
        return KernelComparison(
            "EdgeSharpening, mode", oracle: "cv::ximgproc::weightedMedianFilter",
            runKernel: {
                found.copy(wide)
                var image = picture.image
                rf_kernel_select_mode(&image, found.base)
            },
            runOracle: {
                var image = picture.image
                try OracleError.check("filtering", rf_oracle_weighted_median(&image, wide.base, expected.base))
            },
            compare: {
                .right(
                    kernel: VisionScene.share(of: found, within: 0.5, of: exact), oracle: VisionScene.share(of: expected, within: 0.5, of: exact))
            })
    }

    /// A map of a ninth of the width upsampled to a third: right within half a pixel of the small map's disparity.
    package static func jointUpsampling(_ scene: VisionScene) -> KernelComparison {
        let picture = scene.luma.reduced(by: 9), guide = scene.luma.reduced(by: 3)
        let small = scene.disparity(reducedBy: 9), large = scene.disparity(reducedBy: 3)
        let truth = Plane<Float>(large.width, large.height) { x, y, _ in large[x, y] / 3 }
        let found = Plane<Float>(guide.width, guide.height), expected = Plane<Float>(guide.width, guide.height)
        return KernelComparison(
            "EdgeSharpening, upsampling", oracle: "cv::resize, cv::ximgproc::jointBilateralFilter",
            runKernel: {
                var (source, target) = (picture.image, guide.image)
                rf_disparity_upsample(small.base, &source, &target, 0, target.height, found.base, target.width)
            },
            runOracle: {
                var (source, target) = (picture.image, guide.image)
                try OracleError.check("upsampling", rf_oracle_upsample(small.base, &source, &target, expected.base))
            },
            compare: {
                .right(
                    kernel: VisionScene.share(of: found, within: 0.5, of: truth), oracle: VisionScene.share(of: expected, within: 0.5, of: truth))
            })
    }
}
