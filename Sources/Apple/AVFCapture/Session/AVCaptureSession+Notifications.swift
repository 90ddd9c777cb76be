import Foundation
import Synchronization

extension AVCaptureSession {
    /// Posted when the session runs, before its first frame; also after an interruption.
    public static let didStartRunningNotification = Notification.Name("AVCaptureSessionDidStartRunningNotification")
    /// Posted when the session has stopped, for whatever reason.
    public static let didStopRunningNotification = Notification.Name("AVCaptureSessionDidStopRunningNotification")
    /// Posted with an `AVError` under `AVCaptureSessionErrorKey`. The session stops after it, unless only the lens failed on a frame.
    public static let runtimeErrorNotification = Notification.Name("AVCaptureSessionRuntimeErrorNotification")

    /// Receiver of the notifications of a session that is not the app's own, as that of a recorder; nil, the default: they are posted.
    package var listener: (@Sendable (Notification.Name) -> Void)? {
        get { state.withLock { $0.listener } }
        set { state.withLock { $0.listener = newValue } }
    }

    func post(_ name: Notification.Name, _ info: [AnyHashable: Any]? = nil) {
        if let listener { return listener(name) }
        NotificationCenter.default.post(name: name, object: self, userInfo: info)
    }

    func post(_ error: AVError) { post(Self.runtimeErrorNotification, [AVCaptureSessionErrorKey: error]) }
}

extension Notification.Name {
    /// `AVCaptureSession.didStartRunningNotification`, by its older name.
    public static var AVCaptureSessionDidStartRunning: Notification.Name { AVCaptureSession.didStartRunningNotification }
    /// `AVCaptureSession.didStopRunningNotification`, by its older name.
    public static var AVCaptureSessionDidStopRunning: Notification.Name { AVCaptureSession.didStopRunningNotification }
    /// `AVCaptureSession.runtimeErrorNotification`, by its older name.
    public static var AVCaptureSessionRuntimeError: Notification.Name { AVCaptureSession.runtimeErrorNotification }
}
