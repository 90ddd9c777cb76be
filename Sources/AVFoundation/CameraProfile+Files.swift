import Foundation

extension CameraProfile {
    /// The cameras and microphones of a JSON file, or of all JSON files of a folder in the order of their names.
    public static func cameras(at url: URL) throws -> [CameraProfile] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw CameraProfileError(file: url.path, reason: "there is no such file or folder")
        }
        guard isFolder.boolValue else { return try devices(in: Data(contentsOf: url), file: url.path) }
        let files = try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.flatMap(cameras(at:))
    }

    static func devices(in data: Data, file: String) throws -> [CameraProfile] {
        do {
            let phone = try PhoneProfile(data)
            let devices =
                try phone.cameras.map { try CameraProfile($0, of: phone, file: file) }
                + (phone.microphones ?? []).map { CameraProfile($0, of: phone.model) }
            let names = devices.map(\.uniqueID).sorted()
            if let twice = zip(names, names.dropFirst()).first(where: { $0 == $1 }) {
                throw CameraProfileError(file: file, reason: "the uniqueID \(twice.0) is given twice")
            }
            return devices
        } catch let error as CameraProfileError {
            throw error
        } catch {
            throw CameraProfileError(file: file, error)
        }
    }

    /// A phone whose cinematic cameras are Dual Wide at the back and TrueDepth at the front.
    public static let iPhone14 = embedded(PackageResources.iphone_14_json, "iphone-14.json")
    /// A phone whose front cinematic camera is an ultra-wide one.
    public static let iPhone17Pro = embedded(PackageResources.iphone_17_pro_json, "iphone-17-pro.json")
    /// A USB camera with its microphone.
    public static let externalCamera = embedded(PackageResources.external_json, "external.json")

    private static func embedded(_ bytes: [UInt8], _ file: String) -> [CameraProfile] {
        do { return try devices(in: Data(bytes), file: file) } catch { preconditionFailure("a shipped camera file is broken: \(error)") }
    }

    /// The back camera of a phone of the iPhone 14 class: ultra-wide and wide, cinematic at zoom 2.
    public static let dualWide = iPhone14[0]
    /// The front camera of the same phone, cinematic at zoom 1.
    public static let trueDepth = iPhone14[1]
    /// The plain wide camera at the back, which has no cinematic capture.
    public static let wideAngle = iPhone14[2]
    /// The phone that is there when nobody asks for another.
    public static let shipped = iPhone14
}

extension CameraProfile {
    fileprivate init(_ camera: PhoneProfile.Camera, of phone: PhoneProfile, file: String) throws {
        let formats = camera.formats.flatMap { formats in
            formats.sizes.flatMap { size in formats.pixelFormats.map { Format(formats, size, pixelFormat: $0) } }
        }
        guard !formats.isEmpty else { throw CameraProfileError(file: file, reason: "the camera \(camera.uniqueID) has no format") }
        self.init(
            uniqueID: camera.uniqueID, name: camera.name, modelID: phone.model,
            deviceType: "AVCaptureDeviceType" + camera.type.prefix(1).uppercased() + camera.type.dropFirst(), position: camera.position.rawPosition,
            focalLength: camera.focalLength, formats: formats)
        hardware.constituents = camera.constituents ?? []
        hardware.isVirtual = camera.isVirtual ?? !hardware.constituents.isEmpty
        hardware.switchOverZoomFactors = camera.switchOverZoomFactors ?? []
        hardware.isFixedFocus = camera.isFixedFocus ?? false
        hardware.hasTorch = camera.hasTorch ?? false
        hardware.hasCameraControl = phone.hasCameraControl ?? false
    }

    fileprivate init(_ microphone: PhoneProfile.Microphone, of model: String) {
        self.init(
            uniqueID: microphone.uniqueID, name: microphone.name, modelID: model, deviceType: Self.microphoneType, position: 0, focalLength: 0,
            formats: [])
        hardware.audioModes = microphone.channels.map(\.rawMode)
    }
}

extension CameraProfile.Format {
    fileprivate init(_ formats: PhoneProfile.Formats, _ size: PhoneProfile.Size, pixelFormat: String) {
        self.init(
            width: size.width, height: size.height, pixelFormat: pixelFormat, frameRates: formats.frameRates.range,
            fieldOfView: formats.fieldOfView, maxZoom: formats.maxZoom, depthWidths: formats.depthWidths ?? [],
            cinematic: formats.cinematic.map {
                CameraProfile.Cinematic(
                    aperture: $0.aperture.range, defaultAperture: $0.defaultAperture, zoom: $0.zoom.range, frameRates: $0.frameRates.range)
            })
    }
}
