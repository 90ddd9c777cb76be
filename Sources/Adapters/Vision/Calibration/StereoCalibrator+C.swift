internal import COpenCV
internal import CVisionKernels
import CoreVideo
import Foundation

extension StereoCalibrator {
    /// The board's inner corners as x, y pairs in pixels; nil when the picture does not show all of it.
    static func corners(_ picture: CVPixelBuffer, _ columns: Int, _ rows: Int) throws(VisionError) -> [Float]? {
        guard CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange else {
            throw error("the picture's format is not 420v")
        }
        var grey = picture.plane(0).image(width: picture.size.width, height: picture.size.height, channels: 1)
        var corners = [Float](repeating: 0, count: 2 * columns * rows)
        var found: Int32 = 0
        try openCV("looking for a chessboard", rf_board_find(&grey, Int32(columns), Int32(rows), &corners, &found))
        return found != 0 ? corners : nil
    }

    static func solve(
        _ left: [Float], _ right: [Float], views: Int, columns: Int, rows: Int, square: Double, size: (width: Int, height: Int)
    ) throws(VisionError) -> StereoCalibration {
        var (rig, miss) = (rf_rig(), 0.0)
        try openCV(
            "calibrating from \(views) pairs",
            rf_calibrate(left, right, Int32(views), Int32(columns), Int32(rows), square, Int32(size.width), Int32(size.height), &rig, &miss))
        return StereoCalibration(
            width: size.width, height: size.height, left: .init(rig.left), right: .init(rig.right),
            rotation: withUnsafeBytes(of: rig.rotation, numbers),
            translation: withUnsafeBytes(of: rig.translation, numbers), reprojectionError: miss, views: views)
    }
}

private func numbers(_ bytes: UnsafeRawBufferPointer) -> [Double] { Array(bytes.bindMemory(to: Double.self)) }

extension StereoCalibration.Lens {
    fileprivate init(_ lens: rf_lens) {
        self.init(
            focalLength: withUnsafeBytes(of: lens.focal, numbers), principalPoint: withUnsafeBytes(of: lens.centre, numbers),
            distortion: withUnsafeBytes(of: lens.distortion, numbers))
    }
}

/// Levels the pictures of a calibrated pair, and brings what was measured on them back to the left picture as it was taken.
final class StereoRectifier: @unchecked Sendable {
    let width: Int
    let height: Int
    /// Of the levelled pictures, in their pixels.
    let focalLength: Double
    private let handle: OpaquePointer

    init(_ calibration: StereoCalibration, width: Int, height: Int) throws(VisionError) {
        func lens(_ lens: StereoCalibration.Lens) -> rf_lens {
            let (f, c, d) = (lens.focalLength, lens.principalPoint, lens.distortion)
            return rf_lens(focal: (f[0], f[1]), centre: (c[0], c[1]), distortion: (d[0], d[1], d[2], d[3], d[4]))
        }
        let (r, t) = (calibration.rotation, calibration.translation)
        var rig = rf_rig(
            width: Int32(calibration.width), height: Int32(calibration.height), left: lens(calibration.left), right: lens(calibration.right),
            rotation: (r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]), translation: (t[0], t[1], t[2]))
        var (opened, focal): (OpaquePointer?, Double) = (nil, 0)
        try openCV("levelling a pair", rf_rectifier_open(&rig, Int32(width), Int32(height), &opened, &focal))
        handle = opened!
        self.width = width
        self.height = height
        focalLength = focal
    }

    deinit { rf_rectifier_close(handle) }

    func level(_ picture: Raster, isRight: Bool) throws(VisionError) -> Raster {
        let result = Raster(width: width, height: height)
        var (grey, out) = (picture.image, result.image)
        try openCV("levelling a picture", rf_rectify(handle, isRight ? 1 : 0, &grey, &out))
        return result
    }

    func restore(_ values: [Float]) throws(VisionError) -> [Float] {
        var result = values
        try openCV("bringing disparity back", rf_unrectify(handle, values, &result))
        return result
    }
}
