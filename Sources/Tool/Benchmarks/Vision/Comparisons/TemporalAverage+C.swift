internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Six noisy frames a third as wide, the last three with everything moved by 8 pixels, averaged.
    package static func temporalAverage(_ scene: VisionScene) -> KernelComparison {
        let still = scene.luma.reduced(by: 3)
        let frames = (0..<6).map { index in
            Plane<UInt8>(still.width, still.height) { x, y, _ in
                let level = Double(still[max(x - (index < 3 ? 0 : 8), 0), y])
                return UInt8(min(max(level + 6 * (VisionScene.noise(x, y, index) - 0.5), 0), 255))
            }
        }
        let found = Plane<UInt8>(still.width, still.height), expected = Plane<UInt8>(still.width, still.height)
        return KernelComparison(
            "TemporalAverage", oracle: "cv::blur, compare, divide, add",
            runKernel: {
                let average = rf_kernel_average_create()
                defer { rf_kernel_average_destroy(average) }
                var last: UnsafePointer<UInt8>?
                for frame in frames {
                    var image = frame.image
                    rf_kernel_average_add(average, &image, 0.8, &last)
                }
                if let last { found.base.update(from: last, count: found.values.count) }
            },
            runOracle: {
                var average: OpaquePointer?
                try OracleError.check("averaging", rf_oracle_average_create(&average))
                defer { rf_oracle_average_destroy(average) }
                for frame in frames {
                    var image = frame.image
                    try OracleError.check("averaging", rf_oracle_average_add(average, &image, 0.8, expected.base))
                }
            },
            compare: { VisionScene.difference(found, expected) })
    }
}
