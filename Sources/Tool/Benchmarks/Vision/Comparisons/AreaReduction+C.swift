internal import CVisionKernels
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Luma reduced by a whole factor, 3…64.
    package static func areaReduction(_ scene: VisionScene, factor: Int = 3) -> KernelComparison {
        reduction(scene.luma, "AreaReduction, luma", (factor, 1))
    }

    /// Luma reduced by p : 3, p = 4 or 8.
    package static func sharedReduction(_ scene: VisionScene, p: Int = 8) -> KernelComparison {
        reduction(scene.luma, "AreaReduction, \(p) : 3", (p, 3))
    }

    /// Interleaved chroma reduced by a whole factor, 3…64.
    package static func chromaReduction(_ scene: VisionScene, factor: Int = 3) -> KernelComparison {
        reduction(scene.chroma, "AreaReduction, chroma", (factor, 1))
    }

    private static func reduction(_ plane: Plane<UInt8>, _ kernel: String, _ ratio: (p: Int, q: Int)) -> KernelComparison {
        let (across, down) = (plane.width / ratio.p, plane.height / ratio.p)
        let found = Plane<UInt8>(across * ratio.q, down * ratio.q, channels: plane.channels)
        let expected = Plane<UInt8>(found.width, found.height, channels: plane.channels)
        let part = rf_image(
            data: plane.base, width: Int32(across * ratio.p), height: Int32(down * ratio.p), channels: Int32(plane.channels),
            stride: plane.width * plane.channels)
        return KernelComparison(
            kernel, oracle: "cv::resize INTER_AREA",
            runKernel: {
                var (source, target) = (part, found.image)
                rf_area_reduce(&source, &target)
                withExtendedLifetime(plane) {}
            },
            runOracle: {
                var (source, target) = (part, expected.image)
                try OracleError.check("reducing", rf_oracle_area_reduce(&source, &target))
                withExtendedLifetime(plane) {}
            },
            compare: { VisionScene.difference(found, expected) })
    }
}
