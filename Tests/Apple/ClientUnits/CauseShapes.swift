import AVFoundation

// Cause 4: classes that apps derive from, protocols that Apple's classes are witnesses of, identity of buffers.

/// Session that remembers how often it was started.
open class CountedSession: AVCaptureSession, @unchecked Sendable {
    public private(set) var starts = 0

    public func startCounted() {
        starts += 1
        startRunning()
    }
}

/// Camera as an app sees it, so that its previews can do without one.
public protocol ExposableCamera: AnyObject {
    var minExposureTargetBias: Float { get }
    var maxExposureTargetBias: Float { get }
    func lockForConfiguration() throws
    func unlockForConfiguration()
    func setExposureTargetBias(_ bias: Float, completionHandler handler: ((CMTime) -> Void)?)
    func setExposureModeCustom(duration: CMTime, iso ISO: Float, completionHandler handler: ((CMTime) -> Void)?)
}

extension AVCaptureDevice: ExposableCamera {}

public enum Shapes {
    /// Position of the camera behind a connection.
    public static func position(of connection: AVCaptureConnection) -> AVCaptureDevice.Position? {
        (connection.inputPorts.first?.input as? AVCaptureDeviceInput)?.device.position
    }

    public static func isSame(_ first: CMSampleBuffer, _ second: CMSampleBuffer) -> Bool { first == second }
}
