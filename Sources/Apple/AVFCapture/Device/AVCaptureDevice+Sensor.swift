import CoreMedia
import Foundation
import Pipeline
import Synchronization

/// Conversion between the app's settings and the source's.
extension AVCaptureDevice {
    /// Settings for the source's next frame; `metering` replaces the app's exposure for this frame, as a bracket does.
    func settings(firesFlash: Bool, metering: CameraSettings.Metering? = nil) -> CameraSettings {
        let (controls, focusMode, zoom) = state.withLock { ($0.controls, $0.focusMode, $0.zoom) }
        var settings = CameraSettings()
        let isHeld = controls.exposureMode == .custom || controls.exposureMode == .locked && controls.isMetered
        if let metering {
            settings.metering = metering
        } else if isHeld {
            settings.metering = .manual(duration: controls.exposureDuration.seconds, iso: Double(controls.iso))
        } else {
            settings.metering = .automatic(bias: Double(controls.bias), longest: controls.maxExposure?.seconds)
        }
        settings.gains = SIMD3(Double(controls.gains.redGain), Double(controls.gains.greenGain), Double(controls.gains.blueGain))
        settings.isWhiteBalanceHeld = controls.whiteBalanceMode == .locked
        let isNeutral = controls.gains == WhiteBalanceGains(redGain: 1, greenGain: 1, blueGain: 1)
        settings.temperature = isNeutral ? nil : Double(temperatureAndTintValues(for: controls.gains).temperature)
        settings.zoom = profile.hardware.zoomsLens ? Double(zoom) : 1
        if focusMode == .locked, controls.isLensPlaced { settings.lensPosition = Double(controls.lensPosition) }
        settings.torch = controls.torchLevel > 0 && isTorchAvailable ? Double(controls.torchLevel) : 0
        settings.firesFlash = firesFlash
        return settings
    }

    /// Records the exposure of a frame: automatic exposure shows its result, exposure by hand its offset.
    func report(_ exposure: Exposure) {
        let offset = exposure.level > 0 ? Float(log2(exposure.level)) : -Self.darkest
        change { state in
            let isAutomatic = state.controls.exposureMode == .continuousAutoExposure || !state.controls.isMetered
            if isAutomatic, state.controls.exposureMode != .custom {
                state.controls.exposureDuration = CMTime(seconds: exposure.duration, preferredTimescale: 1_000_000)
                state.controls.iso = Float(exposure.iso)
            }
            state.controls.isMetered = true
            // A rounding of the sensor's is no offset.
            let rest = max(offset, -Self.darkest) - (state.controls.exposureMode == .continuousAutoExposure ? state.controls.bias : 0)
            state.controls.offset = abs(rest) < 0.01 ? 0 : rest
        }
    }

    private static let darkest: Float = 16

    /// Brightness of the picture above the target of exposure in EV, as last metered, within ±16. Observable.
    public var exposureTargetOffset: Float { state.withLock { $0.controls.offset } }

    /// Takes note of the light and of a recording: an automatic torch lights in the dark, and shines to the recording's end.
    func meet(isDark: Bool, isRecording: Bool) {
        let (wasDark, isAuto, level) = state.withLock { ($0.isDark, $0.controls.isTorchAuto, $0.controls.torchLevel) }
        if wasDark != isDark { state.withLock { $0.isDark = isDark } }
        guard isAuto, hasTorch else { return }
        let shines = isRecording && (level > 0 || isDark)
        if shines != (level > 0) { change { $0.controls.torchLevel = shines ? 1 : 0 } }
    }

    /// Whether the last metered frame was too dark.
    var isDark: Bool { state.withLock { $0.isDark } }

    // MARK: the physical lens

    /// Distance in metres to the nearest thing that the physical lens focuses on.
    private static let nearest = 0.15

    /// F-number of the physical lens, of a virtual camera that of its first one; 0 where the profile does not say. It does not blur: see
    /// `AVCaptureDeviceInput.simulatedAperture`.
    public var lensAperture: Float { Float(profile.hardware.lensAperture) }

    /// Least distance of focus in millimetres; -1 where focus is fixed.
    public var minimumFocusDistance: Int { canFocus ? Int(Self.nearest * 1000) : -1 }

    /// Disparity (1/m) that the lens was moved to by hand; nil while focus is automatic, when all is sharp.
    var placedDisparity: Double? {
        state.withLock { state in
            guard !profile.hardware.movesLens, state.controls.isLensPlaced, state.focusMode == .locked, !state.isCinematic else { return nil }
            return (1 - Double(state.controls.lensPosition)) / Self.nearest
        }
    }

    /// Full-frame-equivalent f-number of a phone's lens: f/1.6 before a sensor a quarter as large.
    static let lensFNumber = 6.4
}
