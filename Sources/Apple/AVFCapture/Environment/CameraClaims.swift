import Synchronization

/// Sessions that asked for the cameras, the last of which has them: a phone runs one session with cameras at a time.
///
/// Source: WWDC 2019, session 249, for the limit; apps that met it (twilio/video-quickstart-ios, issues 597 and 648) for the rest: a start
/// interrupts the session before, whose own start takes the cameras back.
final class CameraClaims: Sendable {
    private struct Claim: Sendable {
        let id: ObjectIdentifier
        let session: CaptureConditions.Weak<AVCaptureSession>
    }

    /// No session is retained under the lock: letting go of its last reference would end in `remove`.
    private let claims = Mutex<[Claim]>([])

    /// Gives a session the cameras; returns the one that had them, nil without one.
    func take(_ session: AVCaptureSession) -> AVCaptureSession? {
        let claim = Claim(id: ObjectIdentifier(session), session: CaptureConditions.Weak(object: session))
        let before: Claim? = claims.withLock { claims in
            let before = claims.last
            guard before?.id != claim.id else { return nil }
            claims.removeAll { $0.id == claim.id }
            claims.append(claim)
            return before
        }
        return before?.session.object
    }

    /// Session that has the cameras, or will when an interruption ends; nil without one.
    var last: AVCaptureSession? {
        while let claim = claims.withLock({ $0.last }) {
            if let session = claim.session.object { return session }
            remove(claim.id)
        }
        return nil
    }

    /// Whether a session after this one has the cameras.
    func isWaiting(_ session: AVCaptureSession) -> Bool {
        claims.withLock { claims in claims.dropLast().contains { $0.id == ObjectIdentifier(session) } }
    }

    /// Takes the cameras from a session that is over; one that waits is told later that its interruption ends.
    func giveBack(_ session: AVCaptureSession) {
        claims.withLock { claims in
            if claims.last?.id == ObjectIdentifier(session) { claims.removeLast() }
        }
    }

    /// Forgets a session that goes away.
    func remove(_ id: ObjectIdentifier) { claims.withLock { claims in claims.removeAll { $0.id == id } } }

    /// Forgets all sessions.
    func removeAll() { claims.withLock { $0 = [] } }
}

extension CaptureConditions {
    /// Gives a session the cameras; the one that has them is interrupted until they are given back.
    func takeCameras(for session: AVCaptureSession) {
        claims.take(session)?.interrupt(Interruption(reason: .videoDeviceInUseByAnotherClient, pressure: nil))
    }

    /// Takes the cameras from a session that needs them no more, and gives them to the last one that waits.
    func giveBackCameras(of session: AVCaptureSession) {
        claims.giveBack(session)
        resumeWaitingSession()
    }

    /// Gives the cameras to an interrupted session that is started, where another session has them.
    func retakeCameras(for session: AVCaptureSession) {
        guard claims.isWaiting(session), interruption == nil else { return }
        takeCameras(for: session)
        session.endInterruption()
    }

    /// Ends the interruption of the last session that waits, and of those before it that are not to run, unless the phone itself is interrupted.
    func resumeWaitingSession() {
        guard interruption == nil else { return }
        while let session = claims.last, session.isStopped {
            session.endInterruption()
            if session.isStopped { claims.remove(ObjectIdentifier(session)) }
        }
    }

    var interruption: Interruption? { state.withLock { $0.interruption } }
}
