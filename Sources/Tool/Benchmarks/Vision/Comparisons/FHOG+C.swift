internal import COpenCV
internal import CVisionKernels
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Faces of 80 pixels and more in a picture reduced by a factor.
    package static func fhog(_ scene: VisionScene, reducedBy factor: Int = 2) throws -> KernelComparison {
        let grey = scene.luma.reduced(by: factor)
        let search = FaceSearch()
        try OracleError.check("unpacking dlib's detector", rf_dlib_faces_open(&search.kernel))
        try OracleError.check("unpacking dlib's detector", rf_oracle_faces_open(&search.oracle))
        return KernelComparison(
            "FHOG", oracle: "dlib::frontal_face_detector",
            runKernel: {
                var image = grey.image
                let whole = rf_rect(x: 0, y: 0, width: Double(grey.width), height: Double(grey.height))
                var (heads, count): (UnsafePointer<rf_head>?, Int32) = (nil, 0)
                try OracleError.check("finding faces", rf_dlib_faces_find(search.kernel, &image, whole, 1, 0, 100, 0, &heads, &count))
                search.found = FaceSearch.boxes(heads, count)
            },
            runOracle: {
                var image = grey.image
                var (heads, count): (UnsafePointer<rf_head>?, Int32) = (nil, 0)
                try OracleError.check("finding faces", rf_oracle_faces_find(search.oracle, &image, &heads, &count))
                search.expected = FaceSearch.boxes(heads, count)
            },
            compare: {
                let common = zip(search.found, search.expected).count { $0 == $1 }
                return .common(common, of: max(search.found.count, search.expected.count))
            })
    }

    /// Reduction of a picture to five sixths of its sides.
    package static func pyramid(_ scene: VisionScene) -> KernelComparison {
        let grey = scene.luma.reduced(by: 2)
        let found = Plane<UInt8>(grey.width * 5 / 6, grey.height * 5 / 6), expected = Plane<UInt8>(found.width, found.height)
        return KernelComparison(
            "FHOG, pyramid", oracle: "dlib::pyramid_down<6>",
            runKernel: {
                var (source, target) = (grey.image, found.image)
                rf_pyramid_down(&source, &target)
            },
            runOracle: {
                var (source, target) = (grey.image, expected.image)
                try OracleError.check("reducing", rf_oracle_pyramid_down(&source, &target))
            },
            compare: { VisionScene.difference(found, expected) })
    }

    /// Both detectors, closed with it, and the boxes that they found last, best first.
    private final class FaceSearch {
        var kernel: OpaquePointer?
        var oracle: OpaquePointer?
        var found: [[Double]] = []
        var expected: [[Double]] = []

        deinit {
            if let kernel { rf_dlib_faces_close(kernel) }
            if let oracle { rf_oracle_faces_close(oracle) }
        }

        static func boxes(_ heads: UnsafePointer<rf_head>?, _ count: Int32) -> [[Double]] {
            UnsafeBufferPointer(start: heads, count: Int(count)).map { [$0.x, $0.y, $0.width, $0.height] }
        }
    }
}
