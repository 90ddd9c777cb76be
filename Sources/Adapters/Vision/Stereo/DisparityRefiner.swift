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
///
/// A map with neither holes nor noise was drawn, not measured: it stays as it is. Maps stay as small as they were measured; `JointUpsampler` enlarges
/// them for a lens.
///
/// Boxes need the first two only.
public final class DisparityRefiner: Sendable {
    /// Use of a map.
    public enum Purpose: Sendable, Equatable {
        case lens
        /// Medians over boxes: jumps need not lie where the picture's edges are.
        case boxes
    }

    private let persistence: Double
    private let purpose: Purpose
    private let isMatched: Bool
    private let refiner = Mutex(Refiner?.none)

    /// `persistence` is the most that is kept of earlier frames where the picture stands still, 0…1; 0 for stills. `isMatched`: maps are of a matched pair,
    /// whose steps lie beside the picture's edges by the width of the census; those of a depth camera would flicker for being moved.
    public init(persistence: Double = 0.8, purpose: Purpose = .lens, isMatched: Bool = false) {
        self.persistence = persistence
        self.purpose = purpose
        self.isMatched = isMatched
    }

    /// `map` of `picture` (`420v`). What `map` has no confidence in is a hole, and so is what is no number.
    public func refine(_ map: DisparityMap, of picture: CVPixelBuffer) throws -> DisparityMap {
        let luma = try Raster(lumaOf: picture, width: map.width, height: map.height)
        let measured = MeasuredDisparity(map)
        let refined = refine(measured, along: luma)
        return !refined.trust.contains(0) && refined.values == measured.values ? map : refined.map
    }

    /// The next map is the first of another shot.
    func forget() { refiner.withLock { $0 = nil } }

    /// `luma` is the picture's at the size of what was measured.
    func refine(_ measured: MeasuredDisparity, along luma: Raster) -> MeasuredDisparity {
        var result = measured
        refiner.withLock { refiner in
            if refiner == nil { refiner = Refiner(keep: persistence, sharpens: purpose == .lens, aligns: isMatched) }
            refiner!.refine(&result.values, trust: &result.trust, along: luma)
        }
        return result
    }
}
