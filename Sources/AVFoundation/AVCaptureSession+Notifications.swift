import Foundation

extension AVCaptureSession {
    public static let didStartRunningNotification = Notification.Name("AVCaptureSessionDidStartRunningNotification")
    public static let didStopRunningNotification = Notification.Name("AVCaptureSessionDidStopRunningNotification")
    /// Carries an `AVError` under `AVCaptureSessionErrorKey`. The session stops after it, unless only the lens failed on a frame.
    public static let runtimeErrorNotification = Notification.Name("AVCaptureSessionRuntimeErrorNotification")

    func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }

    func post(_ error: AVError) {
        NotificationCenter.default.post(
            name: Self.runtimeErrorNotification, object: self, userInfo: [AVCaptureSessionErrorKey: error])
    }
}

extension Notification.Name {
    public static var AVCaptureSessionDidStartRunning: Notification.Name { AVCaptureSession.didStartRunningNotification }
    public static var AVCaptureSessionDidStopRunning: Notification.Name { AVCaptureSession.didStopRunningNotification }
    public static var AVCaptureSessionRuntimeError: Notification.Name { AVCaptureSession.runtimeErrorNotification }
}
