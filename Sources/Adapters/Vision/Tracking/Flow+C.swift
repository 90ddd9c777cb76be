internal import COpenCV
internal import CVisionKernels
import Foundation

/// Sparse optical flow between a picture and the one before it.
final class Flow {
    /// Motion of a region: pixels a frame, and the factor by which it grew.
    struct Motion {
        var dx = 0.0
        var dy = 0.0
        var growth = 1.0
        /// 0…1: the share of points that moved together.
        var agreement = 0.0
    }

    private let handle: OpaquePointer

    init() throws(VisionError) {
        var opened: OpaquePointer?
        try openCV("starting optical flow", rf_flow_open(&opened))
        handle = opened!
    }

    deinit { rf_flow_close(handle) }

    func push(_ luma: Raster) throws(VisionError) {
        var image = luma.image
        try openCV("building a flow pyramid", rf_flow_push(handle, &image))
    }

    func motion(of region: CGRect) throws(VisionError) -> Motion {
        var motion = rf_motion()
        let rect = rf_rect(x: region.minX, y: region.minY, width: region.width, height: region.height)
        try openCV("following a region", rf_flow_follow(handle, rect, &motion))
        return Motion(dx: motion.dx, dy: motion.dy, growth: motion.growth, agreement: motion.agreement)
    }

    /// Box of the picture before, moved to the current one; unchanged where its points do not agree.
    func carry(_ box: CGRect) throws(VisionError) -> CGRect {
        let motion = try motion(of: box.scaled(0.8))
        return motion.agreement >= 0.3 ? box.offsetBy(dx: motion.dx, dy: motion.dy) : box
    }
}
