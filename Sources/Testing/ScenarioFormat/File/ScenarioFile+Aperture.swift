import CameraProfiles

extension ScenarioFile {
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
