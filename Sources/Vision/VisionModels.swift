/// The networks that the user gives; without them faces come from Debian's cascades and dlib, bodies from faces.
public struct VisionModels: Sendable, Equatable {
    /// Path of YuNet's `.onnx`, of March 2022 or of March 2023.
    public var face: String?
    /// Path of YOLO-Fastest's `.weights` (its `.cfg` beside it) or FastestDet's `.onnx`.
    public var object: String?

    public init(face: String? = nil, object: String? = nil) { (self.face, self.object) = (face, object) }
}
