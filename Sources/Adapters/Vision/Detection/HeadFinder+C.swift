internal import COpenCV
internal import CVisionKernels
import Foundation

/// dlib's face detector on histograms of gradients: sure, upright heads up to half profile, and tells which way they look.
final class HeadFinder {
    private let handle: OpaquePointer
    /// Side of the smallest face it knows, pixels.
    static let base = 80.0
    /// Factor from one size to the next.
    static let step = 1.2

    init() throws(VisionError) {
        var opened: OpaquePointer?
        try openCV("unpacking dlib's face detector", rf_dlib_faces_open(&opened))
        handle = opened!
    }

    deinit { rf_dlib_faces_close(handle) }

    /// Faces of `base / scale` pixels and larger in `region`, seen with the camera turned by `angle` degrees.
    func faces(in luma: Raster, region: CGRect, scale: Double, angle: Double = 0, levels: Int, isNew: Bool) throws(VisionError) -> [Hit] {
        var image = luma.image
        var (heads, count): (UnsafePointer<rf_head>?, Int32) = (nil, 0)
        let rect = rf_rect(x: region.minX, y: region.minY, width: region.width, height: region.height)
        try openCV("searching faces with dlib", rf_dlib_faces_find(handle, &image, rect, scale, angle, Int32(levels), &heads, &count))
        return UnsafeBufferPointer(start: heads, count: Int(count)).map { head in
            let look: Hit.Look = head.side == 0 ? .frontal : (head.side < 0 ? .left : .right)
            var hit = Hit(
                look: look, box: CGRect(x: head.x, y: head.y, width: head.width, height: head.height), support: Int(20 + 20 * min(head.score, 1)),
                isNew: isNew)
            hit.source = .gradients
            hit.yaw = Double(head.side) * Self.halfProfile
            hit.roll = head.roll
            hit.score = head.score
            return hit
        }
    }

    /// Degrees that stand for a head turned to the side: anything from a fifth to three quarters of the way to the profile.
    private static let halfProfile = 35.0

    /// The face that is at `box`, or near it.
    func bestHit(near box: CGRect, roll: Double, in luma: Raster) throws(VisionError) -> Hit? {
        let angle = abs(roll) > 20 ? roll : 0
        let hits = try faces(in: luma, region: box.scaled(1.7), scale: 104 / box.width, angle: angle, levels: 3, isNew: false)
        return hits.max { $0.score * (0.2 + $0.box.overlap(box)) < $1.score * (0.2 + $1.box.overlap(box)) }
    }
}
