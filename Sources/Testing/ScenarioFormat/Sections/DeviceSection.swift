import CameraProfiles
import Foundation

extension ScenarioFile {
    /// `{phone: iphone-17-pro, camera: ultraWide, aperture: f/2.8}`: the phone and the camera of it that films.
    public struct Device: Sendable, Equatable {
        /// The device types that film cinematic video, as Apple names them without `builtIn…Camera`.
        public enum Camera: String, Sendable, CaseIterable { case dualWide, trueDepth, ultraWide }

        /// The formats for cinematic video, by the sizes people call them.
        static let formats: [(name: String, value: Clip.Dimensions)] = [
            ("1080p", Clip.Dimensions(width: 1920, height: 1080)), ("4K", Clip.Dimensions(width: 3840, height: 2160)),
        ]

        /// Phone that films; nil is the default one, for footage a camera made for it.
        public var phone: CameraProfile.Phone?
        /// Nil is the phone's first cinematic camera.
        public var camera: Camera?
        /// Simulated f-number at the start; nil is the camera's default.
        public var aperture: Double?
        /// Full-frame-equivalent focal length in mm; nil is the camera's.
        public var focalLength: Double?

        init(phone: CameraProfile.Phone? = nil, camera: Camera? = nil, aperture: Double? = nil, focalLength: Double? = nil) {
            self.phone = phone
            self.camera = camera
            self.aperture = aperture
            self.focalLength = focalLength
        }

        /// `phone` stands for the one that the file names.
        init(_ node: Node, phone: CameraProfile.Phone?) throws(ScenarioError) {
            let fields = try Fields(node, of: "device", Format.device)
            self.phone = phone
            if phone == nil, let node = fields["phone"] {
                let phone = try CameraProfile.Phone(node)
                guard !phone.cinematicCameras.isEmpty else { throw node.error("\(phone.model) has no camera that films cinematic video") }
                self.phone = phone
            }
            if let node = fields["camera"] { camera = try camera(node) }
            focalLength = try fields.read("focalLength") { node throws(ScenarioError) in
                try node.positive("the focal length", units: [("mm", 1)], in: Limits.focalLength, example: "26mm")
            }
        }

        /// Reads a camera that the phone has and that films cinematic video.
        func camera(_ node: Node) throws(ScenarioError) -> Camera {
            let camera = try node.choice("a camera", Camera.self)
            guard profile(of: camera) == nil else { return camera }
            let names = Camera.allCases.filter { profile(of: $0) != nil }.map { "`\($0.rawValue)`" }.joined(separator: " and ")
            let model = (phone ?? .standard).model
            throw node.error("\(model) films no cinematic video with a camera `\(camera.rawValue)`; with \(names) it does")
        }

        /// The named cinematic camera of the phone, or its first; nil for footage where neither phone nor camera is named.
        package func profile(of camera: Camera?, isSynthetic: Bool = true) -> CameraProfile? {
            if phone == nil, camera == nil, !isSynthetic { return nil }
            return (phone ?? .standard).cinematicCameras.first { camera == nil || $0.deviceType == camera?.rawDeviceType }
        }
    }
}

extension ScenarioFile.Device.Camera {
    /// Apple's raw type of the camera.
    package var rawDeviceType: String { "AVCaptureDeviceTypeBuiltIn\(rawValue.prefix(1).uppercased())\(rawValue.dropFirst())Camera" }
}

extension CameraProfile.Phone {
    /// A shipped phone by name, or the path of a profile file, relative ones from the scenario's folder.
    fileprivate init(_ node: Node) throws(ScenarioError) {
        let name = try node.text("a phone")
        if name.hasSuffix(".json") {
            let path = try node.existingPath()
            do { try self.init(contentsOf: URL(fileURLWithPath: path)) } catch { throw node.error("\(error)") }
        } else {
            let shipped = Self.shipped.map { (name: $0.name, value: $0) }
            self = try node.choice("a phone (or the path of a profile, which ends in .json)", shipped)
        }
    }
}
