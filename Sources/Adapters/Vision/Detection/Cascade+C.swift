internal import COpenCV
internal import CVisionKernels
import Foundation

/// One of OpenCV's trained cascades, from Debian's `opencv-data`.
final class Cascade {
    private let handle: OpaquePointer
    /// Side of the smallest window it knows, pixels.
    let base: Int

    init(_ name: String, base: Int, folder: String) throws(VisionError) {
        let path = "\(folder)/\(name).xml"
        var opened: OpaquePointer?
        guard rf_cascade_open(path, &opened) == 0, let opened else {
            throw VisionError(
                code: .file, operation: "opening the cascade \(path)",
                underlying: "\(String(cString: rf_error_message())); it comes with the Debian package opencv-data (apt-get install opencv-data)")
        }
        handle = opened
        self.base = base
    }

    /// The same cascade for another thread.
    init(copying other: Cascade) throws(VisionError) {
        var copy: OpaquePointer?
        try openCV("copying a cascade", rf_cascade_copy(other.handle, &copy))
        (handle, base) = (copy!, other.base)
    }

    deinit { rf_cascade_close(handle) }

    /// All raw hits in `part` of a picture with windows of `sizes` pixels, in pixels of the whole picture, in reading order.
    func scan(_ raster: Raster, part: PixelBox, sizes: ClosedRange<Int>, step: Double = 1.1, mirrored: Bool = false) throws(VisionError) -> [RawHit] {
        var image = raster.image(of: part)
        var (hits, count): (UnsafePointer<rf_box>?, Int32) = (nil, 0)
        try openCV(
            "searching with a cascade",
            rf_cascade_scan(handle, &image, step, Int32(sizes.lowerBound), Int32(sizes.upperBound), mirrored ? 1 : 0, &hits, &count))
        return UnsafeBufferPointer(start: hits, count: Int(count)).map {
            RawHit(x: Int32(part.x) + $0.x, y: Int32(part.y) + $0.y, width: $0.width, height: $0.height)
        }
    }

    /// The same in `rect` of a version of a picture, in pixels of that version.
    func scan(
        _ version: SearchPicture, _ rect: CGRect, of picture: ReducedPicture, sizes: ClosedRange<Int>, step: Double, mirrored: Bool
    ) throws(VisionError) -> [RawHit] {
        if version.tone == .plain, version.scale != .enlarged {
            let raster = version.scale == .half ? picture.half : picture.luma
            guard let part = PixelBox(rect, in: raster) else { return [] }
            return try scan(raster, part: part, sizes: sizes, step: step, mirrored: mirrored)
        }
        guard let (raster, x, y) = try version.part(rect, of: picture), let part = PixelBox(raster.bounds, in: raster) else { return [] }
        return try scan(raster, part: part, sizes: sizes, step: step, mirrored: mirrored).map {
            RawHit(x: Int32(x) + $0.x, y: Int32(y) + $0.y, width: $0.width, height: $0.height)
        }
    }
}

/// One window a cascade accepted.
struct RawHit: Equatable {
    var x: Int32
    var y: Int32
    var width: Int32
    var height: Int32

    /// Similar windows grouped (cv::groupRectangles); groups of fewer than `neighbours` + 1 are dropped.
    static func grouped(_ hits: [RawHit], neighbours: Int, scale: Double = 1) throws(VisionError) -> [(box: CGRect, weight: Int)] {
        guard hits.count > neighbours else { return [] }
        var boxes = hits.map { rf_box(x: $0.x, y: $0.y, width: $0.width, height: $0.height, weight: 1) }
        var count = Int32(boxes.count)
        try openCV("grouping hits", rf_group_rectangles(&boxes, &count, Int32(neighbours), 0.2))
        return boxes.prefix(Int(count)).map {
            let box = CGRect(
                x: Double($0.x) * scale, y: Double($0.y) * scale, width: Double($0.width) * scale, height: Double($0.height) * scale)
            return (box, Int($0.weight))
        }
    }
}
