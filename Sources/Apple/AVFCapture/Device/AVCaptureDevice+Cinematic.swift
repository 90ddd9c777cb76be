import Foundation
import Pipeline
import Synchronization

extension AVCaptureDevice {
    /// Focuses on the object with this `objectID` and follows it, from the next frame on. An unknown ID changes nothing.
    /// Raises without the lock, and for a format without cinematic capture; does nothing, with a diagnostic, while it is not enabled.
    public func setCinematicVideoTrackingFocus(detectedObjectID: Int, focusMode: CinematicVideoFocusMode) {
        let selector = "setCinematicVideoTrackingFocusWithDetectedObjectID:focusMode:"
        guard let mode = permitted(selector, focusMode) else { return }
        append(.track(objectID: detectedObjectID, mode: Pipeline.FocusMode(mode)))
    }

    /// Focuses on the object found around `point` (0…1, origin top left, unrotated picture) and follows it.
    /// A point outside is clamped; otherwise as `setCinematicVideoTrackingFocus(detectedObjectID:focusMode:)`.
    public func setCinematicVideoTrackingFocus(at point: CGPoint, focusMode: CinematicVideoFocusMode) {
        let selector = "setCinematicVideoTrackingFocusAtPoint:focusMode:"
        guard let mode = permitted(selector, focusMode), let point = usable(point, selector) else { return }
        append(.trackAt(point: point, mode: Pipeline.FocusMode(mode)))
    }

    /// Holds focus at the distance seen at `point` (0…1, origin top left, unrotated picture).
    /// A point outside is clamped; otherwise as `setCinematicVideoTrackingFocus(detectedObjectID:focusMode:)`.
    public func setCinematicVideoFixedFocus(at point: CGPoint, focusMode: CinematicVideoFocusMode) {
        let selector = "setCinematicVideoFixedFocusAtPoint:focusMode:"
        guard let mode = permitted(selector, focusMode), let point = usable(point, selector) else { return }
        append(.fixAt(point: point, mode: Pipeline.FocusMode(mode)))
    }

    /// Focuses as a director orders, from the next frame on; needs the lock and cinematic capture as Apple's calls do.
    package func order(_ order: FocusOrder) {
        guard permitted("order", .strong) != nil else { return }
        append(.order(order))
    }

    /// Mode to use, `.weak` for `.none`; nil when the call may not be made or has no effect.
    private func permitted(_ selector: String, _ mode: CinematicVideoFocusMode) -> CinematicVideoFocusMode? {
        guard requiresLock(selector) else { return nil }
        guard activeFormat.isCinematicVideoCaptureSupported else {
            environment.raise(
                .invalidArgument, "-[AVCaptureDevice \(selector)]", "Not supported - use activeFormat.isCinematicVideoCaptureSupported")
            return nil
        }
        guard state.withLock({ $0.isCinematic }) else {
            environment.diagnose("\(selector) does nothing while cinematic video capture is not enabled")
            return nil
        }
        if mode == .none { environment.diagnose("\(selector) takes focus mode none as weak") }
        return mode == .none ? .weak : mode
    }

    private func usable(_ point: CGPoint, _ selector: String) -> CGPoint? {
        guard point.x.isFinite, point.y.isFinite else {
            environment.raise(.invalidArgument, "-[AVCaptureDevice \(selector)]", "the point is not a number")
            return nil
        }
        let clamped = CGPoint(x: min(max(point.x, 0), 1), y: min(max(point.y, 0), 1))
        if clamped != point { environment.diagnose("\(selector) takes (\(point.x), \(point.y)) to the nearest point of the picture") }
        return clamped
    }

    private func append(_ call: FocusCall) { state.withLock { $0.focusCalls.append(call) } }

    /// Returns the requests since the last frame, and forgets them.
    func takeFocusCalls() -> [FocusCall] {
        state.withLock { state in
            defer { state.focusCalls = [] }
            return state.focusCalls
        }
    }

    /// Drops all but the last of the requests that came while no frames flowed.
    func keepLastFocusCall() { state.withLock { $0.focusCalls = $0.focusCalls.suffix(1) } }

    /// Enters or leaves cinematic capture: focus mode, zoom and frame durations move into their cinematic ranges.
    func setCinematic(_ isCinematic: Bool) {
        change { state in
            state.isCinematic = isCinematic
            guard isCinematic, state.activeFormat.videoFrameRateRangeForCinematicVideo != nil else {
                return state.focusCalls = []
            }
            state.focusMode = .continuousAutoFocus
            state.zoom = min(max(state.zoom, state.zoomRange.lowerBound), state.zoomRange.upperBound)
            state.keepCinematicFrameDurations()
        }
    }
}
