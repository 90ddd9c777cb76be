import AVFCapture
import Foundation
import Pipeline

extension ScenarioFile {
    /// The camera that films the scenario: the named one with the source's pictures, else one made for the footage.
    public func camera(for description: SourceDescription) -> CameraProfile { camera(device.camera, for: description) }

    /// The camera that films, and the other one when the app switches to it.
    public func cameras(for description: SourceDescription) -> [CameraProfile] {
        let first = camera(for: description)
        let others = timeline.compactMap { ($0.verb as? SwitchCameraVerb).map { camera($0.camera, for: description) } }
        return others.reduce(into: [first]) { cameras, camera in
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

    /// The f-numbers the camera can simulate.
    var apertures: ClosedRange<Double> {
        let cinematic = device.profile(of: device.camera, isSynthetic: clip.source.isSynthetic)?.formats.first?.cinematic
        return cinematic.map { $0.minAperture...$0.maxAperture } ?? 1...22
    }

    /// Reads an f-number that the camera can simulate.
    func aperture(_ node: Node) throws(ScenarioError) -> Double {
        let fNumber = try node.fNumber("the aperture")
        guard apertures.contains(fNumber) else {
            let (least, most) = (String(plain: apertures.lowerBound), String(plain: apertures.upperBound))
            throw node.error(
                "this camera's aperture goes from f/\(least) to f/\(most), not to \(node.raw); `device: {phone: …}` takes another's (rackfocus devices)"
            )
        }
        return fNumber
    }
}

extension ScenarioFile.PreviewView {
    /// Gives a preview layer this size, gravity, rotation and mirroring; after the layer has its connection.
    public func configure(_ layer: AVCaptureVideoPreviewLayer) {
        layer.bounds = CGRect(origin: .zero, size: size)
        switch gravity {
        case .fill: layer.videoGravity = .resizeAspectFill
        case .fit: layer.videoGravity = .resizeAspect
        case .resize: layer.videoGravity = .resize
        }
        guard let connection = layer.connection else { return }
        connection.videoRotationAngle = CGFloat(rotation)
        guard let isMirrored else { return }
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = isMirrored
    }
}
