internal import COpenCV
internal import CVisionKernels
import Foundation

/// A network of MiDaS's kind: from one picture, how near each place is, without unit and zero.
final class DepthNet {
    private let path: String
    private let handle: OpaquePointer
    /// Its answer is a square of this many values a side, whatever the picture's shape.
    let side: Int

    init(path: String) throws(VisionError) {
        var (opened, side): (OpaquePointer?, Int32) = (nil, 0)
        guard rf_depth_net_open(path, &opened, &side) == 0, let opened else {
            throw VisionError(
                code: .file, operation: "opening the depth model \(path)",
                underlying: "\(String(cString: rf_error_message())); see `rackfocus models`"
            )
        }
        self.path = path
        handle = opened
        self.side = Int(side)
    }

    deinit { rf_depth_net_close(handle) }

    /// `side` x `side` values, larger is nearer.
    func nearness(in picture: ReducedPicture) throws(VisionError) -> [Float] {
        let colours = try picture.colours(width: 256, height: 256)
        var image = colours.image
        var values = [Float](repeating: 0, count: side * side)
        try openCV("guessing depth with \(path)", rf_depth_net_find(handle, &image, &values))
        return values
    }
}
