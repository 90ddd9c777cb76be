import Foundation
import Synchronization

/// Preparation for captures; photos need none here, so that it is over as soon as the session runs.
extension AVCapturePhotoOutput {
    struct Preparation: @unchecked Sendable {
        typealias Handler = @Sendable (Bool, (any Error)?) -> Void
        var settings: [AVCapturePhotoSettings] = []
        /// Handler of the newest call, until the session runs.
        var handler: Handler?
    }

    /// Settings that the output was last asked to prepare for; default empty. They stay good for a capture.
    public var preparedPhotoSettingsArray: [AVCapturePhotoSettings] { state.withLock { $0.preparation.settings } }

    /// Prepares for captures with settings like these, in place of those of an earlier call.
    ///
    /// The handler gets true once the session runs, and false when a later call comes before; it is called on a queue of the output's own.
    @preconcurrency
    public func setPreparedPhotoSettingsArray(
        _ preparedPhotoSettingsArray: [AVCapturePhotoSettings], completionHandler: (@Sendable (Bool, (any Error)?) -> Void)? = nil
    ) {
        let replaced = state.withLock { state in
            defer { state.preparation = Preparation(settings: preparedPhotoSettingsArray, handler: completionHandler) }
            return state.preparation.handler
        }
        if let replaced { environment.callDelegate { replaced(false, nil) } }
        finishPreparation()
    }

    /// Prepares for captures with settings like these; returns whether no later call came before the session ran.
    @discardableResult
    public func setPreparedPhotoSettingsArray(_ preparedPhotoSettingsArray: [AVCapturePhotoSettings]) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            setPreparedPhotoSettingsArray(preparedPhotoSettingsArray) { isPrepared, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: isPrepared) }
            }
        }
    }

    /// Tells the app that the output is prepared, where the session runs.
    func finishPreparation() {
        guard session?.isRunning == true, let handler = state.withLock({ $0.preparation.handler.take() }) else { return }
        environment.callDelegate { handler(true, nil) }
    }
}
