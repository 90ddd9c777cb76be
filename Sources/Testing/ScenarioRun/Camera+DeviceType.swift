import AVFCapture
import ScenarioFormat

extension ScenarioFile.Device.Camera {
    /// Apple's type of the camera.
    package var deviceType: AVCaptureDevice.DeviceType { AVCaptureDevice.DeviceType(rawValue: rawDeviceType) }
}
