internal import COpenCV
internal import CVisionKernels
import Foundation

/// Label of a pixel before an object is cut out.
enum CutLabel: UInt8 {
    case background = 0
    case object = 1
    case probablyBackground = 2
    case probablyObject = 3
}

/// Segmentation of one picture into object and background by minimum cut (Boykov and Jolly 2001). Not from two threads at once.
final class Cutter {
    private let handle: OpaquePointer
    private let width: Int
    private let height: Int

    init(_ tones: Raster) throws(VisionError) {
        width = tones.width
        height = tones.height
        var picture = tones.image
        var opened: OpaquePointer?
        try openCV("preparing to cut out an object", rf_cutter_open(&picture, &opened))
        handle = opened!
    }

    deinit { rf_cutter_close(handle) }

    /// Room for the labels of each pixel.
    var labels: Raster { Raster(width: width, height: height) }

    /// The mask (0 or 255) that `labels`, which it replaces, lead to; `prior` has for each pixel what speaks for the object besides its colour, three
    /// times its log-odds.
    func cut(_ labels: Raster, prior: [Float]? = nil, iterations: Int) throws(VisionError) -> Raster {
        var mask = labels.image
        if let prior {
            try openCV("cutting out an object", rf_cutter_cut(handle, &mask, prior, Int32(iterations)))
        } else {
            try openCV("cutting out an object", rf_cutter_cut(handle, &mask, nil, Int32(iterations)))
        }
        return labels
    }
}

extension Raster {
    /// Colours of a reduced picture at another size.
    static func bgr(luma: Raster, chroma: Raster, width: Int, height: Int) throws(VisionError) -> Raster {
        let result = Raster(width: width, height: height, channels: 3)
        var (l, c, out) = (luma.image, chroma.image, result.image)
        try openCV("converting colours", rf_bgr(&l, &c, &out))
        return result
    }

    /// Lightness, colour and depth as three channels to cut by.
    func mixed(withDepth depth: Raster) throws(VisionError) -> Raster {
        let result = Raster(width: width, height: height, channels: 3)
        var (picture, near, out) = (image, depth.image, result.image)
        try openCV("mixing colour and depth", rf_colour_depth(&picture, &near, &out))
        return result
    }

    /// This BGR picture in CIE Lab.
    func lab() throws(VisionError) -> Raster {
        let result = Raster(width: width, height: height, channels: 3)
        var (picture, out) = (image, result.image)
        try openCV("converting colours", rf_lab(&picture, &out))
        return result
    }

    /// Minimum barrier distance of each pixel from each of one to five masks of seeds (non-zero), 0…765.
    func barriers(from seeds: [Raster]) -> [[Float]] {
        precondition((1...5).contains(seeds.count), "barriers are measured from one to five seeds")
        let size = width * height
        var distances = [Float](repeating: 0, count: seeds.count * size)
        var (picture, from) = (image, seeds.map(\.image))
        rf_minimum_barrier(&picture, &from, Int32(seeds.count), &distances)
        return seeds.indices.map { Array(distances[$0 * size..<($0 + 1) * size]) }
    }

    /// Keeps of this mask the part nearest to (x, y); its bounds and pixels, nil when there is none within 5 pixels.
    func keepComponent(at x: Int, _ y: Int) throws(VisionError) -> (bounds: CGRect, count: Int)? {
        var mask = image
        var (rect, count) = (rf_rect(), Int32(0))
        try openCV("finding a component", rf_component(&mask, Int32(x), Int32(y), &rect, &count))
        return count > 0 ? (CGRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height), Int(count)) : nil
    }
}
