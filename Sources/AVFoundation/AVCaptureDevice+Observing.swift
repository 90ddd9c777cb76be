import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Changes the state and tells the observers of what is different, those who want it ahead as well; returns what was.
    /// `body` may run twice, the first time on a copy.
    @discardableResult
    func change(_ body: (inout State) -> Void) -> State {
        let isAnnounced = _observers.areForewarned
        if isAnnounced {
            let now = state.withLock { $0 }
            var next = now
            body(&next)
            tell(of: now, next, isAhead: true)
        }
        let (old, new) = state.withLock { state in
            let old = state
            body(&state)
            return (old, state)
        }
        guard _observers.isObserved else { return old }
        tell(of: old, new, wasAnnounced: isAnnounced)
        return old
    }

    /// What can be observed and depends on the state: each as it was and is.
    private func tell(of old: State, _ new: State, isAhead: Bool = false, wasAnnounced: Bool = false) {
        func tell<Value: Sendable & Equatable>(_ keyPath: KeyPath<AVCaptureDevice, Value>, _ value: (State) -> Value) {
            if isAhead {
                _observers.willChange(keyPath, from: value(old), to: value(new))
            } else {
                _observers.changed(keyPath, from: value(old), to: value(new), wasAnnounced: wasAnnounced)
            }
        }
        tell(\.activeFormat) { $0.activeFormat }
        tell(\.activeDepthDataFormat) { $0.activeDepthFormat }
        tell(\.videoZoomFactor) { $0.zoom }
        tell(\.minAvailableVideoZoomFactor) { $0.zoomRange.lowerBound }
        tell(\.maxAvailableVideoZoomFactor) { $0.zoomRange.upperBound }
        tell(\.isRampingVideoZoom) { $0.controls.ramp != nil }
        tell(\.activeVideoMinFrameDuration) { $0.fastest }
        tell(\.activeVideoMaxFrameDuration) { $0.slowest }
        tell(\.focusMode) { $0.focusMode }
        tell(\.focusPointOfInterest) { $0.controls.focusPoint }
        tell(\.focusRectOfInterest) { [self] in $0.controls.focusRect ?? defaultRectForFocusPoint(ofInterest: $0.controls.focusPoint) }
        tell(\.exposureRectOfInterest) { [self] in $0.controls.exposureRect ?? defaultRectForExposurePoint(ofInterest: $0.controls.exposurePoint) }
        tell(\.activeColorSpace) { $0.controls.colorSpace }
        tell(\.isAutoVideoFrameRateEnabled) { $0.controls.isAutoFrameRate }
        tell(\.activeMaxExposureDuration) { $0.controls.maxExposure ?? $0.activeFormat.maxExposureDuration }
        tell(\.lensPosition) { $0.controls.lensPosition }
        tell(\.exposureMode) { $0.controls.exposureMode }
        tell(\.exposurePointOfInterest) { $0.controls.exposurePoint }
        tell(\.exposureDuration) { $0.controls.exposureDuration }
        tell(\.iso) { $0.controls.iso }
        tell(\.exposureTargetBias) { $0.controls.bias }
        tell(\.exposureTargetOffset) { $0.controls.offset }
        tell(\.whiteBalanceMode) { $0.controls.whiteBalanceMode }
        tell(\.deviceWhiteBalanceGains) { $0.controls.gains }
        tell(\.torchMode) { $0.controls.torchMode }
        tell(\.torchLevel) { $0.controls.torchLevel }
        tell(\.isTorchActive) { $0.controls.torchLevel > 0 }
        tell(\.isTorchAvailable) { [self] in hasTorch && ![.critical, .shutdown].contains($0.pressure.level) }
        tell(\.systemPressureState) { $0.pressure }
        tell(\.isConnected) { $0.isConnected }
    }
}
