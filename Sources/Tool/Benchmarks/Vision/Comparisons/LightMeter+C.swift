internal import CVisionKernels
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Levels, texture, entropy and redness of a whole picture; its noise without texture has no counterpart in the library.
    package static func lightMeter(_ scene: VisionScene) -> KernelComparison {
        let found = Measurement(), expected = Measurement()
        return KernelComparison(
            "LightMeter", oracle: "cv::calcHist, meanStdDev, filter2D",
            runKernel: {
                var (luma, chroma) = (scene.luma.image, scene.chroma.image)
                rf_light_measure(&luma, &chroma, nil, &found.light)
            },
            runOracle: {
                var (luma, chroma) = (scene.luma.image, scene.chroma.image)
                try OracleError.check("measuring light", rf_oracle_light_measure(&luma, &chroma, &expected.light))
            },
            compare: { .difference(zip(found.values, expected.values).map { abs($0 - $1) }.max() ?? 0) })
    }

    private final class Measurement {
        var light = rf_light()
        var values: [Double] {
            [light.mean, light.p95, light.p99, light.texture, light.entropy, light.redness]
        }
    }
}
