import Foundation

/// The app as one that records: the user's consent, the same as that of `AVAudioSession`.
open class AVAudioApplication: NSObject, @unchecked Sendable {
    /// The app.
    public static let shared = AVAudioApplication()

    /// Consent of the user.
    public enum recordPermission: UInt, Sendable {
        /// The user was not asked: `undt`.
        case undetermined = 1_970_168_948
        /// The user refused: `deny`.
        case denied = 1_684_369_017
        /// The user agreed: `grnt`.
        case granted = 1_735_552_628
    }

    /// Consent of the user, that of `AVCaptureDevice.authorizationStatus(for: .audio)`.
    open var recordPermission: recordPermission {
        AVAudioApplication.recordPermission(rawValue: AVAudioSession.sharedInstance().recordPermission.rawValue) ?? .undetermined
    }

    /// Asks the user, once; afterwards repeats the decision. The handler is called on a queue of the system's.
    @preconcurrency
    open class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        AVAudioSession.sharedInstance().requestRecordPermission(response)
    }

    /// Asks the user, once, and returns the decision.
    @discardableResult
    open class func requestRecordPermission() async -> Bool {
        await withCheckedContinuation { continuation in
            AVAudioSession.sharedInstance().requestRecordPermission { continuation.resume(returning: $0) }
        }
    }
}
