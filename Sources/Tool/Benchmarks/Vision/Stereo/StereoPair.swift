import CoreMedia
import CoreVideo
import Foundation
import Media
import Pipeline
import Support

/// Rectified pair of pictures with the exact disparity of the left one, pixels.
package struct StereoPair {
    /// Name of the folder, or of the scene.
    package let name: String
    /// The pair, and its luma.
    let frame: Frame
    let left: Plane<UInt8>
    let right: Plane<UInt8>
    /// Exact disparity, 0 where it is unknown.
    let truth: Plane<Float>

    /// Pairs in the subfolders of `folder`, as Middlebury's: im2.png and im6.png, disp2.png, and in datasets.xml its codes for each pixel of disparity.
    ///
    /// Throws `StereoPairError` or `MediaError`.
    package static func all(in folder: String) throws -> [StereoPair] {
        let index = folder + "/datasets.xml"
        guard let text = String(data: try FileContents.read(index), encoding: .utf8) else {
            throw StereoPairError(path: index, reason: "is no UTF-8 text")
        }
        let pairs = try text.matches(of: /(\w+) "(\d+)" "\d+"/).compactMap { match -> StereoPair? in
            guard let scale = Double(match.2), scale > 0 else { return nil }
            let files = "\(folder)/\(match.1)"
            guard FileManager.default.fileExists(atPath: files + "/disp2.png") else { return nil }
            return try StereoPair(String(match.1), in: files, codesPerPixel: scale)
        }
        guard !pairs.isEmpty else { throw StereoPairError(path: index, reason: "names no folder beside it with im2.png, im6.png and disp2.png") }
        return pairs
    }

    private init(_ name: String, in folder: String, codesPerPixel: Double) throws {
        func picture(_ file: String) throws -> CVPixelBuffer {
            try PictureFile.read("\(folder)/\(file).png", as: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
        }
        let map = try PictureFile.readDisparity("\(folder)/disp2.png", range: 0...255 / codesPerPixel)
        try self.init(
            name, left: picture("im2"), right: picture("im6"), truth: Plane(map.width, map.height) { x, y, _ in map.row(y)[x] })
        guard (left.width, left.height) == (truth.width, truth.height), (right.width, right.height) == (left.width, left.height) else {
            throw StereoPairError(path: folder, reason: "has pictures of two sizes")
        }
    }

    /// A pair of `420v` pictures.
    init(_ name: String, left: CVPixelBuffer, right: CVPixelBuffer, truth: Plane<Float>) {
        func luma(_ picture: CVPixelBuffer) -> Plane<UInt8> {
            let plane = picture.plane(0)
            return Plane(plane.width, plane.height) { x, y, _ in plane.row(y, as: UInt8.self)[x] }
        }
        self.name = name
        frame = Frame(index: 0, presentationTime: .zero, image: left, rightImage: right)
        (self.left, self.right, self.truth) = (luma(left), luma(right), truth)
    }

    /// Least number of disparities that holds all of the exact ones, a multiple of 16.
    var range: Int { (Int(truth.values.max() ?? 0) + 17) / 16 * 16 }

    /// Share of the known pixels of `disparity` (pixels) that are wrong by more than 2, of all and of those near a step of more than 2.
    func errors(of disparity: Plane<Float>) -> StereoErrors {
        let isEdge = edges(reach: 5)
        var (known, wrong) = (SIMD2<Int>.zero, SIMD2<Int>.zero)
        for index in truth.values.indices where truth.values[index] > 0 {
            let counts = SIMD2(1, isEdge[index] ? 1 : 0)
            known &+= counts
            if !(abs(disparity.values[index] - truth.values[index]) <= 2) { wrong &+= counts }
        }
        return StereoErrors(all: Double(wrong.x) / Double(max(known.x, 1)), edges: Double(wrong.y) / Double(max(known.y, 1)))
    }

    /// Pixels within a square of `reach` around a step.
    private func edges(reach: Int) -> [Bool] {
        var result = [Bool](repeating: false, count: truth.values.count)
        func mark(_ x: Int, _ y: Int) {
            for j in max(y - reach, 0)...min(y + reach, truth.height - 1) {
                for i in max(x - reach, 0)...min(x + reach, truth.width - 1) { result[j * truth.width + i] = true }
            }
        }
        func isStep(_ a: Float, _ b: Float) -> Bool { a > 0 && b > 0 && abs(a - b) > 2 }
        for y in 0..<truth.height {
            for x in 0..<truth.width {
                if x + 1 < truth.width, isStep(truth[x, y], truth[x + 1, y]) {
                    mark(x, y)
                    mark(x + 1, y)
                }
                if y + 1 < truth.height, isStep(truth[x, y], truth[x, y + 1]) {
                    mark(x, y)
                    mark(x, y + 1)
                }
            }
        }
        return result
    }
}

/// Shares of pixels wrong by more than 2 (Middlebury's bad 2.0), 0…1.
package struct StereoErrors: Equatable {
    /// Of all pixels whose disparity is known, occluded ones included.
    package var all: Double
    /// Of those within 5 pixels of a step of the exact disparity.
    package var edges: Double
}

/// Folder that holds no pairs with their truth.
struct StereoPairError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path) \(reason)" }
}
