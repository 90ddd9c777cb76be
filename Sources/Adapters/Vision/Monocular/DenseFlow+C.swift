internal import COpenCV
internal import CVisionKernels
import Foundation

/// Dense optical flow by DIS (Kroeger et al., ECCV 2016): for each pixel of a picture the offset to where it was in an earlier one.
struct DenseFlow {
    let width: Int
    let height: Int
    /// x and y for each pixel, in pixels.
    private let offsets: [Float]

    /// From `picture` to `earlier`, grey pictures of one size.
    init(from picture: Raster, to earlier: Raster) throws(VisionError) {
        (width, height) = (picture.width, picture.height)
        var offsets = [Float](repeating: 0, count: 2 * picture.width * picture.height)
        var (now, before) = (picture.image, earlier.image)
        try openCV("estimating dense flow", rf_dense_flow(&now, &before, &offsets))
        self.offsets = offsets
    }

    private init(width: Int, height: Int, offsets: [Float]) {
        self.width = width
        self.height = height
        self.offsets = offsets
    }

    /// Warps a mask of the earlier picture to this one.
    func carried(_ mask: SoftMask) -> SoftMask {
        var result = mask
        result.values = carried(mask.values)
        return result
    }

    /// Warps values of the earlier picture's pixels to this one; what comes in from outside has those of the border.
    func carried(_ values: [Float]) -> [Float] {
        var result = values
        rf_flow_warp(values, offsets, Int32(width), Int32(height), &result)
        return result
    }

    /// A box of the earlier picture as it lies in this one, by the mean offset of its middle; both 0…1.
    func carried(_ box: CGRect) -> CGRect {
        let middle = box.insetBy(dx: box.width / 4, dy: box.height / 4)
        func range(_ low: Double, _ high: Double, _ count: Int) -> Range<Int> {
            let first = min(max(Int(low * Double(count)), 0), count - 1)
            return first..<max(min(Int(high * Double(count)), count), first + 1)
        }
        let (columns, rows) = (range(middle.minX, middle.maxX, width), range(middle.minY, middle.maxY, height))
        var sum = (x: 0.0, y: 0.0)
        for y in rows {
            for x in columns {
                sum.x += Double(offsets[2 * (y * width + x)])
                sum.y += Double(offsets[2 * (y * width + x) + 1])
            }
        }
        let count = Double(rows.count * columns.count)
        return box.offsetBy(dx: -sum.x / count / Double(width), dy: -sum.y / count / Double(height))
    }

    /// The camera's part of it, affine, where this is the flow from `picture` to `earlier`; pixels that are `known` to move on their own tell nothing.
    func ofCamera(from picture: Raster, to earlier: Raster, known: SoftMask) -> DenseFlow {
        var (camera, now, before) = (offsets, picture.image, earlier.image)
        rf_camera_flow(&before, &now, offsets, known.values, &camera)
        return DenseFlow(width: width, height: height, offsets: camera)
    }

    /// Longest offset of a corner, pixels.
    var reachOfCorners: Float {
        [0, width - 1, (height - 1) * width, height * width - 1].map { hypot(offsets[2 * $0], offsets[2 * $0 + 1]) }.max() ?? 0
    }

    /// Whether a pixel comes in from outside of the earlier picture.
    func entersAt(_ x: Int, _ y: Int) -> Bool {
        let at = 2 * (y * width + x)
        let (fromX, fromY) = (Float(x) + offsets[at], Float(y) + offsets[at + 1])
        return fromX < 0 || fromY < 0 || fromX > Float(width - 1) || fromY > Float(height - 1)
    }

    /// Evidence that a pixel of `picture` moves against the camera, where this is the flow to `earlier`; `known` pixels tell nothing of the camera.
    func residualMotion(from picture: Raster, to earlier: Raster, known: SoftMask) -> SoftMask {
        var result = SoftMask(width: width, height: height)
        var (now, before) = (picture.image, earlier.image)
        rf_residual_motion(&before, &now, offsets, known.values, &result.values)
        return result
    }
}
