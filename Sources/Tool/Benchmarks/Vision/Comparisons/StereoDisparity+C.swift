internal import CVisionKernels
internal import CVisionOracles
import CoreVideo
import Foundation
import Pipeline
import Vision

extension KernelComparison {
    /// Disparity of the painted pair, a third as wide, by all of the estimator's steps.
    package static func stereoDisparity(_ scene: VisionScene) -> KernelComparison {
        stereoDisparity(
            StereoPair(
                "painted", left: picture(scene.luma.reduced(by: 3)), right: picture(scene.right.reduced(by: 3)),
                truth: scene.disparity(reducedBy: 3)),
            named: "SemiglobalMatching, refined")
    }

    /// Disparity of a pair as of a still picture: the estimator, which finds the range itself, and OpenCV's, which is told.
    package static func stereoDisparity(_ pair: StereoPair, named name: String? = nil) -> KernelComparison {
        let (width, height) = (pair.left.width, pair.left.height)
        let found = Plane<Float>(width, height), expected = Plane<Float>(width, height)
        var parameters = StereoDisparityEstimator.Parameters()
        parameters.scale = Double(width)
        parameters.persistence = 0
        return KernelComparison(
            name ?? pair.name, oracle: "cv::StereoSGBM, cv::ximgproc::DisparityWLSFilter",
            runKernel: { [parameters] in
                let frame = pair.frame
                let map = try JointUpsampler().upsampled(StereoDisparityEstimator(parameters: parameters).disparity(of: frame), along: frame.image)
                for y in 0..<height { (found.base + y * width).update(from: map.row(y), count: width) }
            },
            runOracle: {
                var (first, second) = (pair.left.image, pair.right.image)
                try OracleError.check("matching", rf_oracle_stereo_disparity(&first, &second, Int32(pair.range), expected.base))
            },
            compare: { .wrong(kernel: pair.errors(of: found), oracle: pair.errors(of: expected)) })
    }

    private static func picture(_ luma: Plane<UInt8>) -> CVPixelBuffer {
        let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        let result = CVPixelBuffer(width: luma.width, height: luma.height, pixelFormat: format)
        for y in 0..<luma.height { result.plane(0).row(y, as: UInt8.self).update(from: luma.base + y * luma.width, count: luma.width) }
        return result
    }
}
