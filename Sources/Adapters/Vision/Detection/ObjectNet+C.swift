internal import COpenCV
internal import CVisionKernels
import Foundation

/// A person, an animal or a ball that a network saw, in pixels of the reduced picture.
struct Sighting {
    enum Kind: Int32, CaseIterable {
        // The numbers of COCO's classes.
        case person = 0
        case cat = 15
        case dog = 16
        case ball = 32
    }

    var kind: Kind
    var box: CGRect
    /// 0…1.
    var score: Double
}

/// YOLO-Fastest or FastestDet.
final class ObjectNet {
    private let path: String
    private let handle: OpaquePointer

    init(path: String) throws(VisionError) {
        self.path = path
        let isDarknet = !path.lowercased().hasSuffix(".onnx")
        let stem = (path as NSString).deletingPathExtension
        var opened: OpaquePointer?
        let status = isDarknet ? rf_object_net_open(stem + ".weights", stem + ".cfg", &opened) : rf_object_net_open(path, nil, &opened)
        guard status == 0, let opened else {
            throw VisionError(
                code: .file, operation: "opening the object model \(path)",
                underlying: "\(String(cString: rf_error_message())); see `rackfocus models`")
        }
        handle = opened
    }

    deinit { rf_object_net_close(handle) }

    /// People, cats, dogs and balls in a picture, surest first.
    func sightings(in picture: ReducedPicture) throws(VisionError) -> [Sighting] {
        try objects(in: picture, kinds: Sighting.Kind.allCases.map(\.rawValue), from: 0.2).compactMap { object in
            let box = picture.luma.bounds.part(object)
            guard let kind = Sighting.Kind(rawValue: object.kind), box.width >= 4, box.height >= 4 else { return nil }
            return Sighting(kind: kind, box: box.intersection(picture.luma.bounds), score: object.score)
        }
    }

    /// The box (0…1) of what is surely at `point` (0…1), whatever it is, and how sure that is: of several things the one whose middle is nearest.
    func thing(at point: CGPoint, in picture: ReducedPicture) throws(VisionError) -> (box: CGRect, confidence: Double)? {
        let (frame, tap) = (CGRect(x: 0, y: 0, width: 1, height: 1), picture.pixels(CGRect(origin: point, size: .zero)).origin)
        let hits = try objects(in: picture, kinds: Array(0..<80), from: 0.5).compactMap { object -> (box: CGRect, score: Double, worth: Double)? in
            let box = picture.luma.bounds.part(object)
            guard box.contains(tap) else { return nil }
            let offCentre = max(abs(tap.x - box.midX) / box.width, abs(tap.y - box.midY) / box.height)
            return (picture.normalized(box).intersection(frame), object.score, object.score - offCentre)
        }
        return hits.max { $0.worth < $1.worth }.map { ($0.box, min($0.score, 1)) }
    }

    private func objects(in picture: ReducedPicture, kinds: [Int32], from least: Double) throws(VisionError) -> [rf_object] {
        let colours = try picture.colours(width: 352, height: 352)
        var image = colours.image
        var (objects, count): (UnsafePointer<rf_object>?, Int32) = (nil, 0)
        try openCV("searching objects with \(path)", rf_object_net_find(handle, &image, least, kinds, Int32(kinds.count), &objects, &count))
        return Array(UnsafeBufferPointer(start: objects, count: Int(count)))
    }
}

extension CGRect {
    /// Box of an object that is given in units of this rectangle.
    fileprivate func part(_ object: rf_object) -> CGRect {
        CGRect(x: object.x * width, y: object.y * height, width: object.width * width, height: object.height * height)
    }
}
