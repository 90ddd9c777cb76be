import Foundation
import Pipeline

/// Colours and depth of a picture at the size that tapped objects are searched at.
struct SalientPicture {
    /// Blue first.
    let colours: Raster
    let depth: DepthGrid
    /// CIE Lab, or lightness, colour and depth where there is any.
    let tones: Raster
    let width: Int
    let height: Int

    /// However narrow or flat the picture, the work stays that of one 9:16 of this `width`, pixels.
    init(_ picture: ReducedPicture, _ disparity: DisparityMap, width most: Int) throws(VisionError) {
        let scale = min(Double(most) / picture.width, Double(most) * 16 / 9 / picture.height)
        width = max(16, Int((picture.width * scale).rounded()))
        height = max(16, Int((picture.height * scale).rounded()))
        colours = try Raster.bgr(luma: picture.luma, chroma: picture.chroma, width: width, height: height)
        depth = DepthGrid(disparity, width: width, height: height)
        tones = depth.range > 0 ? try colours.mixed(withDepth: depth.nearness()) : try colours.lab()
    }

    /// Pixel at a point (0…1).
    func pixel(at point: CGPoint) -> (x: Int, y: Int) {
        (min(max(Int(point.x * Double(width)), 0), width - 1), min(max(Int(point.y * Double(height)), 0), height - 1))
    }
}
