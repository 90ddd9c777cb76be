import AVFoundation

extension ScenarioRun {
    /// Lays the app's preview out as the scenario's `view` says, and puts the app under its fingers.
    public func connect(_ camera: CinematicCamera) {
        scenario.view.configure(camera.previewLayer)
        var connections = FingerConnections(target: camera, layer: camera.previewLayer) { try camera.setAperture(Float($0)) }
        connections.calls = camera
        connect(connections)
    }
}
