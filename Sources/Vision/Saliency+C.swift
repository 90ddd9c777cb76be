internal import COpenCV
import Foundation

/// The labels GrabCut starts from and OpenCV's values for them.
enum CutLabel: UInt8 {
    case background = 0
    case object = 1
    case probablyBackground = 2
    case probablyObject = 3
}

extension Raster {
    /// Colours of a reduced picture at another size.
    static func bgr(luma: Raster, chroma: Raster, width: Int, height: Int) throws(VisionError) -> Raster {
        let result = Raster(width: width, height: height, channels: 3)
        var (l, c, out) = (luma.image, chroma.image, result.image)
        try openCV("converting colours", rf_bgr(&l, &c, &out))
        return result
    }

    /// The mask (0 or 255) that GrabCut makes of `labels` on this colour picture.
    func grabCut(_ labels: Raster, iterations: Int = 2) throws(VisionError) -> Raster {
        var (picture, mask) = (image, labels.image)
        try openCV("cutting out an object", rf_grab_cut(&picture, &mask, Int32(iterations)))
        return labels
    }

    /// Lightness, colour and depth as three channels to cut by.
    func mixed(withDepth depth: Raster) throws(VisionError) -> Raster {
        let result = Raster(width: width, height: height, channels: 3)
        var (picture, near, out) = (image, depth.image, result.image)
        try openCV("mixing colour and depth", rf_colour_depth(&picture, &near, &out))
        return result
    }

    /// Strength of colour edges, 0…255.
    func edges() throws(VisionError) -> Raster {
        let result = Raster(width: width, height: height)
        var (picture, out) = (image, result.image)
        try openCV("finding edges", rf_edges(&picture, &out))
        return result
    }

    /// Keeps of this mask the part nearest to (x, y); its bounds and pixels, nil when there is none within 5 pixels.
    func keepComponent(at x: Int, _ y: Int) throws(VisionError) -> (bounds: CGRect, count: Int)? {
        var mask = image
        var (rect, count) = (rf_rect(), Int32(0))
        try openCV("finding a component", rf_component(&mask, Int32(x), Int32(y), &rect, &count))
        return count > 0 ? (CGRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height), Int(count)) : nil
    }
}
