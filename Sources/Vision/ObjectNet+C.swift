internal import COpenCV
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

    /// What is there, surest first.
    func sightings(in picture: ReducedPicture) throws(VisionError) -> [Sighting] {
        let colours = try picture.colours(width: 352, height: 352)
        var image = colours.image
        let kinds = Sighting.Kind.allCases.map(\.rawValue)
        var objects = [rf_object](repeating: rf_object(), count: 128)
        var count: Int32 = 0
        try openCV("searching objects with \(path)", rf_object_net_find(handle, &image, 0.2, kinds, Int32(kinds.count), &objects, 128, &count))
        return objects.prefix(Int(min(count, 128))).compactMap { object in
            let box = CGRect(
                x: object.x * picture.width, y: object.y * picture.height, width: object.width * picture.width, height: object.height * picture.height
            )
            guard let kind = Sighting.Kind(rawValue: object.kind), box.width >= 4, box.height >= 4 else { return nil }
            return Sighting(kind: kind, box: box.intersection(picture.luma.bounds), score: object.score)
        }
    }
}
