import CoreVideo
import Foundation
import Pipeline
import Synchronization

/// Makes measured disparity fit for a lens, whoever measured it: a stereo pair, a depth camera, a recording. Frames come in order.
///
/// - **Steadied**: where the picture stands still, values are averaged over time, another surface has to insist, and what is given out does not
///   stir until the average has moved by more than the noise, which is measured from the map itself. What is in focus stays so.
/// - **Told**: what is not measured and looks as it did is where it was; what looks otherwise lies before that, also nearer than anything can be measured.
/// - **Filled**: what was never measured continues the farther of what surrounds it, of a depth camera what is nearest along the picture, and has no confidence.
/// - **Aligned**: a step of a matched pair's disparity, which lies beside an edge of the picture, moves to it.
/// - **Smoothed** along the picture's edges, what was measured by no more than its noise.
/// - **Sharpened**: near a jump of disparity each pixel is on that side which looks like it, and none is between.
/// - **Enlarged** to the picture in the same way: a lens that interpolates a small map finds every depth between near and far along their edge.
///
/// A map with neither holes nor noise was drawn, not measured: it is enlarged at most.
///
/// Boxes need the first two only.
public final class DisparityRefiner: Sendable {
    /// Widest map in pixels: as wide as a movie's picture usually is; a lens that has to enlarge further hardly shows it.
    public static let widestMap = 1920

    /// Use of a map.
    public enum Purpose: Sendable, Equatable {
        case lens
        /// Medians over boxes: jumps need not lie where the picture's edges are, and the map stays as small as it is.
        case boxes
    }

    /// The widest map that is made, pixels; one that is wider already is as wide afterwards.
    public let width: Int
    private let persistence: Double
    private let purpose: Purpose
    private let isMatched: Bool
    private let refiner = Mutex(Refiner?.none)
    private let pool = Mutex(CVPixelBufferPool?.none)

    /// `persistence` is the most that is kept of earlier frames where the picture stands still, 0…1; 0 for stills. `isMatched`: maps are of a matched pair,
    /// whose steps lie beside the picture's edges by the width of the census; those of a depth camera would flicker for being moved.
    public init(width: Int = widestMap, persistence: Double = 0.8, purpose: Purpose = .lens, isMatched: Bool = false) {
        self.width = width
        self.persistence = persistence
        self.purpose = purpose
        self.isMatched = isMatched
    }

    /// `map` of `picture` (`420v`), as large as it is or `width` wide. What `map` has no confidence in is a hole, and so is what is no number.
    public func refine(_ map: DisparityMap, of picture: CVPixelBuffer) throws -> DisparityMap {
        let luma = try Raster(lumaOf: picture, width: map.width, height: map.height)
        let measured = MeasuredDisparity(map)
        let refined = filtered(measured, along: luma)
        if target(for: map.width, map.height, of: picture) == nil, !refined.trust.contains(0), refined.values == measured.values { return map }
        return try enlarged(refined, of: picture, luma: luma)
    }

    /// The next map is the first of another shot.
    func forget() { refiner.withLock { $0 = nil } }

    /// `luma` is the picture's at the size of what was measured.
    func refine(_ measured: MeasuredDisparity, of picture: CVPixelBuffer, luma: Raster) throws(VisionError) -> DisparityMap {
        try enlarged(filtered(measured, along: luma), of: picture, luma: luma)
    }

    private func filtered(_ measured: MeasuredDisparity, along luma: Raster) -> MeasuredDisparity {
        var result = measured
        refiner.withLock { refiner in
            if refiner == nil { refiner = Refiner(keep: persistence, sharpens: purpose == .lens, aligns: isMatched) }
            refiner!.refine(&result.values, trust: &result.trust, along: luma)
        }
        return result
    }

    /// The size of the map of a picture; nil for a map that is as large already, or large enough.
    private func target(for mapWidth: Int, _ mapHeight: Int, of picture: CVPixelBuffer) -> (width: Int, height: Int)? {
        guard purpose == .lens else { return nil }
        let (size, wanted) = (picture.size, min(width, picture.size.width))
        let height = Int((Double(size.height * wanted) / Double(size.width)).rounded())
        return mapWidth < wanted && mapHeight < height ? (wanted, height) : nil
    }

    private func enlarged(_ refined: MeasuredDisparity, of picture: CVPixelBuffer, luma: Raster) throws(VisionError) -> DisparityMap {
        guard let target = target(for: refined.width, refined.height, of: picture) else { return refined.map }
        let buffer = pool.withLock { pool in
            if pool.map({ ($0.width, $0.height) != target }) ?? true {
                pool = CVPixelBufferPool(width: target.width, height: target.height, pixelFormat: kCVPixelFormatType_DisparityFloat32)
            }
            return pool!.makeBuffer()
        }
        try upsample(refined.values, of: luma, along: picture, into: buffer)
        return DisparityMap(buffer: buffer, confidence: refined.confidence, isMetric: refined.isMetric)
    }
}
