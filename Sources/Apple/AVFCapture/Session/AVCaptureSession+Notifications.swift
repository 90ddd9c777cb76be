import Foundation

extension AVCaptureSession {
    /// Posted when the session runs, before its first frame; also after an interruption.
    public static let didStartRunningNotification = Notification.Name("AVCaptureSessionDidStartRunningNotification")
    /// Posted when the session has stopped, for whatever reason.
    public static let didStopRunningNotification = Notification.Name("AVCaptureSessionDidStopRunningNotification")
    /// Posted with an `AVError` under `AVCaptureSessionErrorKey`. The session stops after it, unless only the lens failed on a frame.
    public static let runtimeErrorNotification = Notification.Name("AVCaptureSessionRuntimeErrorNotification")

    func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }

    func post(_ error: AVError) {
        NotificationCenter.default.post(
            name: Self.runtimeErrorNotification, object: self, userInfo: [AVCaptureSessionErrorKey: error])
    }
}

extension Notification.Name {
    /// `AVCaptureSession.didStartRunningNotification`, by its older name.
    public static var AVCaptureSessionDidStartRunning: Notification.Name { AVCaptureSession.didStartRunningNotification }
    /// `AVCaptureSession.didStopRunningNotification`, by its older name.
    public static var AVCaptureSessionDidStopRunning: Notification.Name { AVCaptureSession.didStopRunningNotification }
    /// `AVCaptureSession.runtimeErrorNotification`, by its older name.
    public static var AVCaptureSessionRuntimeError: Notification.Name { AVCaptureSession.runtimeErrorNotification }
}
