internal import COpenCV
internal import CVisionOracles
import Foundation

extension KernelComparison {
    /// Cascades of Debian's `opencv-data` that the kernel runs.
    package static let cascades = ["haarcascade_frontalface_alt2", "haarcascade_profileface", "haarcascade_frontalcatface_extended"]

    /// Raw windows of a cascade, of 24 pixels and more, in a picture a third as wide.
    package static func haarCascade(_ scene: VisionScene, cascade name: String = cascades[0]) throws -> KernelComparison {
        let path = "/usr/share/opencv4/haarcascades/\(name).xml"
        let grey = scene.luma.reduced(by: 3)
        let search = Search(largest: Int32(grey.height))
        try OracleError.check("opening \(path), of the Debian package opencv-data,", rf_cascade_open(path, &search.kernel))
        try OracleError.check("opening \(path), of the Debian package opencv-data,", rf_oracle_cascade_open(path, &search.oracle))
        return KernelComparison(
            "HaarCascade", oracle: "cv::CascadeClassifier",
            runKernel: {
                var image = grey.image
                var (hits, count): (UnsafePointer<rf_box>?, Int32) = (nil, 0)
                try OracleError.check("scanning", rf_cascade_scan(search.kernel, &image, 1.1, 24, search.largest, 0, &hits, &count))
                search.found = Search.boxes(hits, count)
            },
            runOracle: {
                var image = grey.image
                var (hits, count): (UnsafePointer<rf_box>?, Int32) = (nil, 0)
                try OracleError.check("scanning", rf_oracle_cascade_scan(search.oracle, &image, 1.1, 24, search.largest, &hits, &count))
                search.expected = Search.boxes(hits, count)
            },
            compare: { .common(search.found.intersection(search.expected).count, of: search.found.union(search.expected).count) })
    }

    /// Both cascades, closed with it, and the boxes that they found last.
    private final class Search {
        let largest: Int32
        var kernel: OpaquePointer?
        var oracle: OpaquePointer?
        var found: Set<[Int32]> = []
        var expected: Set<[Int32]> = []

        init(largest: Int32) { self.largest = largest }

        deinit {
            if let kernel { rf_cascade_close(kernel) }
            if let oracle { rf_oracle_cascade_close(oracle) }
        }

        /// Left, top and side of each window.
        static func boxes(_ hits: UnsafePointer<rf_box>?, _ count: Int32) -> Set<[Int32]> {
            Set(UnsafeBufferPointer(start: hits, count: Int(count)).map { [$0.x, $0.y, $0.width] })
        }
    }
}
