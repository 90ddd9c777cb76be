import CoreMedia
import Foundation
import Synchronization

extension AVCaptureDevice {
    /// Changes the state and notifies observers of the properties that differ, ahead too where asked; returns the state before.
    /// `body` may run twice, the first time on a copy.
    @discardableResult
    func change(_ body: (inout State) -> Void) -> State {
        let isAnnounced = _observers.areForewarned
        if isAnnounced {
            let now = state.withLock { $0 }
            var next = now
            body(&next)
            notify(of: now, next, isAhead: true)
        }
        let (old, new) = state.withLock { state in
            let old = state
            body(&state)
            return (old, state)
        }
        guard _observers.isObserved else { return old }
        notify(of: old, new, wasAnnounced: isAnnounced)
        return old
    }

    /// Notifies observers of every observable property that depends on the state, with its old and new value.
    private func notify(of old: State, _ new: State, isAhead: Bool = false, wasAnnounced: Bool = false) {
        func notify<Value: Sendable & Equatable>(_ keyPath: KeyPath<AVCaptureDevice, Value>, _ value: (State) -> Value) {
            if isAhead {
                _observers.willChange(keyPath, from: value(old), to: value(new))
            } else {
                _observers.changed(keyPath, from: value(old), to: value(new), wasAnnounced: wasAnnounced)
            }
        }
        notify(\.activeFormat) { $0.activeFormat }
        notify(\.activeDepthDataFormat) { $0.activeDepthFormat }
        notify(\.videoZoomFactor) { $0.zoom }
        notify(\.minAvailableVideoZoomFactor) { $0.zoomRange.lowerBound }
        notify(\.maxAvailableVideoZoomFactor) { $0.zoomRange.upperBound }
        notify(\.isRampingVideoZoom) { $0.controls.ramp != nil }
        notify(\.activeVideoMinFrameDuration) { $0.fastest }
        notify(\.activeVideoMaxFrameDuration) { $0.slowest }
        notify(\.focusMode) { $0.focusMode }
        notify(\.focusPointOfInterest) { $0.controls.focusPoint }
        notify(\.focusRectOfInterest) { [self] in $0.controls.focusRect ?? defaultRectForFocusPoint(ofInterest: $0.controls.focusPoint) }
        notify(\.exposureRectOfInterest) { [self] in $0.controls.exposureRect ?? defaultRectForExposurePoint(ofInterest: $0.controls.exposurePoint) }
        notify(\.activeColorSpace) { $0.controls.colorSpace }
        notify(\.isAutoVideoFrameRateEnabled) { $0.controls.isAutoFrameRate }
        notify(\.activeMaxExposureDuration) { $0.controls.maxExposure ?? $0.activeFormat.maxExposureDuration }
        notify(\.lensPosition) { $0.controls.lensPosition }
        notify(\.exposureMode) { $0.controls.exposureMode }
        notify(\.automaticallyAdjustsExposureDuration) { $0.controls.exposureMode == .continuousAutoExposure }
        notify(\.automaticallyAdjustsISO) { $0.controls.exposureMode == .continuousAutoExposure }
        notify(\.automaticallyAdjustsLensAperture) { $0.controls.exposureMode == .continuousAutoExposure }
        notify(\.exposurePointOfInterest) { $0.controls.exposurePoint }
        notify(\.exposureDuration) { $0.controls.exposureDuration }
        notify(\.iso) { $0.controls.iso }
        notify(\.exposureTargetBias) { $0.controls.bias }
        notify(\.exposureTargetOffset) { $0.controls.offset }
        notify(\.whiteBalanceMode) { $0.controls.whiteBalanceMode }
        notify(\.deviceWhiteBalanceGains) { $0.controls.gains }
        notify(\.torchMode) { $0.controls.torchMode }
        notify(\.torchLevel) { $0.controls.torchLevel }
        notify(\.isTorchActive) { $0.controls.torchLevel > 0 }
        notify(\.isTorchAvailable) { [self] in hasTorch && ![.critical, .shutdown].contains($0.pressure.level) }
        notify(\.systemPressureState) { $0.pressure }
        notify(\.isConnected) { $0.isConnected }
    }
}
