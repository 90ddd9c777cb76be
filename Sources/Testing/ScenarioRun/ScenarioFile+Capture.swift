import AVFCapture
import Pipeline
import ScenarioFormat

extension ScenarioFile {
    /// The camera that films the scenario: the named one with the source's pictures, else one made for the footage.
    public func camera(for description: SourceDescription) -> CameraProfile { camera(device.camera, for: description) }

    /// The camera that films, and the other one when the app switches to it.
    public func cameras(for description: SourceDescription) -> [CameraProfile] {
        let first = camera(for: description)
        return timeline.reduce(into: [first]) { cameras, event in
            guard case .act(.switchCamera(let name)) = (event.verb as? any PlayedVerb)?.command else { return }
            let camera = camera(name, for: description)
            if !cameras.contains(where: { $0.uniqueID == camera.uniqueID }) { cameras.append(camera) }
        }
    }

    private func camera(_ name: Device.Camera?, for description: SourceDescription) -> CameraProfile {
        var profile =
            device.profile(of: name, isSynthetic: clip.source.isSynthetic)?.fitted(to: description)
            ?? (clip.source.isPlain ? .plainFootage(description, name: self.name) : .footage(description, name: self.name))
        if let focalLength = device.focalLength {
            profile.focalLength = focalLength / (profile.formats.first?.cinematic?.minZoom ?? 1)
        }
        return profile
    }
}
