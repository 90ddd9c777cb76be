import AVFCapture

extension CinematicCamera {
    /// Switches to another camera from the next frame on, as an app's camera button does: a new input, its own aperture, cinematic again.
    ///
    /// A camera that cannot be opened leaves the one before in use, and is reported as an event.
    public func switchCamera(to type: AVCaptureDevice.DeviceType) throws {
        let search = AVCaptureDevice.DiscoverySession(deviceTypes: [type], mediaType: .video, position: .unspecified)
        guard let device = search.devices.first(where: \.isCinematic) else { throw Missing.camera(type) }
        let (old, new): (AVCaptureDeviceInput, AVCaptureDeviceInput)
        do {
            (old, new) = (input, try AVCaptureDeviceInput(device: device))
        } catch {
            return report(.cameraRefused((error as? AVError)?.code ?? .unknown))
        }
        guard old.device !== device else { return }
        session.beginConfiguration()
        session.removeInput(old)
        session.addInput(new)
        replaceInput(by: new)
        session.commitConfiguration()
        try enableCinematic(new)
        report(.cameraSwitched(device.deviceType))
    }
}

extension AVCaptureDevice {
    /// Whether it films cinematic video in one of its formats.
    var isCinematic: Bool { formats.contains(where: \.isCinematicVideoCaptureSupported) }
}
