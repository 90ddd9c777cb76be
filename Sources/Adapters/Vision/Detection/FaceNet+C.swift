internal import COpenCV
internal import CVisionKernels
import Foundation

/// YuNet, which sees faces of any pose with their eyes, nose and mouth.
final class FaceNet {
    private let path: String
    private var net: (handle: OpaquePointer, width: Int, height: Int)?

    init(path: String) throws(VisionError) {
        self.path = path
        try open(width: 320, height: 192)
    }

    deinit { if let net { rf_face_net_close(net.handle) } }

    /// Every face in the picture, in its pixels.
    func faces(in picture: ReducedPicture) throws(VisionError) -> [Hit] {
        let (width, height) = Self.size(of: picture)
        if net?.width != width || net?.height != height { try open(width: width, height: height) }
        guard let net else { return [] }
        let colours = try picture.colours(width: width, height: height)
        var image = colours.image
        var (faces, count): (UnsafePointer<rf_face>?, Int32) = (nil, 0)
        try openCV("searching faces with \(path)", rf_face_net_find(net.handle, &image, 0.6, &faces, &count))
        let (x, y) = (picture.width / Double(width), picture.height / Double(height))
        return UnsafeBufferPointer(start: faces, count: Int(count)).map { face in
            let box = CGRect(x: face.x * x, y: face.y * y, width: face.width * x, height: face.height * y)
            var hit = Hit(look: .frontal, box: box, weight: Int(face.score * 40), isNew: false)
            let pose = withUnsafeBytes(of: face.landmarks) { HeadPose(marks: Array($0.bindMemory(to: Double.self)), faceWidth: face.width) }
            hit.source = .network
            hit.yaw = pose.yaw
            hit.roll = pose.roll
            hit.score = face.score
            hit.look = abs(pose.yaw) < 45 ? .frontal : (pose.yaw < 0 ? .left : .right)
            return hit
        }
    }

    /// At most 512 wide: larger pictures are halved again, as small faces are still seen at 15 pixels and large ones better.
    private static func size(of picture: ReducedPicture) -> (width: Int, height: Int) {
        let scale = picture.luma.width > 512 ? 480 / picture.width : 1
        return (max(32, Int(picture.width * scale) & ~1), max(32, Int(picture.height * scale) & ~1))
    }

    private func open(width: Int, height: Int) throws(VisionError) {
        var opened: OpaquePointer?
        guard rf_face_net_open(path, Int32(width), Int32(height), &opened) == 0, let opened else {
            throw VisionError(
                code: .file, operation: "opening the face model \(path)", underlying: "\(String(cString: rf_error_message())); see `rackfocus models`"
            )
        }
        if let net { rf_face_net_close(net.handle) }
        net = (opened, width, height)
    }
}

extension ReducedPicture {
    /// Its colours at another size, blue first.
    func colours(width: Int, height: Int) throws(VisionError) -> Raster {
        let result = Raster(width: width, height: height, channels: 3)
        var (l, c, out) = (luma.image, chroma.image, result.image)
        try openCV("converting colours", rf_colours(&l, &c, &out))
        return result
    }
}
