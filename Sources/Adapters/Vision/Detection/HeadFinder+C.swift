internal import COpenCV
internal import CVisionKernels
import Foundation
import Support

/// dlib's face detector on histograms of gradients: sure, upright heads up to half profile, and tells which way they look.
final class HeadFinder {
    private let handle: OpaquePointer
    /// Side of the smallest face it knows, pixels.
    static let base = 80.0
    /// Factor from one size to the next.
    static let step = 1.2

    init() throws(VisionError) {
        _ = HeadModel.isRestored
        var opened: OpaquePointer?
        try openCV("unpacking dlib's face detector", rf_dlib_faces_open(&opened))
        handle = opened!
    }

    deinit { rf_dlib_faces_close(handle) }

    /// Faces of `base / scale` pixels and larger in `region`, seen with the camera turned by `angle` degrees, with margins above `leastScore`.
    func faces(
        in luma: Raster, region: CGRect, scale: Double, angle: Double = 0, levels: Int, leastScore: Double = 0, isNew: Bool
    ) throws(VisionError) -> [Hit] {
        var image = luma.image
        var (heads, count): (UnsafePointer<rf_head>?, Int32) = (nil, 0)
        let rect = rf_rect(x: region.minX, y: region.minY, width: region.width, height: region.height)
        try openCV("searching faces with dlib", rf_dlib_faces_find(handle, &image, rect, scale, angle, Int32(levels), leastScore, &heads, &count))
        HeadModel.keep
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

    /// The face that is at `box`, or near it, with a margin above `leastScore`.
    func bestHit(near box: CGRect, roll: Double, in luma: Raster, leastScore: Double = 0) throws(VisionError) -> Hit? {
        let angle = abs(roll) > 20 ? roll : 0
        let hits = try faces(
            in: luma, region: box.scaled(1.7), scale: 104 / box.width, angle: angle, levels: 3, leastScore: leastScore, isNew: false)
        func worth(_ hit: Hit) -> Double { (hit.score - leastScore) * (0.2 + hit.box.overlap(box)) }
        return hits.max { worth($0) < worth($1) }
    }

    /// Margin of the upright face at `box`, where another detector sees one: a second opinion, > 0 where dlib would call it a face by itself. At least
    /// `unlike`.
    ///
    /// Of 203 faces that cascades saw in twelve clips, 16 to 300 pixels wide, patterns had -0.9 at most, faces up to half profile -0.7 at least, -0.3 at
    /// least in half of their frames; full profiles -0.8 to -3.
    func margin(at box: CGRect, in luma: Raster) throws(VisionError) -> Double {
        let hits = try faces(
            in: luma, region: box.scaled(1.9), scale: 104 / box.width, levels: 3, leastScore: Self.unlike, isNew: false)
        let here = hits.filter { abs($0.box.midX - box.midX) < 0.35 * box.width && abs($0.box.midY - box.midY) < 0.35 * box.width }
        return here.map(\.score).max() ?? Self.unlike
    }

    /// Margin of what is no face at all.
    static let unlike = -3.0
}

/// dlib's model, which every start unpacked for a quarter of a second: kept from one run to the next.
enum HeadModel {
    /// By versions of library and layout.
    static let file = CacheFile("faces-dlib-\(String(cString: rf_dlib_version()))-1.bin")

    /// Whether an earlier run's was there to be taken.
    static let isRestored: Bool = restore(file)

    /// Keeps it, once, where it was not restored.
    static let keep: Void = { if !isRestored { bytes.map(file.write) } }()

    static func restore(_ file: CacheFile) -> Bool {
        guard let bytes = file.read() else { return false }
        return rf_dlib_model_restore(bytes, Int32(bytes.count)) == 0
    }

    /// Its bytes; nil where dlib fails.
    static var bytes: [UInt8]? {
        var (bytes, count): (UnsafePointer<UInt8>?, Int32) = (nil, 0)
        guard rf_dlib_model_bytes(&bytes, &count) == 0 else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}
