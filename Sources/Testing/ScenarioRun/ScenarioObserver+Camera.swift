import AVFCapture
import CameraApp
import ScenarioFormat

extension ScenarioObserver {
    /// Configures the app's preview as the scenario's `view` says, and connects the app with the touches; `faults` plays faults around it.
    public func connect(_ camera: CinematicCamera, faults: (@Sendable (Fault) -> Void)? = nil) {
        scenario.view.configure(camera.previewLayer)
        var connections = TouchConnections(target: camera, layer: camera.previewLayer) { try camera.setAperture(Float($0)) }
        connections.session = { [weak camera] in camera?.session }
        connections.perform = { [weak camera] in try camera?.perform($0) }
        connections.faults = faults
        camera.observe { [weak self] event in self?.note(event) }
        note(camera: camera.cameraInUse)
        watchMetadata { camera.objects }
        if let output = camera.movieOutput { watchRecording { output.recording } }
        connect(connections)
    }
}

extension CinematicCamera {
    fileprivate func perform(_ action: AppAction) throws {
        switch action {
        case .startRecording: try startRecording()
        case .stopRecording: try recorder().stopRecording()
        case .pauseRecording: try recorder().pauseRecording()
        case .resumeRecording: try recorder().resumeRecording()
        case .takePhoto: try takePhoto()
        case .switchCamera(let camera): try switchCamera(to: camera.deviceType)
        }
    }
}
