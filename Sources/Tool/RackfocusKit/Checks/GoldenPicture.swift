import CoreVideo
import Foundation
import LensTruth
import Media
import Pipeline
import ScenarioFormat
import ScenarioResults
import Support

/// Golden picture of a frame, kept as PNG in `goldens/` beside the scenario.
struct GoldenPicture {
    /// Similarity of two pictures: in the subject in focus, and around it.
    struct Likeness {
        var parts: [(name: String, score: RegionScore)]
        /// Greatest difference of a code, and where.
        var worst: (difference: Int, x: Int, y: Int)

        func holds(_ frames: ScenarioFile.GoldenFrames) -> Bool {
            parts.allSatisfy { $0.score.similarity >= frames.leastSSIM ?? 0 && $0.score.noise >= frames.leastPSNR ?? -.infinity }
        }

        /// `maya SSIM 0.912, PSNR 28.1 dB; around it SSIM 0.999, PSNR 44.0 dB; worst at [31, 40], off by 43`.
        var summary: String {
            let scores = parts.map { part in
                let noise = part.score.noise.isFinite ? String(format: "PSNR %.1f dB", part.score.noise) : "no noise"
                return "\(part.name) \(String(format: "SSIM %.4f", part.score.similarity)), \(noise)"
            }
            return scores.joined(separator: "; ") + "; worst at [\(worst.x), \(worst.y)], off by \(worst.difference)"
        }
    }

    let path: String
    /// The device whose own it is, met bit for bit; nil is the one that all are held against.
    let device: String?

    init(of scenario: ScenarioFile, frame: Int, device: String? = nil) {
        let of = device.map { "." + String($0.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }) } ?? ""
        path = scenario.goldenPath("frame-\(frame)\(of).png")
        self.device = device
    }

    /// Whether a picture may be taken for this one.
    func isMet(_ likeness: Likeness, _ frames: ScenarioFile.GoldenFrames) -> Bool {
        device == nil ? likeness.holds(frames) : likeness.worst.difference == 0
    }

    /// The golden, BGRA; nil when there is none.
    func read() throws -> CVPixelBuffer? { FileManager.default.fileExists(atPath: path) ? try PictureFile.read(path) : nil }

    func write(_ png: Data) throws {
        try FileManager.default.createDirectory(atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let file = try OutputFile(path: path, replacingExisting: true)
        try file.write(png)
        try file.commit()
    }

    /// Compares BGRA pictures of one size; `subject` is a box in 0…1 with its name.
    static func likeness(of picture: CVPixelBuffer, to golden: CVPixelBuffer, subject: (name: String, box: CGRect)?) -> Likeness {
        let (width, height) = golden.size
        let inside = PicturePart.box(subject?.box ?? .null, width: width, height: height)
        let around = RegionScore(of: picture, against: golden, in: inside.map { !$0 })
        let parts = [
            RegionScore(of: picture, against: golden, in: inside).map { (subject?.name ?? "", $0) },
            around.map { (subject == nil ? "all of it" : "around it", $0) },
        ]
        return Likeness(parts: parts.compactMap { $0 }, worst: worst(picture, golden))
    }

    private static func worst(_ picture: CVPixelBuffer, _ golden: CVPixelBuffer) -> (difference: Int, x: Int, y: Int) {
        var worst = (difference: 0, x: 0, y: 0)
        for y in 0..<golden.size.height {
            for x in 0..<golden.size.width {
                let difference = Self.difference(picture, golden, x, y)
                if difference > worst.difference { worst = (difference, x, y) }
            }
        }
        return worst
    }

    private static func difference(_ a: CVPixelBuffer, _ b: CVPixelBuffer, _ x: Int, _ y: Int) -> Int {
        let (a, b) = (a.plane(0).row(y, as: UInt8.self) + 4 * x, b.plane(0).row(y, as: UInt8.self) + 4 * x)
        return (0..<3).map { abs(Int(a[$0]) - Int(b[$0])) }.max() ?? 0
    }

    /// Heat map of differences: black is alike, then red, yellow, and white from 64 codes on.
    static func heatMap(of picture: CVPixelBuffer, against golden: CVPixelBuffer) -> CVPixelBuffer {
        let map = CVPixelBuffer(width: golden.size.width, height: golden.size.height, pixelFormat: kCVPixelFormatType_32BGRA)
        for y in 0..<golden.size.height {
            let row = map.plane(0).row(y, as: UInt8.self)
            for x in 0..<golden.size.width {
                let heat = min(difference(picture, golden, x, y) * 12, 765)
                (row[4 * x + 2], row[4 * x + 1]) = (UInt8(min(heat, 255)), UInt8(min(max(heat - 255, 0), 255)))
                (row[4 * x], row[4 * x + 3]) = (UInt8(max(heat - 510, 0)), 255)
            }
        }
        return map
    }
}

/// Parts of a picture, as marks row after row.
enum PicturePart {
    static func box(_ box: CGRect, width: Int, height: Int) -> [Bool] {
        marks(width: width, height: height) { x, y in box.contains(CGPoint(x: x, y: y)) }
    }

    /// Marks the pixels for whose middle, in 0…1, `isIn` is true.
    static func marks(width: Int, height: Int, _ isIn: (Double, Double) -> Bool) -> [Bool] {
        var marks: [Bool] = []
        marks.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width { marks.append(isIn((Double(x) + 0.5) / Double(width), (Double(y) + 0.5) / Double(height))) }
        }
        return marks
    }
}
