import AVFoundation

extension CinematicCamera {
    /// Films with another camera from the next frame on, as an app's camera button does: a new input, its own aperture, cinematic again.
    ///
    /// Where the camera cannot be had the one before films on, and the app hears of it.
    func switchCamera(to camera: ScenarioFile.Device.Camera) throws {
        let search = AVCaptureDevice.DiscoverySession(deviceTypes: [camera.deviceType], mediaType: .video, position: .unspecified)
        guard let device = search.devices.first else { throw Missing.camera(camera.rawValue) }
        let (old, new): (AVCaptureDeviceInput, AVCaptureDeviceInput)
        do {
            (old, new) = (input, try AVCaptureDeviceInput(device: device))
        } catch {
            return tell(.cameraRefused((error as? AVError)?.code ?? .unknown))
        }
        guard old.device !== device else { return }
        session.beginConfiguration()
        session.removeInput(old)
        session.addInput(new)
        replaceInput(by: new)
        session.commitConfiguration()
        try enableCinematic(new)
        tell(.cameraSwitched(filming))
    }

    /// The camera that films, by the scenario's word.
    var filming: Expectation.Camera { device.deviceType == .builtInTrueDepthCamera ? .trueDepth : .dualWide }
}

extension ScenarioFile.Device.Camera {
    fileprivate var deviceType: AVCaptureDevice.DeviceType {
        switch self {
        case .dualWide: .builtInDualWideCamera
        case .trueDepth: .builtInTrueDepthCamera
        }
    }
}
