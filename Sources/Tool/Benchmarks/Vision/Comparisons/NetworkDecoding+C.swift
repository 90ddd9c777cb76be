internal import CVisionKernels
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Non-maximum suppression of 300 boxes in 40 heaps, best first.
    package static func nonMaximumSuppression() -> KernelComparison {
        let count = 300
        let boxes = (0..<count).map { i in
            let heap = i % 40
            return rf_rect(
                x: 600 * VisionScene.noise(heap, 0) + 12 * VisionScene.noise(i, 1),
                y: 300 * VisionScene.noise(heap, 2) + 12 * VisionScene.noise(i, 3),
                width: 30 + 20 * VisionScene.noise(i, 4), height: 30 + 20 * VisionScene.noise(i, 5))
        }
        let scores = (0..<count).map { 1 - Float($0) / Float(count) }
        let found = Kept(count), expected = Kept(count)
        return KernelComparison(
            "NetworkDecoding, suppression", oracle: "cv::dnn::NMSBoxes",
            runKernel: { found.count = rf_suppress_non_maxima(boxes, nil, Int32(count), 0.3, &found.indices) },
            runOracle: {
                try OracleError.check(
                    "suppressing", rf_oracle_suppress_non_maxima(boxes, scores, Int32(count), 0.3, &expected.indices, &expected.count))
            },
            compare: { .common(found.all.intersection(expected.all).count, of: found.all.union(expected.all).count) })
    }

    private final class Kept {
        var indices: [Int32]
        var count: Int32 = 0
        var all: Set<Int32> { Set(indices.prefix(Int(count))) }

        init(_ room: Int) { indices = [Int32](repeating: 0, count: room) }
    }
}
