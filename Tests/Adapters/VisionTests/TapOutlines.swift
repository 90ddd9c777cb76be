import Foundation
import Media
import Pipeline

@testable import Vision

/// Outlines on the shared photographs, each to be tapped at seventeen places.
enum TapOutlines {
    struct Outline {
        var name: String
        var frame: Frame
        var mask: SoftMask
        /// 0…1.
        var taps: [CGPoint]
    }

    /// Width of the masks, and least share of a picture that an outline covers.
    private static let (width, least) = (224, 0.004)

    /// Connected parts of the masks in `stills/objects`.
    static func all() throws -> [Outline] {
        let folder = Pictures.shared + "/stills/objects"
        return try FileManager.default.contentsOfDirectory(atPath: folder + "/img").sorted().flatMap { name in
            let whole = try mask("\(folder)/mask/\((name as NSString).deletingPathExtension).png")
            let parts = whole.components(least: Int(least * Double(whole.values.count)))
            return try parts.enumerated().compactMap { index, part -> Outline? in
                guard let frame = try VideoFileSource(path: "\(folder)/img/\(name)").nextFrame() else { return nil }
                return Outline(name: "\(name) \(index)", frame: frame, mask: part, taps: taps(on: part))
            }
        }
    }

    private static func mask(_ path: String) throws -> SoftMask {
        let picture = try PictureFile.readDisparity(path)
        var mask = SoftMask(width: width, height: max(1, width * picture.height / picture.width))
        for y in 0..<mask.height {
            let row = picture.row((2 * y + 1) * picture.height / (2 * mask.height))
            for x in 0..<width { mask.values[y * width + x] = row[(2 * x + 1) * picture.width / (2 * width)] > 0.5 ? 1 : 0 }
        }
        return mask
    }

    /// The place farthest from the outline, and sixteen that are at least a third as far from it.
    private static func taps(on mask: SoftMask) -> [CGPoint] {
        var outside = mask
        for at in outside.values.indices { outside.values[at] = 1 - mask.values[at] }
        let depth = outside.distance()
        let deepest = depth.indices.max { depth[$0] < depth[$1] }!
        let deep = depth.indices.filter { depth[$0] >= 0.35 * depth[deepest] }
        return ([deepest] + stride(from: 1, to: 32, by: 2).map { deep[deep.count * $0 / 32] }).map { at in
            CGPoint(x: (Double(at % mask.width) + 0.5) / Double(mask.width), y: (Double(at / mask.width) + 0.5) / Double(mask.height))
        }
    }
}

extension TapOutlines.Outline {
    /// Box around it, 0…1.
    var box: CGRect {
        let bounds = mask.bounds ?? .zero
        let (w, h) = (Double(mask.width), Double(mask.height))
        return CGRect(x: bounds.minX / w, y: bounds.minY / h, width: bounds.width / w, height: bounds.height / h)
    }

    /// Intersection over union with an object that was found, pixel by pixel.
    func overlap(with object: SalientObject) -> Double {
        var (both, either) = (0, 0)
        for y in 0..<mask.height {
            for x in 0..<mask.width {
                let point = CGPoint(x: (Double(x) + 0.5) / Double(mask.width), y: (Double(y) + 0.5) / Double(mask.height))
                let (isTrue, isFound) = (mask.values[y * mask.width + x] > 0.5, object.contains(point))
                both += isTrue && isFound ? 1 : 0
                either += isTrue || isFound ? 1 : 0
            }
        }
        return Double(both) / Double(max(either, 1))
    }
}
