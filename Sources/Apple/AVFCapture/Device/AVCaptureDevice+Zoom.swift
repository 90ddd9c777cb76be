import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Smooth zoom under way: the factor doubles `rate` times a second.
    struct Ramp: Sendable {
        let target: CGFloat
        let rate: Double
        /// Factor and time of its first frame; nil until then.
        var origin: (zoom: CGFloat, time: CMTime)?

        func zoom(at time: CMTime) -> CGFloat {
            guard let origin else { return target }
            let travelled = CGFloat(exp2(rate * (time - origin.time).seconds))
            return target > origin.zoom ? min(origin.zoom * travelled, target) : max(origin.zoom / travelled, target)
        }
    }

    /// Least zoom factor now: 1, or the format's cinematic limit while that is enabled. Observable.
    public var minAvailableVideoZoomFactor: CGFloat { state.withLock { $0.zoomRange.lowerBound } }
    /// Greatest zoom factor now: the format's, or its cinematic limit while that is enabled. Observable.
    public var maxAvailableVideoZoomFactor: CGFloat { state.withLock { $0.zoomRange.upperBound } }
    /// Zoom factors at which a virtual camera goes over to its next constituent; empty for others.
    public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] { profile.hardware.switchOverZoomFactors.map { NSNumber(value: $0) } }
    /// The first factor at which the camera behind a dual camera changes; 1 for a camera of its own.
    @available(*, deprecated, renamed: "virtualDeviceSwitchOverVideoZoomFactors")
    public var dualCameraSwitchOverVideoZoomFactor: CGFloat { profile.hardware.switchOverZoomFactors.first.map { CGFloat($0) } ?? 1 }

    /// Zoom factor within the available range; setting it ends a ramp. Observable. Raises without the lock, and out of range.
    /// It enters the simulated lens, and crops pictures, disparity and objects about the middle beyond the zoom that cinematic capture is
    /// pinned to, or beyond 1; a camera of this machine with a zoom lens moves that instead, and its pictures count as any of that camera.
    public var videoZoomFactor: CGFloat {
        get { state.withLock { $0.zoom } }
        set {
            let selector = "setVideoZoomFactor:"
            guard requiresLock(selector), requires(newValue, in: state.withLock { $0.zoomRange }, selector) else { return }
            change { ($0.zoom, $0.controls.ramp) = (newValue, nil) }
        }
    }

    /// Zooms smoothly as frames go by, doubling the factor `rate` times a second; the sign does not count and 0 ends a ramp.
    /// Raises without the lock, and for a factor out of range.
    public func ramp(toVideoZoomFactor factor: CGFloat, withRate rate: Float) {
        let selector = "rampToVideoZoomFactor:withRate:"
        guard requiresLock(selector), requires(factor, in: state.withLock { $0.zoomRange }, selector) else { return }
        change { $0.controls.ramp = rate == 0 || $0.zoom == factor ? nil : Ramp(target: factor, rate: Double(abs(rate))) }
    }

    /// Stops a ramp at the factor it has reached; raises without the lock.
    public func cancelVideoZoomRamp() {
        guard requiresLock("cancelVideoZoomRamp") else { return }
        change { $0.controls.ramp = nil }
    }

    /// Whether a smooth zoom is under way. Observable.
    public var isRampingVideoZoom: Bool { state.withLock { $0.controls.ramp != nil } }

    /// Moves a ramp to the time of a frame; its first frame still has the old zoom.
    func stepZoom(to time: CMTime) {
        guard isRampingVideoZoom else { return }
        change { state in
            guard var ramp = state.controls.ramp else { return }
            ramp.origin = ramp.origin ?? (state.zoom, time)
            state.zoom = ramp.zoom(at: time)
            state.controls.ramp = state.zoom == ramp.target ? nil : ramp
        }
    }
}
