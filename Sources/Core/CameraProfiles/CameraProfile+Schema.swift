import Foundation

extension CameraProfile {
    init(_ camera: PhoneProfile.Camera, of phone: PhoneProfile, file: String) throws {
        let formats = camera.formats.flatMap { formats in
            formats.sizes.flatMap { size in formats.pixelFormats.map { Format(formats, size, pixelFormat: $0) } }
        }
        guard !formats.isEmpty else { throw CameraProfileError(file: file, reason: "the camera \(camera.uniqueID) has no format") }
        if let problem = camera.problem { throw CameraProfileError(file: file, reason: "the camera \(camera.uniqueID): \(problem)") }
        self.init(
            uniqueID: camera.uniqueID, name: camera.name, modelID: phone.model,
            deviceType: "AVCaptureDeviceType" + camera.type.prefix(1).uppercased() + camera.type.dropFirst(), position: camera.position.rawPosition,
            focalLength: camera.focalLength, formats: formats)
        hardware.constituents = camera.constituents ?? []
        hardware.isVirtual = camera.isVirtual ?? !hardware.constituents.isEmpty
        hardware.switchOverZoomFactors = camera.switchOverZoomFactors ?? []
        hardware.lensAperture = camera.lensAperture ?? 0
        hardware.isFixedFocus = camera.isFixedFocus ?? false
        hardware.hasTorch = camera.hasTorch ?? false
        hardware.hasCameraControl = phone.hasCameraControl ?? false
        hardware.hasMultiCam = phone.hasMultiCam ?? false
    }

    init(_ microphone: PhoneProfile.Microphone, of model: String) {
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
