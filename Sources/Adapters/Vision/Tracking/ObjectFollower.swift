import Foundation
import Support

/// Follows one box with a correlation filter, which sees every other picture and has the time of two for it, on another core: flow carries what it
/// found from the one to the next.
final class ObjectFollower {
    private let filter: ObjectFilter
    private var look: ConcurrentTask<CGRect?, VisionError>?

    init(_ luma: Raster, box: PixelBox) throws(VisionError) { filter = try ObjectFilter(luma, box: box) }

    /// Box of the object in this picture; nil while the filter searches, and where it has no answer.
    func step(_ picture: ReducedPicture, flow: Flow) throws(VisionError) -> CGRect? {
        guard let done = look else {
            look = ConcurrentTask { [filter] () throws(VisionError) in try filter.update(picture.luma) }
            return nil
        }
        look = nil
        return try done.value().map { found throws(VisionError) in try flow.carry(found) }
    }
}
