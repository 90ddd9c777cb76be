import Foundation
import Synchronization

/// Hears when outputs that may start late are started.
public protocol AVCaptureSessionDeferredStartDelegate: NSObjectProtocol {
    func sessionWillRunDeferredStart(_ session: AVCaptureSession)
    func sessionDidRunDeferredStart(_ session: AVCaptureSession)
}

extension AVCaptureSession {
    /// Nothing here takes time to start: outputs that may start late work at once, and the delegate hears when a phone would have started them.
    struct DeferredStart: @unchecked Sendable {
        var isAutomatic = true
        /// Asked for while the session did not run.
        var isWanted = false
        /// Since the last commit.
        var hasRun = false
        weak var delegate: (any AVCaptureSessionDeferredStartDelegate)?
        var queue: DispatchQueue?
    }

    public var isManualDeferredStartSupported: Bool { true }

    /// True: late outputs start when the session runs. False: when the app calls `runDeferredStartWhenNeeded`.
    public var automaticallyRunsDeferredStart: Bool {
        get { state.withLock { $0.deferred.isAutomatic } }
        set { state.withLock { $0.deferred.isAutomatic = newValue } }
    }

    /// Starts late outputs, now or when the session runs; counts once per commit. Raises while that is automatic.
    public func runDeferredStartWhenNeeded() {
        guard !automaticallyRunsDeferredStart else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureSession runDeferredStartWhenNeeded]", "May not be called while automaticallyRunsDeferredStart is YES")
        }
        state.withLock { $0.deferred.isWanted = true }
        startDeferredOutputs()
    }

    public func setDeferredStartDelegate(
        _ deferredStartDelegate: (any AVCaptureSessionDeferredStartDelegate)?, deferredStartDelegateCallbackQueue: DispatchQueue?
    ) {
        guard
            environment.allows(
                deferredStartDelegate, on: deferredStartDelegateCallbackQueue,
                "-[AVCaptureSession setDeferredStartDelegate:deferredStartDelegateCallbackQueue:]")
        else { return }
        state.withLock { ($0.deferred.delegate, $0.deferred.queue) = (deferredStartDelegate, deferredStartDelegateCallbackQueue) }
    }

    public var deferredStartDelegate: (any AVCaptureSessionDeferredStartDelegate)? { state.withLock { $0.deferred }.delegate }
    public var deferredStartDelegateCallbackQueue: DispatchQueue? { state.withLock { $0.deferred.queue } }

    /// Tells the delegate, when there is something to start and the time has come.
    func startDeferredOutputs() {
        guard isRunning, outputs.contains(where: \.isDeferredStartEnabled) else { return }
        let (delegate, queue): ((any AVCaptureSessionDeferredStartDelegate)?, DispatchQueue?) = state.withLock { state in
            guard !state.deferred.hasRun, state.deferred.isAutomatic || state.deferred.isWanted else { return (nil, nil) }
            (state.deferred.hasRun, state.deferred.isWanted) = (true, false)
            return (state.deferred.delegate, state.deferred.queue)
        }
        guard let delegate, let queue else { return }
        nonisolated(unsafe) let receiver = delegate
        queue.async { [self] in
            receiver.sessionWillRunDeferredStart(self)
            receiver.sessionDidRunDeferredStart(self)
        }
    }
}

extension AVCaptureOutput {
    /// Outputs that a viewfinder can do without for a moment: photos and files, and video data.
    public var isDeferredStartSupported: Bool { startsLate || self is AVCaptureVideoDataOutput }

    private var startsLate: Bool { self is AVCapturePhotoOutput || self is AVCaptureFileOutput }

    /// Whether the output may start after the others; at first true for photos and files. Raises where it is not supported.
    public var isDeferredStartEnabled: Bool {
        get { defersStart ?? startsLate }
        set {
            guard isDeferredStartSupported || !newValue else {
                return environment.raise(
                    .invalidArgument, "-[\(type(of: self)) setDeferredStartEnabled:]", "Not supported - use isDeferredStartSupported")
            }
            defersStart = newValue
        }
    }
}
