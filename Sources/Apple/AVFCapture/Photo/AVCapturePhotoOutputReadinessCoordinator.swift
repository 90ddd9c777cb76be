import Foundation
import Synchronization

/// Receiver of changes of readiness, called on the main queue.
public protocol AVCapturePhotoOutputReadinessCoordinatorDelegate: NSObjectProtocol {
    /// Called after the readiness for another capture has changed.
    func readinessCoordinator(
        _ coordinator: AVCapturePhotoOutputReadinessCoordinator, captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness)
}

extension AVCapturePhotoOutputReadinessCoordinatorDelegate {
    /// Does nothing, for delegates without this method.
    public func readinessCoordinator(
        _ coordinator: AVCapturePhotoOutputReadinessCoordinator, captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
    ) {}
}

/// Readiness of a photo output that counts captures which the app has begun and the output has not heard of yet.
open class AVCapturePhotoOutputReadinessCoordinator: NSObject, @unchecked Sendable {
    private struct State: @unchecked Sendable {
        weak var delegate: (any AVCapturePhotoOutputReadinessCoordinatorDelegate)?
        /// Numbers of the settings that were announced.
        var tracked: Set<Int64> = []
        /// As the delegate was told last.
        var readiness: AVCapturePhotoOutput.CaptureReadiness
        var observation: NSKeyValueObservation?
    }

    private let output: AVCapturePhotoOutput
    private let state: Mutex<State>

    /// Makes a coordinator of an output, which it holds.
    public init(photoOutput: AVCapturePhotoOutput) {
        output = photoOutput
        state = Mutex(State(readiness: photoOutput.captureReadiness))
        super.init()
        let observation = photoOutput.observe(\.captureReadiness) { [weak self] _, _ in self?.refresh() }
        state.withLock { $0.observation = observation }
    }

    /// Receiver of changes; held weakly.
    open weak var delegate: (any AVCapturePhotoOutputReadinessCoordinatorDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Readiness of the output; `.notReadyWaitingForCapture` where it is ready and an announced capture was not asked for yet.
    open var captureReadiness: AVCapturePhotoOutput.CaptureReadiness {
        let readiness = output.captureReadiness
        let isAwaited = state.withLock { state in state.tracked.contains { !output.hasTaken($0) } }
        return readiness == .ready && isAwaited ? .notReadyWaitingForCapture : readiness
    }

    /// Counts a capture from now on, before `capturePhoto` is called with the same settings.
    open func startTrackingCaptureRequest(using settings: AVCapturePhotoSettings) {
        state.withLock { state in
            state.tracked = state.tracked.filter { !output.hasTaken($0) }
            state.tracked.insert(settings.uniqueID)
        }
        refresh()
    }

    /// Counts an announced capture no longer, as it will not be asked for; without effect for an unknown number.
    open func stopTrackingCaptureRequest(using settingsUniqueID: Int64) {
        _ = state.withLock { $0.tracked.remove(settingsUniqueID) }
        refresh()
    }

    private func refresh() {
        let now = captureReadiness
        let isNews = state.withLock { state in
            defer { state.readiness = now }
            return state.readiness != now
        }
        guard isNews else { return }
        DispatchQueue.main.async { [self] in delegate?.readinessCoordinator(self, captureReadinessDidChange: now) }
    }
}

extension AVCapturePhotoOutput {
    /// Whether a capture was asked for with settings of this number.
    func hasTaken(_ settingsUniqueID: Int64) -> Bool { state.withLock { $0.usedIDs.contains(settingsUniqueID) } }
}
