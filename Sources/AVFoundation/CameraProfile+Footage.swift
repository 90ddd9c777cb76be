import CoreMedia
import Foundation
import Pipeline

extension CameraProfile {
    /// A back camera for footage or a scripted world: one cinematic format of the source's own size and rate.
    public static func footage(_ description: SourceDescription, name: String) -> CameraProfile {
        let rate = 1 / description.frameDuration.seconds
        let focalLength = description.focalLength ?? 26
        return CameraProfile(
            uniqueID: "com.rackfocus.camera.footage.\(name)", name: name, modelID: "footage",
            deviceType: "AVCaptureDeviceTypeBuiltInDualWideCamera", position: 1, focalLength: focalLength,
            formats: [
                Format(
                    width: description.width, height: description.height, pixelFormat: "420v", frameRates: rate...rate,
                    fieldOfView: 2 * atan(18 / focalLength) * 180 / .pi, maxZoom: 1,
                    depthWidths: [min(description.width, 320)],
                    cinematic: Cinematic(aperture: 1.0...22, defaultAperture: 2.8, zoom: 1...1, frameRates: rate...rate))
            ])
    }

    /// The same camera with the formats of a source of another size: its apertures and zoom, the source's pictures.
    public func fitted(to description: SourceDescription) -> CameraProfile {
        var profile = self
        let rate = 1 / description.frameDuration.seconds
        profile.formats = formats.prefix(1).map { format in
            var format = format
            (format.width, format.height) = (description.width, description.height)
            (format.minFrameRate, format.maxFrameRate) = (rate, rate)
            format.depthWidths = format.depthWidths.map { min($0, description.width) }
            format.cinematic?.minFrameRate = rate
            format.cinematic?.maxFrameRate = rate
            return format
        }
        return profile
    }
}

extension CameraProfile.Format {
    public init(
        width: Int, height: Int, pixelFormat: String, frameRates: ClosedRange<Double>, fieldOfView: Double, maxZoom: Double,
        depthWidths: [Int] = [], cinematic: CameraProfile.Cinematic?
    ) {
        self.width = width
        self.height = height
        self.pixelFormat = pixelFormat
        minFrameRate = frameRates.lowerBound
        maxFrameRate = frameRates.upperBound
        self.fieldOfView = fieldOfView
        self.maxZoom = maxZoom
        self.depthWidths = depthWidths
        self.cinematic = cinematic
    }
}

extension CameraProfile.Cinematic {
    public init(aperture: ClosedRange<Double>, defaultAperture: Double, zoom: ClosedRange<Double>, frameRates: ClosedRange<Double>) {
        minAperture = aperture.lowerBound
        maxAperture = aperture.upperBound
        self.defaultAperture = defaultAperture
        minZoom = zoom.lowerBound
        maxZoom = zoom.upperBound
        minFrameRate = frameRates.lowerBound
        maxFrameRate = frameRates.upperBound
    }
}
