import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// A zoom on its way: the factor doubles `rate` times a second.
    struct Ramp: Sendable {
        let target: CGFloat
        let rate: Double
        /// Where and when it began; nil until the first frame.
        var origin: (zoom: CGFloat, time: CMTime)?

        func zoom(at time: CMTime) -> CGFloat {
            guard let origin else { return target }
            let travelled = CGFloat(exp2(rate * (time - origin.time).seconds))
            return target > origin.zoom ? min(origin.zoom * travelled, target) : max(origin.zoom / travelled, target)
        }
    }

    public var minAvailableVideoZoomFactor: CGFloat { state.withLock { $0.zoomRange.lowerBound } }
    public var maxAvailableVideoZoomFactor: CGFloat { state.withLock { $0.zoomRange.upperBound } }
    public var virtualDeviceSwitchOverVideoZoomFactors: [NSNumber] { profile.hardware.switchOverZoomFactors.map { NSNumber(value: $0) } }

    /// Zoom within the available range; ends a ramp. Enters the simulated lens, and cuts pictures, disparity and objects about the middle
    /// beyond the zoom that cinematic capture is pinned to, or beyond 1. Observable.
    public var videoZoomFactor: CGFloat {
        get { state.withLock { $0.zoom } }
        set {
            let selector = "setVideoZoomFactor:"
            guard requiresLock(selector), requires(newValue, in: state.withLock { $0.zoomRange }, selector) else { return }
            change { ($0.zoom, $0.controls.ramp) = (newValue, nil) }
        }
    }

    /// Zooms smoothly as frames go by, doubling `rate` times a second; the sign does not count and 0 ends a ramp.
    public func ramp(toVideoZoomFactor factor: CGFloat, withRate rate: Float) {
        let selector = "rampToVideoZoomFactor:withRate:"
        guard requiresLock(selector), requires(factor, in: state.withLock { $0.zoomRange }, selector) else { return }
        change { $0.controls.ramp = rate == 0 || $0.zoom == factor ? nil : Ramp(target: factor, rate: Double(abs(rate))) }
    }

    public func cancelVideoZoomRamp() {
        guard requiresLock("cancelVideoZoomRamp") else { return }
        change { $0.controls.ramp = nil }
    }

    /// Observable.
    public var isRampingVideoZoom: Bool { state.withLock { $0.controls.ramp != nil } }

    /// Moves a ramp to the time of a frame; the frame it begins with still has the old zoom.
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
