import AVFoundation
import CameraApp
import ScenarioFormat

extension ScenarioObserver {
    /// Configures the app's preview as the scenario's `view` says, and connects the app with the touches; `faults` plays faults around it.
    public func connect(_ camera: CinematicCamera, faults: (@Sendable (Fault) -> Void)? = nil) {
        scenario.view.configure(camera.previewLayer)
        var connections = TouchConnections(target: camera, layer: camera.previewLayer) { try camera.setAperture(Float($0)) }
        connections.camera = camera
        connections.faults = faults
        camera.observe { [weak self] event in self?.note(event) }
        note(camera: camera.cameraInUse)
        watchMetadata { camera.objects }
        if camera.movieOutput != nil { watchRecording { camera.recording } }
        connect(connections)
    }
}
