import Foundation
import Pipeline

/// Sharpness and light of the picture inside boxes: whom a film maker has focused and lit already.
///
/// Sharpness compares the slope of edges with their height, after Zhuo and Sim, "Defocus map estimation from a single image" (2011), who compare
/// it with the slope after a known blur: an edge of contrast `c` blurred by σ pixels has the slope c / (√2π σ), whatever c is.
struct PictureCues {
    /// Pixels of the reduced picture over which the height of an edge is taken, to either side.
    private static let reach = 4
    /// Least height of an edge, 0…255: below it noise passes for sharpness.
    private static let leastHeight = 20
    /// Least share of the pixels that are edges; a box with fewer shows nothing to be sharp.
    private static let leastEdges = 0.004
    /// Pixels of a box that are looked at, in whole rows; some hundreds of edges are enough.
    private static let mostPixels = 10_000
    /// Ratio of slope to height of an edge that is blurred away, and of one that is as sharp as optics and codecs leave it.
    private static let (blurred, sharp) = (0.28, 0.80)

    private let luma: Raster
    private let picture: ReducedPicture

    init(_ picture: ReducedPicture) { (self.picture, luma) = (picture, picture.luma) }

    /// Returns the detections with their cues; things that stand for no picture keep theirs.
    func added(to detections: [Detection]) -> [Detection] {
        detections.map { detection in
            var copy = detection
            let bounds = picture.pixels(detection.bounds)
            // The rim of a box shows what is behind.
            guard let box = PixelBox(detection.kind == .face ? bounds : bounds.scaled(0.7, 0.9), in: luma) else { return copy }
            (copy.sharpness, copy.brightness) = (sharpness(in: box), brightness(in: box))
            return copy
        }
    }

    /// 90th percentile of the luma, 0…1.
    private func brightness(in box: PixelBox) -> Double {
        var (histogram, count) = ([Int](repeating: 0, count: 256), 0)
        for y in stride(from: box.y, to: box.y + box.height, by: 2) {
            let row = luma.pixel(0, y)
            for x in stride(from: box.x, to: box.x + box.width, by: 2) {
                histogram[Int(row[x])] += 1
                count += 1
            }
        }
        return Self.rounded((Double(Self.percentile(histogram, count, 0.9)) - 16) / 219)
    }

    /// 70th percentile of the edges' ratio of slope to height, 0…1.
    private func sharpness(in box: PixelBox) -> Double {
        let (reach, width) = (Self.reach, luma.width)
        let (left, right) = (max(box.x, reach), min(box.x + box.width, luma.width - reach))
        let (top, bottom) = (max(box.y, reach), min(box.y + box.height, luma.height - reach))
        guard left < right, top < bottom else { return 0 }
        var (histogram, edges) = ([Int](repeating: 0, count: 256), 0)
        func note(_ pixel: UnsafeMutablePointer<UInt8>, step: Int) {
            let height = abs(Int(pixel[reach * step]) - Int(pixel[-reach * step]))
            guard height >= Self.leastHeight else { return }
            let slope = abs(Int(pixel[step]) - Int(pixel[-step]))
            // An edge is steepest in its middle; beside a sharp one the picture is flat.
            guard slope > 0, slope >= abs(Int(pixel[2 * step]) - Int(pixel[0])), slope >= abs(Int(pixel[0]) - Int(pixel[-2 * step])) else { return }
            histogram[min(255, 255 * slope / height)] += 1
            edges += 1
        }
        let skip = max(1, box.width * box.height / Self.mostPixels)
        for y in stride(from: top, to: bottom, by: skip) {
            for x in left..<right {
                let pixel = luma.bytes + y * width + x
                note(pixel, step: 1)
                note(pixel, step: width)
            }
        }
        guard Double(edges * skip) >= Self.leastEdges * Double((right - left) * (bottom - top)) else { return 0 }
        let ratio = Double(Self.percentile(histogram, edges, 0.7)) / 255
        return Self.rounded((ratio - Self.blurred) / (Self.sharp - Self.blurred))
    }

    private static func percentile(_ histogram: [Int], _ count: Int, _ share: Double) -> Int {
        var sum = 0
        for (value, number) in histogram.enumerated() {
            sum += number
            if Double(sum) >= share * Double(count) { return value }
        }
        return 0
    }

    /// In 1/256, 0…1.
    private static func rounded(_ value: Double) -> Double { (min(max(value, 0), 1) * 256).rounded() / 256 }
}
