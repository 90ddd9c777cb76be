internal import COpenCV
internal import CVisionKernels
import Foundation

/// Drawing into a mask of coverage (0…255), anti-aliased.
extension Raster {
    /// A line between two points in pixels of this mask.
    func drawLine(from start: CGPoint, to end: CGPoint, thickness: Int) throws(VisionError) {
        func fixed(_ value: Double) -> Int32 { Int32((value * 16).rounded()) }
        var mask = image
        try openCV("drawing a line", rf_draw_line(&mask, fixed(start.x), fixed(start.y), fixed(end.x), fixed(end.y), Int32(thickness)))
    }

    /// Text whose baseline starts at (x, y).
    func drawText(_ text: String, x: Int, y: Int, scale: Double, thickness: Int) throws(VisionError) {
        var mask = image
        try openCV("drawing text", rf_draw_text(&mask, text, Int32(x), Int32(y), scale, Int32(thickness)))
    }

    /// Size of a text, pixels: its width, its height above the baseline and its depth below.
    static func textSize(_ text: String, scale: Double, thickness: Int) throws(VisionError) -> (width: Int, height: Int, below: Int) {
        var (width, height, below): (Int32, Int32, Int32) = (0, 0, 0)
        try openCV("measuring text", rf_text_size(text, scale, Int32(thickness), &width, &height, &below))
        return (Int(width), Int(height), Int(below))
    }
}
