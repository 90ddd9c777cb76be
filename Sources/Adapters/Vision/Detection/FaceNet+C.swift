internal import COpenCV
internal import CVisionKernels
import Foundation

/// YuNet, which sees faces of any pose with their eyes, nose and mouth.
///
/// An unsure face is looked at once more, alone, plain and mirrored: a real one is one at any size and either way round. In 34 looks at the shared
/// clips, 112 pixels wide, real faces had a mean score of .68 and more, a hand around a cup .60 and mostly less than .42, though .92 at first sight.
final class FaceNet {
    private let path: String
    private var net: Net
    /// For the second look.
    private var close: Net?

    /// Least score that a face is found with, score from which on it needs no second look, and least mean score of that.
    private static let (least, sure, leastClose) = (0.6, 0.97, 0.55)
    /// Side of the picture of a second look, pixels, and of what it shows, in sides of the face.
    private static let (side, reach) = (112, 2.4)

    init(path: String) throws(VisionError) {
        self.path = path
        net = try Net(path: path, width: 320, height: 192)
    }

    /// Every face in the picture, in its pixels.
    func faces(in picture: ReducedPicture) throws(VisionError) -> [Hit] {
        let (width, height) = Self.size(of: picture)
        if net.width != width || net.height != height { net = try Net(path: path, width: width, height: height) }
        let colours = try picture.colours(width: width, height: height)
        let (x, y) = (picture.width / Double(width), picture.height / Double(height))
        return try net.faces(in: colours, from: Self.least).map { face throws(VisionError) in
            let box = CGRect(x: face.x * x, y: face.y * y, width: face.width * x, height: face.height * y)
            var hit = Hit(look: .frontal, box: box, support: Int(face.score * 40), isNew: false)
            let pose = withUnsafeBytes(of: face.landmarks) { HeadPose(marks: Array($0.bindMemory(to: Double.self)), faceWidth: face.width) }
            hit.source = .network
            hit.yaw = pose.yaw
            hit.roll = pose.roll
            hit.score = face.score
            hit.look = abs(pose.yaw) < 45 ? .frontal : (pose.yaw < 0 ? .left : .right)
            if face.score < Self.sure { hit.isDoubtful = try !isSeenAlone(face, in: colours) }
            return hit
        }
    }

    /// Whether a second look at a face, plain and mirrored, sees one in its middle.
    private func isSeenAlone(_ face: rf_face, in colours: Raster) throws(VisionError) -> Bool {
        let side = Self.reach * max(face.width, face.height)
        let region = CGRect(x: face.x + (face.width - side) / 2, y: face.y + (face.height - side) / 2, width: side, height: side)
        let crop = try colours.sample(region, width: Self.side, height: Self.side)
        if close == nil { close = try Net(path: path, width: Self.side, height: Self.side) }
        let middle = Double(Self.side) / 2
        func score(_ crop: Raster) throws(VisionError) -> Double {
            let found = try close!.faces(in: crop, from: 0.3)
            return found.filter { abs($0.x + $0.width / 2 - middle) < $0.width / 2 && abs($0.y + $0.height / 2 - middle) < $0.height / 2 }
                .map(\.score).max() ?? 0
        }
        return try (score(crop) + score(crop.mirrored)) / 2 >= Self.leastClose
    }

    /// At most 512 wide: larger pictures are halved again, as small faces are still seen at 15 pixels and large ones better.
    private static func size(of picture: ReducedPicture) -> (width: Int, height: Int) {
        let scale = picture.luma.width > 512 ? 480 / picture.width : 1
        return (max(32, Int(picture.width * scale) & ~1), max(32, Int(picture.height * scale) & ~1))
    }

    /// The network for pictures of one size.
    private final class Net {
        let width: Int
        let height: Int
        private let path: String
        private let handle: OpaquePointer

        init(path: String, width: Int, height: Int) throws(VisionError) {
            var opened: OpaquePointer?
            guard rf_face_net_open(path, Int32(width), Int32(height), &opened) == 0, let opened else {
                throw VisionError(
                    code: .file, operation: "opening the face model \(path)",
                    underlying: "\(String(cString: rf_error_message())); see `rackfocus models`")
            }
            handle = opened
            self.path = path
            self.width = width
            self.height = height
        }

        deinit { rf_face_net_close(handle) }

        /// Faces of at least a score, 0…1, in a picture of the network's size, in its pixels.
        func faces(in colours: Raster, from least: Double) throws(VisionError) -> [rf_face] {
            var image = colours.image
            var (faces, count): (UnsafePointer<rf_face>?, Int32) = (nil, 0)
            try openCV("searching faces with \(path)", rf_face_net_find(handle, &image, least, &faces, &count))
            return Array(UnsafeBufferPointer(start: faces, count: Int(count)))
        }
    }
}

extension Raster {
    /// This picture mirrored left to right.
    fileprivate var mirrored: Raster {
        let result = Raster(width: width, height: height, channels: channels)
        for y in 0..<height {
            for x in 0..<width { result.pixel(width - 1 - x, y).update(from: pixel(x, y), count: channels) }
        }
        return result
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
