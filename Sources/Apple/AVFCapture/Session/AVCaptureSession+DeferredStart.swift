import Foundation
import Synchronization

/// Receiver of the deferred start of outputs, called on the queue it was set with.
public protocol AVCaptureSessionDeferredStartDelegate: NSObjectProtocol {
    /// Called before the outputs that may start late are started.
    func sessionWillRunDeferredStart(_ session: AVCaptureSession)
    /// Called after the outputs that may start late were started.
    func sessionDidRunDeferredStart(_ session: AVCaptureSession)
}

extension AVCaptureSession {
    /// State of deferred start. Nothing takes time to start here: such outputs work at once, and the delegate is called when a phone would
    /// have started them.
    struct DeferredStart: @unchecked Sendable {
        var isAutomatic = true
        /// Whether it was asked for while the session did not run.
        var isWanted = false
        /// Whether it ran since the last commit.
        var hasRun = false
        weak var delegate: (any AVCaptureSessionDeferredStartDelegate)?
        var queue: DispatchQueue?
    }

    /// Whether the app can choose the moment of the deferred start; always here.
    public var isManualDeferredStartSupported: Bool { true }

    /// Whether deferred outputs start when the session runs (default), or when the app calls `runDeferredStartWhenNeeded`.
    public var automaticallyRunsDeferredStart: Bool {
        get { state.withLock { $0.deferred.isAutomatic } }
        set { state.withLock { $0.deferred.isAutomatic = newValue } }
    }

    /// Starts deferred outputs, now or when the session runs; effective once per commit. Raises while that is automatic.
    public func runDeferredStartWhenNeeded() {
        guard !automaticallyRunsDeferredStart else {
            return environment.raise(
                .invalidArgument, "-[AVCaptureSession runDeferredStartWhenNeeded]", "May not be called while automaticallyRunsDeferredStart is YES")
        }
        state.withLock { $0.deferred.isWanted = true }
        startDeferredOutputs()
    }

    /// Sets the receiver of the deferred start and its queue; raises for a delegate without a queue.
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

    /// Receiver of the deferred start, held weakly; nil without one.
    public var deferredStartDelegate: (any AVCaptureSessionDeferredStartDelegate)? { state.withLock { $0.deferred }.delegate }
    /// Queue that the deferred start's delegate is called on; nil without one.
    public var deferredStartDelegateCallbackQueue: DispatchQueue? { state.withLock { $0.deferred.queue } }

    /// Calls the delegate, when there is an output to start and the time has come.
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
    /// Whether the output may start late, as a viewfinder does not need it at once: photo, file and video data outputs.
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
