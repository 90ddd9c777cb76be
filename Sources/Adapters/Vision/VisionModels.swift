/// The networks that the user gives; without them faces come from Debian's cascades and dlib, bodies from faces.
public struct VisionModels: Sendable, Equatable {
    /// Path of YuNet's `.onnx`, of March 2022 or of March 2023.
    public var face: String?
    /// Path of YOLO-Fastest's `.weights` (its `.cfg` beside it) or FastestDet's `.onnx`.
    public var object: String?

    /// Path of MiDaS's small `.onnx`, or of another that makes 256 x 256 pixels into inverse depth: for video without any depth of its own.
    public var depth: String?

    /// Creates a selection of model files by their paths; nil leaves a network out.
    public init(face: String? = nil, object: String? = nil, depth: String? = nil) {
        self.face = face
        self.object = object
        self.depth = depth
    }

    /// Opens each network once, runs it over nothing, and lets it go. Throws `VisionError` for a file that is no such network.
    public func open() throws(VisionError) {
        if let face { _ = try FaceNet(path: face) }
        if let object { _ = try ObjectNet(path: object) }
        if let depth { _ = try DepthNet(path: depth) }
    }
}
