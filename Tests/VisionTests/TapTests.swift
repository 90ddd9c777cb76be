import CoreVideo
import Foundation
import Media
import Pipeline
import Testing

@testable import Vision

@Suite("Taps on real things")
struct TapTests {
    private struct Thing {
        var name: String
        var frame: Frame
        var map: DisparityMap
        var box: CGRect
        var tap: CGPoint
    }

    private struct Entry: Decodable {
        var image: String
        var object: String
        var rectNorm: [Double]
    }

    private static let format = kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange

    private func flat() -> DisparityMap { Pictures.map(16, 16) { _, _ in 0.5 } }

    /// Drawn boxes, tapped in the middle; with depth where there is any.
    private func drawn() throws -> [Thing] {
        let text = try Data(contentsOf: URL(fileURLWithPath: Pictures.shared + "/gt/tapset.json"))
        return try JSONDecoder().decode([Entry].self, from: text).map { entry in
            let path = "\(Pictures.shared)/\(entry.image.split(separator: "#")[0])"
            var frame = try #require(try VideoFileSource(path: path).nextFrame())
            var map = flat()
            if entry.image.hasPrefix("stereo/motorcycle") {
                frame.rightImage = try VideoFileSource(path: Pictures.shared + "/stereo/motorcycle_right.png").nextFrame()?.image
                map = try StereoDisparityEstimator().disparity(of: frame)
            } else if entry.image.hasPrefix("rgbd/") {
                let depth = try DisparityFileSource(
                    video: path, disparity: Pictures.shared + "/rgbd/five_people_depth_mm_u16.png", coding: .depth(metresPerCode: 0.001))
                let recorded = try #require(try depth.nextFrame())
                map = try DisparityRefiner().refine(try #require(recorded.disparity), of: recorded.image)
            }
            let box = Pictures.box(entry.rectNorm[0], entry.rectNorm[1], entry.rectNorm[2], entry.rectNorm[3])
            return Thing(name: entry.object, frame: frame, map: map, box: box, tap: CGPoint(x: box.midX, y: box.midY))
        }
    }

    /// Masks, tapped in the middle of their longest row.
    private func masked() throws -> [Thing] {
        let folder = Pictures.shared + "/stills/objects"
        return try FileManager.default.contentsOfDirectory(atPath: folder + "/img").sorted().map { name in
            let mask = try PictureFile.readDisparity("\(folder)/mask/\((name as NSString).deletingPathExtension).png")
            var (left, right, top, bottom, tap, longest) = (mask.width, 0, mask.height, 0, CGPoint.zero, 0)
            for y in 0..<mask.height {
                let inside = (0..<mask.width).filter { mask.row(y)[$0] > 0.5 }
                guard let first = inside.first, let last = inside.last else { continue }
                (left, right, top, bottom) = (min(left, first), max(right, last + 1), min(top, y), y + 1)
                if inside.count > longest {
                    longest = inside.count
                    tap = CGPoint(x: (Double(inside[inside.count / 2]) + 0.5) / Double(mask.width), y: (Double(y) + 0.5) / Double(mask.height))
                }
            }
            let (w, h) = (Double(mask.width), Double(mask.height))
            let frame = try #require(try VideoFileSource(path: "\(folder)/img/\(name)").nextFrame())
            return Thing(
                name: name, frame: frame, map: flat(),
                box: Pictures.box(Double(left) / w, Double(top) / h, Double(right - left) / w, Double(bottom - top) / h), tap: tap)
        }
    }

    @Test("boxes fit, on the whole", .enabled(if: Pictures.hasShared, "needs ../shared/data/gt/tapset.json"))
    func boxes() throws {
        let things = try drawn() + masked()
        var (sum, list) = (0.0, "")
        for thing in things {
            let finder = try SalientFinder(picture: ReducedPicture(thing.frame.image), disparity: thing.map)
            // A finger hits the middle, or a tenth of the size beside it.
            let overlaps = try [(0.0, 0.0), (-0.1, -0.1), (0.1, 0.1)].map { dx, dy in
                let tap = CGPoint(x: thing.tap.x + dx * thing.box.width, y: thing.tap.y + dy * thing.box.height)
                return try finder.object(at: tap)?.box.overlap(with: thing.box) ?? 0
            }
            let mean = overlaps.reduce(0, +) / Double(overlaps.count)
            sum += mean
            list += " \(thing.name) \(Int((mean * 100).rounded()))"
        }
        let mean = sum / Double(things.count)
        print("tap → box: mean overlap \(mean)")
        #expect(mean >= 0.6, "mean \(mean):\(list)")
    }
}
