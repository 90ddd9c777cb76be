import CoreVideo
import Foundation
import Media
import Pipeline
import Testing

@testable import Vision

/// Things on the shared pictures with their boxes, to be tapped.
enum TapThings {
    struct Thing {
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

    /// With depth where there is any; tapped in the middle unless `tap` says where.
    private static func thing(_ entry: Entry, tap: CGPoint? = nil) throws -> Thing {
        let parts = entry.image.split(separator: "#")
        let path = "\(Pictures.shared)/\(parts[0])"
        let video = try VideoFileSource(path: path)
        for _ in 0..<(parts.count > 1 ? Int(parts[1]) ?? 0 : 0) { _ = try video.nextFrame() }
        var frame = try #require(try video.nextFrame())
        let box = Pictures.box(entry.rectNorm[0], entry.rectNorm[1], entry.rectNorm[2], entry.rectNorm[3])
        let map = try depth(of: &frame, at: path) ?? Pictures.map(16, 16) { _, _ in 0.5 }
        return Thing(name: entry.object, frame: frame, map: map, box: box, tap: tap ?? CGPoint(x: box.midX, y: box.midY))
    }

    /// From the right picture or the depth that lies beside one.
    private static func depth(of frame: inout Frame, at path: String) throws -> DisparityMap? {
        func companion(_ ending: String, _ other: String) -> String? {
            let beside = path.dropLast(ending.count) + other
            return path.hasSuffix(ending) && FileManager.default.fileExists(atPath: String(beside)) ? String(beside) : nil
        }
        if let right = companion("_left.png", "_right.png") ?? companion("/im2.png", "/im6.png") {
            frame.rightImage = try VideoFileSource(path: right).nextFrame()?.image
            return try StereoDisparityEstimator().disparity(of: frame)
        }
        guard let metres = companion("_rgb.png", "_depth_mm_u16.png") else { return nil }
        let recorded = try DisparityFileSource(video: path, disparity: metres, coding: .depth(metresPerCode: 0.001)).nextFrame()
        return try DisparityRefiner().refine(try #require(recorded?.disparity), of: frame.image)
    }

    static func drawn() throws -> [Thing] {
        let text = try Data(contentsOf: URL(fileURLWithPath: Pictures.shared + "/gt/tapset.json"))
        return try JSONDecoder().decode([Entry].self, from: text).map { try thing($0) }
    }

    static func tabled() throws -> [Thing] {
        try TapTable.text.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            let numbers = words.dropFirst(2).compactMap(Double.init)
            let tap = numbers.count > 4 ? CGPoint(x: numbers[4], y: numbers[5]) : nil
            return try thing(Entry(image: words[0], object: words[1], rectNorm: Array(numbers.prefix(4))), tap: tap)
        }
    }

    /// Masks, tapped in the middle of their longest row.
    static func masked() throws -> [Thing] {
        let folder = Pictures.shared + "/stills/objects"
        return try FileManager.default.contentsOfDirectory(atPath: folder + "/img").sorted().map { name in
            let mask = try PictureFile.readDisparity("\(folder)/mask/\((name as NSString).deletingPathExtension).png")
            var (left, right, top, bottom, tap, longest) = (mask.width, 0, mask.height, 0, CGPoint.zero, 0)
            for y in 0..<mask.height {
                let inside = (0..<mask.width).filter { mask.row(y)[$0] > 0.5 }
                guard let first = inside.first, let last = inside.last else { continue }
                left = min(left, first)
                right = max(right, last + 1)
                top = min(top, y)
                bottom = y + 1
                if inside.count > longest {
                    longest = inside.count
                    tap = CGPoint(x: (Double(inside[inside.count / 2]) + 0.5) / Double(mask.width), y: (Double(y) + 0.5) / Double(mask.height))
                }
            }
            let (w, h) = (Double(mask.width), Double(mask.height))
            let box = [Double(left) / w, Double(top) / h, Double(right - left) / w, Double(bottom - top) / h]
            return try thing(Entry(image: "stills/objects/img/\(name)", object: name, rectNorm: box), tap: tap)
        }
    }
}

extension TapThings.Thing {
    /// Three taps (0…1): a finger hits the middle, or a tenth of the size beside it.
    var taps: [CGPoint] {
        [(0.0, 0.0), (-0.1, -0.1), (0.1, 0.1)].map { dx, dy in CGPoint(x: tap.x + dx * box.width, y: tap.y + dy * box.height) }
    }
}
