import Foundation
import Support

/// Neural network that rackfocus knows how to use, and that the user may provide.
public struct KnownModel: Sendable {
    /// Task of a network: faces, objects (people, animals, balls), or depth from one picture.
    public enum Kind: Sendable { case face, object, depth }

    /// File of a network, with its checksum and origin.
    public struct File: Sendable, Equatable {
        /// Name of the file in the models' folder.
        public var name: String
        /// SHA-256, lower-case hexadecimal; nil where none has been verified.
        public var sha256: String?
        /// Origin of the file and its licence, in words.
        public var origin: String
    }

    /// Name of the network.
    public var name: String
    /// Task of the network.
    public var kind: Kind
    /// Effect of the network, in a sentence.
    public var meaning: String
    /// Files: the first is the one to name, the others lie beside it.
    public var files: [File]

    /// Whether a file is, by its checksum, one of those below.
    public static func isKnown(_ path: String) -> Bool {
        SHA256.hexadecimal(contentsOf: path).map { sum in all.contains { $0.files.contains { $0.sha256 == sum } } } ?? false
    }

    /// Known networks, the best of each kind first.
    public static let all = [
        KnownModel(
            name: "YuNet (March 2022)", kind: .face, meaning: "faces of every pose and from 15 pixels on; --face-model",
            files: [
                File(
                    name: "face_detection_yunet_2022mar.onnx", sha256: "50ef07f702a31741ca46a4c0d947773b64143b9362780237bf0d427d6c79bab7",
                    origin: "https://github.com/opencv/opencv_zoo, models/face_detection_yunet, as of 2022 (MIT)")
            ]),
        KnownModel(
            name: "YuNet (March 2023)", kind: .face, meaning: "the same faces by a smaller network; --face-model",
            files: [
                File(
                    name: "face_detection_yunet_2023mar.onnx", sha256: "8f2383e4dd3cfbb4553ea8718107fc0423210dc964f9f4280604804ed2552fa4",
                    origin: "https://github.com/opencv/opencv_zoo, models/face_detection_yunet (MIT)")
            ]),
        KnownModel(
            name: "YOLO-Fastest 1.1", kind: .object, meaning: "people, cats, dogs, balls; --object-model, the .weights",
            files: [
                File(
                    name: "yolo-fastest-1.1.weights", sha256: "1c445c42bbd6df63edea2cc69f99667b5650d663ca11e34b116240740cd42890",
                    origin: "https://github.com/dog-qiuqiu/Yolo-Fastest, ModelZoo/yolo-fastest-1.1_coco"),
                File(
                    name: "yolo-fastest-1.1.cfg", sha256: "f6df5775c1e862998cf69046eba9265be3ae84dfe8b2caab7529823f0795bf70",
                    origin: "the same folder"),
            ]),
        KnownModel(
            name: "FastestDet", kind: .object, meaning: "the same things, in one file; --object-model",
            files: [
                File(
                    name: "FastestDet.onnx", sha256: "31cb14c017fce347cb4c846ec62fdf00d76bb3beecdf4be21e7116ac67feb880",
                    origin: "https://github.com/dog-qiuqiu/FastestDet, example/onnx-runtime (BSD-3-Clause)")
            ]),
        KnownModel(
            name: "MiDaS 2.1 small", kind: .depth, meaning: "guesses the depth of plain video; --depth-model, or another network of its form",
            files: [File(name: "model-small.onnx", sha256: nil, origin: "https://github.com/isl-org/MiDaS, release v2_1 (MIT)")]),
    ]
}
