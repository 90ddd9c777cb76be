import CameraProfiles
import CoreMedia
import Foundation
import Pipeline

extension CameraProfile {
    /// Back camera for footage or a scripted world: a cinematic format of the source's own size and rate, and plain ones of the presets'
    /// sizes below it.
    public static func footage(_ description: SourceDescription, name: String) -> CameraProfile {
        let rate = 1 / description.frameDuration.seconds
        let focalLength = description.focalLength ?? 26
        return CameraProfile(
            uniqueID: "com.rackfocus.camera.footage.\(name)", name: name, modelID: "footage",
            deviceType: "AVCaptureDeviceTypeBuiltInDualWideCamera", position: 1, focalLength: focalLength,
            formats: Self.sized(
                Format(
                    width: description.width, height: description.height, pixelFormat: "420v", frameRates: rate...rate,
                    fieldOfView: 2 * atan(18 / focalLength) * 180 / .pi, maxZoom: 1,
                    depthWidths: [min(description.width, 320)],
                    cinematic: Cinematic(aperture: 1.0...22, defaultAperture: 2.8, zoom: 1...1, frameRates: rate...rate))))
    }

    /// Back camera for plain video: one whose default aperture lets the blur be seen and forgives, 50 mm at f/4.
    ///
    /// The far background behind somebody near is blurred to discs of a twelfth of the face's width: 1.25 % of the picture's width where the face is
    /// a seventh of it. Who is far away is guessed nearer, so that it is .95 % where somebody is seen from head to foot, .75 % in half of the height.
    public static func plainFootage(_ description: SourceDescription, name: String) -> CameraProfile {
        var description = description
        description.focalLength = description.focalLength ?? plainFocalLength
        var profile = footage(description, name: name)
        for index in profile.formats.indices { profile.formats[index].cinematic?.defaultAperture = plainAperture }
        return profile
    }

    /// A format, and the presets' smaller ones made from it.
    private static func sized(_ format: Format) -> [Format] {
        let sizes = [(1920, 1080), (1280, 720), (960, 540), (640, 480), (480, 360), (352, 288), (192, 144)]
        return [format]
            + sizes.filter { $0.0 <= format.width && $0.1 <= format.height && $0 != (format.width, format.height) }.map { size in
                var small = format
                (small.width, small.height, small.cinematic) = (size.0, size.1, nil)
                return small
            }
    }

    /// Returns the camera with the formats of a source of another size: its apertures and zoom, the source's pictures, and those of the
    /// presets below them.
    public func fitted(to description: SourceDescription) -> CameraProfile {
        var profile = self
        let rate = 1 / description.frameDuration.seconds
        profile.formats = formats.prefix(1).flatMap { format in
            var format = format
            (format.width, format.height) = (description.width, description.height)
            (format.minFrameRate, format.maxFrameRate) = (rate, rate)
            format.depthWidths = format.depthWidths.map { min($0, description.width) }
            format.cinematic?.minFrameRate = rate
            format.cinematic?.maxFrameRate = rate
            return Self.sized(format)
        }
        return profile
    }
}
