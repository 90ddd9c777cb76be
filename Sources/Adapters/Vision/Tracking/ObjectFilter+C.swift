internal import COpenCV
internal import CVisionKernels
import Foundation

/// A correlation filter that follows one box (CSRT without segmentation and colour names).
final class ObjectFilter {
    private let handle: OpaquePointer

    init(_ luma: Raster, box: PixelBox) throws(VisionError) {
        var image = luma.image
        var opened: OpaquePointer?
        let start = rf_box(x: Int32(box.x), y: Int32(box.y), width: Int32(box.width), height: Int32(box.height), weight: 1)
        try openCV("starting to follow an object", rf_tracker_open(&image, start, &opened))
        handle = opened!
    }

    deinit { rf_tracker_close(handle) }

    /// Box of the object in this picture; nil when the filter no longer answers.
    func update(_ luma: Raster) throws(VisionError) -> CGRect? {
        var image = luma.image
        var box = rf_box()
        var found: Int32 = 0
        try openCV("following an object", rf_tracker_update(handle, &image, &box, &found))
        return found != 0 ? CGRect(x: Int(box.x), y: Int(box.y), width: Int(box.width), height: Int(box.height)) : nil
    }
}
